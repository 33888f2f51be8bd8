// SPDX-License-Identifier: Apache-2.0
#include "record/call_lines.hpp"

#include <utility>

#include "record/call_fields.hpp"

namespace fixaccel::exchange {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSides = 2;
constexpr int kTypes = 5;
constexpr int kTifs = 6;
constexpr int kPhases = 5;
constexpr int kMessageKinds = static_cast<int>(MessageKind::kEndOfDay) + 1;

void put(Json& line, const char* name, const std::string& text) {
    if (!text.empty()) line[name] = text;
}

void put_ticket(Json& line, const OrderTicket& ticket) {
    for (const TicketField& field : kTicketFields) put(line, field.name, ticket.*field.text);
}

OrderTicket read_ticket(const LineFields& line) {
    OrderTicket ticket;
    for (const TicketField& field : kTicketFields) ticket.*field.text = line.text(field.name);
    return ticket;
}

// What differs from a message that says nothing.
Json message_line(const Message& message) {
    Json line = {{"call", "say"}, {"what", to_text(message.kind)}, {"instrument", message.instrument}};
    const Message nothing;
    const auto number = [&](const char* name, auto value, auto standard) {
        if (value != standard) line[name] = value;
    };
    number("owner", message.owner, nothing.owner);
    number("order", message.order, nothing.order);
    number("reference", message.reference, nothing.reference);
    number("price_units", message.price, nothing.price);
    number("other_price_units", message.other_price, nothing.other_price);
    number("quantity", message.quantity, nothing.quantity);
    number("at_ns", message.time, nothing.time);
    if (message.side != nothing.side) line["side"] = to_text(message.side);
    if (message.kind == MessageKind::kPhase) line["phase"] = to_text(message.phase);
    return line;
}

SayCall read_message(const Exchange& exchange, const LineFields& line) {
    Message message;
    message.kind = line.word<MessageKind>("what", kMessageKinds);
    // What is about one order has a call of its own: it is nothing that the venue says.
    for (const MessageKind kind :
         {MessageKind::kAdd, MessageKind::kCancel, MessageKind::kReplace, MessageKind::kSweep}) {
        if (message.kind == kind) throw RecordLineError("'what' is missing or wrong");
    }
    message.instrument = line.instrument("instrument", exchange);
    message.owner = static_cast<Owner>(line.number("owner"));
    message.order = static_cast<OrderId>(line.number("order"));
    message.reference = static_cast<std::uint64_t>(line.number("reference"));
    message.price = line.number("price_units");
    message.other_price = line.number("other_price_units");
    message.quantity = line.number("quantity");
    message.time = line.number("at_ns");
    if (line.has("side")) message.side = line.word<Side>("side", kSides);
    if (message.kind == MessageKind::kPhase) message.phase = line.word<Phase>("phase", kPhases);
    return {message};
}

struct Writer {
    const Exchange& exchange;

    std::string price(const std::string& symbol, Price value) const {
        const Instrument* terms = exchange.find(symbol);
        return terms == nullptr ? std::to_string(value) : terms->format_price(value);
    }

