// SPDX-License-Identifier: Apache-2.0
// The columns of a software table: views of memory that someone else keeps. docs/reference/software-table.md
// says what each of them means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace fixaccel {

template <typename Value>
using ColumnView = std::span<const Value>;

using Bytes = ColumnView<std::uint8_t>;
using Numbers = ColumnView<std::int32_t>;
using Units = ColumnView<std::int64_t>;
using Words = ColumnView<std::uint64_t>;

struct TableColumns {
    static constexpr std::size_t kSymbolChars = 12;

    struct {
        Bytes symbol;
        Units unit, price_min, price_max;
        Numbers tick_first, tick_count;
        Words notional_cap;
        Units total_qty, lot;
    } instrument;
    struct {
        Units start, size;
    } tick;
    struct {
        Units collar, orders_per_second, total_orders;
        Bytes self_trade;
        Units repeat_ns;
        Bytes collar_ignores;
        Units order_qty, day_roll;
    } limits;
    struct {
        Units start_s;
        Numbers offset_s;
    } zone;
    struct {
        Numbers index;
        Words hash;
        Numbers instrument;
        Bytes form, source, direction;
        Units threshold;
        Bytes confirm, through;
        Numbers schedule, rule, group, parents, rearm, decision, trail, at, cancels, limits, order;
        Numbers name_first, name_count;
    } part;
    struct {
        Numbers name_first, name_count;
    } rule;
    struct {
        Bytes side, type;
        Units qty, price;
        Bytes rests, filled;
        Numbers envelope;
    } order;
    struct {
        Numbers first, count;
    } schedule;
    struct {
        Numbers start, end;
    } window;
    struct {
        Numbers first, count;
        Bytes on;
    } parents;
    struct {
        Numbers first, count;
    } parent;
    struct {
        Units times, after_ns;
        Bytes source, direction;
        Units threshold;
    } rearm;
    struct {
        Numbers first, count;
    } decision;
    struct {
        Units low, high;
        Numbers order;
    } interval;
    struct {
        Bytes kind;
        Units value;
        Bytes relative;
        Numbers ticks;
        Bytes waits, source, direction;
        Units threshold;
    } trail;
    struct {
        Numbers second;
    } at;
    struct {
        Numbers first, count;
    } cancels;
    struct {
        Numbers first, count;
    } cancelled;
    struct {
        Numbers rule;
        Units order_qty, collar;
        Bytes collar_ignores;
        Units orders_per_second, total_orders;
        Bytes self_trade;
        Units repeat_ns;
    } rule_limits;
    struct {
        Numbers limits, instrument;
        Words notional_cap;
        Units total_qty;
    } rule_instrument;
    struct {
        Bytes text;
    } name;

    std::size_t parts() const { return part.index.size(); }
    std::size_t instruments() const { return instrument.unit.size(); }
};

