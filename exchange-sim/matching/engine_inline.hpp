// SPDX-License-Identifier: Apache-2.0
// The few lines that every message goes through, for the engine's own sources.
#pragma once

#include "matching/engine.hpp"

namespace fixaccel::exchange {

inline void Engine::push_back(Queue& queue, Slot slot) {
    OrderRecord& order = orders_[slot];
    order.next = 0;
    order.previous = queue.tail;
    (queue.tail == 0 ? queue.head : orders_[queue.tail].next) = slot;
    queue.tail = slot;
    ++queue.orders;
    queue.visible += order.visible;
    queue.total += order.leaves;
}

inline void Engine::unlink(Queue& queue, Slot slot) {
    const OrderRecord& order = orders_[slot];
    (order.previous == 0 ? queue.head : orders_[order.previous].next) = order.next;
    (order.next == 0 ? queue.tail : orders_[order.next].previous) = order.previous;
    --queue.orders;
    queue.visible -= order.visible;
    queue.total -= order.leaves;
}

inline void Engine::release(Slot slot) {
    // An OrderId of before names no order from now on.
    ++orders_[slot].generation;
    orders_[slot].place = Place::kNowhere;
    orders_.give_back(slot);
}

inline Slot Engine::find(OrderId id) const {
    const auto slot = static_cast<Slot>(id);
    if (slot == 0 || slot > orders_.used()) return 0;
    const OrderRecord& order = orders_[slot];
    return order.generation == id >> 32U && order.place != Place::kNowhere ? slot : 0;
}

inline void Engine::touch(Book& book) {
    if (book.changed) return;
    book.changed = true;
    changed_.push_back(book.index);
}

inline Event& Engine::emit(EventKind kind, const Book& book) {
    Event& event = events_.emplace_back();
    event.kind = kind;
    event.instrument = book.index;
    event.phase = book.phase;
    return event;
}

inline Event& Engine::emit(EventKind kind, const Book& book, Slot slot) {
    const OrderRecord& order = orders_[slot];
    Event& event = emit(kind, book);
    event.side = order.side;
    event.order = OrderId{order.generation} << 32U | slot;
    event.reference = order.reference;
    return event;
}

// What of an order's leaves its book would show.
inline Quantity Engine::shown(Slot slot) {
    const OrderRecord& order = orders_[slot];
    const Quantity display = order.detailed ? detail(slot).display : 0;
    return display == 0 || display > order.leaves ? order.leaves : display;
}

inline Ladder& Engine::triggers(Book& book, const OrderRecord& order) {
    return triggers_on_rise(order.side, order.type) ? book.rises : book.falls;
}

inline Key Engine::trigger_key(Slot slot) {
    const Price trigger = detail(slot).trigger;
    return triggers_on_rise(orders_[slot].side, orders_[slot].type) ? trigger : -trigger;
}

inline void Engine::traded(Book& book, Price price, Quantity quantity) {
    book.last = {price, quantity};
    book.has_last = true;
    if (!book.moved) {
        book.moved = true;
        book.moved_low = book.moved_high = price;
    } else if (price < book.moved_low) {
        book.moved_low = price;
    } else if (price > book.moved_high) {
        book.moved_high = price;
    }
    touch(book);
}

// `test` says of an order whether it ends.
template <typename Test>
void Engine::end_all(Book& book, Reason reason, Test test) {
    for (const Slot slot : all_orders(book)) {
        if (test(orders_[slot])) end(book, slot, reason);
    }
}

}  // namespace fixaccel::exchange
