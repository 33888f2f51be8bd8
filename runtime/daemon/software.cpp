// SPDX-License-Identifier: Apache-2.0
#include "software.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "bundle_table.hpp"
#include "fixaccel/decimal.hpp"
#include "fixaccel/fire.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/seq.hpp"
#include "order_fields.hpp"
#include "price.hpp"
#include "table_columns.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::uint8_t kSell = 1;         // order.side
constexpr std::uint8_t kLimit = 1;        // order.type
constexpr std::size_t kUsualOrder = 512;  // bytes

}  // namespace

SoftwareRules::SoftwareRules(const Bundle& bundle, Ledger& ledger, RulesOf of, TableCheck* before)
    : ledger_(ledger),
      of_(of),
      table_(SoftwareTable::parse(of == RulesOf::runtime ? bundle.software : bundle.standby)),
      reader_(symbols(table_)),
      interpreter_(table_.columns(), ArmedFrom::later) {
    read_envelopes();
    TableCheck none;
    (before != nullptr ? *before : none).check(bundle, table_, of);
    check_envelopes(bundle);
    interpreter_.set_rearming(of == RulesOf::runtime);
    interpreter_.set_rolling(false);  // the ledger counts
    fire_.cl_ord_id.reserve(kUsualOrder);
    order_.body.reserve(kUsualOrder);
}

void SoftwareRules::read_envelopes() {
    try {
        for (const json& entry : json::parse(table_.metadata("envelopes"))) {
            OrderTerms terms;
            terms.tif = entry.at("tif");
            terms.account = entry.at("account");
            if (tif_code(terms.tif).empty()) throw BundleError("no time in force " + terms.tif);
            FixFields fixed;
            for (const auto& [tag, text] : entry.at("fields").items())
                fixed.emplace_back(std::stoi(tag), text.get<std::string>());
            const auto lay_out = [&] { return OrderLayout(order_fields(terms, {}, {}), fixed); };
            const OrderLayout market = lay_out();
            terms.price = "0";  // any: a limit order has one
            envelopes_.push_back({market, lay_out()});
        }
    } catch (const std::exception& error) {
        throw BundleError(std::string("the envelopes of the runtime's rules are not understood: ") +
                          error.what());
    }
}

void SoftwareRules::check_envelopes(const Bundle& bundle) const {
    const auto lacks = [this](std::int32_t envelope) {
        return envelope < 0 || static_cast<std::size_t>(envelope) >= envelopes_.size();
    };
    if (std::ranges::any_of(table_.columns().order.envelope, lacks))
        throw BundleError("bundle " + bundle.path.string() +
                          ": an order of the runtime's rules has no envelope");
}

const Load& SoftwareRules::load() const {
    const Load* load = ledger_.load_of(generation_);
    return load != nullptr ? *load : ledger_.load();
}

// From the ledger.
void SoftwareRules::restore(std::size_t row) {
    const LoadedRule& rule = load().rules.at(static_cast<std::size_t>(table_.columns().part.index[row]));
    interpreter_.restore(row, ledger_.fires_of(rule), ledger_.spent(rule));
    // The runtime's are armed in a table of their own.
    if (of_ == RulesOf::fabric && !rule.in_fabric) return interpreter_.restore_cancelled(row);
    if (ledger_.cancelled(rule)) interpreter_.restore_cancelled(row);
    if (ledger_.armed_by_order(rule)) interpreter_.restore_armed(row);
    if (ledger_.passed(rule)) interpreter_.restore_passed(row);
    if (ledger_.refused(rule)) interpreter_.restore(row, ledger_.fires_of(rule), true);
    if (const auto trail = ledger_.trail(rule)) interpreter_.restore_trail(row, *trail);
}

