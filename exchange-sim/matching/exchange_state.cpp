// SPDX-License-Identifier: Apache-2.0
// An exchange as bytes, and from them again: it goes on as the one before would have.
#include "matching/bytes.hpp"
#include "matching/exchange.hpp"

namespace fixaccel::exchange {
namespace {

constexpr std::string_view kMagic = "fixaccel-exchange-state 1";

// The fields of an order that are numbers.
struct OrderNumbers {
    OrderId id = 0;
    Owner owner = kNobody;
    Price price = 0;
    Price trigger = 0;
    Quantity quantity = 0;
    Quantity display = 0;
    Quantity minimum = 0;
    Quantity cum_quantity = 0;
    Quantity leaves_quantity = 0;
    Notional notional = 0;
    Side side = Side::kBuy;
    OrderType type = OrderType::kLimit;
    TimeInForce tif = TimeInForce::kDay;
    OrderStatus status = OrderStatus::kNew;
    bool house = false;
    bool triggered = false;
};

template <typename Ticket, typename Visit>
void each_text(Ticket& ticket, Visit&& visit) {
    for (auto* text : {&ticket.owner, &ticket.cl_ord_id, &ticket.symbol, &ticket.side, &ticket.ord_type,
                       &ticket.tif, &ticket.quantity, &ticket.price, &ticket.account, &ticket.stop_price,
                       &ticket.max_floor, &ticket.min_quantity, &ticket.exec_inst})
        visit(*text);
}

void put_order(std::string& out, const Order& order) {
    put_record(out, OrderNumbers{order.id, order.owner, order.price, order.trigger, order.quantity,
                                 order.display, order.minimum, order.cum_quantity, order.leaves_quantity,
                                 order.notional, order.side, order.type, order.tif, order.status, order.house,
                                 order.triggered});
    each_text(order.ticket, [&](const std::string& text) { put_text(out, text); });
}

void read_order(ByteReader& in, const OrderNumbers& numbers, Order& order) {
    order.owner = numbers.owner;
    order.price = numbers.price;
    order.trigger = numbers.trigger;
    order.quantity = numbers.quantity;
    order.display = numbers.display;
    order.minimum = numbers.minimum;
    order.cum_quantity = numbers.cum_quantity;
    order.leaves_quantity = numbers.leaves_quantity;
    order.notional = numbers.notional;
    order.side = numbers.side;
    order.type = numbers.type;
    order.tif = numbers.tif;
    order.status = numbers.status;
    order.house = numbers.house;
    order.triggered = numbers.triggered;
    each_text(order.ticket, [&](std::string& text) { text = in.text(); });
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
    ids_.each([&](const UsedIds::Entry& entry) { put_record(out, entry); });
    put_record(out, engine_.clock());
    put_number(out, engine_.halts().size());
    for (const InstrumentIndex index : engine_.halts()) put_number(out, index);
    for (const Market& market : markets_) {
        for (const OrderId quote : market.quotes) put_number(out, quote);
        put_record(out, engine_.state(market.index));
        std::vector<StandingOrder> standing = engine_.standing(market.index);
        put_number(out, standing.size());
        for (StandingOrder& order : standing) {
            order.reference = orders_.in(static_cast<std::uint32_t>(order.reference)).id;
            put_record(out, order);
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
        const auto numbers = in.record<OrderNumbers>();
        if (!in.good() || numbers.id < orders_.next_id()) return false;
        Order& order = orders_.restore(numbers.id);
        read_order(in, numbers, order);
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
        const auto entry = in.record<UsedIds::Entry>();
        ids_.insert(entry.hash, entry.order);
    }
    const auto clock = in.record<EngineClock>();
    std::vector<InstrumentIndex> halts;
    for (std::uint64_t left = in.number(); left > 0 && in.good(); --left) {
        halts.push_back(static_cast<InstrumentIndex>(in.number()));
        if (halts.back() >= instruments_.size()) return false;
    }
    engine_.restore(clock, halts);
    for (Market& market : markets_) {
        for (OrderId& quote : market.quotes) quote = in.number();
        const auto book = in.record<BookState>();
        timed_ = timed_ || book.halt_time > 0;
        engine_.restore(market.index, book);
        for (std::uint64_t left = in.number(); left > 0 && in.good(); --left) {
            auto standing = in.record<StandingOrder>();
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