    Json operator()(const EnterCall& call) const {
        Json line = {{"call", "enter"}};
        put_ticket(line, call);
        return line;
    }
    Json operator()(const CancelCall& call) const {
        Json line = {{"call", "cancel"}};
        put(line, "client", call.owner);
        put(line, "cl_ord_id", call.cl_ord_id);
        put(line, "orig_cl_ord_id", call.orig_cl_ord_id);
        put(line, "symbol", call.symbol);
        put(line, "side", call.side);
        return line;
    }
    Json operator()(const ReplaceCall& call) const {
        Json line = {{"call", "replace"}};
        put_ticket(line, call.terms);
        put(line, "orig_cl_ord_id", call.orig_cl_ord_id);
        return line;
    }
    Json operator()(const MassCancelCall& call) const {
        Json line = {{"call", "mass_cancel"}, {"client", call.owner}, {"instrument", call.instrument}};
        if (call.side) line["side"] = to_text(*call.side);
        put(line, "text", call.text);
        return line;
    }
    Json operator()(const TakeOutCall& call) const {
        Json line = {{"call", "take_out"}, {"order", call.order}};
        put(line, "text", call.text);
        return line;
    }
    Json operator()(const UseCall& call) const {
        return {{"call", "use"}, {"client", call.owner}, {"cl_ord_id", call.cl_ord_id}};
    }
    Json operator()(const QuoteCall& call) const {
        Json line = {{"call", "quote"}, {"symbol", call.symbol}};
        const auto side = [&](const std::optional<Quote>& quote, const std::string& name) {
            if (!quote) return;
            line[name] = price(call.symbol, quote->price);
            line[name + "_size"] = quote->quantity;
        };
        side(call.bid, "bid");
        side(call.ask, "ask");
        return line;
    }
    Json operator()(const TradeCall& call) const {
        return {{"call", "trade"},
                {"symbol", call.symbol},
                {"price", price(call.symbol, call.price)},
                {"size", call.quantity}};
    }
    Json operator()(const HouseOrderCall& call) const {
        Json line = {{"call", "house_order"}, {"symbol", call.symbol},      {"side", to_text(call.side)},
                     {"size", call.quantity}, {"type", to_text(call.type)}, {"tif", to_text(call.tif)}};
        if (has_price(call.type)) line["price"] = price(call.symbol, call.price);
        if (has_trigger(call.type)) line["trigger"] = price(call.symbol, call.trigger);
        return line;
    }
    Json operator()(const SayCall& call) const { return message_line(call.message); }
    Json operator()(const TimeCall& call) const { return {{"call", "time"}, {"at_ns", call.time_ns}}; }
    Json operator()(const ForgetCall&) const { return {{"call", "forget"}}; }
};

const Instrument& traded(const Exchange& exchange, const LineFields& line) {
    const std::string symbol = line.text("symbol");
    const Instrument* terms = exchange.find(symbol);
    if (terms == nullptr) throw RecordLineError("instrument '" + symbol + "' is not traded here");
    return *terms;
}

QuoteCall read_quote(const Exchange& exchange, const LineFields& line) {
    const Instrument& terms = traded(exchange, line);
    QuoteCall call{terms.symbol(), {}, {}};
    if (line.has("bid")) call.bid = Quote{line.price("bid", terms), line.size("bid_size")};
    if (line.has("ask")) call.ask = Quote{line.price("ask", terms), line.size("ask_size")};
    return call;
}

HouseOrderCall read_house_order(const Exchange& exchange, const LineFields& line) {
    const Instrument& terms = traded(exchange, line);
    HouseOrderCall call;
    call.symbol = terms.symbol();
    call.side = line.word<Side>("side", kSides);
    call.type = line.word<OrderType>("type", kTypes);
    call.tif = line.word<TimeInForce>("tif", kTifs);
    call.quantity = line.size("size");
    if (has_price(call.type)) call.price = line.price("price", terms);
    if (has_trigger(call.type)) call.trigger = line.price("trigger", terms);
    return call;
}

MassCancelCall read_mass_cancel(const Exchange& exchange, const LineFields& line) {
    MassCancelCall call{line.text("client"), line.instrument("instrument", exchange), std::nullopt,
                        line.text("text")};
    if (line.has("side")) call.side = line.word<Side>("side", kSides);
    return call;
}

}  // namespace

Json call_line(const Exchange& exchange, const CallView& call) {
    return std::visit([writer = Writer{exchange}](const auto* held) { return writer(*held); }, call);
}

ExchangeCall parse_call(const Exchange& exchange, const Json& json) {
    const LineFields line(json);
    const std::string call = line.text("call");
    if (call == "enter") return read_ticket(line);
    if (call == "cancel")
        return CancelCall{line.text("client"), line.text("cl_ord_id"), line.text("orig_cl_ord_id"),
                          line.text("symbol"), line.text("side")};
    if (call == "replace") return ReplaceCall{read_ticket(line), line.text("orig_cl_ord_id")};
    if (call == "mass_cancel") return read_mass_cancel(exchange, line);
    if (call == "take_out") return TakeOutCall{static_cast<OrderId>(line.number("order")), line.text("text")};
    if (call == "use") return UseCall{line.text("client"), line.text("cl_ord_id")};
    if (call == "quote") return read_quote(exchange, line);
    if (call == "trade") {
        const Instrument& terms = traded(exchange, line);
        return TradeCall{terms.symbol(), line.price("price", terms), line.size("size")};
    }
    if (call == "house_order") return read_house_order(exchange, line);
    if (call == "say") return read_message(exchange, line);
    if (call == "time") return TimeCall{line.number("at_ns")};
    if (call == "forget") return ForgetCall{};
    throw RecordLineError("there is no call '" + call + "'");
}

}  // namespace fixaccel::exchange
