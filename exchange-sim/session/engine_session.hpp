// SPDX-License-Identifier: Apache-2.0
// One FIX session: QuickFIX's state machine with our store and our sending, without threads or sockets.
// C++14, includes QuickFIX.
#pragma once

#include <quickfix/Application.h>
#include <quickfix/DataDictionaryProvider.h>
#include <quickfix/Log.h>
#include <quickfix/Responder.h>
#include <quickfix/Session.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "session/encoder.hpp"
#include "session/session_host.hpp"
#include "session/session_store.hpp"

namespace fixaccel {
namespace exchange {

// Where a session's bytes go; the session calls it while it is called itself.
class Line {
  public:
    virtual ~Line() = default;
    // One whole message. May wait for the client to read; false: the connection is over.
    virtual bool write(const std::string& bytes) = 0;
    // The connection ends once what was written is out.
    virtual void close() = 0;
    virtual void logged_on(bool on) = 0;
};

// Of one thread, but for next_sender() and next_target().
class EngineSession : private FIX::Responder, private FIX::NullApplication {
  public:
    // Throws SessionHostError.
    EngineSession(const SessionConfig& config, const std::string& comp_id, const std::string& client,
                  const FIX::DataDictionaryProvider& dictionaries, SessionEvents& events, Line& line);
    ~EngineSession() override;
    EngineSession(const EngineSession&) = delete;
    EngineSession& operator=(const EngineSession&) = delete;

    // A connection is there; its first message is the Logon.
    void connect();
    // One whole message of the client, right or wrong.
    void receive(const std::string& raw);
    // What is due by the clock: once a second.
    void tick();
    // Gives the message its MsgSeqNum, keeps it for resends, and sends it if the client is there. The
    // MsgSeqNum, or 0 if the engine did not take it.
    int send(const OutgoingMessage& message);
    void logout(const std::string& text);
    // The connection is gone, or is to be closed without Logout.
    void drop();
    // See SessionHost.
    void taken(const ReceivedAs& request) { store_->taken(request); }
    ReceivedAs expected() const { return store_->expected(); }
    void resume(const ReceivedAs& last) { store_->resume(last); }
    // The next MsgSeqNum is `count` higher.
    void jump(int count) { store_->setNextSenderMsgSeqNum(next_sender() + count); }

    bool logged_on() { return session_->isLoggedOn(); }
    int next_sender() const { return store_->getNextSenderMsgSeqNum(); }
    int next_target() const { return store_->getNextTargetMsgSeqNum(); }
    std::uint64_t resends() const { return resends_.load(std::memory_order_relaxed); }

  private:
    // What the engine makes and ends by factories.
    struct Logs : FIX::LogFactory {
        explicit Logs(EngineSession& owner) : owner_(owner) {}
        FIX::Log* create() override;
        FIX::Log* create(const FIX::SessionID&) override { return create(); }
        void destroy(FIX::Log* log) override { delete log; }
        EngineSession& owner_;
    };
    struct Stores : FIX::MessageStoreFactory {
        explicit Stores(EngineSession& owner) : owner_(owner) {}
        FIX::MessageStore* create(const FIX::SessionID&) override { return owner_.store_.get(); }
        void destroy(FIX::MessageStore*) override {}
        EngineSession& owner_;
    };
    class EventLog;

    // FIX::Responder
    bool send(const std::string& bytes) override;
    void disconnect() override { line_.close(); }
    // FIX::Application
    void onLogon(const FIX::SessionID&) override;
    void onLogout(const FIX::SessionID&) override;
    void toAdmin(FIX::Message& message, const FIX::SessionID&) override;
    void fromAdmin(const FIX::Message& message,
                   const FIX::SessionID&) throw(FIX::FieldNotFound, FIX::IncorrectDataFormat,
                                                FIX::IncorrectTagValue, FIX::RejectLogon) override;
    void fromApp(const FIX::Message& message,
                 const FIX::SessionID&) throw(FIX::FieldNotFound, FIX::IncorrectDataFormat,
                                              FIX::IncorrectTagValue, FIX::UnsupportedMessageType) override;
    void refuse_logon(const std::string& text);
    // The engine keeps whatever comes behind a hole in the client's numbers until it is filled.
    bool too_much_behind_gap(const std::string& raw);
    IncomingMessage fields_of(const FIX::Message& message) const;
    void resend();

    const SessionConfig& config_;
    const std::string client_;
    SessionEvents& events_;
    Line& line_;
    std::unique_ptr<SessionStore> store_;
    Logs logs_{*this};
    Stores stores_{*this};
    Encoder encoder_;
    const FIX::DataDictionaryProvider& dictionaries_;
    std::unique_ptr<FIX::Session> session_;
    const std::string* receiving_ = nullptr;
    int gap_ = 0;                 // the number that is missing
    std::size_t behind_gap_ = 0;  // messages that have come since it is
    struct {
        int begin = 0;  // 0: nothing is asked for
        int end = 0;
    } asked_;
    std::atomic<std::uint64_t> resends_{0};
};

}  // namespace exchange
}  // namespace fixaccel
