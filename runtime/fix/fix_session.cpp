// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/fix_session.hpp"

#include <quickfix/Application.h>
#include <quickfix/FixFields.h>
#include <quickfix/Group.h>
#include <quickfix/Initiator.h>
#include <quickfix/Log.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>

#include <algorithm>
#include <cstdlib>
#include <list>
#include <memory>
#include <utility>

#include "engine_clock.hpp"
#include "fix_settings.hpp"
#include "flat_message.hpp"
#include "held_resends.hpp"
#include "order_writer.hpp"
#include "store_adapter.hpp"

namespace fixaccel {
namespace {

// Events only: the messages themselves are in the journal.
class EventLog : public FIX::Log {
  public:
    explicit EventLog(FixTransport& transport) : transport_(transport) {}
    void clear() override {}
    void backup() override {}
    void onIncoming(const std::string& /*message*/) override {}
    void onOutgoing(const std::string& /*message*/) override {}
    void onEvent(const std::string& text) override { transport_.on_event(text); }

  private:
    FixTransport& transport_;
};

// Keeps the logs: an initiator that refuses its settings gives none of them back.
class EventLogFactory : public FIX::LogFactory {
  public:
    explicit EventLogFactory(FixTransport& transport) : transport_(transport) {}
    FIX::Log* create() override {
        logs_.push_back(std::make_unique<EventLog>(transport_));
        return logs_.back().get();
    }
    FIX::Log* create(const FIX::SessionID& /*session*/) override { return create(); }
    void destroy(FIX::Log* log) override {
        logs_.remove_if([log](const std::unique_ptr<EventLog>& each) { return each.get() == log; });
    }

  private:
    FixTransport& transport_;
    std::list<std::unique_ptr<EventLog>> logs_;
};

// Values of all fields `tag` in the body, which are taken out of it.
std::vector<std::string> take_all(FIX::Message& message, int tag) {
    std::vector<std::string> values;
    while (message.isSetField(tag)) {
        values.push_back(message.getField(tag));
        message.removeField(tag);
    }
    return values;
}

void add_group(FIX::Message& message, int count_tag, int tag, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
        FIX::Group entry(count_tag, tag);
        entry.setField(tag, value);
        message.addGroup(entry);
    }
}

// Without a dictionary a message read back from the store has lost its groups: their fields stand side by
// side. Only our own subscription has any, each of one tag.
void restore_groups(FIX::Message& message) {
    if (message.getHeader().getField(FIX::FIELD::MsgType) != FIX::MsgType_MarketDataRequest) return;
    const std::vector<std::string> types = take_all(message, FIX::FIELD::MDEntryType);
    const std::vector<std::string> symbols = take_all(message, FIX::FIELD::Symbol);
    take_all(message, FIX::FIELD::NoMDEntryTypes);
    take_all(message, FIX::FIELD::NoRelatedSym);
    add_group(message, FIX::FIELD::NoMDEntryTypes, FIX::FIELD::MDEntryType, types);
    add_group(message, FIX::FIELD::NoRelatedSym, FIX::FIELD::Symbol, symbols);
}

class Callbacks : public FIX::Application {
  public:
    Callbacks(FixStore& store, FixTransport& transport, ResendPolicy policy)
        : store_(store), transport_(transport), policy_(policy) {}

    void onCreate(const FIX::SessionID& /*session*/) override {}
    void onLogon(const FIX::SessionID& /*session*/) override {
        forget_waiting();
        transport_.on_logon();
    }
    void onLogout(const FIX::SessionID& /*session*/) override { transport_.on_logout(); }

    void toAdmin(FIX::Message& message, const FIX::SessionID& session) override {
        // An IOException is what sendRaw() catches: nothing is stored and no number is used up.
        if (!transport_.before_send(type_of(message)))
            throw FIX::IOException("the egress lease was not granted");
        if (type_of(message) == FIX::MsgType_SequenceReset && is_resend(message)) held_.shorten(message);
        if (type_of(message) == FIX::MsgType_Logon && store_.begins_anew())
            message.setField(FIX::ResetSeqNumFlag(true));
        renumber(message, session);
    }

