// SPDX-License-Identifier: Apache-2.0
#include "gate.hpp"

#include <algorithm>
#include <limits>

namespace fixaccel {
namespace {

constexpr Wide kBasisPoints = 10'000;

Wide magnitude(Wide value) { return value < 0 ? -value : value; }

std::int64_t added(std::int64_t sum, std::int64_t more) {
    return static_cast<std::int64_t>(
        std::min<Wide>(Wide{sum} + more, std::numeric_limits<std::int64_t>::max()));
}

Wide cap_of(Words caps, std::size_t row) {
    return Wide{static_cast<std::int64_t>(caps[2 * row + 1])} << 64 | caps[2 * row];
}

}  // namespace

void Gate::set_limits(const TableColumns& columns, std::int64_t now_ns) {
    own_ = OwnOrders(columns);
    limits_.assign(columns.instruments(), {});
    set_shared_values(columns, now_ns);
    set_rules(columns, now_ns);
    set_day(columns, now_ns);
}

void Gate::set_values(const TableColumns& columns, std::int64_t now_ns) {
    set_shared_values(columns, now_ns);
    set_rule_values(columns, now_ns);
}

void Gate::set_shared_values(const TableColumns& columns, std::int64_t now_ns) {
    bucket_.resize(columns.limits.orders_per_second[0], now_ns);
    order_qty_ = columns.limits.order_qty[0];
    collar_ = {columns.limits.collar[0], columns.limits.collar_ignores[0] != 0};
    total_orders_ = columns.limits.total_orders[0];
    self_trade_ = columns.limits.self_trade[0] != 0;
    repeat_ns_ = columns.limits.repeat_ns[0];
    for (std::size_t row = 0; row < limits_.size(); ++row) {
        limits_[row].notional_cap = cap_of(columns.instrument.notional_cap, row);
        limits_[row].total_qty = columns.instrument.total_qty[row];
    }
}

void Gate::set_rules(const TableColumns& columns, std::int64_t now_ns) {
    const auto& own = columns.rule_limits;
    rules_.assign(own.rule.size(), {});
    rules_have_collar_ = false;
    for (std::size_t row = 0; row < rules_.size(); ++row) {
        RuleLimits& limits = rules_[row];
        limits.order_qty = own.order_qty[row];
        limits.collar.ignores = own.collar_ignores[row] != 0;
        limits.self_trade = own.self_trade[row] != 0;
        rules_have_collar_ = rules_have_collar_ || own.collar[row] >= 0;
    }
    rule_instruments_.assign(columns.rule_instrument.limits.size(), {});
    for (std::size_t row = 0; row < rule_instruments_.size(); ++row) {
        RuleInstrument& one = rule_instruments_[row];
        one.limits = static_cast<std::size_t>(columns.rule_instrument.limits[row]);
        one.notional_cap = cap_of(columns.rule_instrument.notional_cap, row);
    }
    set_rule_values(columns, now_ns);
}

void Gate::set_rule_values(const TableColumns& columns, std::int64_t now_ns) {
    const auto& own = columns.rule_limits;
    for (std::size_t row = 0; row < rules_.size(); ++row) {
        RuleLimits& limits = rules_[row];
        limits.collar.basis_points = own.collar[row];
        limits.bucket.resize(own.orders_per_second[row], now_ns);
        limits.total_orders = own.total_orders[row];
        limits.repeat_ns = own.repeat_ns[row];
    }
    for (std::size_t row = 0; row < rule_instruments_.size(); ++row)
        rule_instruments_[row].total_qty = columns.rule_instrument.total_qty[row];
}

void Gate::set_day(const TableColumns& columns, std::int64_t now_ns) {
    day_roll_ = static_cast<std::int32_t>(columns.limits.day_roll[0]);
    zone_ = {};
    if (day_roll_ >= 0)
        zone_ = {{columns.zone.start_s.begin(), columns.zone.start_s.end()},
                 {columns.zone.offset_s.begin(), columns.zone.offset_s.end()}};
    plan_roll(now_ns);
}

void Gate::plan_roll(std::int64_t now_ns) {
    rolls_ns_ = day_roll_ < 0 ? kNever : next_time_of_day(zone_, day_roll_, now_ns);
}

// Orders and quantities; what `repeat` and the buckets go by stays.
void Gate::begin_day(std::int64_t now_ns) {
    forget_sent();
    plan_roll(now_ns);
}

bool Gate::Collar::within(std::int64_t observed_halves, std::int64_t reference_halves) const {
    if (basis_points < 0) return true;
    const Wide away = magnitude(Wide{observed_halves} - reference_halves);
    return away * kBasisPoints <= magnitude(reference_halves) * basis_points;
}

bool Gate::Instrument::breaks_notional(const TableFire& fire, const GateCase& by) const {
    if (!by.priced) return notional_cap != kNoCap;
    if (!by.price_halves) return false;
    // A cap with the highest bit is none either: no product is that large.
    return notional_cap >= 0 && magnitude(*by.price_halves) * fire.qty > notional_cap;
}

bool Gate::Instrument::breaks_quantity(const TableFire& fire) const {
    return total_qty >= 0 && Wide{sent[fire.side]} + fire.qty > total_qty;
}

void Gate::Instrument::count(const TableFire& fire) { sent[fire.side] = added(sent[fire.side], fire.qty); }

bool Gate::too_soon(const TableFire& fire, std::int32_t rule, std::int64_t repeat_ns) const {
    if (repeat_ns < 0 || rule < 0) return false;
    const auto& last_ns = own_.last_ns(static_cast<std::size_t>(rule));
    return last_ns && Wide{fire.ts_ns} - *last_ns < repeat_ns;
}

GateOutcome Gate::judge(const TableFire& fire, const GateCase& by, TableSink& sink) {
    come_to(fire.ts_ns);
    const Instrument& limits = limits_[by.instrument];
    const bool limited = by.limits >= 0;
    const RuleInstrument& own = limited ? rule_instruments_[static_cast<std::size_t>(by.limits)] : unlimited_;
    RuleLimits& rule = limited ? rules_[own.limits] : no_limits_;
    if (by.from_fills) {
        const auto beyond = [&](std::int64_t order_qty) { return order_qty >= 0 && fire.qty > order_qty; };
        if (fire.qty <= 0) return GateOutcome::filled;
        if (beyond(order_qty_) || beyond(rule.order_qty)) return GateOutcome::order_qty;
    }
    if (limits.breaks_notional(fire, by) || own.breaks_notional(fire, by)) return GateOutcome::order_notional;
    if (by.observed && !(collar_.within(by.observed_halves, by.reference_halves) &&
                         rule.collar.within(by.observed_halves, by.reference_halves)))
        return GateOutcome::collar;
    if (self_trade_ || rule.self_trade) {
        const std::optional<bool> meets = sink.meets_own(fire);
        if (meets ? *meets : own_.meets(fire, by.instrument)) return GateOutcome::self_trade;
    }
    if (too_soon(fire, by.rule, std::max(repeat_ns_, rule.repeat_ns))) return GateOutcome::repeat;
    if (!bucket_.has_order(fire.ts_ns) || !rule.bucket.has_order(fire.ts_ns))
        return GateOutcome::orders_per_second;
    if ((total_orders_ >= 0 && orders_ >= total_orders_) ||
        (rule.total_orders >= 0 && rule.orders >= rule.total_orders))
        return GateOutcome::total_orders;
    if (limits.breaks_quantity(fire) || own.breaks_quantity(fire)) return GateOutcome::total_qty;
    return GateOutcome::sent;
}

void Gate::count(const TableFire& fire, std::size_t instrument, std::int32_t rule, std::int32_t limits) {
    own_.count(fire, instrument, rule);
    bucket_.count();
    orders_ = added(orders_, 1);
    limits_[instrument].count(fire);
    if (limits < 0) return;
    RuleInstrument& own = rule_instruments_[static_cast<std::size_t>(limits)];
    own.count(fire);
    rules_[own.limits].bucket.count();
    rules_[own.limits].orders = added(rules_[own.limits].orders, 1);
}

void Gate::clear_counters() {
    forget_sent();
    own_.forget_last();
}

void Gate::forget_sent() {
    orders_ = 0;
    for (Instrument& limits : limits_) limits.sent[0] = limits.sent[1] = 0;
    for (RuleLimits& rule : rules_) rule.orders = 0;
    for (RuleInstrument& limits : rule_instruments_) limits.sent[0] = limits.sent[1] = 0;
}

void Gate::set_quantity(std::size_t instrument, std::int64_t bought, std::int64_t sold) {
    limits_[instrument].sent[0] = bought;
    limits_[instrument].sent[1] = sold;
}

void Gate::set_rule_quantity(std::size_t row, std::int64_t bought, std::int64_t sold) {
    rule_instruments_[row].sent[0] = bought;
    rule_instruments_[row].sent[1] = sold;
}

}  // namespace fixaccel
