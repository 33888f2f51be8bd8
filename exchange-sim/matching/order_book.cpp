// SPDX-License-Identifier: Apache-2.0
#include "matching/order_book.hpp"

#include <algorithm>
#include <stdexcept>

namespace fixaccel::exchange {
namespace {

bool crosses(const BookOrder& order, Price resting_price) {
    return order.type == OrderType::kMarket || acceptable(order.side, resting_price, order.price);
}

bool may_rest(const BookOrder& order) {
    return order.type == OrderType::kLimit &&
           (order.tif == TimeInForce::kDay || order.tif == TimeInForce::kGoodTillCancel);
}

template <typename Levels>
std::vector<Level> collect(const Levels& levels, std::size_t depth) {
    std::vector<Level> result;
    for (const auto& [price, queue] : levels) {
        if (depth != 0 && result.size() == depth) break;
        Quantity total = 0;
        for (const auto& resting : queue) total += resting.quantity;
        result.push_back({price, total, queue.size()});
    }
    return result;
}

template <typename Levels>
std::vector<OrderId> collect_orders(const Levels& levels, Side taker, Price limit) {
    std::vector<OrderId> result;
    for (const auto& [price, queue] : levels) {
        if (!acceptable(taker, price, limit)) break;
        for (const auto& resting : queue) result.push_back(resting.id);
    }
    return result;
}

}  // namespace

template <typename Levels>
Quantity OrderBook::available(const Levels& levels, const BookOrder& order) {
    Quantity total = 0;
    for (const auto& [price, queue] : levels) {
        if (!crosses(order, price)) break;
        for (const auto& resting : queue) total += resting.quantity;
        if (total >= order.quantity) break;
    }
    return total;
}

template <typename Levels>
void OrderBook::match(Levels& levels, const BookOrder& order, Submission& result, Quantity& left) {
    while (left > 0 && !levels.empty() && crosses(order, levels.begin()->first)) {
        const Price price = levels.begin()->first;
        Queue& queue = levels.begin()->second;
        Resting& oldest = queue.front();
        const Quantity traded = std::min(left, oldest.quantity);
        result.trades.push_back({oldest.id, order.id, price, traded});
        print(price, traded);
        left -= traded;
        oldest.quantity -= traded;
        if (oldest.quantity > 0) continue;
        places_.erase(oldest.id);
        queue.pop_front();
        if (queue.empty()) levels.erase(levels.begin());
    }
}

template <typename Levels>
void OrderBook::rest(Levels& levels, const BookOrder& order, Quantity quantity) {
    Queue& queue = levels[order.price];
    const auto position = queue.insert(queue.end(), Resting{order.id, quantity});
    places_.emplace(order.id, Place{order.side, order.price, position});
    ++revision_;
}

template <typename Levels>
void OrderBook::remove(Levels& levels, const Place& place) {
    const auto level = levels.find(place.price);
    level->second.erase(place.position);
    if (level->second.empty()) levels.erase(level);
    ++revision_;
}

Submission OrderBook::submit(const BookOrder& order) {
    if (order.quantity <= 0) throw std::invalid_argument("order quantity must be positive");
    if (places_.count(order.id) != 0) throw std::invalid_argument("order id is already in the book");
    Submission result;
    const bool buys = order.side == Side::kBuy;
    if (order.tif == TimeInForce::kFillOrKill &&
        (buys ? available(asks_, order) : available(bids_, order)) < order.quantity) {
        result.canceled = order.quantity;
        return result;
    }
    Quantity left = order.quantity;
    buys ? match(asks_, order, result, left) : match(bids_, order, result, left);
    if (left > 0 && may_rest(order)) {
        buys ? rest(bids_, order, left) : rest(asks_, order, left);
        result.resting = left;
    } else {
        result.canceled = left;
    }
    return result;
}

std::optional<Quantity> OrderBook::cancel(OrderId id) {
    const auto found = places_.find(id);
    if (found == places_.end()) return std::nullopt;
    const Place place = found->second;
    const Quantity left = place.position->quantity;
    places_.erase(found);
    place.side == Side::kBuy ? remove(bids_, place) : remove(asks_, place);
    return left;
}

void OrderBook::reduce(OrderId id, Quantity quantity) {
    Quantity& left = places_.at(id).position->quantity;
    if (quantity <= 0 || quantity > left) throw std::invalid_argument("an order is only reduced, not ended");
    if (std::exchange(left, quantity) != quantity) ++revision_;
}

void OrderBook::print(Price price, Quantity quantity) {
    last_ = Print{price, quantity};
    prints_.push_back(*last_);
    ++revision_;
}

std::vector<Level> OrderBook::levels(Side side, std::size_t depth) const {
    return side == Side::kBuy ? collect(bids_, depth) : collect(asks_, depth);
}

std::optional<Price> OrderBook::best(Side side) const {
    const auto top = levels(side, 1);
    if (top.empty()) return std::nullopt;
    return top.front().price;
}

std::vector<OrderId> OrderBook::marketable(Side side, Price limit) const {
    return side == Side::kBuy ? collect_orders(bids_, Side::kSell, limit)
                              : collect_orders(asks_, Side::kBuy, limit);
}

}  // namespace fixaccel::exchange
