// SPDX-License-Identifier: Apache-2.0
#include "matching/input_log.hpp"

#include "matching/bytes.hpp"
#include "matching/exchange.hpp"

namespace fixaccel::exchange {
namespace input_log {
namespace {

void put_kind(std::string& log, Kind kind) { log.push_back(static_cast<char>(kind)); }

void put_signed(std::string& log, std::int64_t value) { put_number(log, static_cast<std::uint64_t>(value)); }

void put_ticket(std::string& log, const OrderTicket& ticket) {
    for (const std::string* text :
         {&ticket.owner, &ticket.cl_ord_id, &ticket.symbol, &ticket.side, &ticket.ord_type, &ticket.tif,
          &ticket.quantity, &ticket.price, &ticket.account, &ticket.stop_price, &ticket.max_floor,
          &ticket.min_quantity, &ticket.exec_inst})
        put_text(log, *text);
}

OrderTicket ticket_of(ByteReader& in) {
    OrderTicket ticket;
    for (std::string* text : {&ticket.owner, &ticket.cl_ord_id, &ticket.symbol, &ticket.side,
                              &ticket.ord_type, &ticket.tif, &ticket.quantity, &ticket.price, &ticket.account,
                              &ticket.stop_price, &ticket.max_floor, &ticket.min_quantity, &ticket.exec_inst})
        *text = in.text();
    return ticket;
}

// 0 none, then the side and one.
std::uint64_t side_number(std::optional<Side> side) { return side ? 1 + static_cast<unsigned>(*side) : 0; }

void put_quote(std::string& log, const std::optional<Quote>& quote) {
    put_number(log, quote ? 1 : 0);
    if (!quote) return;
    put_signed(log, quote->price);
    put_signed(log, quote->quantity);
}

std::optional<Quote> quote_of(ByteReader& in) {
    if (in.number() == 0) return std::nullopt;
    Quote quote;
    quote.price = in.signed_number();
    quote.quantity = in.signed_number();
    return quote;
}

}  // namespace

void enter(std::string& log, const OrderTicket& ticket) {
    put_kind(log, Kind::kEnter);
    put_ticket(log, ticket);
}

void cancel(std::string& log, const CancelTicket& ticket) {
    put_kind(log, Kind::kCancel);
    for (const std::string* text :
         {&ticket.owner, &ticket.cl_ord_id, &ticket.orig_cl_ord_id, &ticket.symbol, &ticket.side})
        put_text(log, *text);
}

void replace(std::string& log, const ReplaceTicket& ticket) {
    put_kind(log, Kind::kReplace);
    put_ticket(log, ticket.terms);
    put_text(log, ticket.orig_cl_ord_id);
}

void mass_cancel(std::string& log, const std::string& owner, InstrumentIndex instrument,
                 std::optional<Side> side, const std::string& text) {
    put_kind(log, Kind::kMassCancel);
    put_text(log, owner);
    put_number(log, instrument);
    put_number(log, side_number(side));
    put_text(log, text);
}

void take_out(std::string& log, OrderId order, const std::string& text) {
    put_kind(log, Kind::kTakeOut);
    put_number(log, order);
    put_text(log, text);
}

void use(std::string& log, const std::string& owner, const std::string& cl_ord_id) {
    put_kind(log, Kind::kUse);
    put_text(log, owner);
    put_text(log, cl_ord_id);
}

void quote(std::string& log, const std::string& symbol, const std::optional<Quote>& bid,
           const std::optional<Quote>& ask) {
    put_kind(log, Kind::kQuote);
    put_text(log, symbol);
    put_quote(log, bid);
    put_quote(log, ask);
}

void trade(std::string& log, const std::string& symbol, Price price, Quantity quantity) {
    put_kind(log, Kind::kTrade);
    put_text(log, symbol);
    put_signed(log, price);
    put_signed(log, quantity);
}

void house_order(std::string& log, const std::string& symbol, const HouseTerms& terms) {
    put_kind(log, Kind::kHouseOrder);
    put_text(log, symbol);
    put_values(log, terms.side, terms.type, terms.tif, terms.price, terms.quantity, terms.trigger);
}

void say(std::string& log, const Message& message) {
    put_kind(log, Kind::kSay);
    put_values(log, message.kind, message.side, message.phase, message.instrument, message.owner,
               message.order, message.reference, message.price, message.other_price, message.quantity,
               message.time);
    // The venue itself adds and replaces no orders: there are no terms.
}

void forget(std::string& log) { put_kind(log, Kind::kForget); }

void time(std::string& log, std::int64_t time_ns) {
    put_kind(log, Kind::kTime);
    put_signed(log, time_ns);
}

}  // namespace input_log

bool Exchange::replay(std::string_view log, const std::function<void(const std::vector<Execution>&)>& sink) {
    ByteReader in(log);
    while (in.good() && !in.empty()) {
        if (!replay_one(static_cast<std::uint8_t>(in.number()), in, sink)) return false;
    }
    return in.good();
}

bool Exchange::replay_one(std::uint8_t kind, ByteReader& in,
                          const std::function<void(const std::vector<Execution>&)>& sink) {
    using input_log::Kind;
    const auto text = [&in] { return std::string(in.text()); };
    // A house action on a symbol that is not there any more: it is no log of this venue.
    const auto known = [&](const std::string& symbol) { return in.good() && find(symbol) != nullptr; };
    switch (static_cast<Kind>(kind)) {
        case Kind::kEnter: {
            const OrderTicket ticket = input_log::ticket_of(in);
            if (in.good()) sink(enter(ticket));
            return in.good();
        }
        case Kind::kCancel: {
            CancelTicket ticket;
            for (std::string* field :
                 {&ticket.owner, &ticket.cl_ord_id, &ticket.orig_cl_ord_id, &ticket.symbol, &ticket.side})
                *field = in.text();
            if (in.good()) sink(cancel(ticket).executions);
            return in.good();
        }
        case Kind::kReplace: {
            ReplaceTicket ticket{input_log::ticket_of(in), {}};
            ticket.orig_cl_ord_id = in.text();
            if (in.good()) sink(replace(ticket).executions);
            return in.good();
        }
        case Kind::kMassCancel: {
            const std::string owner = text();
            const auto instrument = static_cast<InstrumentIndex>(in.number());
            const std::uint64_t number = in.number();
            const auto side = number == 0 ? std::nullopt : std::optional(static_cast<Side>(number - 1));
            const std::string why = text();
            if (in.good()) sink(mass_cancel(owner, instrument, side, why));
            return in.good();
        }
        case Kind::kTakeOut: {
            const OrderId order = in.number();
            const std::string why = text();
            if (in.good()) sink(take_out(order, why));
            return in.good();
        }
        case Kind::kUse: {
            const std::string owner = text();
            const std::string id = text();
            if (in.good()) use(owner, id);
            return in.good();
        }
        case Kind::kQuote: {
            const std::string symbol = text();
            const auto bid = input_log::quote_of(in);
            const auto ask = input_log::quote_of(in);
            if (known(symbol)) sink(quote(symbol, bid, ask));
            return known(symbol);
        }
        case Kind::kTrade: {
            const std::string symbol = text();
            const Price price = in.signed_number();
            const Quantity quantity = in.signed_number();
            if (known(symbol)) sink(trade(symbol, price, quantity));
            return known(symbol);
        }
        case Kind::kHouseOrder: {
            const std::string symbol = text();
            input_log::HouseTerms terms;
            in.values(terms.side, terms.type, terms.tif, terms.price, terms.quantity, terms.trigger);
            if (known(symbol))
                sink(house_order(symbol, terms.side, terms.type, terms.tif, terms.price, terms.quantity,
                                 terms.trigger));
            return known(symbol);
        }
        case Kind::kSay: {
            Message message;
            in.values(message.kind, message.side, message.phase, message.instrument, message.owner,
                      message.order, message.reference, message.price, message.other_price, message.quantity,
                      message.time);
            if (in.good()) sink(say(message));
            return in.good();
        }
        case Kind::kTime: {
            const std::int64_t time_ns = in.signed_number();
            keep_time();
            if (in.good()) sink(set_time(time_ns));
            return in.good();
        }
        case Kind::kForget:
            forget_finished();
            return true;
    }
    return false;
}

}  // namespace fixaccel::exchange