    void toApp(FIX::Message& message, const FIX::SessionID& session) throw(FIX::DoNotSend) override {
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

    void fromAdmin(const FIX::Message& message,
                   const FIX::SessionID& /*session*/) throw(FIX::FieldNotFound, FIX::IncorrectDataFormat,
                                                            FIX::IncorrectTagValue,
                                                            FIX::RejectLogon) override {
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

    void fromApp(const FIX::Message& message,
                 const FIX::SessionID& /*session*/) throw(FIX::FieldNotFound, FIX::IncorrectDataFormat,
                                                          FIX::IncorrectTagValue,
                                                          FIX::UnsupportedMessageType) override {
        const std::string type = type_of(message);
        const bool market_data = type == FIX::MsgType_MarketDataSnapshotFullRefresh ||
                                 type == FIX::MsgType_MarketDataIncrementalRefresh;
        transport_.on_message(type, market_data ? std::string() : message.toString());
    }

    // The rest of what was asked for again, if it may leave by now.
    bool take_waiting(const FIX::SessionID& id, FIX::Message& request) {
        if (!held_.waiting() || !transport_.may_resend_orders()) return false;
        request = held_.take_request(id);
        return resumes_ = true;
    }
    void forget_waiting() {
        held_.forget();
        resumes_ = false;
    }

  private:
    static bool is_order(const std::string& type) {
        return type == FIX::MsgType_NewOrderSingle || type == FIX::MsgType_OrderCancelRequest ||
               type == FIX::MsgType_OrderCancelReplaceRequest;
    }

    // Which messages of the past are sent again; the others are gap-filled. Orders by policy; a subscription
    // always, for without it the venue would stay silent.
    bool worth_resending(const std::string& type) const {
        return type == FIX::MsgType_MarketDataRequest || (policy_ == ResendPolicy::resend && is_order(type));
    }

    // Asked again for each order: it may change with any. And while the engine sends again what there is, it
    // hears nothing and answers no TestRequest: what takes long goes on at the next tick.
    bool has_to_wait(const FIX::Message& message) {
        const bool adds = is_order(type_of(message)) && type_of(message) != FIX::MsgType_OrderCancelRequest;
        const bool may_leave = !adds || transport_.may_resend_orders();
        const bool in_time = !held_.begun() || !EngineCall::is_long();
        if (!held_.hold(message, may_leave && in_time)) return false;
        if (!may_leave)
            transport_.on_event("message " + std::to_string(held_.held_from()) +
                                " was asked for again and waits: no order may leave");
        return true;
    }

    static std::string type_of(const FIX::Message& message) {
        return message.getHeader().getField(FIX::FIELD::MsgType);
    }

    static bool is_resend(const FIX::Message& message) {
        FIX::PossDupFlag flag;
        return message.getHeader().getFieldIfSet(flag) && flag.getValue();
    }

    // The engine numbered the message before the lease was taken; fires drained since then have used numbers
    // up. Gap fills and resends carry PossDupFlag and keep the old number.
    void renumber(FIX::Message& message, const FIX::SessionID& id) {
        if (is_resend(message)) return;
        const FIX::Session* session = FIX::Session::lookupSession(id);
        const int precision =
            session != nullptr ? const_cast<FIX::Session*>(session)->getTimestampPrecision() : 3;
        message.getHeader().setField(FIX::MsgSeqNum(store_.next_sender()));
        const FIX::UtcTimeStamp now;
        message.getHeader().setField(FIX::SendingTime(now, precision));
        if (is_order(type_of(message))) message.setField(FIX::TransactTime(now, precision));
    }

    FixStore& store_;
    FixTransport& transport_;
    ResendPolicy policy_;
    HeldResends held_;
    bool resumes_ = false;  // the next request is what take_waiting() has made
};

// Sockets, threads and reconnecting are the daemon's: of QuickFIX's initiator only the making of the session
// is used.
class PassiveInitiator : public FIX::Initiator {
  public:
    using FIX::Initiator::Initiator;

  private:
    void onStart() override {}
    bool onPoll(double /*timeout*/) override { return false; }
    void onStop() override {}
    void doConnect(const FIX::SessionID& /*session*/, const FIX::Dictionary& /*settings*/) override {}
};

// As FIX::UtcTimeStamp() has it, by a division: that asks the C library for the date.
FIX::UtcTimeStamp engine_now() {
    constexpr std::int64_t kUsPerDay = FIX::DateTime::NANOS_PER_DAY / 1000;
    const std::int64_t us = engine_us();
    FIX::UtcTimeStamp now(0, 0, 0, 1, 1, 1970);
    now.m_date += static_cast<int>(us / kUsPerDay);
    now.m_time = us % kUsPerDay * 1000;
    return now;
}

class Wire : public FIX::Responder {
  public:
    explicit Wire(FixTransport& transport) : transport_(transport) {}
    bool send(const std::string& message) override { return transport_.write(message); }
    void disconnect() override { transport_.disconnect(); }

  private:
    FixTransport& transport_;
};

}  // namespace

struct FixSession::Impl {
    Impl(const FixFile& file, ResendPolicy policy, FixStore& store, FixTransport& transport_in)
        : transport(transport_in),
          all_settings(load_settings(file)),
          settings(read_settings(all_settings)),
          id(only_session(all_settings)),
          callbacks(store, transport_in, policy),
          stores(store, transport_in, present),
          logs(transport_in),
          wire(transport_in),
          initiator(callbacks, stores, all_settings, logs),
          session(initiator.getSession(id)),
          writer(id) {
        if (session == nullptr) throw FixConfigError(file.path + ": ConnectionType must be initiator");
    }