void SoftwareRules::arm() {
    generation_ = ledger_.load().generation;
    begun_ = true;
    const auto full = interpreter_.rate_full_ns();
    const GateCounters before = interpreter_.counters();
    interpreter_.restart();
    interpreter_.set_rate_full(full);
    interpreter_.set_counters(counters(before));
    for (std::size_t row = 0; row < table_.columns().parts(); ++row) restore(row);
    restore_fills();
}

// The parents may run in the fabric: they are known by their keys.
void SoftwareRules::restore_fills() {
    parents_.clear();
    told_.clear();
    for (const Links& links : load().links)
        for (const auto& [first, last] : links.heeds_fills() ? links.senders : RuleRanges())
            for (std::size_t rule = first; rule <= last; ++rule)
                parents_.emplace(load().rules.at(rule).key(), static_cast<std::int32_t>(rule));
    for (const auto& [key, part] : parents_) {
        const auto found = ledger_.fills().find(key);
        const PartFills fills = found == ledger_.fills().end() ? PartFills{} : found->second;
        told_[part] = fills;
        interpreter_.restore_filled(part, fills.filled);
    }
    fills_told_ = ledger_.fills_changes();
}

void SoftwareRules::follow_fills(std::int64_t now_ns) {
    if (!begun_ || parents_.empty() || fills_told_ == ledger_.fills_changes()) return;
    fills_told_ = ledger_.fills_changes();
    for (const auto& [key, fills] : ledger_.fills()) {
        const auto parent = parents_.find(key);
        if (parent == parents_.end()) continue;
        const PartFills before = std::exchange(told_[parent->second], fills);
        if (fills.filled != before.filled)
            interpreter_.filled(parent->second, fills.filled - before.filled, now_ns);
        if (fills.done != before.done) interpreter_.order_done(parent->second, true, now_ns);
    }
}

void SoftwareRules::advance(std::int64_t now_ns, OrderPort& port) {
    const auto next = next_moment();
    if (!next || *next > now_ns || !port.armed()) return;
    port_ = &port;
    read_at_ = {};
    interpreter_.advance(now_ns, *this);
    port_ = nullptr;
}

std::optional<std::int64_t> SoftwareRules::next_moment() const {
    return begun_ ? interpreter_.next_moment() : std::nullopt;
}

void SoftwareRules::count_other(std::int64_t now_ns) {
    recount();
    interpreter_.take_order(now_ns);
}

void SoftwareRules::change_limits(const LimitValues& changes, std::int64_t now_ns) {
    table_.change_limits(changes);
    interpreter_.limits_changed(now_ns);
}

// Rule indices and trails of those that have moved.
const Ledger::Trails& SoftwareRules::take_moved() {
    interpreter_.take_moved(moved_rows_);
    moved_.clear();
    for (const std::uint32_t row : moved_rows_)
        if (const auto trail = interpreter_.trail(row))
            moved_.emplace_back(static_cast<std::uint32_t>(table_.columns().part.index[row]), *trail);
    return moved_;
}

void SoftwareRules::save() {
    if (const Ledger::Trails& moved = take_moved(); !moved.empty()) ledger_.record_trails(generation_, moved);
}

void SoftwareRules::take_over(SoftwareRules& former, std::uint32_t generation) {
    former.save();
    const TableColumns& columns = table_.columns();
    using Rules = SharedList<LoadedRule>;
    const Rules before = former.load().rules;
    generation_ = generation;
    const Rules& now = load().rules;
    // What both loads have at the same place is in both tables.
    const auto shared = [&](std::size_t rule) { return now.shares_piece(before, rule / Rules::kPiece); };
    begun_ = former.begun_;
    interpreter_.take_over(std::move(former.interpreter_));
    // What was never armed follows the market alone: arm() asks the ledger for the rest.
    if (!begun_) return;
    std::set<std::string> kept;
    for (const std::int32_t index : former.table_.columns().part.index)
        if (!shared(static_cast<std::size_t>(index)))
            kept.insert(before.at(static_cast<std::size_t>(index)).key());
    recount();
    for (std::size_t row = 0; row < columns.parts(); ++row) {
        const auto rule = static_cast<std::size_t>(columns.part.index[row]);
        if (!shared(rule) && kept.count(now.at(rule).key()) == 0) restore(row);
    }
    restore_fills();
}

