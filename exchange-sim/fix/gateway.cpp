// SPDX-License-Identifier: Apache-2.0
#include "fix/gateway.hpp"

#include "fix/record_lines.hpp"
#include "fix/reports.hpp"

namespace fixaccel::exchange {
namespace {

// Tags that FIX 4.4 requires; 44 depends on the order type and is judged with the order itself.
constexpr std::array kOrderTags = {tag::kClOrdId,  tag::kSymbol,       tag::kSide,
                                   tag::kOrderQty, tag::kTransactTime, tag::kOrdType};
constexpr std::array kCancelTags = {tag::kClOrdId, tag::kOrigClOrdId, tag::kSymbol, tag::kSide,
                                    tag::kTransactTime};

constexpr std::array kReplaceTags = {tag::kClOrdId,  tag::kOrigClOrdId,  tag::kSymbol, tag::kSide,
                                     tag::kOrderQty, tag::kTransactTime, tag::kOrdType};

constexpr std::array kStatusTags = {tag::kClOrdId, tag::kSymbol, tag::kSide};

template <typename Tags>
int first_missing(const IncomingMessage& message, const Tags& tags) {
    for (const int wanted : tags) {
        if (message.find(wanted) == nullptr) return wanted;
    }
    return 0;
}

OrderTicket order_ticket(const IncomingMessage& message) {
    return {.owner = message.client,
            .cl_ord_id = message.text(tag::kClOrdId),
            .symbol = message.text(tag::kSymbol),
            .side = message.text(tag::kSide),
            .ord_type = message.text(tag::kOrdType),
            .tif = message.text(tag::kTimeInForce),
            .quantity = message.text(tag::kOrderQty),
            .price = message.text(tag::kPrice),
            .account = message.text(tag::kAccount),
            .stop_price = message.text(tag::kStopPx),
            .max_floor = message.text(tag::kMaxFloor),
            .min_quantity = message.text(tag::kMinQty),
            .exec_inst = message.text(tag::kExecInst)};
}

}  // namespace

void Gateway::act(const std::function<std::vector<Execution>(Exchange&)>& action) {
    const std::lock_guard lock(mutex_);
    report(action(exchange_));
    publish();
}

void Gateway::send_session_message(const std::string& client, const OutgoingMessage& message) {
    host_->post(client, message);
}

void Gateway::log_out(const std::string& client, const std::string& reason) { host_->logout(client, reason); }

void Gateway::on_logon(const std::string& client) {
    recorder_.write("logon", {{"client", client}});
    clients_.logged_on(client);
}

void Gateway::on_logout(const std::string& client, SequenceNumbers numbers) {
    recorder_.write("logout", {{"client", client}});
    recorder_.write("session", {{"client", client},
                                {"next_sender_msg_seq_num", numbers.next_sender},
                                {"next_target_msg_seq_num", numbers.next_target}});
    clients_.logged_out(client);
}

bool Gateway::on_application(IncomingMessage message) {
    const std::lock_guard lock(mutex_);
    const std::string type = message.text(tag::kMsgType);
    // Each kind on its own session, where there are two.
    const bool here = market_client_.empty() || (message.client == market_client_) == (type == "V");
    if (here) {
        if (type == "D") return on_order(message);
        if (type == "F") return on_cancel(message);
        if (type == "G") return on_replace(message);
        if (type == "H") return on_status_request(message);
        if (type == "V") return on_market_data_request(message);
    }
    Json line = header_line(message);
    line["msg_type"] = type;
    recorder_.write("unsupported", line);
    return false;
}

bool Gateway::on_order(const IncomingMessage& message) {
    if (const int missing = first_missing(message, kOrderTags)) return refuse_missing(message, missing);
    const std::vector<Execution> executions = exchange_.enter(order_ticket(message));
    const Execution& first = executions.front();
    const bool accepted = first.type != ExecType::kRejected;
    if (recorder_.enabled())
        recorder_.write("order", order_line(message, exchange_.order(first.order), accepted, first.text));
    report(executions);
    publish();
    if (accepted) clients_.order_accepted();
    return true;
}

bool Gateway::on_cancel(const IncomingMessage& message) {
    if (const int missing = first_missing(message, kCancelTags)) return refuse_missing(message, missing);
    const CancelTicket ticket{.owner = message.client,
                              .cl_ord_id = message.text(tag::kClOrdId),
                              .orig_cl_ord_id = message.text(tag::kOrigClOrdId),
                              .symbol = message.text(tag::kSymbol),
                              .side = message.text(tag::kSide)};
    answer(message, ticket, exchange_.cancel(ticket));
    return true;
}

bool Gateway::on_replace(const IncomingMessage& message) {
    if (const int missing = first_missing(message, kReplaceTags)) return refuse_missing(message, missing);
    const OrderTicket terms = order_ticket(message);
    const std::string order = message.text(tag::kOrigClOrdId);
    answer(message, {terms.owner, terms.cl_ord_id, order, terms.symbol}, exchange_.replace({terms, order}));
    return true;
}

void Gateway::answer(const IncomingMessage& message, const CancelTicket& ticket,
                     const CancelOutcome& outcome) {
    const bool replaces = message.text(tag::kMsgType) == "G";
    Json line = header_line(message);
    line["cl_ord_id"] = ticket.cl_ord_id;
    line["orig_cl_ord_id"] = ticket.orig_cl_ord_id;
    line["symbol"] = ticket.symbol;
    if (replaces) {
        line["qty"] = message.text(tag::kOrderQty);
        line["price"] = message.text(tag::kPrice);
    }
    line["status"] = outcome.reject ? "rejected" : "accepted";
    line["text"] = outcome.reject ? outcome.reject->text : "";
    recorder_.write(replaces ? "replace" : "cancel", line);
    if (outcome.reject)
        host_->post(message.client,
                    cancel_reject(ticket, *outcome.reject, replaces ? kToReplace : kToCancel));
    report(outcome.executions);
    publish();
}

bool Gateway::on_status_request(const IncomingMessage& message) {
    if (const int missing = first_missing(message, kStatusTags)) return refuse_missing(message, missing);
    const Order* order = exchange_.find_order(message.client, message.text(tag::kClOrdId));
    Json line = header_line(message);
    line["cl_ord_id"] = message.text(tag::kClOrdId);
    line["known"] = order != nullptr;
    recorder_.write("order_status", line);
    host_->post(message.client, status_report(message, order));
    return true;
}

void Gateway::report(const std::vector<Execution>& executions) {
    for (const Execution& execution : executions) {
        const Order& order = exchange_.order(execution.order);
        if (!order.house) {
            const auto record = [&](int msg_seq_num) {
                if (recorder_.enabled())
                    recorder_.write("execution", execution_line(order, execution, msg_seq_num));
            };
            host_->post(order.ticket.owner, execution_report(order, execution), Urgency::kReport, record);
        }
        if (recorder_.enabled() && execution.type == ExecType::kTrade &&
            execution.order > execution.counterparty) {
            recorder_.write("trade", trade_line(exchange_, execution));
        }
    }
}

bool Gateway::refuse_missing(const IncomingMessage& message, int missing) {
    constexpr const char* kConditionallyRequired = "5";  // BusinessRejectReason(380)
    host_->post(message.client,
                {"j",
                 {{tag::kRefSeqNum, message.text(tag::kMsgSeqNum)},
                  {tag::kText, "Conditionally Required Field Missing (" + std::to_string(missing) + ")"},
                  {tag::kRefMsgType, message.text(tag::kMsgType)},
                  {tag::kBusinessRejectReason, kConditionallyRequired}},
                 {}});
    return true;
}

void Gateway::on_session_message(Direction direction, const IncomingMessage& message) {
    if (!recorder_.enabled()) return;
    const std::string type = message.text(tag::kMsgType);
    Json line = header_line(message);
    line["direction"] = direction == Direction::kIn ? "in" : "out";
    line["msg_type"] = type;
    if (type == "2") {
        line["begin"] = message.text(tag::kBeginSeqNo);
        line["end"] = message.text(tag::kEndSeqNo);
    }
    if (const std::string* id = message.find(tag::kTestReqId)) line["test_req_id"] = *id;
    if (const std::string* text = message.find(tag::kText)) line["text"] = *text;
    recorder_.write(type == "2" ? "resend_request" : "session_message", line);
}

void Gateway::on_possible_duplicate(const IncomingMessage& message) {
    if (!recorder_.enabled()) return;
    Json line = header_line(message);
    line["msg_type"] = message.text(tag::kMsgType);
    line["orig_sending_time"] = message.text(tag::kOrigSendingTime);
    line["cl_ord_id"] = message.text(tag::kClOrdId);
    Json fields = Json::array();
    for (const Field& field : message.fields) fields.push_back(std::to_string(field.tag) + "=" + field.text);
    line["fields"] = fields;
    recorder_.write("resend", line);
}

void Gateway::on_notice(const std::string& client, const std::string& text) {
    recorder_.write("notice", {{"client", client}, {"text", text}});
}

}  // namespace fixaccel::exchange
