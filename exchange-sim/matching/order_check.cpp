// SPDX-License-Identifier: Apache-2.0
#include "matching/order_check.hpp"

#include <optional>

namespace fixaccel::exchange {
namespace {

std::optional<Side> side_of(const std::string& code) {
    if (code == "1") return Side::kBuy;
    if (code == "2") return Side::kSell;
    return std::nullopt;
}

std::optional<OrderType> type_of(const std::string& code) {
    if (code == "1") return OrderType::kMarket;
    if (code == "2") return OrderType::kLimit;
    if (code == "3") return OrderType::kStop;
    if (code == "4") return OrderType::kStopLimit;
    if (code == "J") return OrderType::kMarketIfTouched;
    return std::nullopt;
}

std::optional<TimeInForce> tif_of(const std::string& code) {
    if (code.empty() || code == "0") return TimeInForce::kDay;
    if (code == "1") return TimeInForce::kGoodTillCancel;
    if (code == "2") return TimeInForce::kAtTheOpen;
    if (code == "3") return TimeInForce::kImmediateOrCancel;
    if (code == "4") return TimeInForce::kFillOrKill;
    if (code == "7") return TimeInForce::kAtTheClose;
    return std::nullopt;
}

std::string named(OrderType type) {
    switch (type) {
        case OrderType::kMarket:
            return "a market order";
        case OrderType::kLimit:
            return "a limit order";
        case OrderType::kStop:
            return "a stop order";
        case OrderType::kStopLimit:
            return "a stop limit order";
        case OrderType::kMarketIfTouched:
            return "a market if touched order";
    }
    return "";
}

// Reads the price in `field` where the type has one, and refuses it where not.
bool read_price(const Order& order, const std::string& given, const char* field, bool wanted, Price& price,
                std::string& text) {
    if (given.empty() == wanted) {
        text = named(order.type) + (wanted ? " needs " : " carries no ") + field;
        return false;
    }
    if (!wanted) return true;
    const auto value = order.instrument->parse_price(given, text);
    price = value.value_or(0);
    return value.has_value();
}

bool read_part(const Order& order, const std::string& given, const char* field, Quantity& part,
               std::string& text) {
    if (given.empty()) return true;
    const auto value = order.instrument->parse_quantity(given, text);
    if (!value) text = std::string(field) + ": " + text;
    part = value.value_or(0);
    return value.has_value();
}

}  // namespace

RejectReason check(Order& order, std::string& text) {
    const OrderTicket& ticket = order.ticket;
    if (order.instrument == nullptr) {
        text = "unknown symbol '" + ticket.symbol + "'";
        return RejectReason::kUnknownSymbol;
    }
    const auto side = side_of(ticket.side);
    const auto type = type_of(ticket.ord_type);
    const auto tif = tif_of(ticket.tif);
    if (!side) text = "Side(54)=" + ticket.side + " is not supported; 1 buys, 2 sells";
    if (!type)
        text = "OrdType(40)=" + ticket.ord_type +
               " is not supported; 1 is market, 2 limit, 3 stop, 4 stop limit, J market if touched";
    if (!tif)
        text = "TimeInForce(59)=" + ticket.tif +
               " is not supported; 0 day, 1 gtc, 2 at the open, 3 ioc, 4 fok, 7 at the close";
    // An instruction that is not followed would be a promise that is not kept.
    const bool instructed = !ticket.instruction.empty();
    if (instructed) text = ticket.instruction + " is not supported";
    if (!side || !type || !tif || instructed) return RejectReason::kUnsupported;
    order.side = *side;
    order.type = *type;
    order.tif = *tif;

    const auto quantity = order.instrument->parse_quantity(ticket.quantity, text);
    if (!quantity) return RejectReason::kIncorrectQuantity;
    order.quantity = *quantity;

    order.display = order.minimum = order.price = order.trigger = 0;
    if (!read_price(order, ticket.price, "Price(44)", has_price(*type), order.price, text) ||
        !read_price(order, ticket.stop_price, "StopPx(99)", has_trigger(*type), order.trigger, text) ||
        !read_part(order, ticket.max_floor, "MaxFloor(111)", order.display, text) ||
        !read_part(order, ticket.min_quantity, "MinQty(110)", order.minimum, text))
        return RejectReason::kOther;
    return RejectReason::kNone;
}

}  // namespace fixaccel::exchange
