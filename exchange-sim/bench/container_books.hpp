// SPDX-License-Identifier: Apache-2.0
// What the engine is compared with: the usual book of standard containers, a map of lists with a table of
// iterators. It knows limit orders, cancels and replaces, no more.
#pragma once

#include <algorithm>
#include <list>
#include <map>
#include <unordered_map>
#include <vector>

#include "matching/messages.hpp"

namespace fixaccel::exchange {

class ContainerBooks {
  public:
    explicit ContainerBooks(std::size_t instruments) : books_(instruments) {}

    // `sink` is called with (incoming, resting, price, quantity) of each trade.
    template <typename Sink>
    void apply(const Message& message, Sink&& sink) {
        switch (message.kind) {
            case MessageKind::kAdd:
                place({message.reference, message.side, message.instrument, 0, message.terms}, sink);
                break;
            case MessageKind::kCancel:
                take_out(message.reference);
                break;
            default:
                replace(message, sink);
        }
    }
    std::size_t order_count() const { return places_.size(); }

  private:
    struct Resting {
        std::uint64_t reference = 0;
        Side side = Side::kBuy;
        InstrumentIndex instrument = 0;
        Quantity filled = 0;
        Terms terms;
        Quantity leaves() const { return terms.quantity - filled; }
    };
    using Queue = std::list<Resting>;
    struct Book {
        std::map<Price, Queue> sides[2];  // bids by negative price
    };

    static Price key(Side side, Price price) { return side == Side::kBuy ? -price : price; }

    template <typename Sink>
    void place(Resting order, Sink&& sink) {
        auto& levels = books_[order.instrument].sides[static_cast<int>(opposite(order.side))];
        const Price limit = key(opposite(order.side), order.terms.price);
        while (order.leaves() > 0 && !levels.empty() && levels.begin()->first <= limit) {
            Queue& queue = levels.begin()->second;
            Resting& oldest = queue.front();
            const Quantity quantity = std::min(order.leaves(), oldest.leaves());
            order.filled += quantity;
            oldest.filled += quantity;
            sink(order.reference, oldest.reference, oldest.terms.price, quantity);
            if (oldest.leaves() > 0) continue;
            places_.erase(oldest.reference);
            queue.pop_front();
            if (queue.empty()) levels.erase(levels.begin());
        }
        if (order.leaves() == 0 || order.terms.tif == TimeInForce::kImmediateOrCancel) return;
        Queue& queue =
            books_[order.instrument].sides[static_cast<int>(order.side)][key(order.side, order.terms.price)];
        places_[order.reference] = queue.insert(queue.end(), order);
    }

    void take_out(std::uint64_t reference) {
        const auto found = places_.find(reference);
        if (found == places_.end()) return;
        const Resting& order = *found->second;
        auto& levels = books_[order.instrument].sides[static_cast<int>(order.side)];
        const auto level = levels.find(key(order.side, order.terms.price));
        level->second.erase(found->second);
        if (level->second.empty()) levels.erase(level);
        places_.erase(found);
    }

    template <typename Sink>
    void replace(const Message& message, Sink&& sink) {
        const auto found = places_.find(message.reference);
        if (found == places_.end()) return;
        Resting order = *found->second;
        if (message.terms.quantity <= order.filled) return;
        const bool keeps =
            message.terms.price == order.terms.price && message.terms.quantity <= order.terms.quantity;
        order.terms = message.terms;
        if (keeps) {
            *found->second = order;
            return;
        }
        take_out(message.reference);
        place(order, sink);
    }

    std::vector<Book> books_;
    std::unordered_map<std::uint64_t, Queue::iterator> places_;
};

}  // namespace fixaccel::exchange
