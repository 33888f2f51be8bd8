// SPDX-License-Identifier: Apache-2.0
// What limits count begins anew when the venue's day rolls.
#include <gtest/gtest.h>

#include <limits>

#include "running.hpp"

namespace fixaccel {
namespace {

using test::kSecond;
using test::Running;
using test::TableBuilder;

constexpr std::int64_t kOneDay = 24 * 3600 * kSecond;
constexpr std::int64_t kRoll = 17 * 3600 * kSecond;

// Stops that a falling price fires one after the other; UTC, and its day rolls at 17:00.
TableBuilder rolling() {
    return TableBuilder()
        .stops({900, 800, 700, 600, 500})
        .set("zone.start_s", {0})
        .set("zone.offset_s", {0})
        .set("limits.day_roll", {17 * 3600});
}

std::vector<GateOutcome> outcomes_of(const Running& running) {
    std::vector<GateOutcome> found;
    for (const TableFire& fire : running.sink.fires) found.push_back(fire.outcome);
    return found;
}

TEST(DayRoll, OrdersAndQuantitiesCountAnewFromItOn) {
    for (const auto& [limit, outcome] : {std::pair{"limits.total_orders", GateOutcome::total_orders},
                                         std::pair{"instrument.total_qty", GateOutcome::total_qty}}) {
        Running running(rolling().set(limit, {1}));
        running.see(900, kRoll - 2);
        running.see(800, kRoll - 1);
        running.see(700, kRoll);
        running.see(600, kRoll + kOneDay - 1);
        running.see(500, kRoll + kOneDay);
        EXPECT_EQ(outcomes_of(running),
                  (std::vector{GateOutcome::sent, outcome, GateOutcome::sent, outcome, GateOutcome::sent}));
    }
}

TEST(DayRoll, TheLimitsOfARuleCountAnewToo) {
    Running running(rolling()
                        .set("name.text", {'a'})
                        .set("rule.name_first", {0})
                        .set("rule.name_count", {1})
                        .set("part.rule", {0, 0, 0, 0, 0})
                        .set("part.limits", {0, 0, 0, 0, 0})
                        .set("rule_limits.rule", {0})
                        .set("rule_limits.order_qty", {-1})
                        .set("rule_limits.collar", {-1})
                        .set("rule_limits.orders_per_second", {-1})
                        .set("rule_limits.total_orders", {1})
                        .set("rule_limits.repeat_ns", {-1})
                        .set("rule_instrument.limits", {0})
                        .set("rule_instrument.instrument", {0})
                        .set("rule_instrument.notional_cap", {-1, -1})
                        .set("rule_instrument.total_qty", {1}));
    running.see(900, kRoll - 2);
    running.see(800, kRoll - 1);
    running.see(700, kRoll);
    EXPECT_EQ(outcomes_of(running),
              (std::vector{GateOutcome::sent, GateOutcome::total_orders, GateOutcome::sent}));
}

TEST(DayRoll, TheBucketAndRepeatGoOn) {
    Running bucket(rolling().set("limits.orders_per_second", {1}));
    bucket.see(900, kRoll - 1);
    bucket.see(800, kRoll);
    EXPECT_EQ(bucket.sink.fires.back().outcome, GateOutcome::orders_per_second);
    Running repeat(rolling()
                       .set("name.text", {'a'})
                       .set("rule.name_first", {0})
                       .set("rule.name_count", {1})
                       .set("part.rule", {0, 0, 0, 0, 0})
                       .set("limits.repeat_ns", {2}));
    repeat.see(900, kRoll - 1);
    repeat.see(800, kRoll);
    EXPECT_EQ(repeat.sink.fires.back().outcome, GateOutcome::repeat);
}

TEST(DayRoll, GoesByTheDayOfTheTableThatRanUntilThen) {
    Running running(rolling().set("limits.total_orders", {1}));
    running.see(900, kRoll - 1);
    running.see(10'000, kRoll + 1);
    const SoftwareTable next = rolling().set("limits.total_orders", {1}).set("limits.day_roll", {-1}).table();
    running.interpreter.reload(next.columns());
    running.see(800, kRoll + 2);
    running.see(700, kRoll + kOneDay);
    EXPECT_EQ(outcomes_of(running),
              (std::vector{GateOutcome::sent, GateOutcome::sent, GateOutcome::total_orders}));
}

TEST(DayRoll, WhoeverSetsTheCountersMaySeeToIt) {
    Running running(rolling().set("limits.total_orders", {1}));
    running.interpreter.set_rolling(false);
    running.interpreter.restart();
    running.interpreter.set_counters({.orders = 1, .quantities = {}, .last_orders = {}, .rules = {}});
    running.see(900, kRoll + 5 * kOneDay);
    EXPECT_EQ(running.sink.fires.back().outcome, GateOutcome::total_orders);
    running.interpreter.reset_counters();
    running.see(800, kRoll + 5 * kOneDay);
    EXPECT_EQ(running.sink.fires.back().outcome, GateOutcome::sent);
}

TEST(DayRoll, EndsWithTheTimeThatCanBeCounted) {
    Running running(rolling().set("limits.total_orders", {1}));
    running.see(900, std::numeric_limits<std::int64_t>::max() - 1);
    running.see(800, std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(outcomes_of(running), (std::vector{GateOutcome::sent, GateOutcome::total_orders}));
}

TEST(DayRoll, ATimeThatIsNoneIsRefused) {
    EXPECT_THROW(rolling().set("limits.day_roll", {24 * 3600}).table(), TableError);
    EXPECT_THROW(rolling().set("zone.start_s", {}).set("zone.offset_s", {}).table(), TableError);
}

}  // namespace
}  // namespace fixaccel
