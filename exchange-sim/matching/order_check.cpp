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
    return std::nullopt;
}

std::optional<TimeInForce> tif_of(const std::string& code) {
    if (code.empty() || code == "0") return TimeInForce::kDay;
    if (code == "1") return TimeInForce::kGoodTillCancel;
    if (code == "3") return TimeInForce::kImmediateOrCancel;
    if (code == "4") return TimeInForce::kFillOrKill;
    return std::nullopt;
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
    if (!type) text = "OrdType(40)=" + ticket.ord_type + " is not supported; 1 is market, 2 is limit";
    if (!tif) text = "TimeInForce(59)=" + ticket.tif + " is not supported; 0 day, 1 gtc, 3 ioc, 4 fok";
    if (!side || !type || !tif) return RejectReason::kUnsupported;
    order.side = *side;
    order.type = *type;
    order.tif = *tif;

    const auto quantity = order.instrument->parse_quantity(ticket.quantity, text);
    if (!quantity) return RejectReason::kIncorrectQuantity;
    order.quantity = *quantity;

    if (order.type == OrderType::kMarket) {
        if (ticket.price.empty()) return RejectReason::kNone;
        text = "a market order carries no Price(44)";
        return RejectReason::kOther;
    }
    if (ticket.price.empty()) {
        text = "a limit order needs Price(44)";
        return RejectReason::kOther;
    }
    const auto price = order.instrument->parse_price(ticket.price, text);
    if (!price) return RejectReason::kOther;
    order.price = *price;
    return RejectReason::kNone;
}

}  // namespace fixaccel::exchange