    // Runs `action` as one outer call: whatever it throws, the transport learns that it has ended.
    template <typename Action>
    void outer_call(Action action) {
        struct Guard {
            FixTransport& transport;
            ~Guard() { transport.after_outer_call(); }
        } const guard{transport};
        const EngineCall call;
        try {
            action();
        } catch (const std::exception& error) {
            transport.on_event(std::string("error: ") + error.what());
        }
    }

    void take_responder() {
        for (;;) {
            try {
                present.is_the_engines();
                return session->setResponder(&wire);
            } catch (const MidnightPassed&) {  // then it is the next day from now on
            }
        }
    }

    void next() {
        const FIX::UtcTimeStamp now;
        present.is(now);
        session->next(now);
    }

    template <typename Message>
    void next(const Message& message) {
        const FIX::UtcTimeStamp now;
        present.is(now);
        session->next(message, now);
    }

    bool ask_for_market_data(const MarketDataRequest& request, char type) {
        bool sent = false;
        outer_call([&] {
            FIX::Message message;
            message.getHeader().setField(FIX::MsgType(FIX::MsgType_MarketDataRequest));
            message.setField(FIX::MDReqID(request.id));
            message.setField(FIX::SubscriptionRequestType(type));
            message.setField(FIX::MarketDepth(request.full_book ? 0 : 1));
            message.setField(FIX::MDUpdateType(request.increments ? FIX::MDUpdateType_INCREMENTAL_REFRESH
                                                                  : FIX::MDUpdateType_FULL_REFRESH));
            add_group(message, FIX::FIELD::NoMDEntryTypes, FIX::FIELD::MDEntryType,
                      {"0", "1", "2"});  // bid, offer, trade
            add_group(message, FIX::FIELD::NoRelatedSym, FIX::FIELD::Symbol, request.symbols);
            sent = session->send(message);
        });
        return sent;
    }

    bool send(const char* type, const FixFields& body) {
        bool sent = false;
        outer_call([&] {
            FIX::Message message;
            message.getHeader().setField(FIX::MsgType(type));
            for (const auto& field : body) message.setField(field.first, field.second);
            sent = session->send(message);
        });
        return sent;
    }

    // Of the session: its log is that, too.
    FIX::SessionState& state() { return static_cast<FIX::SessionState&>(*session->getLog()); }

    // As Session::send() with a message of these fields, in its order: the time of the last message, the
    // lease and the number that is due behind it, the store, the wire.
    void send(const OrderText& order) {
        static const std::string kType = FIX::MsgType_NewOrderSingle;
        outer_call([&] {
            FIX::SessionState& engine = state();
            engine.lastSentTime(engine_now());
            if (!session->isLoggedOn() || !transport.before_send(kType)) return;
            const int seq_num = engine.getNextSenderMsgSeqNum();
            const std::string& text =
                writer.write(order, seq_num, engine_now(), session->getTimestampPrecision());
            engine.set(seq_num, text);
            engine.incrNextSenderMsgSeqNum();
            wire.send(text);
        });
    }

    // The engine may keep what comes ahead of its turn.
    void saw(int number) {
        if (number > state().getNextTargetMsgSeqNum()) ahead = std::max(ahead, number);
    }

    // What the engine does with a message of market data that is as each is and comes in its turn, without a
    // message of its own for it; its timers are for look_at_timers(). False: it is another, and the
    // engine has to see it.
    bool take_usual(const std::string& message, const MarketHeader& header) {
        FIX::SessionState& engine = state();
        const FIX::UtcTimeStamp now = engine_now();
        // What it keeps it goes on with behind this one.
        const bool in_turn = header.number > ahead && header.number == engine.getNextTargetMsgSeqNum();
        if (!in_turn || !session->isLoggedOn() || engine.sentLogout() || engine.sentReset() ||
            engine.receivedReset() || engine.resendRequested() || !is_from_peer(message, header))
            return false;
        sending_time.assign(message, header.sending_time.at, header.sending_time.size);
        if (!is_in_time(now)) return false;
        engine.lastReceivedTime(now);
        engine.testRequest(0);
        received_type.assign(1, header.type);
        transport.on_message(received_type, no_text);
        engine.incrNextTargetMsgSeqNum();
        return timers_due = true;
    }

