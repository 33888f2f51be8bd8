// SPDX-License-Identifier: Apache-2.0
// QuickFIX's callbacks, translated to SessionEvents. C++14, includes QuickFIX.
#pragma once

#include <quickfix/Application.h>
#include <quickfix/Log.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>

#include "session/session_host.hpp"

namespace fixaccel {
namespace exchange {

class SessionAdapter : public FIX::Application, public FIX::LogFactory {
  public:
    SessionAdapter(int heartbeat_seconds, SessionEvents& events)
        : heartbeat_seconds_(heartbeat_seconds), events_(events) {}

    void wait_until_all_out(std::chrono::seconds patience);

    void onCreate(const FIX::SessionID&) override {}
    void onLogon(const FIX::SessionID& session) override;
    void onLogout(const FIX::SessionID& session) override;
    void toAdmin(FIX::Message& message, const FIX::SessionID& session) override;
    void toApp(FIX::Message& message, const FIX::SessionID& session) throw(FIX::DoNotSend) override;
    void fromAdmin(const FIX::Message& message,
                   const FIX::SessionID& session) throw(FIX::FieldNotFound, FIX::IncorrectDataFormat,
                                                        FIX::IncorrectTagValue, FIX::RejectLogon) override;
    void fromApp(const FIX::Message& message,
                 const FIX::SessionID& session) throw(FIX::FieldNotFound, FIX::IncorrectDataFormat,
                                                      FIX::IncorrectTagValue,
                                                      FIX::UnsupportedMessageType) override;

    FIX::Log* create() override;
    FIX::Log* create(const FIX::SessionID& session) override;
    void destroy(FIX::Log* log) override;

  private:
    const int heartbeat_seconds_;
    SessionEvents& events_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::set<std::string> logged_on_;
};

}  // namespace exchange
}  // namespace fixaccel
