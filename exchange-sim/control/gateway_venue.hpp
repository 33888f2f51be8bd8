// SPDX-License-Identifier: Apache-2.0
// The venue of this program, as the control socket asks it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "control/venue.hpp"
#include "venue/gateway.hpp"

namespace fixaccel::exchange {

class GatewayVenue final : public ControlledVenue {
  public:
    // Both outlive it.
    GatewayVenue(Gateway& gateway, const Exchange& exchange, std::string name,
                 std::vector<VenueClient> clients)
        : gateway_(gateway), exchange_(exchange), name_(std::move(name)), clients_(std::move(clients)) {}

    const std::string& name() const override { return name_; }
    const Exchange& exchange() const override { return exchange_; }
    const std::vector<VenueClient>& clients() const override { return clients_; }
    void act(const Action& action) override { gateway_.act(action); }
    SessionStats stats(const std::string& client) const override { return gateway_.session_stats(client); }
    void log_out(const std::string& client, const std::string& text) override {
        gateway_.log_out(client, text);
    }
    void send(const std::string& client, const OutgoingMessage& message) override {
        gateway_.send_session_message(client, message);
    }
    void fault(const std::string& client, const Fault& fault) override { gateway_.fault(client, fault); }

  private:
    Gateway& gateway_;
    const Exchange& exchange_;
    std::string name_;
    std::vector<VenueClient> clients_;
};

}  // namespace fixaccel::exchange
