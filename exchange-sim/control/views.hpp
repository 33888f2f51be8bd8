// SPDX-License-Identifier: Apache-2.0
// What the control socket shows, as JSON: prices and quantities are texts, exact decimals.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "control/venue.hpp"
#include "control/watch_queue.hpp"

namespace fixaccel::exchange {

using ControlJson = nlohmann::ordered_json;

ControlJson order_view(const Order& order);
// With what has just happened to it.
ControlJson order_view(const Order& order, const Execution& execution);
ControlJson trade_view(const TradeHappened& trade);
ControlJson message_view(const MessageHappened& message);
ControlJson session_view(const VenueClient& client, const SessionStats& stats);
ControlJson instrument_view(const Instrument& instrument, Phase phase);

// One instrument's book as it was on the engine thread.
struct BookSeen {
    const Instrument* instrument = nullptr;
    MarketSnapshot snapshot;
    Phase phase = Phase::kContinuous;
};
// `depth`: levels of a side; 0 is all of them.
ControlJson book_view(const BookSeen& book, std::int64_t time_ns, std::size_t depth);

// Nanoseconds since 1970.
std::int64_t now_ns();
// A line as it goes over the socket; bytes that are no UTF-8 are replaced.
std::string line_of(const ControlJson& what);

}  // namespace fixaccel::exchange
