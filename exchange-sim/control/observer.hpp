// SPDX-License-Identifier: Apache-2.0
// Who is told what happens at the venue.
#pragma once

#include <cstdint>
#include <string>

#include "matching/order.hpp"
#include "session/session_host.hpp"

namespace fixaccel::exchange {

// All but the last two come on the engine thread, those on the threads of sessions. None may block.
class Observer {
  public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;

    virtual void on_execution(const Order&, const Execution&) {}
    virtual void on_trade(const std::string& /*symbol*/, Price, Quantity, std::int64_t /*time_ns*/,
                          Side /*aggressor*/, const std::string& /*buyer*/, const std::string& /*seller*/) {}
    virtual void on_book(const Instrument&) {}
    virtual void on_phase(const Instrument&, Phase) {}
    virtual void on_wire(Direction, const std::string& /*client*/, const std::string& /*bytes*/,
                         std::int64_t /*time_ns*/) {}
    virtual void on_session(const std::string& /*client*/, bool /*logged_on*/) {}
};

}  // namespace fixaccel::exchange
