// SPDX-License-Identifier: Apache-2.0
#include "venue/reports.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "matching/decimal.hpp"
#include "venue/tags.hpp"

namespace fixaccel::exchange {
namespace {

void put(Fields& fields, int tag, const std::string& text) {
    if (!text.empty()) fields.push_back({tag, text});
}

std::string exec_type_code(ExecType type) {
    switch (type) {
        case ExecType::kNew:
            return "0";
        case ExecType::kTrade:
            return "F";
        case ExecType::kCanceled:
            return "4";
        case ExecType::kReplaced:
            return "5";
        case ExecType::kRejected:
            return "8";
        case ExecType::kExpired:
            return "C";
        case ExecType::kTriggered:
            return "L";
        case ExecType::kRestated:
            return "D";
        case ExecType::kStatus:
            return "I";
    }
    return "";
}

constexpr const char* kPartlyDeclined = "5";  // ExecRestatementReason(378)

// As the client wrote it, until its own order took from it.
std::string quantity_text(const Order& order) {
    const auto written = parse_whole(order.ticket.quantity);
    return order.quantity == 0 || written == order.quantity ? order.ticket.quantity
                                                            : std::to_string(order.quantity);
}

}  // namespace

std::string side_code(Side side) { return side == Side::kBuy ? "1" : "2"; }

std::string type_code(OrderType type) {
    switch (type) {
        case OrderType::kMarket:
            return "1";
        case OrderType::kLimit:
            return "2";
        case OrderType::kStop:
            return "3";
        case OrderType::kStopLimit:
            return "4";
        case OrderType::kMarketIfTouched:
            return "J";
    }
    return "";
}

std::string tif_code(TimeInForce tif) {
    switch (tif) {
        case TimeInForce::kDay:
            return "0";
        case TimeInForce::kGoodTillCancel:
            return "1";
        case TimeInForce::kImmediateOrCancel:
            return "3";
        case TimeInForce::kFillOrKill:
            return "4";
        case TimeInForce::kAtTheOpen:
            return "2";
        case TimeInForce::kAtTheClose:
            return "7";
    }
    return "";
}

std::string status_code(OrderStatus status) {
    switch (status) {
        case OrderStatus::kNew:
            return "0";
        case OrderStatus::kPartiallyFilled:
            return "1";
        case OrderStatus::kFilled:
            return "2";
        case OrderStatus::kCanceled:
            return "4";
        case OrderStatus::kRejected:
            return "8";
        case OrderStatus::kExpired:
            return "C";
    }
    return "";
}

std::string order_id_text(OrderId id) { return id == 0 ? "NONE" : "O" + std::to_string(id); }
std::string exec_id_text(std::uint64_t id) { return id == 0 ? "0" : "E" + std::to_string(id); }

std::string average_text(const Order& order, const Execution& execution) {
    if (order.instrument == nullptr) return "0";
    return order.instrument->format_average(execution.notional, execution.cum_quantity);
}

std::string utc_now() {
    using Clock = std::chrono::system_clock;
    const auto now = Clock::now();
    const std::time_t seconds =
        std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
    const auto millis =
        std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    std::array<char, 32> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y%m%d-%H:%M:%S", &utc);
    std::snprintf(text.data() + length, text.size() - length, ".%03d", static_cast<int>(millis));
    return text.data();
}

OutgoingMessage execution_report(const Order& order, const Execution& execution) {
    OutgoingMessage message{"8", {}, {}};
    Fields& fields = message.fields;
    const bool by_request = !execution.cancel_cl_ord_id.empty();
    put(fields, tag::kAccount, order.ticket.account);
    put(fields, tag::kAvgPx, average_text(order, execution));
    put(fields, tag::kClOrdId, by_request ? execution.cancel_cl_ord_id : order.ticket.cl_ord_id);
    put(fields, tag::kCumQty, std::to_string(execution.cum_quantity));
    put(fields, tag::kExecId, exec_id_text(execution.id));
    if (execution.type == ExecType::kTrade) {
        put(fields, tag::kLastPx, order.instrument->format_price(execution.last_price));
        put(fields, tag::kLastQty, std::to_string(execution.last_quantity));
    }
    put(fields, tag::kOrderId, order_id_text(order.id));
    put(fields, tag::kOrderQty, quantity_text(order));
    put(fields, tag::kOrdStatus, status_code(execution.status));
    put(fields, tag::kOrdType, order.ticket.ord_type);
    put(fields, tag::kOrigClOrdId, by_request ? order.ticket.cl_ord_id : execution.replaced_cl_ord_id);
    put(fields, tag::kPrice, order.ticket.price);
    put(fields, tag::kSide, order.ticket.side);
    put(fields, tag::kStopPx, order.ticket.stop_price);
    put(fields, tag::kMaxFloor, order.ticket.max_floor);
    put(fields, tag::kMinQty, order.ticket.min_quantity);
    put(fields, tag::kSymbol, order.ticket.symbol);
    put(fields, tag::kText, execution.text);
    put(fields, tag::kTimeInForce, order.ticket.tif);
    put(fields, tag::kTransactTime, utc_now());
    if (execution.type == ExecType::kRejected) {
        put(fields, tag::kOrdRejReason, std::to_string(execution.reject_reason));
    }
    if (execution.type == ExecType::kRestated) put(fields, tag::kExecRestatementReason, kPartlyDeclined);
    put(fields, tag::kExecType, exec_type_code(execution.type));
    put(fields, tag::kLeavesQty, std::to_string(execution.leaves_quantity));
    return message;
}

namespace {

OutgoingMessage state_of(const Order& order, const std::string& cancel = "") {
    Execution state;
    state.cancel_cl_ord_id = cancel;
    state.type = ExecType::kStatus;
    state.status = order.status;
    state.cum_quantity = order.cum_quantity;
    state.leaves_quantity = order.leaves_quantity;
    state.notional = order.notional;
    return execution_report(order, state);
}

// What a request for an order that is not there is answered with.
OutgoingMessage no_order(const IncomingMessage& request, const std::string& reason, const std::string& text) {
    OutgoingMessage message{"8", {}, {}};
    Fields& fields = message.fields;
    const std::string* symbol = request.find(tag::kSymbol);
    const std::string* side = request.find(tag::kSide);
    put(fields, tag::kAvgPx, "0");
    put(fields, tag::kClOrdId, request.text(tag::kClOrdId));
    put(fields, tag::kCumQty, "0");
    put(fields, tag::kExecId, exec_id_text(0));
    put(fields, tag::kOrderId, order_id_text(0));
    put(fields, tag::kOrdStatus, status_code(OrderStatus::kRejected));
    // FIX requires both, also where no order has any.
    put(fields, tag::kSide, side == nullptr ? "7" : *side);  // undisclosed
    put(fields, tag::kSymbol, symbol == nullptr ? "[N/A]" : *symbol);
    put(fields, tag::kText, text);
    put(fields, tag::kTransactTime, utc_now());
    put(fields, tag::kOrdRejReason, reason);
    put(fields, tag::kExecType, exec_type_code(ExecType::kStatus));
    put(fields, tag::kLeavesQty, "0");
    return message;
}

}  // namespace

OutgoingMessage status_report(const IncomingMessage& request, const Order* order, const std::string& text) {
    // A cancel that comes again is told by its own ClOrdID.
    const std::string cancel = request.text(tag::kMsgType) == "F" ? request.text(tag::kClOrdId) : "";
    OutgoingMessage message =
        order == nullptr ? no_order(request, kNoSuchOrder, text) : state_of(*order, cancel);
    if (const std::string* id = request.find(tag::kOrdStatusReqId))
        put(message.fields, tag::kOrdStatusReqId, *id);
    return message;
}

OutgoingMessage cancel_reject(const CancelTicket& ticket, const CancelReject& reject,
                              const std::string& response_to) {
    OutgoingMessage message{"9", {}, {}};
    Fields& fields = message.fields;
    put(fields, tag::kClOrdId, ticket.cl_ord_id);
    put(fields, tag::kOrderId, order_id_text(reject.order));
    put(fields, tag::kOrdStatus, status_code(reject.status));
    put(fields, tag::kOrigClOrdId, ticket.orig_cl_ord_id);
    put(fields, tag::kText, reject.text);
    put(fields, tag::kTransactTime, utc_now());
    put(fields, tag::kCxlRejReason, std::to_string(reject.reason));
    put(fields, tag::kCxlRejResponseTo, response_to);
    return message;
}

// PartyIDSource(447) D: a code of its own; PartyRole(452) 13: the firm that the order comes from.
OutgoingMessage copy_of(const OutgoingMessage& message, const std::string& owner) {
    OutgoingMessage copy = message;
    copy.fields.push_back({tag::kCopyMsgIndicator, "Y"});
    copy.groups.push_back(
        {tag::kNoPartyIds, {{{tag::kPartyId, owner}, {tag::kPartyIdSource, "D"}, {tag::kPartyRole, "13"}}}});
    return copy;
}

OutgoingMessage mass_cancel_report(const IncomingMessage& request, const MassCancelAnswer& answer) {
    OutgoingMessage message{"r", {}, {}};
    Fields& fields = message.fields;
    const bool refused = !answer.reject_reason.empty();
    const std::string id = request.text(tag::kClOrdId);
    const std::string type = request.text(tag::kMassCancelRequestType);
    put(fields, tag::kClOrdId, id);
    // The client's own ClOrdID is unique, so this is too.
    put(fields, tag::kOrderId, "M-" + id);
    put(fields, tag::kSide, request.text(tag::kSide));
    put(fields, tag::kSymbol, request.text(tag::kSymbol));
    put(fields, tag::kText, answer.text);
    put(fields, tag::kTransactTime, utc_now());
    put(fields, tag::kMassCancelRequestType, type);
    put(fields, tag::kMassCancelResponse, refused ? "0" : type);
    put(fields, tag::kMassCancelRejectReason, answer.reject_reason);
    put(fields, tag::kTotalAffectedOrders, std::to_string(answer.affected));
    return message;
}

namespace {

OutgoingMessage of_mass_status(const IncomingMessage& request, OutgoingMessage message, std::size_t count,
                               bool last) {
    Fields& fields = message.fields;
    put(fields, tag::kMassStatusReqId, request.text(tag::kMassStatusReqId));
    put(fields, tag::kMassStatusReqType, request.text(tag::kMassStatusReqType));
    put(fields, tag::kTotNumReports, std::to_string(count));
    put(fields, tag::kLastRptRequested, last ? "Y" : "N");
    return message;
}

}  // namespace

OutgoingMessage mass_status_report(const IncomingMessage& request, const Order& order, std::size_t count,
                                   bool last) {
    return of_mass_status(request, state_of(order), count, last);
}

OutgoingMessage no_mass_status_report(const IncomingMessage& request, const std::string& reason,
                                      const std::string& text) {
    return of_mass_status(request, no_order(request, reason, text), 0, true);
}

OutgoingMessage business_reject(const IncomingMessage& message, const std::string& reason,
                                const std::string& text) {
    OutgoingMessage reject{"j", {}, {}};
    put(reject.fields, tag::kRefSeqNum, message.text(tag::kMsgSeqNum));
    put(reject.fields, tag::kText, text);
    put(reject.fields, tag::kRefMsgType, message.text(tag::kMsgType));
    put(reject.fields, tag::kBusinessRejectRefId, message.text(tag::kClOrdId));
    put(reject.fields, tag::kBusinessRejectReason, reason);
    return reject;
}

}  // namespace fixaccel::exchange
