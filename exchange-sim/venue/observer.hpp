// SPDX-License-Identifier: Apache-2.0
// Who looks on at the venue.
#pragma once

#include <cstdint>
#include <string>

#include "matching/exchange.hpp"
#include "session/session_host.hpp"

namespace fixaccel::exchange {

// Told on the engine thread, which waits: it must not block. The last two come on sessions' threads.
struct Observer {
    virtual ~Observer() = default;
    // Of all orders, the house's too.
    virtual void on_execution(const Order& /*order*/, const Execution& /*execution*/) {}
    // `aggressor` is the side that came later; buyer and seller are clients or "house".
    virtual void on_trade(const Instrument& /*instrument*/, const Print& /*trade*/, std::int64_t /*time_ns*/,
                          Side /*aggressor*/, const std::string& /*buyer*/, const std::string& /*seller*/) {}
    // Its book or its last trade changed: ask the exchange, whose thread this is.
    virtual void on_book(const Exchange& /*exchange*/, const Instrument& /*instrument*/) {}
    virtual void on_phase(const Instrument& /*instrument*/, Phase /*phase*/) {}
    virtual void on_wire(Direction /*direction*/, const std::string& /*client*/, const std::string& /*bytes*/,
                         std::int64_t /*time_ns*/) {}
    virtual void on_session(const std::string& /*client*/, bool /*logged_on*/) {}
};

}  // namespace fixaccel::exchange