// Calls visit(name, column, values in a row) for each column, in the order of the catalogue.
template <typename Columns, typename Visit>
void each_column(Columns& c, Visit&& visit) {
    visit("instrument.symbol", c.instrument.symbol, TableColumns::kSymbolChars);
    visit("instrument.unit", c.instrument.unit, 1);
    visit("instrument.price_min", c.instrument.price_min, 1);
    visit("instrument.price_max", c.instrument.price_max, 1);
    visit("instrument.tick_first", c.instrument.tick_first, 1);
    visit("instrument.tick_count", c.instrument.tick_count, 1);
    visit("instrument.notional_cap", c.instrument.notional_cap, 2);
    visit("instrument.total_qty", c.instrument.total_qty, 1);
    visit("instrument.lot", c.instrument.lot, 1);
    visit("tick.start", c.tick.start, 1);
    visit("tick.size", c.tick.size, 1);
    visit("limits.collar", c.limits.collar, 1);
    visit("limits.orders_per_second", c.limits.orders_per_second, 1);
    visit("limits.total_orders", c.limits.total_orders, 1);
    visit("limits.self_trade", c.limits.self_trade, 1);
    visit("limits.repeat_ns", c.limits.repeat_ns, 1);
    visit("limits.collar_ignores", c.limits.collar_ignores, 1);
    visit("limits.order_qty", c.limits.order_qty, 1);
    visit("limits.day_roll", c.limits.day_roll, 1);
    visit("zone.start_s", c.zone.start_s, 1);
    visit("zone.offset_s", c.zone.offset_s, 1);
    visit("part.index", c.part.index, 1);
    visit("part.hash", c.part.hash, 2);
    visit("part.instrument", c.part.instrument, 1);
    visit("part.form", c.part.form, 1);
    visit("part.source", c.part.source, 1);
    visit("part.direction", c.part.direction, 1);
    visit("part.threshold", c.part.threshold, 1);
    visit("part.confirm", c.part.confirm, 1);
    visit("part.through", c.part.through, 1);
    visit("part.schedule", c.part.schedule, 1);
    visit("part.rule", c.part.rule, 1);
    visit("part.group", c.part.group, 1);
    visit("part.parents", c.part.parents, 1);
    visit("part.rearm", c.part.rearm, 1);
    visit("part.decision", c.part.decision, 1);
    visit("part.trail", c.part.trail, 1);
    visit("part.at", c.part.at, 1);
    visit("part.cancels", c.part.cancels, 1);
    visit("part.limits", c.part.limits, 1);
    visit("part.order", c.part.order, 1);
    visit("part.name_first", c.part.name_first, 1);
    visit("part.name_count", c.part.name_count, 1);
    visit("rule.name_first", c.rule.name_first, 1);
    visit("rule.name_count", c.rule.name_count, 1);
    visit("order.side", c.order.side, 1);
    visit("order.type", c.order.type, 1);
    visit("order.qty", c.order.qty, 1);
    visit("order.price", c.order.price, 1);
    visit("order.rests", c.order.rests, 1);
    visit("order.filled", c.order.filled, 1);
    visit("order.envelope", c.order.envelope, 1);
    visit("schedule.first", c.schedule.first, 1);
    visit("schedule.count", c.schedule.count, 1);
    visit("window.start", c.window.start, 1);
    visit("window.end", c.window.end, 1);
    visit("parents.first", c.parents.first, 1);
    visit("parents.count", c.parents.count, 1);
    visit("parents.on", c.parents.on, 1);
    visit("parent.first", c.parent.first, 1);
    visit("parent.count", c.parent.count, 1);
    visit("rearm.times", c.rearm.times, 1);
    visit("rearm.after_ns", c.rearm.after_ns, 1);
    visit("rearm.source", c.rearm.source, 1);
    visit("rearm.direction", c.rearm.direction, 1);
    visit("rearm.threshold", c.rearm.threshold, 1);
    visit("decision.first", c.decision.first, 1);
    visit("decision.count", c.decision.count, 1);
    visit("interval.low", c.interval.low, 1);
    visit("interval.high", c.interval.high, 1);
    visit("interval.order", c.interval.order, 1);
    visit("trail.kind", c.trail.kind, 1);
    visit("trail.value", c.trail.value, 1);
    visit("trail.relative", c.trail.relative, 1);
    visit("trail.ticks", c.trail.ticks, 1);
    visit("trail.waits", c.trail.waits, 1);
    visit("trail.source", c.trail.source, 1);
    visit("trail.direction", c.trail.direction, 1);
    visit("trail.threshold", c.trail.threshold, 1);
    visit("at.second", c.at.second, 1);
    visit("cancels.first", c.cancels.first, 1);
    visit("cancels.count", c.cancels.count, 1);
    visit("cancelled.first", c.cancelled.first, 1);
    visit("cancelled.count", c.cancelled.count, 1);
    visit("rule_limits.rule", c.rule_limits.rule, 1);
    visit("rule_limits.order_qty", c.rule_limits.order_qty, 1);
    visit("rule_limits.collar", c.rule_limits.collar, 1);
    visit("rule_limits.collar_ignores", c.rule_limits.collar_ignores, 1);
    visit("rule_limits.orders_per_second", c.rule_limits.orders_per_second, 1);
    visit("rule_limits.total_orders", c.rule_limits.total_orders, 1);
    visit("rule_limits.self_trade", c.rule_limits.self_trade, 1);
    visit("rule_limits.repeat_ns", c.rule_limits.repeat_ns, 1);
    visit("rule_instrument.limits", c.rule_instrument.limits, 1);
    visit("rule_instrument.instrument", c.rule_instrument.instrument, 1);
    visit("rule_instrument.notional_cap", c.rule_instrument.notional_cap, 2);
    visit("rule_instrument.total_qty", c.rule_instrument.total_qty, 1);
    visit("name.text", c.name.text, 1);
}

// How a column's type is called in files: I32, I64, U8 or U64.
template <typename Value>
constexpr std::string_view dtype_of(ColumnView<Value>) {
    if constexpr (sizeof(Value) == 1) return "U8";
    if constexpr (sizeof(Value) == 4) return "I32";
    return std::is_signed_v<Value> ? "I64" : "U64";
}

// One column as it is handed over.
struct RawColumn {
    std::string_view name;
    std::string_view dtype;
    const void* data = nullptr;
    std::size_t rows = 0;
    std::size_t width = 1;
};

// Views of these columns, checked: all are there with the right type, every number is within its range, every
// row that one names exists. Throws TableError.
TableColumns columns_of(std::span<const RawColumn> columns);

// Throws TableError for anything that the interpreter could stumble over.
void check_columns(const TableColumns& columns);

}  // namespace fixaccel
