// SPDX-License-Identifier: Apache-2.0
// What the interpreter takes for granted about columns, checked once so that it need not look again.
#include <algorithm>
#include <limits>
#include <string>

#include "fixaccel/table.hpp"
#include "price.hpp"
#include "table_columns.hpp"

namespace fixaccel {
namespace {

constexpr std::int64_t kMinutes = 24 * 60;
constexpr std::int64_t kDaySeconds = kMinutes * 60;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostRows = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void fail(std::string_view name, std::size_t row, std::int64_t value, const char* what) {
    throw TableError(std::string(name) + " of row " + std::to_string(row) + " is " + std::to_string(value) +
                     ", " + what);
}

template <typename Value>
void within(std::string_view name, ColumnView<Value> column, std::int64_t least, std::int64_t most) {
    for (std::size_t row = 0; row < column.size(); ++row) {
        const auto value = static_cast<std::int64_t>(column[row]);
        if (value < least || value > most) fail(name, row, value, "outside its range");
    }
}

// Numbers of rows of a table, or -1 where `none` may be.
void rows_of(std::string_view name, Numbers column, std::size_t rows, bool none) {
    within(name, column, none ? -1 : 0, static_cast<std::int64_t>(rows) - 1);
}

void runs_of(std::string_view name, Numbers first, Numbers count, std::size_t rows, std::int64_t least) {
    for (std::size_t row = 0; row < first.size(); ++row) {
        if (count[row] < least) fail(name, row, count[row], "too few");
        if (count[row] == 0) continue;
        if (first[row] < 0 || std::int64_t{first[row]} + count[row] > static_cast<std::int64_t>(rows))
            fail(name, row, first[row], "beyond the end of its table");
    }
}

void rising(std::string_view name, Units column, std::size_t first, std::size_t count) {
    for (std::size_t row = first + 1; row < first + count; ++row)
        if (column[row] <= column[row - 1]) fail(name, row, column[row], "not above the row before");
}

void check_instruments(const TableColumns& c) {
    within("instrument.unit", c.instrument.unit, 1, kMostWire);
    within("tick.start", c.tick.start, -kMostWire, kMostWire);
    within("tick.size", c.tick.size, 1, kMostWire);
    within("instrument.total_qty", c.instrument.total_qty, -1, kMost);
    within("instrument.lot", c.instrument.lot, 1, kMost);
    runs_of("instrument.tick_first", c.instrument.tick_first, c.instrument.tick_count, c.tick.start.size(),
            1);
    for (std::size_t row = 0; row < c.instruments(); ++row) {
        const std::int64_t most = kMostWire / c.instrument.unit[row];
        within("instrument.price_min", c.instrument.price_min.subspan(row, 1), -most, most);
        within("instrument.price_max", c.instrument.price_max.subspan(row, 1), c.instrument.price_min[row],
               most);
        const auto first = static_cast<std::size_t>(c.instrument.tick_first[row]);
        // The first start does not count: its tick holds below it too.
        rising("tick.start", c.tick.start, first + 1,
               static_cast<std::size_t>(c.instrument.tick_count[row]) - 1);
    }
}

void check_times(const TableColumns& c) {
    rising("zone.start_s", c.zone.start_s, 0, c.zone.start_s.size());
    within("zone.offset_s", c.zone.offset_s, -kDaySeconds, kDaySeconds);
    if (!c.schedule.first.empty() && c.zone.start_s.empty())
        throw TableError("there are times of day, and no zone.offset_s that they are counted in");
    runs_of("schedule.first", c.schedule.first, c.schedule.count, c.window.start.size(), 1);
    within("window.start", c.window.start, 0, kMinutes);
    within("window.end", c.window.end, 0, kMinutes);
    within("at.second", c.at.second, 0, kDaySeconds - 1);
    if (!c.at.second.empty() && c.zone.start_s.empty())
        throw TableError(
            "rules fire at times of day, and there is no zone.offset_s that they are counted in");
}

void check_orders(const TableColumns& c) {
    within("order.side", c.order.side, 0, 1);
    within("order.type", c.order.type, 0, 1);
    within("order.filled", c.order.filled, 0, 1);
    for (std::size_t row = 0; row < c.order.qty.size(); ++row)
        within("order.qty", c.order.qty.subspan(row, 1), c.order.filled[row] != 0 ? 0 : 1,
               c.order.filled[row] != 0 ? 0 : kMost);
    within("order.price", c.order.price, -kMostHalves, kMostHalves);
    within("order.rests", c.order.rests, 0, 1);
}

void check_condition(const char* table, Bytes source, Bytes direction, Units threshold) {
    within(std::string(table) + ".source", source, 0, kSources - 1);
    within(std::string(table) + ".direction", direction, 0, 1);
    within(std::string(table) + ".threshold", threshold, -kMostHalves, kMostHalves);
}

void check_forms(const TableColumns& c) {
    runs_of("decision.first", c.decision.first, c.decision.count, c.interval.low.size(), 0);
    within("decision.first", c.decision.first, 0, static_cast<std::int64_t>(c.interval.low.size()));
    rows_of("interval.order", c.interval.order, c.order.qty.size(), false);
    for (std::size_t row = 0; row < c.decision.first.size(); ++row) {
        const auto begin = static_cast<std::size_t>(c.decision.first[row]);
        const auto end = begin + static_cast<std::size_t>(c.decision.count[row]);
        for (std::size_t at = begin; at < end; ++at) {
            if (c.interval.high[at] < c.interval.low[at])
                fail("interval.high", at, c.interval.high[at], "below its low");
            if (at != begin && c.interval.low[at] <= c.interval.high[at - 1])
                fail("interval.low", at, c.interval.low[at], "not above the interval before");
        }
    }
    within("trail.kind", c.trail.kind, 0, 2);
    within("trail.value", c.trail.value, 1, kMostHalves);
    within("trail.relative", c.trail.relative, 0, 1);
    within("trail.waits", c.trail.waits, 0, 1);
    check_condition("trail", c.trail.source, c.trail.direction, c.trail.threshold);
    within("rearm.times", c.rearm.times, 0, kMost);
    within("rearm.after_ns", c.rearm.after_ns, -1, kMost);
    check_condition("rearm", c.rearm.source, c.rearm.direction, c.rearm.threshold);
}

void check_parts(const TableColumns& c) {
    const auto& part = c.part;
    for (std::size_t row = 0; row < c.parts(); ++row)
        if (part.index[row] < 0 || (row != 0 && part.index[row] <= part.index[row - 1]))
            fail("part.index", row, part.index[row], "not above the row before");
    rows_of("part.instrument", part.instrument, c.instruments(), false);
    within("part.form", part.form, 0, 3);
    check_condition("part", part.source, part.direction, part.threshold);
    within("part.through", part.through, 0, 2);
    rows_of("part.schedule", part.schedule, c.schedule.first.size(), true);
    rows_of("part.rule", part.rule, c.rule.name_first.size(), c.limits.repeat_ns[0] < 0);
    runs_of("rule.name_first", c.rule.name_first, c.rule.name_count, c.name.text.size(), 1);
    rows_of("part.parents", part.parents, c.parents.first.size(), true);
    rows_of("part.rearm", part.rearm, c.rearm.times.size(), true);
    within("part.group", part.group, -1, kMostRows);
    runs_of("part.name_first", part.name_first, part.name_count, c.name.text.size(), 0);
    runs_of("parents.first", c.parents.first, c.parents.count, c.parent.first.size(), 0);
    within("parent.first", c.parent.first, 0, kMostRows);
    within("parent.count", c.parent.count, 1, kMostRows);
    within("parents.on", c.parents.on, 0, 2);
    rows_of("part.cancels", part.cancels, c.cancels.first.size(), true);
    runs_of("cancels.first", c.cancels.first, c.cancels.count, c.cancelled.first.size(), 1);
    within("cancelled.first", c.cancelled.first, 0, kMostRows);
    within("cancelled.count", c.cancelled.count, 1, kMostRows);
    for (std::size_t row = 0; row < c.parts(); ++row) {
        const std::uint8_t form = part.form[row];
        if (form == 0) within("part.confirm", part.confirm.subspan(row, 1), 1, 2);
        rows_of("part.decision", part.decision.subspan(row, 1), form == 1 ? c.decision.first.size() : 0,
                form != 1);
        rows_of("part.trail", part.trail.subspan(row, 1), form == 2 ? c.trail.kind.size() : 0, form != 2);
        rows_of("part.at", part.at.subspan(row, 1), form == 3 ? c.at.second.size() : 0, form != 3);
        rows_of("part.order", part.order.subspan(row, 1), form == 1 ? 0 : c.order.qty.size(), form == 1);
    }
}

void check_day(const TableColumns& c, Bytes self_trade) {
    if (c.zone.start_s.empty() && std::find(self_trade.begin(), self_trade.end(), 1) != self_trade.end())
        throw TableError(
            "orders rest to the end of the day, and there is no zone.offset_s that it is counted in");
}

void check_limits(const TableColumns& c) {
    const auto& limits = c.limits;
    if (limits.collar.size() != 1) throw TableError("the table limits has not one row");
    within("limits.collar", limits.collar, -1, kMostWire);
    within("limits.collar_ignores", limits.collar_ignores, 0, 1);
    within("limits.order_qty", limits.order_qty, -1, kMost);
    within("limits.orders_per_second", limits.orders_per_second, -1, kMostWire);
    within("limits.total_orders", limits.total_orders, -1, kMost);
    within("limits.self_trade", limits.self_trade, 0, 1);
    within("limits.repeat_ns", limits.repeat_ns, -1, kMost);
    within("limits.day_roll", limits.day_roll, -1, kDaySeconds - 1);
    if (limits.day_roll[0] >= 0 && c.zone.start_s.empty())
        throw TableError("the day rolls, and there is no zone.offset_s that its time is counted in");
    check_day(c, limits.self_trade);
}

// Each rule has one row of limits of its own at most, and its parts name those.
void check_rule_limits(const TableColumns& c) {
    const auto& own = c.rule_limits;
    rows_of("rule_limits.rule", own.rule, c.rule.name_first.size(), false);
    for (std::size_t row = 1; row < own.rule.size(); ++row)
        if (own.rule[row] <= own.rule[row - 1])
            fail("rule_limits.rule", row, own.rule[row], "not above the row before");
    within("rule_limits.order_qty", own.order_qty, -1, kMost);
    within("rule_limits.collar", own.collar, -1, kMostWire);
    within("rule_limits.collar_ignores", own.collar_ignores, 0, 1);
    within("rule_limits.orders_per_second", own.orders_per_second, -1, kMostWire);
    within("rule_limits.total_orders", own.total_orders, -1, kMost);
    within("rule_limits.self_trade", own.self_trade, 0, 1);
    within("rule_limits.repeat_ns", own.repeat_ns, -1, kMost);
    check_day(c, own.self_trade);
    rows_of("rule_instrument.limits", c.rule_instrument.limits, own.rule.size(), false);
    rows_of("rule_instrument.instrument", c.rule_instrument.instrument, c.instruments(), false);
    within("rule_instrument.total_qty", c.rule_instrument.total_qty, -1, kMost);
    rows_of("part.limits", c.part.limits, c.rule_instrument.limits.size(), true);
    for (std::size_t row = 0; row < c.parts(); ++row) {
        if (c.part.limits[row] < 0) continue;
        const auto limits = static_cast<std::size_t>(c.part.limits[row]);
        const auto rule = own.rule[static_cast<std::size_t>(c.rule_instrument.limits[limits])];
        if (rule != c.part.rule[row] || c.rule_instrument.instrument[limits] != c.part.instrument[row])
            fail("part.limits", row, c.part.limits[row], "those of another rule or instrument");
    }
}

}  // namespace

void check_columns(const TableColumns& columns) {
    check_limits(columns);
    check_instruments(columns);
    check_times(columns);
    check_orders(columns);
    check_forms(columns);
    check_parts(columns);
    check_rule_limits(columns);
}

}  // namespace fixaccel
