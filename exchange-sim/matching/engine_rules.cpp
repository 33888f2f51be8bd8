// SPDX-License-Identifier: Apache-2.0
// What the venue itself says: limits, breaker, time, trades outside the book, mass cancels, the end of the
// day.
#include <algorithm>
#include <limits>

#include "matching/engine.hpp"
#include "matching/engine_inline.hpp"

namespace fixaccel::exchange {
void Engine::set_band(Book& book) {
    const bool holds = book.reference && book.breaker_distance > 0;
    book.band_low = holds ? *book.reference - book.breaker_distance : std::numeric_limits<Price>::min();
    book.band_high = holds ? *book.reference + book.breaker_distance : std::numeric_limits<Price>::max();
}

void Engine::set_reference(const Message& message) {
    if (message.instrument >= books_.size()) return refuse(message, Reason::kUnknownInstrument);
    Book& book = books_[message.instrument];
    if (book.rules.check(message.price) != Reason::kNone) return refuse(message, Reason::kBadSetting);
    book.reference = message.price;
    set_band(book);
}

void Engine::set_limits(const Message& message) {
    if (message.instrument >= books_.size()) return refuse(message, Reason::kUnknownInstrument);
    if (message.price > message.other_price) return refuse(message, Reason::kBadSetting);
    Book& book = books_[message.instrument];
    book.limit_down = message.price;
    book.limit_up = message.other_price;
    end_all(book, Reason::kLimitUpDown, [&](const OrderRecord& order) {
        return has_price(order.type) && (order.price < book.limit_down || order.price > book.limit_up);
    });
}

void Engine::set_breaker(const Message& message) {
    if (message.instrument >= books_.size()) return refuse(message, Reason::kUnknownInstrument);
    Book& book = books_[message.instrument];
    // Neither the band nor the end of a halt leaves 64 bits.
    if (message.price < 0 || message.price > book.rules.highest - book.rules.lowest || message.time < 0 ||
        message.time > std::numeric_limits<std::int64_t>::max() / 4)
        return refuse(message, Reason::kBadSetting);
    book.breaker_distance = message.price;
    book.halt_time = message.time;
    set_band(book);
}

void Engine::set_time(const Message& message) {
    if (message.time < now_ || message.time > std::numeric_limits<std::int64_t>::max() / 2)
        return refuse(message, Reason::kBadSetting);
    now_ = message.time;
    for (std::size_t next = 0; next < halts_.size();) {
        Book& book = books_[halts_[next]];
        // Those that begin while others end have a longer way to go, so this comes to an end.
        book.halted_until <= now_ ? change_phase(book, Phase::kContinuous, Reason::kHaltOver) : void(++next);
    }
}

void Engine::print(const Message& message) {
    if (message.instrument >= books_.size()) return refuse(message, Reason::kUnknownInstrument);
    Book& book = books_[message.instrument];
    if (book.rules.check(message.price) != Reason::kNone || message.quantity <= 0)
        return refuse(message, Reason::kBadSetting);
    traded(book, message.price, message.quantity);
    Event& event = emit(EventKind::kPrinted, book);
    event.price = message.price;
    event.quantity = message.quantity;
    settle(book);
}

void Engine::sweep(const Message& message) {
    if (message.instrument >= books_.size()) return refuse(message, Reason::kUnknownInstrument);
    Book& book = books_[message.instrument];
    if (book.phase != Phase::kContinuous) return;
    Ladder& ladder = book.side(message.side);
    const Key limit = key_of(message.side, message.price);
    for (Key key = ladder.best(); key != kNoKey && key <= limit;) {
        const Key next = ladder.after(key);
        const Price price = price_of(message.side, key);
        Queue& queue = ladder.at(key, pages_);
        for (Slot slot = queue.head; slot != 0;) {
            const Slot behind = orders_[slot].next;
            if (orders_[slot].owner != message.owner) {
                const Quantity quantity = orders_[slot].leaves;
                traded(book, price, quantity);
                Event& event = emit(EventKind::kTrade, book);
                event.side = opposite(message.side);
                event.reference = message.reference;
                event.other_reference = orders_[slot].reference;
                event.price = price;
                event.quantity = quantity;
                unlink(queue, slot);
                release(slot);
            }
            slot = behind;
        }
        if (queue.orders == 0) ladder.close(key, pages_);
        key = next;
    }
    settle(book);
}

void Engine::mass_cancel(const Message& message) {
    if (message.instrument != kAllInstruments && message.instrument >= books_.size())
        return refuse(message, Reason::kUnknownInstrument);
    for (Book& book : books_) {
        if (message.instrument != kAllInstruments && message.instrument != book.index) continue;
        end_all(book, Reason::kMassCanceled, [&](const OrderRecord& order) {
            return order.owner == message.owner && order.owner != kNobody;
        });
    }
}

void Engine::end_day() {
    for (Book& book : books_) {
        end_all(book, Reason::kExpired,
                [](const OrderRecord& order) { return order.tif != TimeInForce::kGoodTillCancel; });
    }
}

}  // namespace fixaccel::exchange
