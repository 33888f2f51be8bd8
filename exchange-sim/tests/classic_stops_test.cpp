// SPDX-License-Identifier: Apache-2.0
// The bugs that engines with stop orders have had, one after another.
#include "tests/engine_driver.hpp"

namespace fixaccel::exchange {
namespace {

using ClassicStops = EngineTest;

TEST_F(ClassicStops, TheNearestGoesFirstNotTheFarthest) {
    sell("s56", stop(1, 56));
    sell("s58", stop(1, 58));
    buy("bid", limit(9, 50));
    EXPECT_EQ(print(57), (Lines{"s58 is set off at 57", "s58 meets bid, 1 at 50", "s56 is set off at 50",
                                "s56 meets bid, 1 at 50"}))
        << "57 reaches the one at 58; the trade at 50 that it makes reaches the one at 56";
}

TEST_F(ClassicStops, AStopAtFiftySixStaysAtFiftySeven) {
    sell("s56", stop_limit(1, 56, 56));
    sell("s58", stop_limit(1, 58, 58));
    EXPECT_EQ(print(57), (Lines{"s58 is set off at 57"}));
    EXPECT_EQ(print(56), (Lines{"s56 is set off at 56"}));
    buy("b40", stop_limit(1, 60, 60));
    buy("b42", stop_limit(1, 62, 62));
    EXPECT_EQ(print(61), (Lines{"b40 is set off at 61", "b40 meets s56, 1 at 56"}));
}

TEST_F(ClassicStops, NothingIsSetOffWithoutATrade) {
    EXPECT_EQ(sell("stop", stop(1, 58)), Lines{});
    EXPECT_EQ(buy("rise", stop(1, -50)), Lines{}) << "no last trade is not a last trade at 0";
    EXPECT_EQ(phase(Phase::kHalted), (Lines{"halted: as requested"}));
    EXPECT_EQ(phase(Phase::kContinuous), (Lines{"continuous: as requested"}));
}

TEST_F(ClassicStops, QuotesAreNoTrades) {
    sell("stop", stop(1, 58));
    EXPECT_EQ(buy("bid", limit(1, 40)), Lines{});
    EXPECT_EQ(sell("ask", limit(1, 41)), Lines{});
    EXPECT_EQ(cancel("bid"), (Lines{"bid ends with 1: as requested"}));
}

TEST_F(ClassicStops, EachKindLooksItsOwnWay) {
    sell("sell stop", stop_limit(1, 90, 300));
    buy("buy stop", stop_limit(1, 110, -50));
    sell("sell touched", touched(1, 110));
    buy("buy touched", touched(1, 90));
    EXPECT_EQ(print(100), Lines{});
    EXPECT_EQ(print(110), (Lines{"buy stop is set off at 110", "sell touched is set off at 110",
                                 "sell touched meets buy stop, 1 at -50", "sell stop is set off at -50",
                                 "buy touched is set off at -50", "buy touched meets sell stop, 1 at 300"}));
}

TEST_F(ClassicStops, WhatWasSetOffIsNotSetOffAgain) {
    sell("stop", stop_limit(2, 58, 70));
    EXPECT_EQ(print(58), (Lines{"stop is set off at 58"}));
    EXPECT_EQ(print(57), Lines{});
    EXPECT_EQ(engine.order_count(), 1U);
    EXPECT_EQ(cancel("stop"), (Lines{"stop ends with 2: as requested"}));
    EXPECT_EQ(print(56), Lines{});
}

TEST_F(ClassicStops, APriceThatComesBackSetsOffAsWell) {
    print(50);
    EXPECT_EQ(buy("stop", stop_limit(1, 58, 58)), Lines{});
    EXPECT_EQ(print(40), Lines{});
    EXPECT_EQ(print(58), (Lines{"stop is set off at 58"})) << "up from below, after it went down";
    EXPECT_EQ(sell("other", stop_limit(1, 45, 60)), Lines{});
    EXPECT_EQ(print(70), Lines{});
    EXPECT_EQ(print(45), (Lines{"other is set off at 45"}));
}

TEST_F(ClassicStops, AnOrderIsNotSetOffByTradesBeforeIt) {
    print(40);
    print(60);
    EXPECT_EQ(sell("stop", stop_limit(1, 50, 50)), Lines{}) << "40 was before";
}

TEST_F(ClassicStops, WhatIsThroughAlreadyGoesAtOnce) {
    print(57);
    EXPECT_EQ(sell("through", stop_limit(1, 58, 60)), (Lines{"through is set off at 57"}));
    EXPECT_EQ(sell("at", stop_limit(1, 57, 60)), (Lines{"at is set off at 57"}));
    EXPECT_EQ(sell("not yet", stop_limit(1, 56, 60)), Lines{});
    EXPECT_EQ(replace("not yet", stop_limit(1, 58, 60)), (Lines{"not yet is set off at 57"}));
}

TEST_F(ClassicStops, AnOrderOfACallSeesTheLastTradeAfterIt) {
    print(57);
    phase(Phase::kHalted);
    EXPECT_EQ(sell("stop", stop_limit(1, 58, 60)), Lines{});
    EXPECT_EQ(phase(Phase::kContinuous), (Lines{"continuous: as requested", "stop is set off at 57"}));
}

TEST_F(ClassicStops, TriggersBetweenTicksAreRefusedNotRounded) {
    EXPECT_EQ(sell("stop", stop(1, 1002)), (Lines{"stop is refused: a price is not on the tick grid"}));
    EXPECT_EQ(sell("far", stop(1, 20'000)), (Lines{"far is refused: a price is outside the price range"}));
}

TEST_F(ClassicStops, ZeroIsAPrice) {
    sell("stop", stop_limit(1, 0, 10));
    EXPECT_EQ(print(1), Lines{});
    EXPECT_EQ(print(0), (Lines{"stop is set off at 0"}));
    EXPECT_EQ(buy("free", limit(1, 0)), Lines{});
    EXPECT_EQ(book(), "0x1 | 10x1");
}

TEST_F(ClassicStops, CascadesGoOnUntilNothingIsLeftToSetOff) {
    for (const Price price : {50, 49, 48, 47, 46}) buy("bid" + std::to_string(price), limit(1, price));
    for (const Price price : {49, 48, 47, 46}) sell("stop" + std::to_string(price), stop(1, price));
    EXPECT_EQ(sell("first", limit(2, 49)),
              (Lines{"first meets bid50, 1 at 50", "first meets bid49, 1 at 49", "stop49 is set off at 49",
                     "stop49 meets bid48, 1 at 48", "stop48 is set off at 48", "stop48 meets bid47, 1 at 47",
                     "stop47 is set off at 47", "stop47 meets bid46, 1 at 46", "stop46 is set off at 46",
                     "stop46 ends with 1: no more quantity at the limit"}));
    EXPECT_EQ(book(), "|");
}

TEST_F(ClassicStops, ThoseOfOneRoundGoInTheOrderInWhichTheyCame) {
    sell("late and near", stop_limit(1, 56, 60));
    sell("later and nearer", stop_limit(1, 58, 60));
    EXPECT_EQ(print(50), (Lines{"late and near is set off at 50", "later and nearer is set off at 50"}));
    buy("taker", limit(1, 60));
    EXPECT_EQ(book(), "| 60x1");
    EXPECT_EQ(cancel("later and nearer"), (Lines{"later and nearer ends with 1: as requested"}));
}

TEST_F(ClassicStops, ASweepSetsOffWhatLiesBetweenItsTrades) {
    for (const Price price : {100, 101, 103}) sell("ask" + std::to_string(price), limit(1, price));
    buy("at 101", stop_limit(1, 101, 90));
    sell("at 102", touched(1, 102));
    EXPECT_EQ(
        buy("sweep", limit(3, 103)),
        (Lines{"sweep meets ask100, 1 at 100", "sweep meets ask101, 1 at 101", "sweep meets ask103, 1 at 103",
               "at 101 is set off at 103", "at 102 is set off at 103", "at 102 meets at 101, 1 at 90"}));
}

TEST_F(ClassicStops, AHaltLeavesTheRestOfTheCascadeForLater) {
    reference(100);
    breaker(5);
    for (const Price price : {100, 96, 90}) buy("bid" + std::to_string(price), limit(1, price));
    sell("a", stop(1, 100));
    sell("b", stop(1, 96));
    sell("c", stop(1, 90));
    EXPECT_EQ(sell("first", market(1)),
              (Lines{"first meets bid100, 1 at 100", "a is set off at 100", "a meets bid96, 1 at 96",
                     "b is set off at 96", "halted: the circuit breaker halted the instrument",
                     "b ends with 1: the circuit breaker halted the instrument"}));
    EXPECT_EQ(engine.order_count(), 2U) << "c waits, and a bid";
}

}  // namespace
}  // namespace fixaccel::exchange
