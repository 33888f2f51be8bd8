// SPDX-License-Identifier: Apache-2.0
#include "limit_terms.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "engine.hpp"
#include "fixaccel/decimal.hpp"
#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {
namespace {

constexpr std::int64_t kMostCount = 1'000'000'000'000'000;  // of what is counted; as the compiler has it
constexpr std::int64_t kMostRepeatMs = 24 * 3'600'000;
constexpr std::int64_t kMostBasisPoints = 10'000;
constexpr std::size_t kMostDigits = 15;

constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kUnits{
    {{"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}}};

// What rules have been compiled by. Limits that a rule has for itself are among these, too.
constexpr std::array<std::string_view, 4> kCompiled{"order_qty", "order_notional", "limit_collar",
                                                    "self_trade"};

constexpr std::int64_t most_quantity() {
    std::int64_t most = 1;
    for (unsigned digit = 0; digit < hwmap::total_qty_digits; ++digit) most *= 10;
    return most - 1;
}

std::optional<std::int64_t> whole(std::string_view text) {
    std::int64_t number = 0;
    if (text.empty() || text.size() > kMostDigits || text.front() == '-') return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> count(std::string_view text, std::int64_t least, std::int64_t most) {
    const auto number = whole(text);
    return number && *number >= least && *number <= most ? number : std::nullopt;
}

// Of `5%` or `0.25%`: 500, 25.
std::optional<std::int64_t> percent(std::string_view text) {
    if (!text.ends_with('%')) return std::nullopt;
    text.remove_suffix(1);
    const std::size_t point = std::min(text.find('.'), text.size());
    const auto before = whole(text.substr(0, point));
    std::string decimals(point == text.size() ? "0" : text.substr(point + 1));
    const std::size_t given = decimals.size();
    decimals.resize(2, '0');
    const auto behind = whole(decimals);
    if (!before || !behind || given == 0 || given > 2 || *before > 100) return std::nullopt;
    const std::int64_t value = *before * 100 + *behind;
    return value > 0 && value <= kMostBasisPoints ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> time_ns(std::string_view text) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number = whole(text.substr(0, digits));
    const auto* const unit = std::find_if(
        kUnits.begin(), kUnits.end(), [&](const auto& each) { return each.first == text.substr(digits); });
    if (!number || *number == 0 || unit == kUnits.end() || *number > kMostRepeatMs / unit->second)
        return std::nullopt;
    return *number * unit->second * kNsOfMs;
}

struct Term {
    std::string_view limit;
    std::optional<std::int64_t> (*read)(std::string_view text);
    const char* form;
};

constexpr std::array kTerms{
    Term{kOrdersPerSecond, [](std::string_view text) { return count(text, 1, hwmap::bucket_rate_most); },
         "a whole number of orders, at least 1"},
    Term{kTotalOrders, [](std::string_view text) { return count(text, 0, kMostCount); },
         "a whole number of orders"},
    Term{kTotalQty, [](std::string_view text) { return count(text, 0, kMostCount); }, "a whole quantity"},
    Term{kCollar, percent, "a percentage such as 5% or 0.25%, at most 100%"},
    Term{kRepeat, time_ns, "a time such as 500ms, 10s or 5m, at most 24h"},
};

std::string known() {
    std::string text;
    for (const Term& term : kTerms) text.append(text.empty() ? "" : ", ").append(term.limit);
    return text;
}

// Of one instrument, or of all.
bool in_two_places(const Bundle& bundle, const std::string& instrument) {
    bool there[2] = {false, false};
    for (const BundleRule& rule : bundle.rules)
        if (instrument.empty() || rule.instrument == instrument)
            there[rule.trigger.has_value() ? 1 : 0] = true;
    return there[0] && there[1];
}

bool in_fabric(const Bundle& bundle, const std::string& instrument) {
    return std::any_of(bundle.rules.begin(), bundle.rules.end(), [&](const BundleRule& rule) {
        return rule.trigger.has_value() && (instrument.empty() || rule.instrument == instrument);
    });
}

}  // namespace

std::int64_t limit_value(const std::string& limit, const std::string& text) {
    if (std::find(kCompiled.begin(), kCompiled.end(), limit) != kCompiled.end())
        throw Refused(limit +
                      " is compiled into the orders of the rules and cannot be changed while they run: "
                      "change it in the strategy, compile and deploy; what can be changed is " +
                      known());
    const auto* const term =
        std::find_if(kTerms.begin(), kTerms.end(), [&](const Term& each) { return each.limit == limit; });
    if (term == kTerms.end())
        throw Refused("there is no limit " + limit + "; what can be changed is " + known());
    const auto value = term->read(text);
    if (!value) throw Refused(limit + " is " + term->form + ", not '" + text + "'");
    return *value;
}

std::string limit_value_text(const std::string& limit, std::int64_t value) {
    if (limit == kCollar) return price_text(value, "0.01") + "%";
    if (limit == kRepeat) return std::to_string(value / kNsOfMs) + "ms";
    return std::to_string(value);
}

bool has_rule(const Bundle& bundle, const std::string& rule) {
    return std::any_of(bundle.rules.begin(), bundle.rules.end(),
                       [&](const BundleRule& each) { return each.rule == rule; });
}

std::string not_held(const Bundle& bundle, const LimitValues& own, const std::string& limit,
                     const std::string& instrument, std::int64_t value, const std::string& rule) {
    const char* const way_out = ": let the strategy have it, compile and deploy";
    if (!rule.empty()) {
        if (!has_rule(bundle, rule)) return "this bundle has no rule " + rule;
        // Its orders are judged where its limits are, in the runtime.
        return own.count(limit_key(limit, instrument, rule)) != 0
                   ? ""
                   : "rule " + rule + " has no " + limit_key(limit, instrument) + " of its own" + way_out;
    }
    const bool counts = limit == kOrdersPerSecond || limit == kTotalOrders || limit == kTotalQty;
    if (counts && own.count(limit_key(limit, instrument)) == 0 && in_two_places(bundle, instrument))
        return limit + " is no limit of this bundle, whose rules run in two places that count apart" +
               way_out;
    if (limit == kTotalQty && value > most_quantity() && in_fabric(bundle, instrument))
        return "the board counts quantities up to " + std::to_string(most_quantity());
    if (limit == kRepeat && in_fabric(bundle, {}))
        return std::string("repeat is kept by the runtime, and rules of this bundle run in the fabric") +
               way_out;
    return {};
}

}  // namespace fixaccel
