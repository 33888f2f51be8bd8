// SPDX-License-Identifier: Apache-2.0
// What the engine keeps of orders and of one instrument.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory_resource>
#include <optional>
#include <utility>
#include <vector>

#include "matching/ladder.hpp"
#include "matching/messages.hpp"

namespace fixaccel::exchange {

// Where an order stands.
enum class Place : std::uint8_t { kNowhere, kBook, kMarketQueue, kTriggers, kAtClose };

// What every message about an order needs: one cache line.
struct alignas(64) OrderRecord {
    Slot next = 0;
    Slot previous = 0;
    Price price = 0;
    Quantity leaves = 0;
    Quantity visible = 0;  // the part of it that the book shows
    Quantity filled = 0;
    std::uint64_t reference = 0;
    std::uint32_t generation = 0;  // how many orders the record has been before
    InstrumentIndex instrument = 0;
    Owner owner = kNobody;
    Side side = Side::kBuy;
    OrderType type = OrderType::kLimit;
    TimeInForce tif = TimeInForce::kDay;
    Place place : 3 = Place::kNowhere;
    SelfTrade self_trade : 4 = SelfTrade::kAllow;
    bool detailed : 1 = false;  // has an OrderDetail
};
static_assert(sizeof(OrderRecord) == 64);

// What icebergs and orders with triggers need besides.
struct OrderDetail {
    Price trigger = 0;
    Quantity display = 0;
    std::uint64_t arrival = 0;  // grows with each order that begins to wait for its trigger
};

struct TickRow {
    Price from = 0;  // upwards
    Price tick = 1;
};

// What may be traded, in price units.
struct BookRules {
    // kNone if a price is in the range and on the tick grid.
    Reason check(Price price) const;

    Quantity lot = 1;
    Price lowest = 0;
    Price highest = 0;
    std::vector<TickRow> ticks;  // by price; none: every unit is a tick
};

constexpr Key key_of(Side side, Price price) { return side == Side::kBuy ? -price : price; }
constexpr Price price_of(Side side, Key key) { return side == Side::kBuy ? -key : key; }

struct alignas(64) Book {
    Book(InstrumentIndex number, BookRules terms, std::pmr::memory_resource* memory)
        : index(number),
          rules(std::move(terms)),
          sides{Ladder(memory), Ladder(memory)},
          rises(memory),
          falls(memory) {}

    Ladder& side(Side of) { return sides[static_cast<std::size_t>(of)]; }
    const Ladder& side(Side of) const { return sides[static_cast<std::size_t>(of)]; }
    Queue& at_market(Side of) { return market[static_cast<std::size_t>(of)]; }
    const Queue& at_market(Side of) const { return market[static_cast<std::size_t>(of)]; }

    InstrumentIndex index;
    Phase phase = Phase::kContinuous;
    bool changed = false;  // stands in the list of changed books
    bool moved = false;    // there were trades that no trigger has seen
    bool has_last = false;
    Price moved_low = 0;  // the lowest and the highest of them
    Price moved_high = 0;
    // A trade outside halts.
    Price band_low = std::numeric_limits<Price>::min();
    Price band_high = std::numeric_limits<Price>::max();
    // No order is priced outside.
    Price limit_down = std::numeric_limits<Price>::min();
    Price limit_up = std::numeric_limits<Price>::max();
    BookRules rules;
    Print last;
    std::array<Ladder, 2> sides;
    Ladder rises;                 // orders that a trade at their trigger or above sets off
    Ladder falls;                 // or below
    std::array<Queue, 2> market;  // market orders that wait for an auction
    Queue at_close;               // orders that wait for the closing call
    std::optional<Price> reference;
    Price breaker_distance = 0;
    std::int64_t halt_time = 0;
    std::int64_t halted_until = 0;
};

}  // namespace fixaccel::exchange
