// SPDX-License-Identifier: Apache-2.0
#include "matching/call_bytes.hpp"

#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace fixaccel::exchange {
namespace {

// The fields of each call, in the order in which they are written.
template <typename Call, typename Wanted>
constexpr bool is = std::is_same_v<std::remove_const_t<Call>, Wanted>;

template <typename Call>
auto fields_of(Call& call) {
    if constexpr (is<Call, CancelCall>)
        return std::tie(call.owner, call.cl_ord_id, call.orig_cl_ord_id, call.symbol, call.side);
    else if constexpr (is<Call, ReplaceCall>)
        return std::tie(call.terms, call.orig_cl_ord_id);
    else if constexpr (is<Call, MassCancelCall>)
        return std::tie(call.owner, call.instrument, call.side, call.text);
    else if constexpr (is<Call, TakeOutCall>)
        return std::tie(call.order, call.text);
    else if constexpr (is<Call, UseCall>)
        return std::tie(call.owner, call.cl_ord_id);
    else if constexpr (is<Call, QuoteCall>)
        return std::tie(call.symbol, call.bid, call.ask);
    else if constexpr (is<Call, Quote>)
        return std::tie(call.price, call.quantity);
    else if constexpr (is<Call, TradeCall>)
        return std::tie(call.symbol, call.price, call.quantity);
    else if constexpr (is<Call, HouseOrderCall>)
        return std::tie(call.symbol, call.side, call.type, call.tif, call.price, call.quantity, call.trigger);
    else if constexpr (is<Call, SayCall>)
        return fields_of(call.message);
    else if constexpr (is<Call, Message>)  // the venue itself adds and replaces no orders: there are no terms
        return std::tie(call.kind, call.side, call.phase, call.instrument, call.owner, call.order,
                        call.reference, call.price, call.other_price, call.quantity, call.time);
    else if constexpr (is<Call, TimeCall>)
        return std::tie(call.time_ns);
    else {
        static_assert(is<Call, ForgetCall>, "a call without its fields here is not written");
        return std::tie();
    }
}

struct Writer {
    std::string& out;

    void put(const std::string& text) { put_text(out, text); }
    void put(const OrderTicket& ticket) {
        for (const TicketField& field : kTicketFields) put_text(out, ticket.*field.text);
    }
    template <typename Value>
    void put(const std::optional<Value>& value) {
        out.push_back(value ? 1 : 0);
        if (value) put(*value);
    }
    template <typename Value>
    void put(const Value& value) {
        if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>)
            put_number(out, static_cast<std::uint64_t>(value));
        else
            std::apply([this](const auto&... field) { (put(field), ...); }, fields_of(value));
    }
};

struct Reader {
    ByteReader& in;

    void get(std::string& text) { text = in.text(); }
    void get(OrderTicket& ticket) {
        for (const TicketField& field : kTicketFields) ticket.*field.text = in.text();
    }
    template <typename Value>
    void get(std::optional<Value>& value) {
        if (in.number() != 0) get(value.emplace());
    }
    template <typename Value>
    void get(Value& value) {
        if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>)
            value = static_cast<Value>(in.number());
        else
            std::apply([this](auto&... field) { (get(field), ...); }, fields_of(value));
    }

    template <std::size_t... Kinds>
    ExchangeCall call(std::size_t kind, std::index_sequence<Kinds...>) {
        ExchangeCall result;
        ((kind == Kinds ? get(result.emplace<Kinds>()) : void()), ...);
        return result;
    }
};

constexpr std::size_t kKinds = std::variant_size_v<ExchangeCall>;

}  // namespace

void put_call(std::string& bytes, const CallView& call) {
    bytes.push_back(static_cast<char>(call.index()));
    std::visit([&](const auto* held) { Writer{bytes}.put(*held); }, call);
}

std::optional<ExchangeCall> read_call(ByteReader& in) {
    const std::uint64_t kind = in.number();
    if (!in.good() || kind >= kKinds) return std::nullopt;
    ExchangeCall call = Reader{in}.call(kind, std::make_index_sequence<kKinds>());
    if (!in.good()) return std::nullopt;
    return call;
}

bool replay_calls(Exchange& exchange, std::string_view log,
                  const std::function<void(const ExchangeCall&, const CallResult&)>& sink) {
    ByteReader in(log);
    while (!in.empty()) {
        const auto call = read_call(in);
        if (!call) return false;
        try {
            sink(*call, apply_call(exchange, *call));
        } catch (const std::invalid_argument&) {
            return false;  // an instrument that is not there any more
        }
    }
    return true;
}

}  // namespace fixaccel::exchange