    bool is_from_peer(const std::string& message, const MarketHeader& header) const {
        const auto is = [&message](const MessagePart& part, const std::string& text) {
            return message.compare(part.at, part.size, text) == 0;
        };
        if (!is(header.begin_string, id.getBeginString().getValue())) return false;
        return !session->getCheckCompId() || (is(header.sender, id.getTargetCompID().getValue()) &&
                                              is(header.target, id.getSenderCompID().getValue()));
    }

    bool is_in_time(const FIX::UtcTimeStamp& now) const {
        try {
            const FIX::UtcTimeStamp sent = FIX::UtcTimeStampConvertor::convert(sending_time);
            return !session->getCheckLatency() || labs(now - sent) <= session->getMaxLatency();
        } catch (const FIX::FieldConvertError&) {
            return false;
        }
    }

    // A message that the engine has to see: `plain` is a header alone.
    void show(const std::string& text, bool plain) {
        saw(highest_number(text));
        next(plain ? text : without_repeats(text));
    }

    FixTransport& transport;
    FIX::SessionSettings all_settings;
    FixSettings settings;
    FIX::SessionID id;
    Present present;
    Callbacks callbacks;
    StoreAdapterFactory stores;
    EventLogFactory logs;
    Wire wire;
    PassiveInitiator initiator;
    FIX::Session* session;
    OrderWriter writer;
    std::string received_type, sending_time;  // of market data; kept for their room
    bool timers_due = false;
    int ahead = 0;  // highest MsgSeqNum that came ahead of its turn on this connection
    const std::string no_text;
};

FixSession::FixSession(const FixFile& file, ResendPolicy policy, FixStore& store, FixTransport& transport) {
    if (!engine_goes_by_our_clock())
        throw FixConfigError(
            "this build of QuickFIX does not ask gettimeofday() for the time: a step of the system's "
            "clock would end the session");
    const auto made = [&] {
        try {
            impl_ = std::make_unique<Impl>(file, policy, store, transport);
            return true;
        } catch (const MidnightPassed&) {
            return false;
        }
    };
    try {
        while (!made()) {
        }
    } catch (const FIX::Exception& error) {
        throw FixConfigError(file.path + ": " + error.what());
    }
}

FixSession::~FixSession() = default;

const FixSettings& FixSession::settings() const { return impl_->settings; }

void FixSession::connected() {
    impl_->ahead = 0;
    impl_->outer_call([this] {
        impl_->take_responder();
        impl_->session->logon();
    });
}

void FixSession::disconnected() {
    impl_->outer_call([this] {
        impl_->session->disconnect();
        impl_->callbacks.forget_waiting();
    });
}

void FixSession::receive(const std::string& message) { receive(message, market_header(message)); }

void FixSession::receive(const std::string& message, const MarketHeader& header) {
    if (header.usual)
        return impl_->outer_call([&] {
            if (!impl_->take_usual(message, header)) impl_->show(header_alone(message, header), true);
        });
    const std::string alone = header.plain ? header_alone(message, header) : std::string();
    const std::string& text = header.plain ? alone : message;
    // Like one whose CheckSum is wrong it is ignored; what it took with it the engine asks for again.
    if (!numbers_fit(text))
        return impl_->transport.on_event("a message is ignored: nobody counts as far as its sequence number");
    impl_->outer_call([&] { impl_->show(text, header.plain); });
}

void FixSession::look_at_timers() {
    if (!std::exchange(impl_->timers_due, false) || !logged_on()) return;
    impl_->outer_call([this] { impl_->next(); });
}

void FixSession::tick() {
    impl_->outer_call([this] { impl_->next(); });
    FIX::Message request;
    if (logged_on() && impl_->callbacks.take_waiting(impl_->id, request))
        impl_->outer_call([&] { impl_->next(request); });
}

void FixSession::logout(const std::string& reason) {
    impl_->outer_call([&] {
        impl_->session->logout(reason);
        impl_->next();
    });
}

bool FixSession::logged_on() const { return impl_->session->isLoggedOn(); }

bool FixSession::request_market_data(const MarketDataRequest& request) {
    return impl_->ask_for_market_data(request, request.updates
                                                   ? FIX::SubscriptionRequestType_SNAPSHOT_PLUS_UPDATES
                                                   : FIX::SubscriptionRequestType_SNAPSHOT);
}

bool FixSession::end_market_data(const MarketDataRequest& request) {
    return impl_->ask_for_market_data(
        request, FIX::SubscriptionRequestType_DISABLE_PREVIOUS_SNAPSHOT_PLUS_UPDATE_REQUEST);
}

void FixSession::send_order(const FixFields& body, const char* type) { impl_->send(type, body); }

void FixSession::send_order(const OrderText& order) { impl_->send(order); }

bool FixSession::ask_order_status(const FixFields& body) {
    return impl_->send(FIX::MsgType_OrderStatusRequest, body);
}

}  // namespace fixaccel
