// SPDX-License-Identifier: Apache-2.0
// The plainest book there is, to judge the real one: a list of orders in order of arrival, searched anew each
// time.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "matching/order_book.hpp"

namespace fixaccel::exchange {

class NaiveBook {
  public:
    Submission submit(const BookOrder& order) {
        Submission result;
        Quantity reachable = 0;
        for (const BookOrder& resting : resting_) reachable += reaches(order, resting) ? resting.quantity : 0;
        if (order.tif == TimeInForce::kFillOrKill && reachable < order.quantity) {
            result.canceled = order.quantity;
            return result;
        }
        Quantity left = order.quantity;
        while (left > 0) {
            auto best = resting_.end();
            for (auto next = resting_.begin(); next != resting_.end(); ++next) {
                // Strictly better only: of equals, the one that arrived first stays.
                if (reaches(order, *next) &&
                    (best == resting_.end() || better(next->price, best->price, order.side))) {
                    best = next;
                }
            }
            if (best == resting_.end()) break;
            const Quantity traded = std::min(left, best->quantity);
            result.trades.push_back({best->id, order.id, best->price, traded});
            last = Print{best->price, traded};
            left -= traded;
            best->quantity -= traded;
            if (best->quantity == 0) resting_.erase(best);
        }
        const bool rests = order.type == OrderType::kLimit &&
                           (order.tif == TimeInForce::kDay || order.tif == TimeInForce::kGoodTillCancel);
        if (left > 0 && rests) {
            resting_.push_back(order);
            resting_.back().quantity = left;
            result.resting = left;
        } else {
            result.canceled = left;
        }
        return result;
    }

    std::optional<Quantity> cancel(OrderId id) {
        for (auto next = resting_.begin(); next != resting_.end(); ++next) {
            if (next->id != id) continue;
            const Quantity left = next->quantity;
            resting_.erase(next);
            return left;
        }
        return std::nullopt;
    }

    std::vector<Level> levels(Side side) const {
        std::vector<Level> result;
        for (const BookOrder& order : resting_) {
            if (order.side != side) continue;
            const auto same = std::find_if(result.begin(), result.end(),
                                           [&](const Level& level) { return level.price == order.price; });
            if (same == result.end()) {
                result.push_back({order.price, order.quantity, 1});
            } else {
                same->quantity += order.quantity;
                ++same->orders;
            }
        }
        std::sort(result.begin(), result.end(), [side](const Level& a, const Level& b) {
            return side == Side::kBuy ? a.price > b.price : a.price < b.price;
        });
        return result;
    }

    Quantity total() const {
        Quantity sum = 0;
        for (const BookOrder& order : resting_) sum += order.quantity;
        return sum;
    }

    std::optional<Print> last;

  private:
    static bool better(Price a, Price b, Side taker) { return taker == Side::kBuy ? a < b : a > b; }
    static bool reaches(const BookOrder& order, const BookOrder& resting) {
        if (resting.side == order.side) return false;
        if (order.type == OrderType::kMarket) return true;
        return order.side == Side::kBuy ? resting.price <= order.price : resting.price >= order.price;
    }

    std::vector<BookOrder> resting_;
};

}  // namespace fixaccel::exchange
