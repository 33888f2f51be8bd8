// SPDX-License-Identifier: Apache-2.0
// What orders have filled, by the venue's reports, and what that does to other rules.
#include <algorithm>
#include <charconv>
#include <string_view>

#include "fixaccel/fire.hpp"
#include "fixaccel/ledger.hpp"
#include "report_key.hpp"

namespace fixaccel {
namespace {

// Whole units; none for what is no number. A venue may write 5.00.
std::optional<std::int64_t> quantity(const std::string& text) {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || value < 0) return std::nullopt;
    if (at == end) return value;
    const bool whole = *at == '.' && std::all_of(at + 1, end, [](char c) { return c == '0'; });
    return whole ? std::optional<std::int64_t>(value) : std::nullopt;
}

bool is_trade(const std::string& exec_type) {
    return exec_type == "F" || exec_type == "1" || exec_type == "2";
}

// A trade is taken back, or told anew with other terms.
bool is_bust(const std::string& exec_type) { return exec_type == "H"; }
bool is_correction(const std::string& exec_type) { return exec_type == "H" || exec_type == "G"; }

bool is_key(const std::string& key, const LoadedRule& rule) {
    return key.size() == rule.id.size() + 1 + rule.hash.size() && key.starts_with(rule.id) &&
           key[rule.id.size()] == '|' && key.ends_with(rule.hash);
}

bool has_part(const Load& load, const RuleRanges& ranges, const std::string& key) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const auto& range) {
        for (std::size_t i = range.first; i <= range.second; ++i)
            if (is_key(key, load.rules.at(i))) return true;
        return false;
    });
}

}  // namespace

const std::string& LedgerState::first_name(const std::string& cl_ord_id) const {
    const auto placed = placed_.find(cl_ord_id);
    return placed == placed_.end() ? cl_ord_id : placed->second.first;
}

const OrderFills* LedgerState::order_fills(const std::string& cl_ord_id) const {
    const auto found = fills_by_order_.find(first_name(cl_ord_id));
    return found == fills_by_order_.end() ? nullptr : &found->second;
}

// A report on a request about an order names that one as OrigClOrdID(41).
std::string LedgerState::order_of(const Record& report) const {
    const std::string& cl_ord_id = report.at("cl_ord_id").text();
    if (order_fills(cl_ord_id) != nullptr) return first_name(cl_ord_id);
    return first_name(report.value("orig_cl_ord_id", std::string()));
}

PartFills LedgerState::fills_of(const LoadedRule& rule) const {
    const auto found = fills_.find(rule.key());
    return found == fills_.end() ? PartFills{} : found->second;
}

bool LedgerState::heeds_fills_of(const std::string& part) const {
    return std::any_of(load_.links.begin(), load_.links.end(), [&](const Links& links) {
        return links.heeds_fills() && has_part(load_, links.senders, part);
    });
}

bool LedgerState::is_old(const Record& report, const OrderFills& order) const {
    const std::string& exec_id = report.at("exec_id").text();
    const std::string& type = report.at("exec_type").text();
    const auto filled = quantity(report.at("cum_qty").text());
    const bool more = filled && *filled > order.filled;
    const auto seen = reports_.find(report.at("cl_ord_id").text());
    if (!exec_id.empty() && exec_id != "0" && seen != reports_.end()) {
        if (seen->second.count(report_key(report)) != 0) return true;
        const std::string begin = exec_key(report);
        const auto same = seen->second.lower_bound(begin);
        if (same != seen->second.end() && same->starts_with(begin)) return !more;
    }
    if (!report.value("poss_dup", false) && !report.contains("again")) return false;
    if (is_correction(type) || !filled) return false;
    return *filled < order.filled || (is_trade(type) && *filled == order.filled);
}

// What the venue says of an order that rules go by makes no sense. Empty: it does.
std::string LedgerState::contradiction(const Record& report) const {
    const OrderFills* const order = order_fills(order_of(report));
    if (order == nullptr || order->part.empty() || is_old(report, *order)) return {};
    const std::string& type = report.at("exec_type").text();
    const auto filled = quantity(report.at("cum_qty").text());
    const auto last = quantity(report.at("last_qty").text()).value_or(0);
    const std::int64_t before = order->filled;
    const auto said = [&] {
        return "CumQty " + (filled ? std::to_string(*filled) : "\"" + report.at("cum_qty").text() + "\"") +
               " with LastQty " + std::to_string(last) + " and ExecType " + type + " behind CumQty " +
               std::to_string(before);
    };
    bool sound = true;
    if (!filled)
        sound = !is_trade(type) && !is_correction(type) && report.at("cum_qty").text().empty();
    else if (is_bust(type))
        sound =
            *filled <= before && (before == 0 || (last != 0 ? *filled == before - last : *filled < before));
    else if (is_trade(type))
        sound = *filled >= before + last;
    else if (!is_correction(type))
        sound = *filled >= before;
    // The same execution with another quantity.
    const auto seen = reports_.find(report.at("cl_ord_id").text());
    const std::string begin = exec_key(report);
    const std::string& exec_id = report.at("exec_id").text();
    if (sound && !exec_id.empty() && exec_id != "0" && seen != reports_.end()) {
        const auto same = seen->second.lower_bound(begin);
        sound = same == seen->second.end() || !same->starts_with(begin);
    }
    if (sound || !heeds_fills_of(order->part)) return {};
    return "the venue's reports on order " + report.at("cl_ord_id").text() +
           " contradict each other: " + said();
}

