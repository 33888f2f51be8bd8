// SPDX-License-Identifier: Apache-2.0
// Requests about orders and the market.
#include <algorithm>
#include <charconv>

#include "control/requests.hpp"
#include "venue/reports.hpp"

namespace fixaccel::exchange {
namespace {

constexpr std::int64_t kOrders = 500;
constexpr std::int64_t kMostOrders = 5000;
// The engine waits while they are looked for.
constexpr OrderId kMostLookedAt = 200'000;
constexpr const char* kVenueCancels = "canceled by the venue";

// Every order of the exchange has a next one: ids begin with 1.
OrderId order_id(const std::string& text) {
    std::string_view digits = text;
    if (digits.starts_with('O')) digits.remove_prefix(1);
    OrderId id = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
    if (error != std::errc{} || end != digits.data() + digits.size() || id == 0)
        throw RequestError("'" + text.substr(0, 40) + "' is no order", "`orders` lists them, such as O17");
    return id;
}

Price price_of(const Instrument& instrument, const std::string& key, const std::string& text) {
    std::string why;
    if (const auto price = instrument.parse_price(text, why)) return *price;
    throw RequestError("\"" + key + "\": " + why);
}

Quantity quantity_of(const Instrument& instrument, const std::string& key, const std::string& text) {
    std::string why;
    if (const auto quantity = instrument.parse_quantity(text, why)) return *quantity;
    throw RequestError("\"" + key + "\": " + why);
}

// Where the type has such a price, and only there.
Price price_if(const Instrument& instrument, Asked& asked, const std::string& key, bool wanted) {
    if (asked.has(key) && !wanted) throw RequestError("an order of this type has no \"" + key + "\"");
    return wanted ? price_of(instrument, key, asked.decimal(key)) : 0;
}

std::optional<Quote> side_of_quote(const Instrument& instrument, Asked& asked, const std::string& price) {
    const std::string size = price + "_size";
    if (!asked.has(price) && !asked.has(size)) return std::nullopt;
    return Quote{price_of(instrument, price, asked.decimal(price)),
                 quantity_of(instrument, size, asked.decimal(size))};
}

}  // namespace

ControlJson ControlRequests::orders(Asked& asked) {
    const std::string owner = asked.has("client") ? client(asked).name : "";
    const bool open = asked.flag("open");
    const auto limit = static_cast<std::size_t>(asked.whole("limit", kOrders, 1, kMostOrders));
    asked.end();
    std::vector<Order> found;
    bool all = true;
    act([&](Exchange& exchange) {
        const OrderId next = exchange.store().next_id();
        const OrderId first = next > kMostLookedAt ? next - kMostLookedAt : 1;
        OrderId id = next;
        while (id > first && found.size() < limit) {
            const Order* const order = exchange.find_order(--id);
            const bool wanted = order != nullptr && (!open || order->leaves_quantity > 0) &&
                                (owner.empty() || (!order->house && order->ticket.owner == owner));
            if (wanted) found.push_back(*order);
        }
        all = id == 1;
        return std::vector<Execution>{};
    });
    // The newest were looked at first; they stand last, as what comes of them would.
    ControlJson out = ControlJson::array();
    std::reverse(found.begin(), found.end());
    for (const auto& order : found) out.push_back(order_view(order));
    return {{"orders", std::move(out)}, {"all", all}};
}

ControlJson ControlRequests::order(Asked& asked) {
    const Instrument& what = instrument(asked);
    const Side side = value_of("side", asked.text("side"), {Side::kBuy, Side::kSell});
    const OrderType type = value_of("type", asked.text("type", "limit"),
                                    {OrderType::kMarket, OrderType::kLimit, OrderType::kStop,
                                     OrderType::kStopLimit, OrderType::kMarketIfTouched});
    const TimeInForce tif =
        value_of("tif", asked.text("tif", "day"),
                 {TimeInForce::kDay, TimeInForce::kGoodTillCancel, TimeInForce::kImmediateOrCancel,
                  TimeInForce::kFillOrKill, TimeInForce::kAtTheOpen, TimeInForce::kAtTheClose});
    const Quantity quantity = quantity_of(what, "qty", asked.decimal("qty"));
    const Price price = price_if(what, asked, "price", has_price(type));
    const Price trigger = price_if(what, asked, "stop_price", has_trigger(type));
    if (asked.text("as", "house") != "house")
        throw RequestError("\"as\" is 'house': orders of clients come over FIX");
    asked.end();
    OrderId id = 0;
    std::optional<std::string> rejected;
    act([&](Exchange& exchange) {
        std::vector<Execution> out =
            exchange.house_order(what.symbol(), side, type, tif, price, quantity, trigger);
        id = out.front().order;
        if (out.front().type == ExecType::kRejected) rejected = out.front().text;
        return out;
    });
    if (rejected) throw RequestError("rejected: " + *rejected);
    return {{"order", order_id_text(id)}};
}

ControlJson ControlRequests::cancel(Asked& asked) {
    const OrderId id = order_id(asked.text("order"));
    const bool force = asked.flag("force");
    asked.end();
    act([&](Exchange& exchange) -> std::vector<Execution> {
        const Order* const found = exchange.find_order(id);
        const std::string name = "order O" + std::to_string(id);
        if (found == nullptr) throw RequestError("there is no " + name, "`orders` lists them");
        if (found->leaves_quantity == 0)
            throw RequestError(name + " is " + std::string(to_text(found->status)));
        if (!found->house && !force)
            throw RequestError(name + " is " + found->ticket.owner + "'s",
                               "with \"force\": true the venue cancels it all the same");
        return exchange.take_out(id, kVenueCancels);
    });
    return ControlJson::object();
}

ControlJson ControlRequests::quote(Asked& asked) {
    const Instrument& what = instrument(asked);
    const auto bid = side_of_quote(what, asked, "bid");
    const auto ask = side_of_quote(what, asked, "ask");
    asked.end();
    if (bid && ask && bid->price >= ask->price)
        throw RequestError("the bid is not below the ask", "a quote of the house does not trade with itself");
    act([&](Exchange& exchange) { return exchange.quote(what.symbol(), bid, ask); });
    return ControlJson::object();
}

ControlJson ControlRequests::trade(Asked& asked) {
    const Instrument& what = instrument(asked);
    const Price price = price_of(what, "price", asked.decimal("price"));
    const Quantity quantity = quantity_of(what, "qty", asked.decimal("qty"));
    asked.end();
    act([&](Exchange& exchange) { return exchange.trade(what.symbol(), price, quantity); });
    return ControlJson::object();
}

ControlJson ControlRequests::phase(Asked& asked) {
    const Instrument& what = instrument(asked);
    const Phase wanted = value_of(
        "phase", asked.text("phase"),
        {Phase::kContinuous, Phase::kOpeningCall, Phase::kClosingCall, Phase::kHalted, Phase::kClosed});
    asked.end();
    act([&](Exchange& exchange) {
        Message message;
        message.kind = MessageKind::kPhase;
        message.instrument = exchange.index_of(what.symbol());
        message.phase = wanted;
        return exchange.say(message);
    });
    return ControlJson::object();
}

}  // namespace fixaccel::exchange