std::vector<std::string> SoftwareRules::unknown_to(const SoftwareRules& former) const {
    const std::vector<std::string> known = symbols(former.table_);
    std::vector<std::string> unknown = symbols(table_);
    std::erase_if(unknown, [&](const std::string& symbol) {
        return std::find(known.begin(), known.end(), symbol) != known.end();
    });
    return unknown;
}

// `before`: by which the buckets of rules with limits of their own go on.
GateCounters SoftwareRules::counters(const GateCounters& before) const {
    const SentOrders& sent = ledger_.sent_orders();
    GateCounters counters;
    counters.orders = sent.orders;
    for (const auto& [symbol, quantity] : sent.quantities)
        counters.quantities.push_back({symbol, quantity.bought, quantity.sold});
    for (const auto& [rule, sent_ns] : sent.last_ns) counters.last_orders.push_back({rule, sent_ns});
    if (table_.columns().rule_limits.rule.empty()) return counters;
    for (const auto& [rule, own] : sent.rules) {
        GateCounters::Rule& counted = counters.rules.emplace_back();
        counted.rule = rule;
        counted.orders = own.orders;
        for (const auto& [symbol, quantity] : own.quantities)
            counted.quantities.push_back({symbol, quantity.bought, quantity.sold});
        const auto same =
            std::find_if(before.rules.begin(), before.rules.end(),
                         [&name = rule](const GateCounters::Rule& one) { return one.rule == name; });
        if (same != before.rules.end()) counted.rate_full_ns = same->rate_full_ns;
    }
    return counters;
}

bool SoftwareRules::process(const MarketText& message, std::int64_t now_ns, OrderPort& port,
                            std::optional<std::chrono::steady_clock::time_point> read_at) {
    if (!reader_.read(message, now_ns, messages_)) return false;
    port_ = &port;
    read_at_ = read_at;
    for (const MarketMessage& each : messages_) {
        if (begun_ && port.armed())
            interpreter_.process(each, *this);
        else
            interpreter_.watch(each);
    }
    port_ = nullptr;
    return true;
}

std::optional<PartState> SoftwareRules::state(std::uint32_t rule) const {
    if (!begun_) return std::nullopt;
    const auto& index = table_.columns().part.index;
    const auto row = std::lower_bound(index.begin(), index.end(), static_cast<std::int32_t>(rule));
    if (row == index.end() || *row != static_cast<std::int32_t>(rule)) return std::nullopt;
    return interpreter_.state(static_cast<std::size_t>(row - index.begin()));
}

bool SoftwareRules::admit(const TableFire& fire) {
    return port_->admits(load().rules.at(static_cast<std::size_t>(fire.part)));
}

// In this order: whether it may leave, the intent in the journal, the lease, the FIX store, the wire, the
// outcome in the journal. A crash anywhere in between leaves the rule spent.
GateOutcome SoftwareRules::offer(const TableFire& fire) {
    withheld_ = port_->held_back();
    if (!withheld_.empty()) return GateOutcome::withheld;
    const SoftwareFire& order_of = describe(fire);
    if (ledger_.dry()) {
        ledger_.record_dry(order_of);
        return GateOutcome::sent;
    }
    if (const Ledger::Trails& moved = take_moved(); !moved.empty())
        ledger_.record_trails_ahead(generation_, moved);
    const auto envelope = table_.columns().order.envelope[static_cast<std::size_t>(fire.order)];
    port_->decided();
    ledger_.record_intent(order_of);
    port_->journalled();
    const auto sent_at = port_->send_order(order(order_of, static_cast<std::size_t>(envelope)));
    std::optional<std::chrono::nanoseconds> took;
    if (read_at_ && sent_at >= *read_at_) took = sent_at - *read_at_;
    if (ledger_.settle_intent("lease", took)) return GateOutcome::sent;
    withheld_.clear();  // the journal has it already
    return GateOutcome::withheld;
}

