// SPDX-License-Identifier: Apache-2.0
// What the control socket asks of a venue.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "matching/exchange.hpp"
#include "session/session_host.hpp"

namespace fixaccel::exchange {

struct VenueClient {
    std::string name;
    bool market_data = false;  // its session is for market data alone
};

// Asked from the control thread alone.
class ControlledVenue {
  public:
    using Action = std::function<std::vector<Execution>(Exchange&)>;

    ControlledVenue() = default;
    ControlledVenue(const ControlledVenue&) = delete;
    ControlledVenue& operator=(const ControlledVenue&) = delete;
    virtual ~ControlledVenue() = default;

    // Its CompID, which clients see.
    virtual const std::string& name() const = 0;
    // Its terms never change.
    virtual const Exchange& exchange() const = 0;
    virtual const std::vector<VenueClient>& clients() const = 0;
    // Runs the action between two messages of clients, reports what it returns, and waits for that.
    virtual void act(const Action& action) = 0;
    virtual SessionStats stats(const std::string& client) const = 0;
    virtual void log_out(const std::string& client, const std::string& text) = 0;
    virtual void send(const std::string& client, const OutgoingMessage& message) = 0;
    virtual void fault(const std::string& client, const Fault& fault) = 0;
};

}  // namespace fixaccel::exchange
