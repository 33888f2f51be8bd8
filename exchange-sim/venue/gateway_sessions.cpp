// SPDX-License-Identifier: Apache-2.0
// What sessions' threads say to the gateway.
#include <algorithm>
#include <chrono>
#include <utility>

#include "venue/gateway.hpp"

namespace fixaccel::exchange {

void Gateway::on_logon(const std::string& client) {
    queue_.push(LoggedOn{client});
    if (!observed_) return;
    for (const auto& observer : *observers()) observer->on_session(client, true);
}

void Gateway::on_logout(const std::string& client, SequenceNumbers numbers) {
    queue_.push(LoggedOut{client, numbers});
    if (!observed_) return;
    for (const auto& observer : *observers()) observer->on_session(client, false);
}

void Gateway::on_drained(const std::string& client) { queue_.push(Drained{client}); }

void Gateway::take_session(const LoggedOn& change) {
    recorder_.write("logon", {{"client", change.client}});
    clients_.logged_on(change.client);
}

void Gateway::take_session(const LoggedOut& change) {
    recorder_.write("logout", {{"client", change.client}});
    recorder_.write("session", {{"client", change.client},
                                {"next_sender_msg_seq_num", change.numbers.next_sender},
                                {"next_target_msg_seq_num", change.numbers.next_target}});
    feed_.drop(change.client);
    clients_.logged_out(change.client);
    if (options_.cancel_on_disconnect.contains(change.client))
        report(exchange_.mass_cancel(change.client, kAllInstruments, std::nullopt,
                                     "the session of its client ended"));
}

bool Gateway::on_application(IncomingMessage message) {
    const std::string type = message.text(tag::kMsgType);
    const bool known = type.size() == 1 ? std::string("DFGHqV").find(type) != std::string::npos : type == "AF";
    // Each kind on its own session, where there are two; copies come on one that says nothing.
    const bool market = !options_.market_client.empty();
    const bool here = !market || (message.client == options_.market_client) == (type == "V");
    if (known && here && (type == "V" || !options_.drop_copy.contains(message.client))) {
        queue_.push(std::move(message));
        return true;
    }
    if (recorder_.enabled()) {
        Json line = header_line(message);
        line["msg_type"] = type;
        recorder_.write("unsupported", std::move(line));
    }
    return false;
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
    recorder_.write(type == "2" ? "resend_request" : "session_message", std::move(line));
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
    recorder_.write("resend", std::move(line));
}

void Gateway::on_notice(const std::string& client, const std::string& text) {
    recorder_.write("notice", {{"client", client}, {"text", text}});
}

void Gateway::on_wire(Direction direction, const std::string& client, const std::string& bytes) {
    if (!observed_) return;
    const auto time_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                             std::chrono::system_clock::now().time_since_epoch())
                             .count();
    for (const auto& observer : *observers()) observer->on_wire(direction, client, bytes, time_ns);
}

}  // namespace fixaccel::exchange
