// SPDX-License-Identifier: Apache-2.0
// Orders in their places: queues, walks, ends.
#include <algorithm>

#include "matching/engine.hpp"
#include "matching/engine_inline.hpp"

namespace fixaccel::exchange {

Queue& Engine::queue_of(Book& book, Slot slot) {
    const OrderRecord& order = orders_[slot];
    if (order.place == Place::kBook) return book.side(order.side).at(key_of(order.side, order.price), pages_);
    if (order.place == Place::kTriggers) return triggers(book, order).at(trigger_key(slot), pages_);
    return order.place == Place::kAtClose ? book.at_close : book.at_market(order.side);
}

void Engine::remove(Book& book, Slot slot) {
    OrderRecord& order = orders_[slot];
    if (order.place == Place::kNowhere) return;
    Queue& queue = queue_of(book, slot);
    unlink(queue, slot);
    if (order.place == Place::kBook) {
        if (queue.orders == 0) book.side(order.side).close(key_of(order.side, order.price), pages_);
        touch(book);
    } else if (order.place == Place::kTriggers && queue.orders == 0) {
        triggers(book, order).close(trigger_key(slot), pages_);
    }
    order.place = Place::kNowhere;
}

void Engine::end(Book& book, Slot slot, Reason reason) {
    remove(book, slot);
    OrderRecord& order = orders_[slot];
    emit(EventKind::kCanceled, book, slot).reason = reason;
    events_.back().quantity = order.leaves;
    release(slot);
}

const std::vector<Slot>& Engine::all_orders(Book& book) {
    walked_.clear();
    const auto walk = [this](const Queue& queue) {
        for (Slot slot = queue.head; slot != 0; slot = orders_[slot].next) walked_.push_back(slot);
    };
    const auto climb = [&](Ladder& ladder) {
        for (Key key = ladder.best(); key != kNoKey; key = ladder.after(key)) walk(ladder.at(key, pages_));
    };
    for (Ladder& ladder : book.sides) climb(ladder);
    for (const Queue& queue : book.market) walk(queue);
    climb(book.rises);
    climb(book.falls);
    walk(book.at_close);
    return walked_;
}

std::vector<Level> Engine::levels(InstrumentIndex instrument, Side side, std::size_t depth) const {
    std::vector<Level> result;
    const Ladder& ladder = books_[instrument].side(side);
    for (Key key = ladder.best(); key != kNoKey; key = ladder.after(key)) {
        if (depth != 0 && result.size() == depth) break;
        const Queue& queue = ladder.at(key, pages_);
        result.push_back({price_of(side, key), queue.visible, queue.orders});
    }
    return result;
}

std::optional<Print> Engine::last(InstrumentIndex instrument) const {
    const Book& book = books_[instrument];
    return book.has_last ? std::optional(book.last) : std::nullopt;
}

void Engine::clear_changed() {
    for (const InstrumentIndex index : changed_) books_[index].changed = false;
    changed_.clear();
}

}  // namespace fixaccel::exchange
