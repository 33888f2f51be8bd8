// SPDX-License-Identifier: Apache-2.0
// Whoever looks on while the daemon trades. It is told on the thread that trades, so nothing here may wait,
// ask the system for anything or make memory; but for turn(), which is called with no order in hand.
#pragma once

#include <cstdint>
#include <string_view>

namespace fixaccel {

// What the daemon is at, between two messages.
struct ObservedState {
    const char* phase = "";     // of the session
    std::uint64_t durable = 0;  // number of the last record of the journal that survives a loss of power
    std::uint64_t fires = 0;    // recorded since the daemon's start
    std::uint64_t reports = 0;  // execution reports, likewise
    bool armed = false;
    bool dry = false;
    bool killed = false;
    bool connected = false;  // the session of orders stands
};

class Observer {
  public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;

    // A FIX message with market data, that came at `time_ns` UTC. What it made fire has left.
    virtual void quotes(std::string_view message, std::int64_t time_ns) noexcept = 0;
    // Nothing is known of the market from here on, at `time_ns` UTC.
    virtual void market_unknown(std::int64_t time_ns) noexcept = 0;
    // `more`: another message is about to be taken.
    virtual void turn(const ObservedState& state, std::int64_t time_ns, bool more) noexcept = 0;
};

}  // namespace fixaccel
