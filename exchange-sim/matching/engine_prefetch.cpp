// SPDX-License-Identifier: Apache-2.0
// Asks the cache, some messages ahead, for what they will touch; a wrong guess costs nothing but that. Each
// stage follows the pointers that the one before has brought.
#include "matching/engine.hpp"
#include "matching/engine_inline.hpp"

namespace fixaccel::exchange {

void Engine::prefetch_far(const Message& message) const {
    if (message.order != 0) {
        if (const auto slot = static_cast<Slot>(message.order); slot <= orders_.used())
            __builtin_prefetch(&orders_[slot], 1);
    }
    if (message.instrument >= books_.size()) return;
    const Book& book = books_[message.instrument];
    __builtin_prefetch(&book, 1);
    __builtin_prefetch(&book.rules, 0);
    __builtin_prefetch(&book.sides[0], 1);
    __builtin_prefetch(&book.sides[1], 1);
}

void Engine::prefetch_middle(const Message& message) const {
    if (message.order != 0) {
        const auto slot = static_cast<Slot>(message.order);
        if (slot > orders_.used()) return;
        const OrderRecord& order = orders_[slot];
        if (order.next != 0) __builtin_prefetch(&orders_[order.next], 1);
        if (order.previous != 0) __builtin_prefetch(&orders_[order.previous], 1);
        if (order.instrument < books_.size())
            books_[order.instrument].side(order.side).prefetch_shelf(key_of(order.side, order.price));
    }
    if (message.order == 0 && message.instrument < books_.size())
        books_[message.instrument]
            .side(message.side)
            .prefetch_shelf(key_of(message.side, message.terms.price));
}

void Engine::prefetch_near(const Message& message) const {
    if (message.order != 0) {
        const auto slot = static_cast<Slot>(message.order);
        if (slot > orders_.used()) return;
        const OrderRecord& order = orders_[slot];
        if (order.instrument < books_.size())
            books_[order.instrument].side(order.side).prefetch(key_of(order.side, order.price), pages_);
    } else if (message.instrument < books_.size()) {
        books_[message.instrument]
            .side(message.side)
            .prefetch(key_of(message.side, message.terms.price), pages_);
    }
}

void Engine::prefetch_next(const Message& message) const {
    if (message.order != 0 || message.instrument >= books_.size()) return;
    const Ladder& ladder = books_[message.instrument].side(message.side);
    if (const Slot tail = ladder.tail(key_of(message.side, message.terms.price), pages_); tail != 0)
        __builtin_prefetch(&orders_[tail], 1);
}

}  // namespace fixaccel::exchange
