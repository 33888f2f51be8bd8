// SPDX-License-Identifier: Apache-2.0
// What the venue says in FIX: execution reports and cancel rejects.
#pragma once

#include <string>

#include "matching/exchange.hpp"
#include "session/message.hpp"

namespace fixaccel::exchange {

// FIX codes.
std::string side_code(Side side);
std::string type_code(OrderType type);
std::string tif_code(TimeInForce tif);
std::string status_code(OrderStatus status);

// OrderID(37) and ExecID(17), unique within one run of the venue.
std::string order_id_text(OrderId id);
std::string exec_id_text(std::uint64_t id);

// AvgPx(6) of an order after an execution.
std::string average_text(const Order& order, const Execution& execution);

// UTC now as YYYYMMDD-HH:MM:SS.mmm.
std::string utc_now();

OutgoingMessage execution_report(const Order& order, const Execution& execution);
// The answer to an OrderStatusRequest(H); null: there is no such order.
OutgoingMessage status_report(const IncomingMessage& request, const Order* order);
// CxlRejResponseTo(434).
constexpr const char* kToCancel = "1";
constexpr const char* kToReplace = "2";
OutgoingMessage cancel_reject(const CancelTicket& ticket, const CancelReject& reject,
                              const std::string& response_to);

}  // namespace fixaccel::exchange
