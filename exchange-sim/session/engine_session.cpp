// SPDX-License-Identifier: Apache-2.0
#include "session/engine_session.hpp"

#include <cstdlib>
#include <utility>

#include "session/logon_check.hpp"
#include "session/raw_message.hpp"

namespace fixaccel {
namespace exchange {
namespace {

const std::string kPossDup = std::string(1, kSoh) + "43=Y" + kSoh;
constexpr int kDecimal = 10;
const char* const kLogon = "A";
const char* const kLogout = "5";
const char* const kResendRequest = "2";

// Sessions go on for days: see SessionStore::call_begins().
FIX::TimeRange whole_day() {
    const FIX::UtcTimeOnly midnight(0, 0, 0);
    return FIX::TimeRange(midnight, midnight);
}

}  // namespace

class EngineSession::EventLog : public FIX::NullLog {
  public:
    EventLog(const std::string& client, SessionEvents& events) : client_(client), events_(events) {}
    void onEvent(const std::string& text) override { events_.on_notice(client_, text); }

  private:
    const std::string& client_;
    SessionEvents& events_;
};

FIX::Log* EngineSession::Logs::create() { return new EventLog(owner_.client_, owner_.events_); }

EngineSession::EngineSession(const SessionConfig& config, const std::string& comp_id,
                             const std::string& client, const FIX::DataDictionaryProvider& dictionaries,
                             SessionEvents& events, Line& line)
    : config_(config),
      client_(client),
      events_(events),
      line_(line),
      store_(new SessionStore(config.store_path, config.begin_string + "-" + comp_id + "-" + client,
                              config.confirmed)),
      encoder_(config.begin_string, comp_id, client),
      dictionaries_(dictionaries) {
    store_->on_request([this](int begin, int end) {
        asked_.begin = begin;
        asked_.end = end;
    });
    constexpr int kAcceptor = 0;  // no HeartBtInt of its own
    store_->call_begins(FIX::UtcTimeStamp());
    session_ = std::make_unique<FIX::Session>(static_cast<FIX::Application&>(*this), stores_,
                                              FIX::SessionID(config.begin_string, comp_id, client),
                                              dictionaries, whole_day(), kAcceptor, &logs_);
    session_->setCheckCompId(config.check_comp_id);
    session_->setCheckLatency(config.max_latency_seconds > 0);
    if (config.max_latency_seconds > 0) session_->setMaxLatency(config.max_latency_seconds);
    session_->setResetOnLogon(config.reset_on_logon);
    session_->setResetOnLogout(config.reset_on_logout);
    session_->setResetOnDisconnect(config.reset_on_disconnect);
}

EngineSession::~EngineSession() = default;

void EngineSession::connect() {
    store_->call_begins(FIX::UtcTimeStamp());
    session_->setResponder(this);
    session_->logon();  // also after the venue has logged it out
}

void EngineSession::receive(const std::string& raw) {
    events_.on_wire(Direction::kIn, client_, raw);
    // The engine drops a duplicate that it already has before any callback: this is the one place that sees
    // what a resend request really brought.
    if (raw.find(kPossDup) != std::string::npos) events_.on_possible_duplicate(split_message(raw, client_));
    receiving_ = &raw;
    try {
        std::string problem;
        if (field_text(raw, tag::kMsgType) == kLogon)
            problem = logon_problem(config_, dictionaries_, raw, next_target());
        if (too_much_behind_gap(raw)) {
            const std::string text = "too many messages after a gap, expecting " + std::to_string(gap_);
            events_.on_notice(client_, text);
            send({kLogout, {{tag::kText, text}}, {}});
            session_->disconnect();
        } else if (problem.empty()) {
            const FIX::UtcTimeStamp now;
            store_->call_begins(now);
            session_->next(raw, now);
        } else {
            refuse_logon(problem);
        }
    } catch (const FIX::InvalidMessage&) {
        // Garbled: ignored, as FIX has it. The engine has said so to its log.
    } catch (const std::exception& error) {
        // One client's broken message must not take the venue down.
        events_.on_notice(client_, std::string("connection dropped: ") + error.what());
        session_->disconnect();
    }
    receiving_ = nullptr;
    asked_.begin = 0;
}

bool EngineSession::too_much_behind_gap(const std::string& raw) {
    const std::string number = field_text(raw, tag::kMsgSeqNum);
    if (!logged_on() || std::strtoll(number.c_str(), nullptr, kDecimal) <= next_target()) return false;
    if (gap_ != next_target()) behind_gap_ = 0;
    gap_ = next_target();
    return ++behind_gap_ > config_.bounds.behind_gap;
}

void EngineSession::refuse_logon(const std::string& text) {
    const std::string answer = "Rejected Logon Attempt: " + text;
    events_.on_session_message(Direction::kIn, split_message(*receiving_, client_));
    events_.on_notice(client_, answer);
    if (!logged_on()) send({kLogout, {{tag::kText, answer}}, {}});
    session_->disconnect();
}

void EngineSession::tick() {
    const FIX::UtcTimeStamp now;
    store_->call_begins(now);
    session_->next(now);
}

int EngineSession::send(const OutgoingMessage& message) {
    if (is_session_type(message.type)) {
        // While the client is away it would use up a number for nothing; the Logout that refuses a Logon is
        // for one that is just there.
        if (!logged_on() && message.type != kLogout) return 0;
        FIX::Message wire;
        wire.getHeader().setField(tag::kMsgType, message.type);
        for (const Field& field : message.fields) wire.setField(field.tag, field.text);
        if (!session_->send(wire)) return 0;
        return FIX::IntConvertor::convert(wire.getHeader().getField(tag::kMsgSeqNum));
    }
    const int number = next_sender();
    const std::string& bytes = encoder_.message(message, number);
    try {
        store_->set(number, bytes);
    } catch (const FIX::IOException& error) {
        events_.on_notice(client_, std::string("a message cannot be kept for resends: ") + error.what());
    }
    store_->setNextSenderMsgSeqNum(number + 1);
    if (logged_on()) line_.write(bytes);
    return number;
}

void EngineSession::logout(const std::string& text) {
    session_->logout(text);
    tick();
}

void EngineSession::drop() { session_->disconnect(); }

bool EngineSession::send(const std::string& bytes) {
    if (asked_.begin == 0) return line_.write(bytes);
    // The gap fill in place of all that was asked for.
    resend();
    return true;
}

void EngineSession::resend() {
    const int end = asked_.end;
    int gap = asked_.begin;
    asked_.begin = 0;
    const auto fill_to = [&](int next) {
        if (gap >= next) return true;
        const std::string bytes = encoder_.gap_fill(gap, next);
        events_.on_session_message(Direction::kOut, split_message(bytes, client_));
        return line_.write(bytes);
    };
    std::string bytes;
    while (const int found = store_->find(gap, end, bytes)) {
        if (!fill_to(found) || !line_.write(encoder_.resent(bytes))) return;
        ++resends_;
        gap = found + 1;
    }
    fill_to(end + 1);
}

void EngineSession::onLogon(const FIX::SessionID&) {
    line_.logged_on(true);
    events_.on_logon(client_);
}

void EngineSession::onLogout(const FIX::SessionID&) {
    line_.logged_on(false);
    SequenceNumbers numbers;
    numbers.next_sender = next_sender();
    numbers.next_target = next_target();
    events_.on_logout(client_, numbers);
}

void EngineSession::toAdmin(FIX::Message& message, const FIX::SessionID&) {
    if (asked_.begin == 0)
        events_.on_session_message(Direction::kOut, split_message(message.toString(), client_));
}

IncomingMessage EngineSession::fields_of(const FIX::Message& message) const {
    if (receiving_ != nullptr) {
        IncomingMessage whole = split_message(*receiving_, client_);
        if (whole.text(tag::kMsgSeqNum) == message.getHeader().getField(tag::kMsgSeqNum)) return whole;
    }
    // One that the engine had kept until a hole was filled.
    return split_message(message.toString(), client_);
}

void EngineSession::fromAdmin(const FIX::Message& message,
                              const FIX::SessionID&) throw(FIX::FieldNotFound, FIX::IncorrectDataFormat,
                                                           FIX::IncorrectTagValue, FIX::RejectLogon) {
    const IncomingMessage incoming = fields_of(message);
    events_.on_session_message(Direction::kIn, incoming);
    if (incoming.text(tag::kMsgType) != kResendRequest) return;
    const int begin = FIX::IntConvertor::convert(message.getField(tag::kBeginSeqNo));
    const int end = FIX::IntConvertor::convert(message.getField(tag::kEndSeqNo));
    if (begin < 1 || begin > next_sender()) throw FIX::IncorrectTagValue(tag::kBeginSeqNo);
    if (end < 0 || (end != 0 && end < begin)) throw FIX::IncorrectTagValue(tag::kEndSeqNo);
}

void EngineSession::fromApp(const FIX::Message& message,
                            const FIX::SessionID&) throw(FIX::FieldNotFound, FIX::IncorrectDataFormat,
                                                         FIX::IncorrectTagValue,
                                                         FIX::UnsupportedMessageType) {
    bool taken = true;
    try {
        IncomingMessage incoming = fields_of(message);
        incoming.as.generation = store_->generation();
        incoming.as.number = FIX::IntConvertor::convert(message.getHeader().getField(tag::kMsgSeqNum));
        const int number = incoming.as.number;
        taken = events_.on_application(std::move(incoming));
        if (taken) store_->handed_on(number);
    } catch (const std::exception& error) {
        // Anything else than this function says it throws would end the program.
        events_.on_notice(client_, std::string("a message was not processed: ") + error.what());
    }
    if (!taken) throw FIX::UnsupportedMessageType();
}

}  // namespace exchange
}  // namespace fixaccel
