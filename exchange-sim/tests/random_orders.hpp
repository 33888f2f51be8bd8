// SPDX-License-Identifier: Apache-2.0
// Orders at random for property tests; the same seed gives the same orders.
#pragma once

#include <random>

#include "matching/types.hpp"

namespace fixaccel::exchange {

struct RandomOrder {
    Side side = Side::kBuy;
    OrderType type = OrderType::kLimit;
    TimeInForce tif = TimeInForce::kDay;
    Price price = 0;
    Quantity quantity = 0;
};

class RandomOrders {
  public:
    explicit RandomOrders(unsigned seed) : random_(seed) {}

    int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }

    RandomOrder next() {
        constexpr TimeInForce kTifs[] = {TimeInForce::kDay, TimeInForce::kGoodTillCancel,
                                         TimeInForce::kImmediateOrCancel, TimeInForce::kFillOrKill};
        RandomOrder order;
        order.side = below(2) == 0 ? Side::kBuy : Side::kSell;
        order.type = below(8) == 0 ? OrderType::kMarket : OrderType::kLimit;
        // Mostly orders that rest: an empty book shows nothing.
        order.tif = kTifs[below(4) == 0 ? below(4) : 0];
        // Few prices around zero, so that queues grow and signs mix.
        order.price = order.type == OrderType::kLimit ? below(9) - 4 : 0;
        order.quantity = 1 + below(20);
        return order;
    }

  private:
    std::mt19937 random_;
};

}  // namespace fixaccel::exchange
