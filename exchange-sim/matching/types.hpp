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

enum class Side : std::uint8_t { kBuy, kSell };
// The last three wait for a trade at their trigger price; then they are a market or a limit order.
enum class OrderType : std::uint8_t { kMarket, kLimit, kStop, kStopLimit, kMarketIfTouched };
enum class TimeInForce : std::uint8_t {
    kDay,
    kGoodTillCancel,
    kImmediateOrCancel,
    kFillOrKill,
    kAtTheOpen,
    kAtTheClose
};
// What becomes of an order that would trade with one of the same owner; the mode is that of the order that
// comes.
enum class SelfTrade : std::uint8_t { kAllow, kCancelNewest, kCancelOldest, kCancelBoth, kDecrement };
// What an instrument does with orders. Calls and halts collect them; they end with an auction.
enum class Phase : std::uint8_t { kContinuous, kOpeningCall, kClosingCall, kHalted, kClosed };
enum class OrderStatus { kNew, kPartiallyFilled, kFilled, kCanceled, kRejected, kExpired };
// The last one is no event of an order: it says how the order stands.
enum class ExecType {
    kNew,
    kTrade,
    kCanceled,
    kReplaced,
    kRejected,
    kExpired,
    kTriggered,
    kRestated,
    kStatus
};
// How a change of a book is published: the whole book again (35=W), or what changed in it (35=X).
enum class UpdateType { kFullRefresh, kIncrementalRefresh };

constexpr Side opposite(Side side) { return side == Side::kBuy ? Side::kSell : Side::kBuy; }

// Whether a price is at least as good for `side` as the limit: a buyer wants low, a seller high.
constexpr bool acceptable(Side side, Price price, Price limit) {
    return side == Side::kBuy ? price <= limit : price >= limit;
}

constexpr bool has_trigger(OrderType type) { return type >= OrderType::kStop; }
constexpr bool has_price(OrderType type) {
    return type == OrderType::kLimit || type == OrderType::kStopLimit;
}

// Whether a trade at or above the trigger sets the order off, rather than one at or below: a stop follows the
// market away from its side, an order that is to be touched waits for it to come back.
constexpr bool triggers_on_rise(Side side, OrderType type) {
    return (side == Side::kBuy) != (type == OrderType::kMarketIfTouched);
}

constexpr std::string_view to_text(Side side) { return side == Side::kBuy ? "buy" : "sell"; }

constexpr std::string_view to_text(OrderType type) {
    constexpr std::string_view kWords[] = {"market", "limit", "stop", "stop_limit", "market_if_touched"};
    return kWords[static_cast<int>(type)];
}

constexpr std::string_view to_text(TimeInForce tif) {
    constexpr std::string_view kWords[] = {"day", "gtc", "ioc", "fok", "at_the_open", "at_the_close"};
    return kWords[static_cast<int>(tif)];
}

constexpr std::string_view to_text(SelfTrade mode) {
    constexpr std::string_view kWords[] = {"allow", "cancel_newest", "cancel_oldest", "cancel_both",
                                           "decrement"};
    return kWords[static_cast<int>(mode)];
}

constexpr std::string_view to_text(Phase phase) {
    constexpr std::string_view kWords[] = {"continuous", "opening_call", "closing_call", "halted", "closed"};
    return kWords[static_cast<int>(phase)];
}

constexpr std::string_view to_text(OrderStatus status) {
    constexpr std::string_view kWords[] = {"new",      "partially_filled", "filled",
                                           "canceled", "rejected",         "expired"};
    return kWords[static_cast<int>(status)];
}

constexpr std::string_view to_text(ExecType type) {
    constexpr std::string_view kWords[] = {"new",     "trade",     "canceled", "replaced", "rejected",
                                           "expired", "triggered", "restated", "status"};
    return kWords[static_cast<int>(type)];
}

}  // namespace fixaccel::exchange
