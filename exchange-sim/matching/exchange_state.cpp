// SPDX-License-Identifier: Apache-2.0
// An exchange as bytes, and from them again: it goes on as the one before would have.
#include "matching/bytes.hpp"
#include "matching/exchange.hpp"

namespace fixaccel::exchange {
namespace {

constexpr std::string_view kMagic = "fixaccel-exchange-state 2";

void put_order(std::string& out, const Order& order) {
    put_values(out, order.id, order.owner, order.price, order.trigger, order.quantity, order.display,
               order.minimum, order.cum_quantity, order.leaves_quantity,
               static_cast<std::uint64_t>(order.notional >> 64U), static_cast<std::uint64_t>(order.notional),
               order.side, order.type, order.tif, order.status, order.house, order.triggered);
    for (const TicketField& field : kTicketFields) put_text(out, order.ticket.*field.text);
}

void read_order(ByteReader& in, Order& order) {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    in.values(order.owner, order.price, order.trigger, order.quantity, order.display, order.minimum,
              order.cum_quantity, order.leaves_quantity, high, low, order.side, order.type, order.tif,
              order.status, order.house, order.triggered);
    // The upper half has the sign.
    order.notional = static_cast<Notional>(static_cast<std::int64_t>(high)) * (Notional{1} << 64U) + low;
    for (const TicketField& field : kTicketFields) order.ticket.*field.text = in.text();
}

// The fields of a book, for writing and for reading.
template <typename State, typename Visit>
void each_value(State& book, Visit&& visit) {
    visit(book.phase, book.moved, book.has_last, book.has_reference, book.moved_low, book.moved_high,
          book.band_low, book.band_high, book.limit_down, book.limit_up, book.last.price, book.last.quantity,
          book.reference, book.breaker_distance, book.halt_time, book.halted_until);
}

template <typename Standing, typename Visit>
void each_value_of(Standing& order, Visit&& visit) {
    visit(order.reference, order.instrument, order.owner, order.side, order.type, order.tif, order.self_trade,
          order.place, order.detailed, order.price, order.leaves, order.visible, order.filled,
          order.detail.trigger, order.detail.display, order.detail.arrival);
}

}  // namespace

std::string Exchange::state() {
    std::string out;
    put_text(out, kMagic);
    put_number(out, instruments_.size());
    for (const Instrument& instrument : instruments_) put_text(out, instrument.symbol());
    put_number(out, orders_.next_id());
    put_number(out, executions_);
    put_number(out, owners_.size());
    for (const auto& [name, owner] : owners_) {
        put_text(out, name);
        put_number(out, owner);
    }
    put_number(out, orders_.size());
    orders_.each([&](const Order& order) { put_order(out, order); });
    put_number(out, orders_.finished());
    orders_.each_finished([&](OrderId id) { put_number(out, id); });
    put_number(out, ids_.size());
    ids_.each([&](const UsedIds::Entry& entry) { put_values(out, entry.hash, entry.order); });
    put_values(out, engine_.clock().now, engine_.clock().arrivals);
    put_number(out, engine_.halts().size());
    for (const InstrumentIndex index : engine_.halts()) put_number(out, index);
    for (const Market& market : markets_) {
        for (const OrderId quote : market.quotes) put_number(out, quote);
        const auto write = [&](const auto&... values) { put_values(out, values...); };
        const BookState book = engine_.state(market.index);
        each_value(book, write);
        std::vector<StandingOrder> standing = engine_.standing(market.index);
        put_number(out, standing.size());
        for (StandingOrder& order : standing) {
            order.reference = orders_.in(static_cast<std::uint32_t>(order.reference)).id;
            each_value_of(order, write);
        }
    }
    return out;
}

bool Exchange::restore(std::string_view state) {
    ByteReader in(state);
    if (in.text() != kMagic || in.number() != instruments_.size()) return false;
    for (const Instrument& instrument : instruments_) {
        if (in.text() != instrument.symbol()) return false;
    }
    const OrderId next = in.number();
    executions_ = in.number();
    for (std::uint64_t left = in.number(); left > 0 && in.good(); --left) {
        const std::string name(in.text());
        owners_[name] = static_cast<Owner>(in.number());
    }
    for (std::uint64_t left = in.number(); left > 0 && in.good(); --left) {
        const OrderId id = in.number();
        if (!in.good() || id < orders_.next_id()) return false;
        Order& order = orders_.restore(id);
        read_order(in, order);
        if (const auto found = by_symbol_.find(order.ticket.symbol); found != by_symbol_.end()) {
            order.index = found->second;
            order.instrument = &instruments_[found->second];
        }
    }
    orders_.set_next_id(next);
    for (std::uint64_t left = in.number(); left > 0 && in.good(); --left) {
        const Order* order = orders_.find(in.number());
        if (order == nullptr) return false;
        orders_.finish(*order);
    }
    for (std::uint64_t left = in.number(); left > 0 && in.good(); --left) {
        UsedIds::Entry entry;
        in.values(entry.hash, entry.order);
        ids_.insert(entry.hash, entry.order);
    }
    EngineClock clock;
    in.values(clock.now, clock.arrivals);
    std::vector<InstrumentIndex> halts;
    for (std::uint64_t left = in.number(); left > 0 && in.good(); --left) {
        halts.push_back(static_cast<InstrumentIndex>(in.number()));
        if (halts.back() >= instruments_.size()) return false;
    }
    engine_.restore(clock, halts);
    for (Market& market : markets_) {
        for (OrderId& quote : market.quotes) quote = in.number();
        const auto read = [&](auto&... values) { in.values(values...); };
        BookState book;
        each_value(book, read);
        timed_ = timed_ || book.halt_time > 0;
        engine_.restore(market.index, book);
        for (std::uint64_t left = in.number(); left > 0 && in.good(); --left) {
            StandingOrder standing;
            each_value_of(standing, read);
            Order* order = orders_.find(standing.reference);
            if (!in.good() || order == nullptr || standing.instrument != market.index) return false;
            standing.reference = order->slot;
            order->in_engine = engine_.restore(standing);
            if (order->in_engine == 0) return false;
        }
    }
    return in.good() && in.empty();
}

}  // namespace fixaccel::exchange
