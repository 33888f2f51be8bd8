// SPDX-License-Identifier: Apache-2.0
#include "scenario/gateway_stage.hpp"

namespace fixaccel::exchange {

void GatewayStage::act(const std::function<std::vector<Execution>(Exchange&)>& action) {
    gateway_.act([&](Exchange& exchange) {
        exchange.begin_together();
        std::vector<Execution> executions = action(exchange);
        exchange.end_together();
        return executions;
    });
}

void GatewayStage::fault(const std::string& client, const Fault& fault) { gateway_.fault(client, fault); }

void GatewayStage::log_out(const std::string& client, const std::string& reason) {
    gateway_.log_out(client, reason);
}

void GatewayStage::request_resend(const std::string& client, std::int64_t begin, std::int64_t end) {
    gateway_.send_session_message(
        client,
        {"2", {{tag::kBeginSeqNo, std::to_string(begin)}, {tag::kEndSeqNo, std::to_string(end)}}, {}});
}

void GatewayStage::request_test(const std::string& client, const std::string& id) {
    gateway_.send_session_message(client, {"1", {{tag::kTestReqId, id}}, {}});
}

bool GatewayStage::logged_on(const std::string& client) const {
    return gateway_.clients().is_logged_on(client);
}

bool GatewayStage::subscribed(const std::string& client) const {
    return gateway_.clients().is_subscribed(client);
}

std::size_t GatewayStage::accepted_orders() const { return gateway_.clients().accepted_orders(); }

bool GatewayStage::wait(const std::function<bool()>& condition, std::chrono::nanoseconds timeout) {
    return gateway_.clients().wait(condition, timeout);
}

bool GatewayStage::interrupted() const { return gateway_.clients().interrupted(); }

}  // namespace fixaccel::exchange
