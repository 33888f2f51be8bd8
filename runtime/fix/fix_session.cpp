// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/fix_session.hpp"

#include <quickfix/FixFields.h>
#include <quickfix/Initiator.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "callbacks.hpp"
#include "engine_clock.hpp"
#include "event_log.hpp"
#include "fix_settings.hpp"
#include "flat_message.hpp"
#include "order_writer.hpp"
#include "store_adapter.hpp"
#include "subscription.hpp"

namespace fixaccel {
namespace {

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
            FIX::Message message = subscription(request, type);
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
