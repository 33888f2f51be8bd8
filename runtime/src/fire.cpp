// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/fire.hpp"

#include <cstddef>

#include "fixaccel/framer.hpp"
#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {
namespace {

constexpr unsigned kClOrdIdTag = 11;

}  // namespace

bool Fire::sent() const { return outcome == hwmap::outcome_sent; }

std::string Fire::cl_ord_id() const { return std::string(fix_field(payload, kClOrdIdTag)); }

std::string outcome_text(std::uint32_t outcome) {
    switch (outcome) {
        case hwmap::outcome_sent:
            return "sent";
        case hwmap::outcome_kill:
            return "rejected:kill";
        case hwmap::outcome_watchdog:
            return "rejected:watchdog";
        case hwmap::outcome_session:
            return "rejected:session";
        case hwmap::outcome_clock:
            return "rejected:clock";
        case hwmap::outcome_window:
            return "rejected:window";
        case hwmap::outcome_exhausted:
            return "rejected:exhausted";
        case hwmap::outcome_fault:
            return "rejected:fault";
        case hwmap::outcome_order_notional:
            return "rejected:order_notional";
        case hwmap::outcome_collar:
            return "rejected:collar";
        case hwmap::outcome_self_trade:
            return "rejected:self_trade";
        case hwmap::outcome_orders_per_second:
            return "rejected:orders_per_second";
        case hwmap::outcome_total_orders:
            return "rejected:total_orders";
        case hwmap::outcome_total_qty:
            return "rejected:total_qty";
        case hwmap::outcome_frame:
            return "rejected:frame";
        case hwmap::outcome_dry:
            return "dry";
        case hwmap::outcome_watch:
            return "watch";
        default:
            return "unknown:" + std::to_string(outcome);
    }
}

std::string_view source_text(std::uint32_t source) {
    switch (source) {
        case hwmap::source_bid:
            return "bid";
        case hwmap::source_ask:
            return "ask";
        case hwmap::source_last:
            return "last";
        case hwmap::source_mid:
            return "mid";
        default:
            return "unknown";
    }
}

std::string_view fix_field(std::string_view message, unsigned tag) {
    const std::string key = std::to_string(tag) + '=';
    std::size_t at = 0;
    while (at < message.size()) {
        std::size_t end = message.find(kSoh, at);
        if (end == std::string_view::npos) end = message.size();
        const std::string_view field = message.substr(at, end - at);
        if (field.starts_with(key)) return field.substr(key.size());
        at = end + 1;
    }
    return {};
}

}  // namespace fixaccel
