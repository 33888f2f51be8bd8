// SPDX-License-Identifier: Apache-2.0
// Limits that a rule has of its own, and a collar outside of which nothing is a trigger.
#include <gtest/gtest.h>

#include "running.hpp"

namespace fixaccel {
namespace {

using test::kSecond;
using test::Running;
using test::TableBuilder;
using Parts = std::vector<std::int32_t>;

// Of rules `a` (parts 0 and 1) and `b` (part 2) the first has limits: none, until a test sets some.
TableBuilder limited(const test::Values& thresholds = {300, 200, 250}) {
    return TableBuilder()
        .stops(thresholds)
        .set("name.text", {'a', 'b'})
        .set("rule.name_first", {0, 1})
        .set("rule.name_count", {1, 1})
        .set("part.rule", {0, 0, 1})
        .set("part.limits", {0, 0, -1})
        .set("rule_limits.rule", {0})
        .set("rule_limits.order_qty", {-1})
        .set("rule_limits.collar", {-1})
        .set("rule_limits.orders_per_second", {-1})
        .set("rule_limits.total_orders", {-1})
        .set("rule_limits.repeat_ns", {-1})
        .set("rule_instrument.limits", {0})
        .set("rule_instrument.instrument", {0})
        .set("rule_instrument.notional_cap", {-1, -1})
        .set("rule_instrument.total_qty", {-1});
}

std::vector<GateOutcome> outcomes(const Running& running) {
    std::vector<GateOutcome> found;
    for (const TableFire& fire : running.sink.fires) found.push_back(fire.outcome);
    return found;
}

TEST(RuleLimits, CountTheRuleAlone) {
    const std::vector<std::pair<TableBuilder, GateOutcome>> cases{
        {limited().set("rule_limits.total_orders", {1}), GateOutcome::total_orders},
        {limited().set("rule_instrument.total_qty", {1}), GateOutcome::total_qty},
        {limited().set("rule_limits.orders_per_second", {1}), GateOutcome::orders_per_second},
        {limited().set("rule_limits.repeat_ns", {1}), GateOutcome::repeat},
        {limited(), GateOutcome::sent},
    };
    for (const auto& [builder, outcome] : cases) {
        Running running(builder);
        running.see(100);
        ASSERT_EQ(running.sink.parts(), (Parts{0, 2, 1}));
        EXPECT_EQ(outcomes(running), (std::vector{GateOutcome::sent, GateOutcome::sent, outcome}));
    }
}

TEST(RuleLimits, OfAnOrdersValueHoldBesideTheStrategys) {
    Running running(limited().set("rule_instrument.notional_cap", {2 * 100 - 1, 0}));
    running.see(100);
    EXPECT_EQ(outcomes(running),
              (std::vector{GateOutcome::order_notional, GateOutcome::sent, GateOutcome::order_notional}));
}

TEST(RuleLimits, CountersOutliveALoadAndARestart) {
    const TableBuilder builder =
        limited().set("rule_limits.total_orders", {1}).set("rule_limits.orders_per_second", {1});
    Running running(builder);
    running.see(280, 10 * kSecond);
    const GateCounters counters = running.interpreter.counters();
    ASSERT_EQ(counters.rules.size(), 1U);
    EXPECT_EQ(counters.rules[0].rule, "a");
    EXPECT_EQ(counters.rules[0].orders, 1);
    EXPECT_EQ(counters.rules[0].quantities.at(0).sold, 1);
    EXPECT_EQ(counters.rules[0].rate_full_ns, 11 * kSecond);

    const SoftwareTable next = limited().set("rule_limits.total_orders", {1}).table();
    running.interpreter.reload(next.columns());
    running.see(190, 20 * kSecond);
    EXPECT_EQ(running.sink.fires.back().outcome, GateOutcome::total_orders);
    EXPECT_EQ(running.interpreter.counters().rules.at(0).orders, 1);

    Running after(builder);
    after.interpreter.set_counters(counters);
    after.see(100, 20 * kSecond);
    EXPECT_EQ(outcomes(after),
              (std::vector{GateOutcome::total_orders, GateOutcome::sent, GateOutcome::total_orders}));
    after.interpreter.reset_counters();
    EXPECT_TRUE(after.interpreter.counters().rules.empty());
}

TEST(RuleLimits, OthersCanStandInTheirPlace) {
    Running running(limited().set("rule_limits.total_orders", {9}).set("rule_instrument.total_qty", {2}));
    const LimitValues own{{"total_orders of rule a", 9}, {"total_qty MSFT of rule a", 2}};
    EXPECT_EQ(running.table.own_limits(), own);
    running.see(280, kSecond);
    running.table.change_limits({{"total_orders of rule a", 1}, {"repeat of rule a", 9 * kSecond}});
    running.interpreter.limits_changed(kSecond);
    running.see(190, 2 * kSecond);
    EXPECT_EQ(outcomes(running),
              (std::vector{GateOutcome::sent, GateOutcome::sent, GateOutcome::total_orders}))
        << "what was sent counts, and a limit that the rule does not have is none";
    EXPECT_EQ(running.table.own_limits(), own);
    running.table.change_limits({});
    EXPECT_EQ(running.table.columns().rule_limits.total_orders[0], 9);
    EXPECT_EQ(running.table.columns().rule_limits.repeat_ns[0], -1);
}

TEST(RuleLimits, AnotherCollarAndAnotherRateOfARule) {
    const TableBuilder builder =
        limited().set("rule_limits.collar", {10'000}).set("rule_limits.orders_per_second", {5});
    for (const auto& [limit, outcome] : {std::pair{"collar of rule a", GateOutcome::collar},
                                         {"orders_per_second of rule a", GateOutcome::orders_per_second}}) {
        Running running(builder);
        running.see(310, kSecond);
        running.table.change_limits({{limit, 1}});
        running.interpreter.limits_changed(kSecond);
        running.see(190, 2 * kSecond);
        EXPECT_EQ(running.sink.parts(), (Parts{0, 2, 1}));
        EXPECT_EQ(outcomes(running)[1], GateOutcome::sent) << "it is no limit of rule b";
        EXPECT_EQ(outcomes(running)[2], outcome);
    }
}

TEST(RuleLimits, ABucketKeepsWhatItHoldsOverALoad) {
    const TableBuilder builder = limited().set("rule_limits.orders_per_second", {1});
    Running running(builder);
    running.see(300, 10 * kSecond);
    const SoftwareTable again = builder.table();
    running.interpreter.reload(again.columns());
    running.see(200, 11 * kSecond - 1);
    EXPECT_EQ(running.sink.fires.back().outcome, GateOutcome::orders_per_second);
}

// 1 % of 300 is 3.
TEST(RuleLimits, ACollarOfARuleIsNobodyElses) {
    for (const std::int64_t ignores : {0, 1}) {
        Running running(limited({290, 200, 290})
                            .set("rule_limits.collar", {100})
                            .set("rule_limits.collar_ignores", {ignores}));
        running.see(280);
        EXPECT_EQ(running.sink.parts(), (Parts{2})) << "without a reference it is no trigger for the rule";
        running.see(300);
        running.see(280);
        ASSERT_EQ(running.sink.parts(), ignores != 0 ? (Parts{2}) : (Parts{2, 0}));
        if (ignores == 0) {
            EXPECT_EQ(running.sink.fires[1].outcome, GateOutcome::collar);
        }
        running.see(282);
        EXPECT_EQ(running.interpreter.state(0), PartState::fired) << "near the last, it is one";
    }
}

TEST(RuleLimits, ACollarThatIgnoresKeepsTheObservationBefore) {
    Running running(TableBuilder()
                        .stops({290})
                        .set("part.confirm", {2})
                        .set("limits.collar", {100})
                        .set("limits.collar_ignores", {1}));
    running.see(300);
    running.see(280);
    EXPECT_EQ(running.interpreter.state(0), PartState::armed);
    running.see(281);
    EXPECT_EQ(running.sink.parts(), (Parts{0})) << "it counts as the earlier one";
}

TEST(RuleLimits, ThoseOfAnotherRuleAreRefused) {
    EXPECT_THROW(limited().set("part.limits", {0, 0, 0}).table(), TableError);
    EXPECT_THROW(limited().set("rule_limits.rule", {2}).table(), TableError);
}

}  // namespace
}  // namespace fixaccel
