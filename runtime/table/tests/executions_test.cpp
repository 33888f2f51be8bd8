// SPDX-License-Identifier: Apache-2.0
// What fills and ends of orders do, as a daemon tells them.
#include <gtest/gtest.h>

#include "running.hpp"

namespace fixaccel {
namespace {

using test::armed_on;
using test::Running;
using test::TableBuilder;
using Parts = std::vector<std::int32_t>;

constexpr std::int64_t kFirstFill = 1;
constexpr std::int64_t kFilled = 2;

// 0 arms 1, which sells what 0 has filled, in lots of 10.
TableBuilder exit_of_fills(std::int64_t on) {
    TableBuilder builder;
    builder.stops({300, 200}).set("instrument.lot", {10});
    armed_on(builder, {-1, 0}, on);
    return builder.set("order.qty", {50, 0}).set("order.filled", {0, 1});
}

TEST(Executions, AFirstFillArmsAndTheFireSendsWhatIsFilled) {
    Running running(exit_of_fills(kFirstFill));
    running.see(300);
    EXPECT_EQ(running.interpreter.state(1), PartState::disarmed) << "a sent order is no fill";
    running.interpreter.filled(0, 12, 0);
    EXPECT_EQ(running.interpreter.state(1), PartState::armed);
    running.interpreter.filled(0, 25, 0);
    running.interpreter.filled(0, -3, 0);
    running.see(200);
    ASSERT_EQ(running.sink.parts(), (Parts{0, 1}));
    EXPECT_EQ(running.sink.fires[1].qty, 30) << "34 in whole lots";
    EXPECT_EQ(running.sink.fires[1].outcome, GateOutcome::sent);
    EXPECT_EQ(running.interpreter.counters().quantities.at(0).sold, 80);
}

TEST(Executions, LessThanALotSendsNothing) {
    for (const std::int64_t busted : {0, -8}) {
        Running running(exit_of_fills(kFirstFill));
        running.see(300);
        running.interpreter.filled(0, 7, 0);
        running.interpreter.filled(0, busted, 0);
        EXPECT_EQ(running.interpreter.state(1), PartState::armed) << "a bust un-arms nothing";
        running.see(200);
        EXPECT_EQ(running.sink.fires.back().outcome, GateOutcome::filled);
        EXPECT_EQ(running.sink.fires.back().qty, 0);
        EXPECT_EQ(running.sink.offered.size(), 1U);
    }
}

TEST(Executions, ABustArmsNothing) {
    Running running(exit_of_fills(kFirstFill));
    running.interpreter.filled(0, -5, 0);
    EXPECT_EQ(running.interpreter.state(1), PartState::disarmed);
}

TEST(Executions, OnFilledAnEndWithSomethingFilledArms) {
    Running running(exit_of_fills(kFilled));
    running.see(300);
    running.interpreter.filled(0, 20, 0);
    EXPECT_EQ(running.interpreter.state(1), PartState::disarmed);
    running.interpreter.order_done(0, false, 0);
    EXPECT_EQ(running.interpreter.state(1), PartState::disarmed);
    running.interpreter.order_done(0, true, 0);
    EXPECT_EQ(running.interpreter.state(1), PartState::armed);
}

// 5 and 7 run elsewhere, 8 is no parent.
TEST(Executions, ParentsMayRunElsewhere) {
    TableBuilder builder;
    builder.stops({200}).set("part.index", {20});
    armed_on(builder, {0}, kFirstFill, {5, 7}, {1, 1});
    Running running(builder.set("order.qty", {0}).set("order.filled", {1}));
    running.interpreter.filled(8, 5, 0);
    EXPECT_EQ(running.interpreter.state(0), PartState::disarmed);
    running.interpreter.filled(7, 5, 0);
    EXPECT_EQ(running.interpreter.state(0), PartState::armed);
    running.interpreter.filled(5, 3, 0);
    EXPECT_EQ(running.interpreter.filled_qty(7), 5);
    running.see(150);
    EXPECT_EQ(running.sink.fires.at(0).qty, 8);
}

TEST(Executions, WhatArrivedBeforeARestartIsRestored) {
    Running running(exit_of_fills(kFirstFill));
    running.interpreter.restore(0, 1, true);
    running.interpreter.restore_filled(0, 40);
    EXPECT_EQ(running.interpreter.state(1), PartState::disarmed) << "restore_armed() says so";
    running.interpreter.restore_armed(1);
    running.see(150);
    EXPECT_EQ(running.sink.fires.at(0).qty, 40);
    running.interpreter.restart();
    EXPECT_EQ(running.interpreter.filled_qty(0), 0);
}

TEST(Executions, FillsGoAlongWhenPartsAreRenumbered) {
    Running running(exit_of_fills(kFirstFill));
    running.see(300);
    running.interpreter.filled(0, 30, 0);
    TableBuilder next;
    next.stops({310, 300, 200}).set("part.hash", {9, 0, 1, 0, 2, 0}).set("order.qty", {1, 50, 0});
    armed_on(next, {-1, -1, 0}, kFirstFill, {1});
    const SoftwareTable table = next.set("order.filled", {0, 0, 1}).table();
    running.interpreter.reload(table.columns());
    EXPECT_EQ(running.interpreter.filled_qty(1), 30);
    EXPECT_EQ(running.interpreter.filled_qty(0), 0);
    running.see(200);
    EXPECT_EQ(running.sink.fires.back().part, 2);
    EXPECT_EQ(running.sink.fires.back().qty, 30);
}

TEST(Executions, OrderQtyHoldsForWhatIsFilled) {
    Running running(exit_of_fills(kFirstFill).set("limits.order_qty", {30}));
    running.see(300);
    running.interpreter.filled(0, 45, 0);
    running.see(200);
    EXPECT_EQ(running.sink.fires.back().outcome, GateOutcome::order_qty);
}

TEST(Executions, ASentOrderCancelsWhatItNames) {
    struct Cancels final : test::Recorder {
        void cancel(const TableFire& by, std::span<const PartRange> parts) override {
            EXPECT_EQ(fires.back().part, by.part) << "behind its report";
            cancelled.assign(parts.begin(), parts.end());
        }
        std::vector<PartRange> cancelled;
    } sink;
    const SoftwareTable table = TableBuilder()
                                    .stops({300})
                                    .set("part.cancels", {0})
                                    .set("cancels.first", {0})
                                    .set("cancels.count", {2})
                                    .set("cancelled.first", {9, 4})
                                    .set("cancelled.count", {1, 3})
                                    .table();
    for (const auto answer : {GateOutcome::withheld, GateOutcome::sent}) {
        TableInterpreter interpreter(table.columns());
        sink.answer = answer;
        interpreter.process(test::trade(100), sink);
        const std::vector<PartRange> both{{4, 3}, {9, 1}};
        EXPECT_EQ(sink.cancelled, answer == GateOutcome::sent ? both : std::vector<PartRange>{});
    }
}

TEST(Executions, AChildOfAFillIsLiveFromTheNextMessageOn) {
    Running running(exit_of_fills(kFirstFill).set("part.through", {0, 1}));
    running.see(300);
    running.see(150);
    running.interpreter.filled(0, 10, 0);
    EXPECT_EQ(running.interpreter.state(1), PartState::refused) << "judged by what is known";
}

}  // namespace
}  // namespace fixaccel