// The FIX store has an order. A report on it may have come before, when it was taken off the board's ring
// late.
void LedgerState::begin_order(const std::string& cl_ord_id, const std::string& part) {
    PlacedOrder& placed = placed_.at(cl_ord_id);
    const auto before = placed_.find(placed.replaces);
    placed.first = before == placed_.end() ? cl_ord_id : before->second.first;
    const auto [order, fresh] = fills_by_order_.try_emplace(placed.first);
    if (!fresh) {
        ++order->second.names;
        return;
    }
    order->second.part = part;
    order->second.current = cl_ord_id;
    if (!part.empty()) {
        fills_[part].sent += quantity(placed.terms.qty).value_or(0);
        ++fills_changes_;
    }
    const auto told = orders_.find(cl_ord_id);
    if (told == orders_.end()) return;
    set_fills(order->second, quantity(told->second.cum_qty).value_or(0),
              ends_order(told->second.status, placed.terms.tif == "gtc"));
}

void LedgerState::end_order(const std::string& cl_ord_id) {
    const auto order = fills_by_order_.find(first_name(cl_ord_id));
    if (order != fills_by_order_.end() && order->second.current == cl_ord_id)
        set_fills(order->second, order->second.filled, true);
}

void LedgerState::take_fills(const Record& report) {
    const auto found = fills_by_order_.find(order_of(report));
    if (found == fills_by_order_.end() || is_old(report, found->second)) return;
    OrderFills& order = found->second;
    const std::string& cl_ord_id = report.at("cl_ord_id").text();
    const std::string& status = report.at("status").text();
    if (report.at("exec_type") == "5" && placed_.count(cl_ord_id) != 0) order.current = cl_ord_id;
    const auto placed = placed_.find(order.current);
    const bool lasting = placed != placed_.end() && placed->second.terms.tif == "gtc";
    set_fills(order, quantity(report.at("cum_qty").text()).value_or(order.filled),
              status != kReplaced && ends_order(status, lasting));
}

void LedgerState::set_fills(OrderFills& order, std::int64_t filled, bool done) {
    const bool was_done = order.done && order.filled > 0;
    const std::int64_t more = filled - order.filled;
    order.filled = filled;
    order.done = done;
    if (const auto placed = placed_.find(order.current); done && placed != placed_.end())
        cancels_due_.erase(placed->second.first);
    const bool ends = done && filled > 0 && !was_done;
    if ((more == 0 && !ends) || order.part.empty() || !is_loaded(order.part)) return;
    ++fills_changes_;
    PartFills& part = fills_[order.part];
    part.filled += more;
    if (ends) ++part.done;
    if (more > 0) arm_by_fills(order.part, ArmedOn::first_fill);
    if (ends) arm_by_fills(order.part, ArmedOn::filled);
}

// A fill is real whether or not a dry run is on, which nothing of it ends with.
void LedgerState::arm_by_fills(const std::string& part, ArmedOn on) {
    for (const Links& links : load_.links) {
        if (links.on != on || links.arms.empty() || !has_part(load_, links.senders, part)) continue;
        for (const auto& [first, last] : links.arms)
            for (std::size_t i = first; i <= last; ++i) {
                const std::string key = load_.rules.at(i).key();
                effects_.linked[key].armed = true;
                if (before_dry_run_) before_dry_run_->linked[key].armed = true;
            }
    }
}

void LedgerState::forget_name(const std::string& cl_ord_id) {
    const auto order = fills_by_order_.find(first_name(cl_ord_id));
    if (order == fills_by_order_.end() || --order->second.names != 0) return;
    cancels_due_.erase(order->first);
    fills_by_order_.erase(order);
}

std::int64_t LedgerState::filled_by(const RuleRanges& rules) const {
    std::int64_t filled = 0;
    for (const auto& [first, last] : rules)
        for (std::size_t i = first; i <= last; ++i) filled += fills_of(load_.rules.at(i)).filled;
    return std::max<std::int64_t>(filled, 0);
}

std::map<std::uint32_t, std::int64_t> LedgerState::uncovered() const {
    std::map<std::uint32_t, std::int64_t> found;
    for (const Links& links : load_.links) {
        if (!links.sizes) continue;
        const std::int64_t filled = filled_by(links.senders);
        for (const auto& [first, last] : links.arms)
            for (std::uint32_t rule = first; rule <= last && filled != 0; ++rule)
                if (const std::int64_t sent = fills_of(load_.rules.at(rule)).sent; sent != 0 && filled > sent)
                    found[rule] = filled - sent;
    }
    return found;
}

}  // namespace fixaccel
