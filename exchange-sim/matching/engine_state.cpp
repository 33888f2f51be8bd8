// SPDX-License-Identifier: Apache-2.0
#include "matching/engine_state.hpp"

#include <algorithm>

#include "matching/engine.hpp"
#include "matching/engine_inline.hpp"

namespace fixaccel::exchange {

std::vector<StandingOrder> Engine::standing(InstrumentIndex instrument) {
    std::vector<StandingOrder> result;
    for (const Slot slot : all_orders(books_[instrument])) {
        const OrderRecord& order = orders_[slot];
        StandingOrder& out = result.emplace_back();
        out.reference = order.reference;
        out.instrument = order.instrument;
        out.owner = order.owner;
        out.side = order.side;
        out.type = order.type;
        out.tif = order.tif;
        out.self_trade = order.self_trade;
        out.place = order.place;
        out.detailed = order.detailed;
        out.price = order.price;
        out.leaves = order.leaves;
        out.visible = order.visible;
        out.filled = order.filled;
        if (order.detailed) out.detail = detail(slot);
    }
    return result;
}

OrderId Engine::restore(const StandingOrder& standing) {
    const Slot slot = orders_.take();
    if (slot == 0) return 0;
    Book& book = books_[standing.instrument];
    OrderRecord& order = orders_[slot];
    order.reference = standing.reference;
    order.instrument = standing.instrument;
    order.owner = standing.owner;
    order.side = standing.side;
    order.type = standing.type;
    order.tif = standing.tif;
    order.self_trade = standing.self_trade;
    order.place = standing.place;
    order.detailed = standing.detailed;
    order.price = standing.price;
    order.leaves = standing.leaves;
    order.visible = standing.visible;
    order.filled = standing.filled;
    if (order.detailed) detail(slot) = standing.detail;
    switch (order.place) {
        case Place::kBook:
            push_back(book.side(order.side).open(key_of(order.side, order.price), pages_), slot);
            touch(book);
            break;
        case Place::kTriggers:
            push_back(triggers(book, order).open(trigger_key(slot), pages_), slot);
            break;
        case Place::kAtClose:
            push_back(book.at_close, slot);
            break;
        case Place::kMarketQueue:
        case Place::kNowhere:
        default:
            push_back(book.at_market(order.side), slot);
            break;
    }
    return OrderId{order.generation} << 32U | slot;
}

BookState Engine::state(InstrumentIndex instrument) const {
    const Book& book = books_[instrument];
    return {book.phase,
            book.moved,
            book.has_last,
            book.reference.has_value(),
            book.moved_low,
            book.moved_high,
            book.band_low,
            book.band_high,
            book.limit_down,
            book.limit_up,
            book.last,
            book.reference.value_or(0),
            book.breaker_distance,
            book.halt_time,
            book.halted_until};
}

void Engine::restore(InstrumentIndex instrument, const BookState& state) {
    Book& book = books_[instrument];
    book.phase = state.phase;
    book.moved = state.moved;
    book.has_last = state.has_last;
    if (state.has_reference) book.reference = state.reference;
    book.moved_low = state.moved_low;
    book.moved_high = state.moved_high;
    book.band_low = state.band_low;
    book.band_high = state.band_high;
    book.limit_down = state.limit_down;
    book.limit_up = state.limit_up;
    book.last = state.last;
    book.breaker_distance = state.breaker_distance;
    book.halt_time = state.halt_time;
    book.halted_until = state.halted_until;
    if (book.has_last) touch(book);
}

void Engine::restore(const EngineClock& clock, std::span<const InstrumentIndex> halts) {
    now_ = clock.now;
    arrivals_ = clock.arrivals;
    halts_.assign(halts.begin(), halts.end());
}

std::optional<std::int64_t> Engine::next_halt_end() const {
    std::optional<std::int64_t> next;
    for (const InstrumentIndex index : halts_) {
        const std::int64_t end = books_[index].halted_until;
        if (!next || end < *next) next = end;
    }
    return next;
}

}  // namespace fixaccel::exchange
