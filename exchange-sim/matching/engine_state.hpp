// SPDX-License-Identifier: Apache-2.0
// What of an engine outlives it.
#pragma once

#include <cstdint>

#include "matching/book.hpp"

namespace fixaccel::exchange {

// An order that is there, in its place.
struct StandingOrder {
    std::uint64_t reference = 0;
    InstrumentIndex instrument = 0;
    Owner owner = kNobody;
    Side side = Side::kBuy;
    OrderType type = OrderType::kLimit;
    TimeInForce tif = TimeInForce::kDay;
    SelfTrade self_trade = SelfTrade::kAllow;
    Place place = Place::kNowhere;
    bool detailed = false;
    Price price = 0;
    Quantity leaves = 0;
    Quantity visible = 0;
    Quantity filled = 0;
    OrderDetail detail;
};

// All of a book but its orders and its rules.
struct BookState {
    Phase phase = Phase::kContinuous;
    bool moved = false;
    bool has_last = false;
    bool has_reference = false;
    Price moved_low = 0;
    Price moved_high = 0;
    Price band_low = 0;
    Price band_high = 0;
    Price limit_down = 0;
    Price limit_up = 0;
    Print last;
    Price reference = 0;
    Price breaker_distance = 0;
    std::int64_t halt_time = 0;
    std::int64_t halted_until = 0;
};

// Of all books.
struct EngineClock {
    std::int64_t now = 0;
    std::uint64_t arrivals = 0;
};

}  // namespace fixaccel::exchange
