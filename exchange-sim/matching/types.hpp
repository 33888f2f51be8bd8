// SPDX-License-Identifier: Apache-2.0
// The words of the matching engine. Prices count the instrument's price unit, quantities count shares or
// contracts; neither is ever a binary float.
#pragma once

#include <cstdint>
#include <string_view>

namespace fixaccel::exchange {

using Price = std::int64_t;
using Quantity = std::int64_t;
using OrderId = std::uint64_t;

// Price times quantity, in price units; wide enough for the sum over any order.
__extension__ using Notional = __int128;

enum class Side { kBuy, kSell };
enum class OrderType { kMarket, kLimit };
enum class TimeInForce { kDay, kGoodTillCancel, kImmediateOrCancel, kFillOrKill };
enum class OrderStatus { kNew, kPartiallyFilled, kFilled, kCanceled, kRejected };
// The last one is no event of an order: it says how the order stands.
enum class ExecType { kNew, kTrade, kCanceled, kReplaced, kRejected, kStatus };
// How a change of a book is published: the whole book again (35=W), or what changed in it (35=X).
enum class UpdateType { kFullRefresh, kIncrementalRefresh };

constexpr Side opposite(Side side) { return side == Side::kBuy ? Side::kSell : Side::kBuy; }

// Whether a price is at least as good for `side` as the limit: a buyer wants low, a seller high.
constexpr bool acceptable(Side side, Price price, Price limit) {
    return side == Side::kBuy ? price <= limit : price >= limit;
}

constexpr std::string_view to_text(Side side) { return side == Side::kBuy ? "buy" : "sell"; }
constexpr std::string_view to_text(OrderType type) { return type == OrderType::kMarket ? "market" : "limit"; }

constexpr std::string_view to_text(TimeInForce tif) {
    switch (tif) {
        case TimeInForce::kDay:
            return "day";
        case TimeInForce::kGoodTillCancel:
            return "gtc";
        case TimeInForce::kImmediateOrCancel:
            return "ioc";
        case TimeInForce::kFillOrKill:
            return "fok";
    }
    return "";
}

constexpr std::string_view to_text(OrderStatus status) {
    switch (status) {
        case OrderStatus::kNew:
            return "new";
        case OrderStatus::kPartiallyFilled:
            return "partially_filled";
        case OrderStatus::kFilled:
            return "filled";
        case OrderStatus::kCanceled:
            return "canceled";
        case OrderStatus::kRejected:
            return "rejected";
    }
    return "";
}

constexpr std::string_view to_text(ExecType type) {
    switch (type) {
        case ExecType::kNew:
            return "new";
        case ExecType::kTrade:
            return "trade";
        case ExecType::kCanceled:
            return "canceled";
        case ExecType::kReplaced:
            return "replaced";
        case ExecType::kRejected:
            return "rejected";
        case ExecType::kStatus:
            return "status";
    }
    return "";
}

}  // namespace fixaccel::exchange