// Of orders that a dry run keeps back no venue says anything: those rest to the end of its day, beside these.
std::optional<bool> SoftwareRules::meets_own(const TableFire& fire) {
    const TableColumns& columns = table_.columns();
    const auto instrument =
        static_cast<std::size_t>(columns.part.instrument[static_cast<std::size_t>(fire.row)]);
    std::optional<std::int64_t> price;
    if (fire.type == kLimit) price = bounded(Wide{fire.price} * columns.instrument.unit[instrument]);
    if (ledger_.resting().meets(std::string(table_.symbol(instrument)), fire.side != kSell, price))
        return true;
    if (ledger_.dry()) return std::nullopt;
    return false;
}

// The fire's record says to the ledger what they are.
void SoftwareRules::cancel(const TableFire& /*by*/, std::span<const PartRange> /*parts*/) {
    if (port_ != nullptr) port_->cancels_due();
}

void SoftwareRules::report(const TableFire& fire) {
    if (fire.outcome == GateOutcome::sent) return;
    if (fire.outcome != GateOutcome::withheld)
        ledger_.record_rejected(describe(fire), limit_text(fire.outcome));
    else if (!withheld_.empty())
        ledger_.record_rejected(describe(fire), withheld_);
}

// Of one at a time. `fire_` and what is written of it take no memory, once there was one as long.
const SoftwareFire& SoftwareRules::describe(const TableFire& fire) {
    const LoadedRule& rule = load().rules.at(static_cast<std::size_t>(fire.part));
    const bool halved = fire.source == hwmap::source_mid;
    SoftwareFire& out = fire_;
    for (std::string* const text : {&out.source, &out.observed, &out.threshold, &out.price}) text->clear();
    out.generation = load().generation;
    out.rule = static_cast<std::uint32_t>(fire.part);
    if (fire.has_observed != 0) {
        out.source = source_text(fire.source);
        write_price(out.observed, fire.observed, rule.unit, halved);
    }
    if (fire.has_trigger != 0) write_price(out.threshold, fire.trigger, rule.unit, halved);
    out.side = fire.side == kSell ? "sell" : "buy";
    std::array<char, 24> digits;
    out.qty.assign(digits.data(), std::to_chars(digits.begin(), digits.end(), fire.qty).ptr);
    out.type = fire.type == kLimit ? "limit" : "market";
    if (fire.type == kLimit) write_price(out.price, fire.price, rule.unit);
    out.fires = static_cast<std::uint32_t>(fire.fires);
    write_cl_ord_id(out.cl_ord_id, load().epoch, out.rule, out.fires);
    out.time_ns = fire.ts_ns;
    out.stand_in = of_ == RulesOf::fabric;
    return out;
}

const OrderText& SoftwareRules::order(const SoftwareFire& fire, std::size_t number) {
    const LoadedRule& rule = load().rules.at(fire.rule);
    const Envelope& envelope = envelopes_.at(number);
    wire_price_ = fire.price;
    if (!wire_price_.empty()) pad_decimals(wire_price_, rule.unit);
    const OrderLayout& layout = wire_price_.empty() ? envelope.market : envelope.limit;
    OrderLayout::Values values;
    values[OrderLayout::cl_ord_id] = fire.cl_ord_id;
    values[OrderLayout::qty] = fire.qty;
    values[OrderLayout::type] = type_code(fire.type);
    values[OrderLayout::price] = wire_price_;
    values[OrderLayout::side] = side_code(fire.side);
    values[OrderLayout::symbol] = rule.instrument;
    layout.write(values, order_);
    return order_;
}

}  // namespace fixaccel
