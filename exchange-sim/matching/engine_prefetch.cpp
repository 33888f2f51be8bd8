// SPDX-License-Identifier: Apache-2.0
// Asks the cache, some messages ahead, for what they will touch; a wrong guess costs nothing but that. Each
// stage follows the pointers that the one before has brought.
#include "matching/engine.hpp"
#include "matching/engine_inline.hpp"

namespace fixaccel::exchange {
namespace {

// Whether the message puts an order into a book.
bool enters(const Message& message) {
    return message.kind == MessageKind::kAdd || message.kind == MessageKind::kReplace;
}

}  // namespace

// The order that the message names, gone or not; null if it cannot be any.
const OrderRecord* Engine::named(const Message& message) const {
    const auto slot = static_cast<Slot>(message.order);
    return slot != 0 && slot <= orders_.used() ? &orders_[slot] : nullptr;
}

void Engine::prefetch_far(const Message& message) const {
    if (const OrderRecord* order = named(message)) __builtin_prefetch(order, 1);
    if (message.instrument >= books_.size()) return;
    const Book& book = books_[message.instrument];
    __builtin_prefetch(&book, 1);
    __builtin_prefetch(&book.rules, 0);
    __builtin_prefetch(&book.sides[0], 1);
    __builtin_prefetch(&book.sides[1], 1);
}

void Engine::prefetch_middle(const Message& message) const {
    const OrderRecord* order = named(message);
    if (order != nullptr) {
        if (order->next != 0) __builtin_prefetch(&orders_[order->next], 1);
        if (order->previous != 0) __builtin_prefetch(&orders_[order->previous], 1);
        books_[order->instrument].side(order->side).prefetch_shelf(key_of(order->side, order->price));
    }
    if (!enters(message) || message.instrument >= books_.size()) return;
    // A replaced order stays on its side, which the message need not say.
    const Side side = order != nullptr ? order->side : message.side;
    books_[message.instrument].side(side).prefetch_shelf(key_of(side, message.terms.price));
}

void Engine::prefetch_near(const Message& message) const {
    const OrderRecord* order = named(message);
    if (order != nullptr)
        books_[order->instrument].side(order->side).prefetch(key_of(order->side, order->price), pages_);
    if (!enters(message) || message.instrument >= books_.size()) return;
    const Side side = order != nullptr ? order->side : message.side;
    books_[message.instrument].side(side).prefetch(key_of(side, message.terms.price), pages_);
}

void Engine::prefetch_next(const Message& message) const {
    if (!enters(message) || message.instrument >= books_.size()) return;
    const OrderRecord* order = named(message);
    const Side side = order != nullptr ? order->side : message.side;
    const Ladder& ladder = books_[message.instrument].side(side);
    if (const Slot tail = ladder.tail(key_of(side, message.terms.price), pages_); tail != 0)
        __builtin_prefetch(&orders_[tail], 1);
}

}  // namespace fixaccel::exchange
