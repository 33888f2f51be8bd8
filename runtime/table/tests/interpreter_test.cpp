// SPDX-License-Identifier: Apache-2.0
// What a daemon asks of the interpreter. That it means what the rules mean is tested against the reference.
#include <gtest/gtest.h>

#include "running.hpp"

namespace fixaccel {
namespace {

using test::Recorder;
using test::Running;
using test::TableBuilder;
using test::trade;
using Parts = std::vector<std::int32_t>;

TEST(Interpreter, FiresWhatAPriceReachesHighestFirst) {
    Running running(TableBuilder().stops({100, 300, 200, 300}));
    running.see(301);
    EXPECT_TRUE(running.sink.fires.empty());
    running.see(150);
    EXPECT_EQ(running.sink.parts(), (Parts{1, 3, 2}));
    EXPECT_EQ(running.sink.fires[0].trigger, 300);
    EXPECT_EQ(running.sink.fires[0].observed, 150);
    running.see(150);
    EXPECT_EQ(running.sink.fires.size(), 3U) << "one shot";
}

TEST(Interpreter, AnOrderThatIsWithheldHasNoEffectOnOthers) {
    Running running(TableBuilder().stops({200, 100}).set("part.group", {0, 0}));
    running.sink.answer = GateOutcome::withheld;
    running.see(200);
    EXPECT_EQ(running.sink.fires[0].outcome, GateOutcome::withheld);
    EXPECT_EQ(running.sink.fires[0].fires, 0);
    EXPECT_EQ(running.interpreter.state(1), PartState::armed);
    EXPECT_EQ(running.interpreter.counters().orders, 0);
    running.sink.answer = GateOutcome::sent;
    running.see(100);
    EXPECT_EQ(running.sink.parts(), (Parts{0, 1}));
    EXPECT_EQ(running.sink.fires[1].fires, 1);
}

TEST(Interpreter, SiblingsOfASentOrderAreCancelledAtOnce) {
    Running running(TableBuilder().stops({200, 100}).set("part.group", {0, 0}));
    running.see(50);
    EXPECT_EQ(running.sink.parts(), (Parts{0}));
    EXPECT_EQ(running.interpreter.state(1), PartState::cancelled);
}

// A sell trail `by` units below the highest trade.
TableBuilder trailing(std::int64_t by) {
    return TableBuilder()
        .stops({0})
        .set("part.form", {2})
        .set("part.trail", {0})
        .set("trail.kind", {0})
        .set("trail.value", {by});
}

std::vector<std::uint32_t> moved(Running& running) {
    std::vector<std::uint32_t> rows{7};
    running.interpreter.take_moved(rows);
    return rows;
}

TEST(Interpreter, ATrailOutlivesARestart) {
    const auto builder = trailing(10);
    Running before(builder);
    EXPECT_EQ(before.interpreter.trail(0), TrailState{.active = true});
    EXPECT_TRUE(moved(before).empty());
    for (const std::int64_t price : {100, 120, 115}) before.see(price);
    EXPECT_EQ(moved(before), std::vector<std::uint32_t>{0}) << "once, however often";
    EXPECT_TRUE(moved(before).empty());
    const auto trail = before.interpreter.trail(0);
    ASSERT_TRUE(trail);
    EXPECT_EQ(trail->stop, 110);
    Running after(builder);
    after.interpreter.restore_trail(0, *trail);
    after.see(109);
    ASSERT_EQ(after.sink.parts(), (Parts{0})) << "the first observation is tested against the old stop";
    EXPECT_EQ(after.sink.fires[0].trigger, 110);
    after.interpreter.restore_trail(0, *trail);
    EXPECT_EQ(after.interpreter.trail(0), std::nullopt) << "it has fired";
}

TEST(Interpreter, RestartedItKnowsTheMarketAndNothingElse) {
    Running running(
        TableBuilder().stops({300, 200}).set("part.confirm", {1, 2}).set("limits.total_orders", {1}));
    running.see(300);
    running.interpreter.restart();
    EXPECT_EQ(running.interpreter.state(0), PartState::armed);
    EXPECT_EQ(running.interpreter.counters().orders, 0);
    running.interpreter.watch(trade(200));
    EXPECT_EQ(running.sink.fires.size(), 1U) << "no part heeds it";
    running.interpreter.restart();
    running.interpreter.restore(0, 1, true);
    running.see(199);
    EXPECT_EQ(running.sink.parts(), (Parts{0, 1})) << "it was an observation all the same";
    running.interpreter.restart();
    running.interpreter.restore(0, 1, true);
    running.interpreter.forget_market();
    running.see(199);
    EXPECT_EQ(running.sink.fires.size(), 2U) << "nothing was observed before";
}

TEST(Interpreter, CountersAndSpentPartsOutliveARestart) {
    const auto builder = TableBuilder().stops({300, 200}).set("limits.total_orders", {1});
    Running before(builder);
    before.see(300);
    Running after(builder);
    after.interpreter.set_counters(before.interpreter.counters());
    after.interpreter.restore(0, 1, true);
    after.see(200);
    EXPECT_EQ(after.sink.parts(), (Parts{1}));
    EXPECT_EQ(after.sink.fires[0].outcome, GateOutcome::total_orders);
    EXPECT_EQ(after.interpreter.counters().quantities.at(0).symbol, "MSFT");
    EXPECT_EQ(after.interpreter.counters().quantities.at(0).sold, 1);
    after.interpreter.reset_counters();
    EXPECT_EQ(after.interpreter.counters().orders, 0);
    EXPECT_THROW(after.interpreter.restore(2, 0, true), TableError);
}

// 0 arms 1 and 2, which are one group.
TableBuilder bracket() {
    return TableBuilder()
        .stops({300, 200, 100})
        .set("part.group", {-1, 0, 0})
        .set("part.parents", {-1, 0, 0})
        .set("parents.first", {0})
        .set("parents.count", {1})
        .set("parent.first", {0})
        .set("parent.count", {1});
}

TEST(Interpreter, ARestoredChildIsArmed) {
    Running running(bracket());
    EXPECT_EQ(running.interpreter.state(1), PartState::disarmed);
    running.interpreter.restore(0, 1, true);
    running.interpreter.restore_armed(1);
    running.interpreter.restore_armed(2);
    running.see(150);
    EXPECT_EQ(running.sink.parts(), (Parts{1}));
    EXPECT_EQ(running.interpreter.state(2), PartState::cancelled);
    EXPECT_THROW(running.interpreter.restore_armed(3), TableError);
    EXPECT_THROW(running.interpreter.restore_cancelled(3), TableError);
}

TEST(Interpreter, ARestoredCancelledPartIsArmedNoMore) {
    Running running(bracket());
    running.interpreter.restore_cancelled(0);
    running.interpreter.restore_cancelled(1);
    running.interpreter.restore_armed(1);
    running.see(50);
    EXPECT_TRUE(running.sink.fires.empty());
    EXPECT_EQ(running.interpreter.state(0), PartState::cancelled);
    EXPECT_EQ(running.interpreter.state(1), PartState::cancelled);
}

TEST(Interpreter, WhatHasFiredStaysSo) {
    Running running(bracket());
    for (const std::size_t row : {0U, 1U}) {
        running.interpreter.restore(row, 1, true);
        running.interpreter.restore_cancelled(row);
        running.interpreter.restore_armed(row);
        EXPECT_EQ(running.interpreter.state(row), PartState::fired);
    }
}

TEST(Interpreter, ARestoredPartDoesNotArmItselfAgain) {
    Running running(TableBuilder()
                        .stops({300})
                        .set("part.rearm", {0})
                        .set("rearm.times", {5})
                        .set("rearm.after_ns", {1})
                        .set("rearm.source", {2})
                        .set("rearm.direction", {0})
                        .set("rearm.threshold", {0}));
    running.interpreter.restore(0, 1, true);
    for (std::int64_t ts_ns = 1; ts_ns < 5; ++ts_ns) running.see(100, ts_ns);
    EXPECT_TRUE(running.sink.fires.empty());
}

TEST(Interpreter, ALoadLeavesAloneWhatMeansTheSame) {
    Running running(TableBuilder().stops({300, 200}));
    running.see(300);
    // The second stop has become another one; a part without a hash is like no other.
    const SoftwareTable next =
        TableBuilder().stops({300, 250, 260}).set("part.hash", {1, 0, 9, 0, 0, 0}).table();
    running.interpreter.reload(next.columns());
    EXPECT_EQ(running.interpreter.state(0), PartState::fired);
    running.see(240);
    EXPECT_EQ(running.sink.parts(), (Parts{0, 2, 1}));
}

TEST(Interpreter, ARefusedLoadChangesNothing) {
    Running running(TableBuilder().stops({300}));
    EXPECT_THROW(TableBuilder().stops({300}).set("part.source", {4}).table(), TableError);
    running.see(300);
    EXPECT_EQ(running.sink.parts(), (Parts{0}));
}

TEST(Interpreter, RefusesMessagesOfNoInstrumentOrKind) {
    Running running(TableBuilder().stops({300}));
    MarketMessage message = trade(100);
    message.instrument = 1;
    EXPECT_THROW(running.interpreter.process(message, running.sink), TableError);
    message.instrument = kAllInstruments;
    EXPECT_THROW(running.interpreter.process(message, running.sink), TableError)
        << "prices of all instruments";
    message.kind = static_cast<MarketKind>(5);
    EXPECT_THROW(running.interpreter.process(message, running.sink), TableError);
    EXPECT_TRUE(running.sink.fires.empty());
}

TEST(Interpreter, CountsPricesThatCannotBe) {
    Running running(TableBuilder().stops({300}));
    running.see(-10'001);
    MarketMessage odd = trade(100);
    odd.price[2] += 1;
    running.interpreter.process(odd, running.sink);
    odd.state[2] = PriceState::invalid;
    running.interpreter.process(odd, running.sink);
    EXPECT_EQ(running.interpreter.invalid_prices(), 3U);
    EXPECT_TRUE(running.sink.fires.empty());
}

// More than the whole price away, which the language does not take: a higher high would loosen the stop.
TEST(Interpreter, AStopNeverLoosens) {
    const auto builder = TableBuilder()
                             .stops({0})
                             .set("part.form", {2})
                             .set("part.trail", {0})
                             .set("trail.kind", {2})
                             .set("trail.value", {1'500'000});
    Running running(builder);
    for (const std::int64_t price : {1'000, 2'000, -499, -500}) running.see(price);
    ASSERT_EQ(running.sink.fires.size(), 1U);
    EXPECT_EQ(running.sink.fires[0].trigger, -500);
}

TEST(Interpreter, OrdersPerSecondComeBackWithTime) {
    Running running(TableBuilder().stops({300, 299, 298, 297}).set("limits.orders_per_second", {1}));
    running.see(300, 5);
    running.see(299, 1'000'000'004);
    running.see(298, 1'000'000'005);
    running.see(297, 1'000'000'006);
    std::vector<GateOutcome> outcomes;
    for (const TableFire& fire : running.sink.fires) outcomes.push_back(fire.outcome);
    const auto late = GateOutcome::orders_per_second;
    EXPECT_EQ(outcomes, (std::vector{GateOutcome::sent, late, GateOutcome::sent, late}));
}

TEST(Interpreter, APartThatIsNotAdmittedIsSpentWithoutAWord) {
    struct Picky final : Recorder {
        bool admit(const TableFire& fire) override { return fire.part != 0; }
    } sink;
    const TableBuilder builder = TableBuilder().stops({200, 200}).set("part.group", {0, 0});
    SoftwareTable table = builder.table();
    TableInterpreter interpreter(table.columns());
    interpreter.process(trade(150), sink);
    EXPECT_EQ(sink.parts(), (Parts{1}));
    EXPECT_EQ(interpreter.state(0), PartState::fired);
    EXPECT_EQ(interpreter.counters().orders, 1);
}

TEST(Interpreter, WithoutRearmingWhatHasFiredStaysSo) {
    for (const bool rearming : {true, false}) {
        Running running(TableBuilder()
                            .stops({200})
                            .set("part.rearm", {0})
                            .set("rearm.times", {5})
                            .set("rearm.after_ns", {-1})
                            .set("rearm.source", {2})
                            .set("rearm.direction", {1})
                            .set("rearm.threshold", {250}));
        running.interpreter.set_rearming(rearming);
        for (const std::int64_t price : {150, 260, 150}) running.see(price);
        EXPECT_EQ(running.sink.fires.size(), rearming ? 2U : 1U);
    }
}

TEST(Interpreter, APartThatWasLetPassIsArmed) {
    for (const std::int64_t through : {1, 2}) {  // reject, wait
        Running running(TableBuilder().stops({200, 200}).set("part.through", {through, through}));
        for (const bool known : {false, true}) {
            if (known) running.see(150);
            running.interpreter.restart();
            running.interpreter.restore_passed(0);
            EXPECT_EQ(running.interpreter.state(0), PartState::armed);
            EXPECT_NE(running.interpreter.state(1), PartState::armed);
            running.sink.fires.clear();
            running.see(150);
            EXPECT_EQ(running.sink.parts(), (Parts{0})) << through << known;
        }
    }
}

// Two a second: an empty bucket is full a second later, and has room for one in half of that.
TEST(Interpreter, TheBucketOfOrdersGoesOnFromAnotherOne) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    const TableBuilder builder =
        TableBuilder().stops({400, 300, 200, 100}).set("limits.orders_per_second", {2});
    Running former(builder);
    EXPECT_FALSE(former.interpreter.rate_full_ns());
    former.see(250, 10 * kSecond);
    EXPECT_EQ(former.interpreter.rate_full_ns(), 11 * kSecond);
    Running next(builder);
    next.interpreter.set_rate_full(former.interpreter.rate_full_ns());
    next.see(350, 10 * kSecond + kSecond / 2 - 1);
    EXPECT_EQ(next.sink.fires.back().outcome, GateOutcome::orders_per_second);
    next.see(250, 10 * kSecond + kSecond / 2);
    EXPECT_EQ(next.sink.fires.back().outcome, GateOutcome::sent);
    EXPECT_EQ(next.interpreter.rate_full_ns(), 11 * kSecond + kSecond / 2);
    next.interpreter.set_rate_full({});
    next.see(50, 11 * kSecond);
    EXPECT_EQ(next.sink.fires.back().outcome, GateOutcome::sent);
}

}  // namespace
}  // namespace fixaccel
