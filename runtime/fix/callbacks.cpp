// SPDX-License-Identifier: Apache-2.0
#include "callbacks.hpp"

#include <quickfix/FixFields.h>
#include <quickfix/Session.h>

#include <utility>

#include "engine_clock.hpp"
#include "subscription.hpp"

namespace fixaccel {
namespace {

std::string type_of(const FIX::Message& message) { return message.getHeader().getField(FIX::FIELD::MsgType); }

bool is_order(const std::string& type) {
    return type == FIX::MsgType_NewOrderSingle || type == FIX::MsgType_OrderCancelRequest ||
           type == FIX::MsgType_OrderCancelReplaceRequest;
}

bool is_resend(const FIX::Message& message) {
    FIX::PossDupFlag flag;
    return message.getHeader().getFieldIfSet(flag) && flag.getValue();
}

}  // namespace

void Callbacks::onLogon(const FIX::SessionID& /*session*/) {
    forget_waiting();
    transport_.on_logon();
}

void Callbacks::toAdmin(FIX::Message& message, const FIX::SessionID& session) {
    // An IOException is what sendRaw() catches: nothing is stored and no number is used up.
    if (!transport_.before_send(type_of(message))) throw FIX::IOException("the egress lease was not granted");
    if (type_of(message) == FIX::MsgType_SequenceReset && is_resend(message)) held_.shorten(message);
    if (type_of(message) == FIX::MsgType_Logon && store_.begins_anew())
        message.setField(FIX::ResetSeqNumFlag(true));
    renumber(message, session);
}

void Callbacks::toApp(FIX::Message& message, const FIX::SessionID& session) throw(FIX::DoNotSend) {
    if (is_resend(message) && held_.holding()) throw FIX::DoNotSend();
    if (is_resend(message) && !worth_resending(type_of(message))) {
        if (is_order(type_of(message))) transport_.on_passed_over(message.getField(FIX::FIELD::ClOrdID));
        throw FIX::DoNotSend();
    }
    if (!transport_.before_send(type_of(message))) throw FIX::DoNotSend();
    if (is_resend(message) && has_to_wait(message)) throw FIX::DoNotSend();
    if (is_resend(message)) restore_groups(message);
    renumber(message, session);
}

void Callbacks::fromAdmin(const FIX::Message& message,
                          const FIX::SessionID& /*session*/) throw(FIX::FieldNotFound,
                                                                   FIX::IncorrectDataFormat,
                                                                   FIX::IncorrectTagValue, FIX::RejectLogon) {
    const std::string type = type_of(message);
    // The engine reads the end of the range right after this call: fires must be in the store by then.
    if (type == FIX::MsgType_ResendRequest) {
        transport_.before_send(type);
        held_.begin(message);
        // The rest of an answer is asked for by nobody but us.
        if (std::exchange(resumes_, false)) return;
    }
    transport_.on_message(type, message.toString());
}

void Callbacks::fromApp(const FIX::Message& message,
                        const FIX::SessionID& /*session*/) throw(FIX::FieldNotFound, FIX::IncorrectDataFormat,
                                                                 FIX::IncorrectTagValue,
                                                                 FIX::UnsupportedMessageType) {
    const std::string type = type_of(message);
    const bool market_data = type == FIX::MsgType_MarketDataSnapshotFullRefresh ||
                             type == FIX::MsgType_MarketDataIncrementalRefresh;
    transport_.on_message(type, market_data ? std::string() : message.toString());
}

bool Callbacks::take_waiting(const FIX::SessionID& id, FIX::Message& request) {
    if (!held_.waiting() || !transport_.may_resend_orders()) return false;
    request = held_.take_request(id);
    return resumes_ = true;
}

void Callbacks::forget_waiting() {
    held_.forget();
    resumes_ = false;
}

// Which messages of the past are sent again; the others are gap-filled. Orders by policy; a subscription
// always, for without it the venue would stay silent.
bool Callbacks::worth_resending(const std::string& type) const {
    return type == FIX::MsgType_MarketDataRequest || (policy_ == ResendPolicy::resend && is_order(type));
}

// Asked again for each order: it may change with any. And while the engine sends again what there is, it
// hears nothing and answers no TestRequest: what takes long goes on at the next tick.
bool Callbacks::has_to_wait(const FIX::Message& message) {
    const bool adds = is_order(type_of(message)) && type_of(message) != FIX::MsgType_OrderCancelRequest;
    const bool may_leave = !adds || transport_.may_resend_orders();
    const bool in_time = !held_.begun() || !EngineCall::is_long();
    if (!held_.hold(message, may_leave && in_time)) return false;
    if (!may_leave)
        transport_.on_event("message " + std::to_string(held_.held_from()) +
                            " was asked for again and waits: no order may leave");
    return true;
}

// The engine numbered the message before the lease was taken; fires drained since then have used numbers
// up. Gap fills and resends carry PossDupFlag and keep the old number.
void Callbacks::renumber(FIX::Message& message, const FIX::SessionID& id) {
    if (is_resend(message)) return;
    const FIX::Session* session = FIX::Session::lookupSession(id);
    const int precision =
        session != nullptr ? const_cast<FIX::Session*>(session)->getTimestampPrecision() : 3;
    message.getHeader().setField(FIX::MsgSeqNum(store_.next_sender()));
    const FIX::UtcTimeStamp now;
    message.getHeader().setField(FIX::SendingTime(now, precision));
    if (is_order(type_of(message))) message.setField(FIX::TransactTime(now, precision));
}

}  // namespace fixaccel
