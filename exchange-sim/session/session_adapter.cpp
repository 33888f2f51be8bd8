// SPDX-License-Identifier: Apache-2.0
#include "session/session_adapter.hpp"

#include <quickfix/Session.h>

#include <utility>

#include "session/raw_message.hpp"

namespace fixaccel {
namespace exchange {
namespace {

std::string client_of(const FIX::SessionID& session) { return session.getTargetCompID().getValue(); }

void append(const FIX::FieldMap& map, Fields& fields) {
    for (const FIX::FieldBase& field : map) fields.push_back({field.getTag(), field.getString()});
    for (auto group = map.g_begin(); group != map.g_end(); ++group) {
        for (const FIX::FieldMap* entry : group->second) append(*entry, fields);
    }
}

IncomingMessage to_message(const FIX::Message& message, const FIX::SessionID& session) {
    IncomingMessage result;
    result.client = client_of(session);
    append(message.getHeader(), result.fields);
    append(message, result.fields);
    return result;
}

class SessionLog : public FIX::Log {
  public:
    SessionLog(std::string client, SessionEvents& events) : client_(std::move(client)), events_(events) {}
    void clear() override {}
    void backup() override {}
    void onOutgoing(const std::string&) override {}
    void onEvent(const std::string& text) override { events_.on_notice(client_, text); }
    // The engine drops a duplicate that it already has before any application callback: this is the one place
    // that sees what a resend request really brought.
    void onIncoming(const std::string& raw) override {
        static const std::string flag = std::string(1, kSoh) + "43=Y" + kSoh;
        if (raw.find(flag) != std::string::npos) events_.on_possible_duplicate(split_message(raw, client_));
    }

  private:
    const std::string client_;
    SessionEvents& events_;
};

}  // namespace

void SessionAdapter::wait_until_all_out(std::chrono::seconds patience) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait_for(lock, patience, [this] { return logged_on_.empty(); });
}

void SessionAdapter::onLogon(const FIX::SessionID& session) {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        logged_on_.insert(client_of(session));
    }
    events_.on_logon(client_of(session));
}

void SessionAdapter::onLogout(const FIX::SessionID& session) {
    SequenceNumbers numbers;
    if (FIX::Session* found = FIX::Session::lookupSession(session)) {
        numbers.next_sender = found->getExpectedSenderNum();
        numbers.next_target = found->getExpectedTargetNum();
    }
    events_.on_logout(client_of(session), numbers);
    std::lock_guard<std::mutex> lock(mutex_);
    logged_on_.erase(client_of(session));
    changed_.notify_all();
}

void SessionAdapter::toAdmin(FIX::Message& message, const FIX::SessionID& session) {
    events_.on_session_message(Direction::kOut, to_message(message, session));
}

void SessionAdapter::toApp(FIX::Message& message, const FIX::SessionID&) throw(FIX::DoNotSend) {
    // Old market data must not look like news, and the engine would lose the order of its entries: on a
    // resend request the venue fills the gap instead.
    const std::string type = message.getHeader().getField(tag::kMsgType);
    if ((type == "W" || type == "X") && message.getHeader().isSetField(tag::kPossDupFlag))
        throw FIX::DoNotSend();
}

void SessionAdapter::fromAdmin(const FIX::Message& message, const FIX::SessionID& session) throw(
    FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::RejectLogon) {
    const IncomingMessage incoming = to_message(message, session);
    events_.on_session_message(Direction::kIn, incoming);
    if (heartbeat_seconds_ == 0 || incoming.text(tag::kMsgType) != "A") return;
    if (FIX::IntConvertor::convert(message.getField(tag::kHeartBtInt)) != heartbeat_seconds_) {
        throw FIX::RejectLogon("HeartBtInt(108) must be " + std::to_string(heartbeat_seconds_));
    }
}

void SessionAdapter::fromApp(const FIX::Message& message, const FIX::SessionID& session) throw(
    FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::UnsupportedMessageType) {
    if (!events_.on_application(to_message(message, session))) throw FIX::UnsupportedMessageType();
}

FIX::Log* SessionAdapter::create() { return new SessionLog("", events_); }

FIX::Log* SessionAdapter::create(const FIX::SessionID& session) {
    return new SessionLog(client_of(session), events_);
}

void SessionAdapter::destroy(FIX::Log* log) { delete log; }

}  // namespace exchange
}  // namespace fixaccel
