// SPDX-License-Identifier: Apache-2.0
#include "matching/order_book.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>
#include <vector>

namespace fixaccel::exchange {
namespace {

constexpr auto kDay = TimeInForce::kDay;

BookOrder limit(OrderId id, Side side, Price price, Quantity quantity, TimeInForce tif = kDay) {
    return {id, side, OrderType::kLimit, tif, price, quantity};
}

BookOrder market(OrderId id, Side side, Quantity quantity, TimeInForce tif = kDay) {
    return {id, side, OrderType::kMarket, tif, 0, quantity};
}

std::vector<Trade> trades(const Submission& submission) { return submission.trades; }

TEST(OrderBook, RestsWhatDoesNotCross) {
    OrderBook book;
    EXPECT_EQ(book.submit(limit(1, Side::kBuy, 100, 5)).resting, 5);
    EXPECT_EQ(book.submit(limit(2, Side::kSell, 101, 7)).resting, 7);
    EXPECT_EQ(book.submit(limit(3, Side::kBuy, 100, 2)).resting, 2);
    EXPECT_EQ(book.levels(Side::kBuy), (std::vector<Level>{{100, 7, 2}}));
    EXPECT_EQ(book.levels(Side::kSell), (std::vector<Level>{{101, 7, 1}}));
    EXPECT_EQ(book.last(), std::nullopt);
}

TEST(OrderBook, TradesAtTheRestingPriceBestPriceFirstThenOldestFirst) {
    OrderBook book;
    book.submit(limit(1, Side::kSell, 102, 5));
    book.submit(limit(2, Side::kSell, 101, 5));
    book.submit(limit(3, Side::kSell, 101, 5));
    const Submission result = book.submit(limit(4, Side::kBuy, 102, 12));
    EXPECT_EQ(trades(result), (std::vector<Trade>{{2, 4, 101, 5}, {3, 4, 101, 5}, {1, 4, 102, 2}}));
    EXPECT_EQ(result.resting, 0);
    EXPECT_EQ(book.levels(Side::kSell), (std::vector<Level>{{102, 3, 1}}));
    EXPECT_EQ(book.last(), (Print{102, 2}));
}

TEST(OrderBook, PartialFillKeepsItsPlaceInTheQueue) {
    OrderBook book;
    book.submit(limit(1, Side::kBuy, 100, 5));
    book.submit(limit(2, Side::kBuy, 100, 5));
    book.submit(limit(3, Side::kSell, 100, 2));
    EXPECT_EQ(trades(book.submit(limit(4, Side::kSell, 100, 4))),
              (std::vector<Trade>{{1, 4, 100, 3}, {2, 4, 100, 1}}));
}

TEST(OrderBook, RestsTheRemainderOfADayOrder) {
    OrderBook book;
    book.submit(limit(1, Side::kSell, 100, 3));
    const Submission result = book.submit(limit(2, Side::kBuy, 101, 5));
    EXPECT_EQ(result.resting, 2);
    EXPECT_EQ(book.best(Side::kBuy), 101);
    EXPECT_EQ(book.best(Side::kSell), std::nullopt);
}

TEST(OrderBook, ImmediateOrCancelAndMarketOrdersNeverRest) {
    OrderBook book;
    book.submit(limit(1, Side::kSell, 100, 3));
    EXPECT_EQ(book.submit(limit(2, Side::kBuy, 100, 5, TimeInForce::kImmediateOrCancel)).canceled, 2);
    EXPECT_EQ(book.submit(market(3, Side::kBuy, 5)).canceled, 5);
    EXPECT_EQ(book.submit(market(4, Side::kSell, 5, TimeInForce::kGoodTillCancel)).canceled, 5);
    EXPECT_TRUE(book.levels(Side::kBuy).empty());
    EXPECT_TRUE(book.levels(Side::kSell).empty());
}

TEST(OrderBook, MarketOrderTakesAnyPrice) {
    OrderBook book;
    book.submit(limit(1, Side::kBuy, -5, 1));
    book.submit(limit(2, Side::kBuy, 100, 1));
    EXPECT_EQ(trades(book.submit(market(3, Side::kSell, 2))),
              (std::vector<Trade>{{2, 3, 100, 1}, {1, 3, -5, 1}}));
}

TEST(OrderBook, FillOrKillIsAllOrNothing) {
    OrderBook book;
    book.submit(limit(1, Side::kSell, 100, 3));
    book.submit(limit(2, Side::kSell, 101, 3));
    const std::uint64_t before = book.revision();
    const Submission killed = book.submit(limit(3, Side::kBuy, 100, 4, TimeInForce::kFillOrKill));
    EXPECT_TRUE(killed.trades.empty());
    EXPECT_EQ(killed.canceled, 4);
    EXPECT_EQ(book.revision(), before);
    const Submission filled = book.submit(limit(4, Side::kBuy, 101, 6, TimeInForce::kFillOrKill));
    EXPECT_EQ(filled.trades.size(), 2U);
    EXPECT_EQ(filled.canceled, 0);
}

TEST(OrderBook, CancelTakesOutWhatIsLeft) {
    OrderBook book;
    book.submit(limit(1, Side::kBuy, 100, 5));
    book.submit(limit(2, Side::kSell, 100, 2));
    EXPECT_EQ(book.cancel(1), 3);
    EXPECT_EQ(book.cancel(1), std::nullopt);
    EXPECT_EQ(book.cancel(2), std::nullopt);
    EXPECT_TRUE(book.levels(Side::kBuy).empty());
}

TEST(OrderBook, DepthLimitsTheLevels) {
    OrderBook book;
    for (OrderId id = 1; id <= 4; ++id) book.submit(limit(id, Side::kBuy, 100 + static_cast<Price>(id), 1));
    EXPECT_EQ(book.levels(Side::kBuy, 2), (std::vector<Level>{{104, 1, 1}, {103, 1, 1}}));
    EXPECT_EQ(book.levels(Side::kBuy).size(), 4U);
}

TEST(OrderBook, RevisionMovesWithTheBookOnly) {
    OrderBook book;
    std::uint64_t seen = book.revision();
    const auto moved = [&] { return std::exchange(seen, book.revision()) != book.revision(); };
    book.submit(market(1, Side::kBuy, 5));
    EXPECT_FALSE(moved());
    book.submit(limit(2, Side::kBuy, 100, 5));
    EXPECT_TRUE(moved());
    book.cancel(99);
    EXPECT_FALSE(moved());
    book.cancel(2);
    EXPECT_TRUE(moved());
    book.print(100, 1);
    EXPECT_TRUE(moved());
    EXPECT_EQ(book.last(), (Print{100, 1}));
}

TEST(OrderBook, RefusesWhatCannotBeAnOrder) {
    OrderBook book;
    book.submit(limit(1, Side::kBuy, 100, 5));
    EXPECT_THROW(book.submit(limit(1, Side::kBuy, 100, 5)), std::invalid_argument);
    EXPECT_THROW(book.submit(limit(2, Side::kBuy, 100, 0)), std::invalid_argument);
}

TEST(OrderBook, KeepsEachPrintUntilItIsTaken) {
    OrderBook book;
    book.submit(limit(1, Side::kSell, 100, 2));
    book.submit(limit(2, Side::kSell, 101, 2));
    EXPECT_TRUE(book.take_prints().empty());
    book.submit(limit(3, Side::kBuy, 101, 3));
    book.print(99, 7);
    EXPECT_EQ(book.take_prints(), (std::vector<Print>{{100, 2}, {101, 1}, {99, 7}}));
    EXPECT_TRUE(book.take_prints().empty());
    EXPECT_EQ(book.last(), (Print{99, 7}));
}

}  // namespace
}  // namespace fixaccel::exchange
