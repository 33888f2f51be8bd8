// SPDX-License-Identifier: Apache-2.0
// What goes into the matching engine and what comes out: plain records, without texts or pointers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "matching/types.hpp"

namespace fixaccel::exchange {

using InstrumentIndex = std::uint32_t;
using Owner = std::uint32_t;

inline constexpr InstrumentIndex kAllInstruments = ~InstrumentIndex{0};
inline constexpr Owner kNobody = 0;  // neither kept from trading with itself nor found by a mass cancel

enum class MessageKind : std::uint8_t {
    kAdd,         // side, instrument, owner, reference, terms
    kCancel,      // order
    kReplace,     // order, terms: as they are from then on; the quantity counts what is filled already
    kMassCancel,  // owner, instrument or kAllInstruments
    kPhase,       // instrument, phase: leaving a call or a halt for anything but another holds its auction
    kReference,   // instrument, price: the middle of the breaker's band, and what ties of an auction go by
    kLimits,      // instrument, price is limit down and other_price limit up: no order is priced outside
    kBreaker,  // instrument, price: the distance of a trade from the reference that halts, 0 never; time: for
               // how long in nanoseconds, 0 until it is told to go on
    kPrint,    // instrument, price, quantity: a trade that was agreed outside the book
    kSweep,    // instrument, side, price, owner, reference: fills all orders of `side` that are at `price` or
               // better and not the owner's, each at its own price
    kTime,     // time: halts that are over by then end
    kEndOfDay,  // all orders but those good till canceled expire
};

struct Terms {
    OrderType type = OrderType::kLimit;
    TimeInForce tif = TimeInForce::kDay;
    SelfTrade self_trade = SelfTrade::kAllow;
    Price price = 0;        // of a limit or stop limit order
    Price trigger = 0;      // of an order that waits for one
    Quantity quantity = 0;  // a multiple of the lot
    Quantity display = 0;   // what an iceberg shows at a time; 0: all of it
    Quantity minimum = 0;   // an immediate-or-cancel order trades at least that much, or not at all
};

// `time` is whatever nanoseconds the caller counts; it never runs backwards.
struct Message {
    MessageKind kind = MessageKind::kAdd;
    Side side = Side::kBuy;
    Phase phase = Phase::kContinuous;
    InstrumentIndex instrument = 0;
    Owner owner = kNobody;
    OrderId order = 0;            // as kAccepted gave it
    std::uint64_t reference = 0;  // the sender's own name for an order; events carry it
    Price price = 0;
    Price other_price = 0;
    Quantity quantity = 0;
    std::int64_t time = 0;
    Terms terms;
};

enum class EventKind : std::uint8_t {
    kAccepted,   // order, leaves
    kRejected,   // reason
    kTrade,      // order: the one that came, other: the one that it met; price, quantity, leaves of both
    kCanceled,   // reason, quantity: what is canceled
    kReduced,    // reason, quantity: what is taken off, leaves
    kReplaced,   // price, leaves
    kRefused,    // a cancel or a replace: reason
    kTriggered,  // price: the trade that set it off
    kPrinted,    // price, quantity
    kAuction,    // price, quantity: what traded; leaves: the surplus, negative where sellers are left
    kPhase,      // phase, reason
};

enum class Reason : std::uint8_t {
    kNone,
    kUnknownInstrument,
    kUnknownOrder,
    kQuantity,         // not positive, too large, or no multiple of the lot
    kPriceOffTick,     // the price or the trigger
    kPriceRange,       // outside the instrument's price range
    kLimitUpDown,      // outside the day's limits
    kPriceUnexpected,  // a market order with a price, a limit order with a trigger
    kDisplay,          // an iceberg that shows more than it is, or no whole lots, or has no limit
    kMinimum,          // of an order that is not immediate or cancel, or more than its quantity
    kTimeInForce,      // at the open or at the close, of an order that waits for its trigger
    kClosed,
    kOnlyInOpeningCall,
    kNotInACall,  // immediate or cancel, fill or kill
    kVenueFull,
    kFilledAlready,
    kBadSetting,  // of a phase, limit, reference or time
    // Why an order ends that its owner did not cancel.
    kRequested,
    kMassCanceled,
    kNothingMore,    // the rest of a market or immediate-or-cancel order
    kNotAllAtOnce,   // fill or kill
    kNotTheMinimum,  // of an immediate-or-cancel order
    kSelfTrade,
    kAuctionOver,  // the rest of an order at the open, at the close, or at market
    kExpired,
    kBreaker,
    kHaltOver,
    kFinished,  // has no next
};

struct Event {
    EventKind kind = EventKind::kAccepted;
    Reason reason = Reason::kNone;
    Side side = Side::kBuy;
    Phase phase = Phase::kContinuous;
    InstrumentIndex instrument = 0;
    OrderId order = 0;
    std::uint64_t reference = 0;
    std::uint64_t other_reference = 0;
    Price price = 0;
    Quantity quantity = 0;
    Quantity leaves = 0;
    Quantity other_leaves = 0;
    friend bool operator==(const Event&, const Event&) = default;
};
// No byte of it is padding: equal events are equal bytes.
static_assert(sizeof(Event) == 64 && std::has_unique_object_representations_v<Event>);

// What stands in a book at one price, as the market sees it.
struct Level {
    Price price = 0;
    Quantity quantity = 0;
    std::size_t orders = 0;
    friend bool operator==(const Level&, const Level&) = default;
};

// A trade as the market sees it.
struct Print {
    Price price = 0;
    Quantity quantity = 0;
    friend bool operator==(const Print&, const Print&) = default;
};

std::string_view to_text(MessageKind kind);
std::string_view to_text(EventKind kind);
std::string_view to_text(Reason reason);

}  // namespace fixaccel::exchange
