// SPDX-License-Identifier: Apache-2.0
#include "gate.hpp"

#include <algorithm>
#include <limits>

namespace fixaccel {
namespace {

// What one order costs of the bucket of orders_per_second, which gains its rate each nanosecond.
constexpr Wide kOrderCredits = 1'000'000'000;
constexpr Wide kBasisPoints = 10'000;

Wide magnitude(Wide value) { return value < 0 ? -value : value; }

std::int64_t added(std::int64_t sum, std::int64_t more) {
    return static_cast<std::int64_t>(
        std::min<Wide>(Wide{sum} + more, std::numeric_limits<std::int64_t>::max()));
}

}  // namespace

void Gate::set_limits(const TableColumns& columns, std::int64_t now_ns) {
    own_ = OwnOrders(columns);
    limits_.assign(columns.instruments(), {});
    set_values(columns, now_ns);
}

void Gate::set_values(const TableColumns& columns, std::int64_t now_ns) {
    if (rate_ >= 0) refill(now_ns);
    const std::int64_t rate = columns.limits.orders_per_second[0];
    const Wide full = Wide{rate} * kOrderCredits;
    credits_ = rate_ < 0 ? full : std::min(credits_, full);
    rate_ = rate;
    refilled_ns_ = now_ns;
    collar_ = columns.limits.collar[0];
    total_orders_ = columns.limits.total_orders[0];
    self_trade_ = columns.limits.self_trade[0] != 0;
    repeat_ns_ = columns.limits.repeat_ns[0];
    for (std::size_t row = 0; row < limits_.size(); ++row) {
        const WideBits high = columns.instrument.notional_cap[2 * row + 1];
        limits_[row].notional_cap = high << 64 | columns.instrument.notional_cap[2 * row];
        limits_[row].total_qty = columns.instrument.total_qty[row];
    }
}

void Gate::refill(std::int64_t now_ns) {
    const Wide elapsed = std::max<Wide>(Wide{now_ns} - refilled_ns_, 0);
    credits_ = std::min(credits_ + elapsed * rate_, Wide{rate_} * kOrderCredits);
    refilled_ns_ = std::max(now_ns, refilled_ns_);
}

bool Gate::too_soon(const TableFire& fire, std::int32_t rule) const {
    if (repeat_ns_ < 0 || rule < 0) return false;
    const auto& last_ns = own_.last_ns(static_cast<std::size_t>(rule));
    return last_ns && Wide{fire.ts_ns} - *last_ns < repeat_ns_;
}

GateOutcome Gate::judge(const TableFire& fire, const GateCase& by, TableSink& sink) {
    const Instrument& limits = limits_[by.instrument];
    if (by.price_halves) {
        const WideBits notional =
            static_cast<WideBits>(magnitude(*by.price_halves)) * static_cast<WideBits>(fire.qty);
        if (notional > limits.notional_cap) return GateOutcome::order_notional;
    }
    if (has_collar()) {
        const Wide away = magnitude(Wide{by.observed_halves} - by.reference_halves);
        if (away * kBasisPoints > magnitude(by.reference_halves) * collar_) return GateOutcome::collar;
    }
    if (self_trade_) {
        const std::optional<bool> meets = sink.meets_own(fire);
        if (meets ? *meets : own_.meets(fire, by.instrument)) return GateOutcome::self_trade;
    }
    if (too_soon(fire, by.rule)) return GateOutcome::repeat;
    if (rate_ >= 0) {
        refill(fire.ts_ns);
        if (credits_ < kOrderCredits) return GateOutcome::orders_per_second;
    }
    if (total_orders_ >= 0 && orders_ >= total_orders_) return GateOutcome::total_orders;
    if (limits.total_qty >= 0 && Wide{limits.sent[fire.side]} + fire.qty > limits.total_qty)
        return GateOutcome::total_qty;
    return GateOutcome::sent;
}

void Gate::count(const TableFire& fire, std::size_t instrument, std::int32_t rule) {
    own_.count(fire, instrument, rule);
    if (rate_ >= 0) credits_ -= kOrderCredits;
    orders_ = added(orders_, 1);
    limits_[instrument].sent[fire.side] = added(limits_[instrument].sent[fire.side], fire.qty);
}

void Gate::take(std::int64_t orders, std::int64_t now_ns) {
    if (rate_ < 0) return;
    refill(now_ns);
    credits_ = std::max<Wide>(credits_ - Wide{orders} * kOrderCredits, 0);
}

void Gate::clear_counters() {
    orders_ = 0;
    own_.forget_last();
    for (Instrument& limits : limits_) limits.sent[0] = limits.sent[1] = 0;
}

std::optional<std::int64_t> Gate::rate_full_ns() const {
    const Wide missing = Wide{rate_} * kOrderCredits - credits_;
    if (rate_ < 0 || missing <= 0) return std::nullopt;
    if (rate_ == 0) return std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(refilled_ns_ + (missing + rate_ - 1) / rate_);
}

// An empty bucket takes as long to fill as an order costs.
void Gate::set_rate_full(std::optional<std::int64_t> moment_ns) {
    if (rate_ < 0) return;
    credits_ = moment_ns ? Wide{0} : Wide{rate_} * kOrderCredits;
    if (moment_ns) refilled_ns_ = static_cast<std::int64_t>(*moment_ns - kOrderCredits);
}

void Gate::set_quantity(std::size_t instrument, std::int64_t bought, std::int64_t sold) {
    limits_[instrument].sent[0] = bought;
    limits_[instrument].sent[1] = sold;
}

}  // namespace fixaccel
