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

// OrderID(37) and ExecID(17), never used again: with a store by no later run either.
std::string order_id_text(OrderId id);
std::string exec_id_text(std::uint64_t id);

// AvgPx(6) of an order after an execution.
std::string average_text(const Order& order, const Execution& execution);

// UTC now as YYYYMMDD-HH:MM:SS.mmm.
std::string utc_now();

OutgoingMessage execution_report(const Order& order, const Execution& execution);
// The same for somebody who gets copies of the owner's.
OutgoingMessage copy_of(const OutgoingMessage& message, const std::string& owner);
// The answer to an OrderStatusRequest(H), or to a request that may have come before; null: there is no such
// order, and `text` says why.
OutgoingMessage status_report(const IncomingMessage& request, const Order* order,
                              const std::string& text = "there is no such order");
constexpr const char* kNoSuchOrder = "5";  // OrdRejReason(103)
// CxlRejResponseTo(434).
constexpr const char* kToCancel = "1";
constexpr const char* kToReplace = "2";
OutgoingMessage cancel_reject(const CancelTicket& ticket, const CancelReject& reject,
                              const std::string& response_to);

// MassCancelRequestType(530) and MassStatusReqType(585) have these in common.
constexpr const char* kOfSecurity = "1";
constexpr const char* kOfAll = "7";
// The answer to an OrderMassCancelRequest(q).
struct MassCancelAnswer {
    std::size_t affected = 0;
    std::string reject_reason;  // MassCancelRejectReason(532); empty: it is done
    std::string text;
};
OutgoingMessage mass_cancel_report(const IncomingMessage& request, const MassCancelAnswer& answer);
// One of the answers to an OrderMassStatusRequest(AF): `count` orders are there in all.
OutgoingMessage mass_status_report(const IncomingMessage& request, const Order& order, std::size_t count,
                                   bool last);
// The only one, of no order; `reason` is OrdRejReason(103).
OutgoingMessage no_mass_status_report(const IncomingMessage& request, const std::string& reason,
                                      const std::string& text);
// 35=j; `reason` is BusinessRejectReason(380).
OutgoingMessage business_reject(const IncomingMessage& message, const std::string& reason,
                                const std::string& text);

}  // namespace fixaccel::exchange
