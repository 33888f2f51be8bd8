// SPDX-License-Identifier: Apache-2.0
// The running venue as a stage.
#pragma once

#include "scenario/stage.hpp"
#include "venue/gateway.hpp"

namespace fixaccel::exchange {

class GatewayStage : public Stage {
  public:
    explicit GatewayStage(Gateway& gateway) : gateway_(gateway) {}

    void act(const std::function<std::vector<Execution>(Exchange&)>& action) override;
    void fault(const std::string& client, const Fault& fault) override;
    void log_out(const std::string& client, const std::string& reason) override;
    void request_resend(const std::string& client, std::int64_t begin, std::int64_t end) override;
    void request_test(const std::string& client, const std::string& id) override;
    bool logged_on(const std::string& client) const override;
    bool subscribed(const std::string& client) const override;
    std::size_t accepted_orders() const override;
    bool wait(const std::function<bool()>& condition, std::chrono::nanoseconds timeout) override;
    bool interrupted() const override;

  private:
    Gateway& gateway_;
};

}  // namespace fixaccel::exchange
