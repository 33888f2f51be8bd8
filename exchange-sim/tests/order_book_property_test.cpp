// SPDX-License-Identifier: Apache-2.0
// Random sequences of orders and cancels: the book must do what the naive one does, keep every unit of
// quantity, and never stand crossed. The seed of a failing sequence is in the message.
#include <gtest/gtest.h>

#include "matching/order_book.hpp"
#include "tests/naive_book.hpp"
#include "tests/random_orders.hpp"

namespace fixaccel::exchange {
namespace {

constexpr int kSequences = 300;
constexpr int kActions = 200;

Quantity resting_quantity(const OrderBook& book) {
    Quantity sum = 0;
    for (const Side side : {Side::kBuy, Side::kSell}) {
        for (const Level& level : book.levels(side)) sum += level.quantity;
    }
    return sum;
}

void expect_not_crossed(const OrderBook& book) {
    const auto bid = book.best(Side::kBuy);
    const auto ask = book.best(Side::kSell);
    if (bid && ask) {
        EXPECT_LT(*bid, *ask);
    }
}

Quantity traded_quantity(const Submission& submission) {
    Quantity sum = 0;
    for (const Trade& trade : submission.trades) sum += trade.quantity;
    return sum;
}

TEST(OrderBookProperty, AgreesWithTheNaiveBookAndConservesQuantity) {
    for (unsigned seed = 0; seed < kSequences; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        RandomOrders random(seed);
        OrderBook book;
        NaiveBook naive;
        for (OrderId id = 1; id <= kActions; ++id) {
            const Quantity before = resting_quantity(book);
            if (random.below(5) == 0) {
                const auto target = static_cast<OrderId>(random.below(kActions));
                const auto canceled = book.cancel(target);
                ASSERT_EQ(canceled, naive.cancel(target));
                ASSERT_EQ(resting_quantity(book), before - canceled.value_or(0));
            } else {
                const BookOrder order = random.next(id);
                const Submission seen = book.submit(order);
                const Submission expected = naive.submit(order);
                ASSERT_EQ(seen.trades, expected.trades);
                ASSERT_EQ(seen.resting, expected.resting);
                ASSERT_EQ(seen.canceled, expected.canceled);
                const Quantity traded = traded_quantity(seen);
                ASSERT_EQ(traded + seen.resting + seen.canceled, order.quantity);
                ASSERT_EQ(resting_quantity(book), before - traded + seen.resting);
            }
            ASSERT_EQ(book.levels(Side::kBuy), naive.levels(Side::kBuy));
            ASSERT_EQ(book.levels(Side::kSell), naive.levels(Side::kSell));
            ASSERT_EQ(book.last(), naive.last);
            expect_not_crossed(book);
            ASSERT_FALSE(HasFailure());
        }
    }
}

TEST(OrderBookProperty, IsDeterministic) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        OrderBook first;
        OrderBook second;
        RandomOrders random_first(seed);
        RandomOrders random_second(seed);
        for (OrderId id = 1; id <= kActions; ++id) {
            ASSERT_EQ(first.submit(random_first.next(id)).trades,
                      second.submit(random_second.next(id)).trades);
            ASSERT_EQ(first.revision(), second.revision());
        }
    }
}

}  // namespace
}  // namespace fixaccel::exchange
