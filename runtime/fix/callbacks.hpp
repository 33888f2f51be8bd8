// SPDX-License-Identifier: Apache-2.0
// What QuickFIX asks and tells of each message: nothing leaves without the transport's leave, each with the
// number that is due by then; of what is sent again, what may be.
#pragma once

#include <quickfix/Application.h>
#include <quickfix/Message.h>
#include <quickfix/SessionID.h>

#include <string>

#include "fixaccel/fix_session.hpp"
#include "fixaccel/fix_store.hpp"
#include "held_resends.hpp"

namespace fixaccel {

class Callbacks : public FIX::Application {
  public:
    Callbacks(FixStore& store, FixTransport& transport, ResendPolicy policy)
        : store_(store), transport_(transport), policy_(policy) {}

    void onCreate(const FIX::SessionID& /*session*/) override {}
    void onLogon(const FIX::SessionID& session) override;
    void onLogout(const FIX::SessionID& /*session*/) override { transport_.on_logout(); }
    void toAdmin(FIX::Message& message, const FIX::SessionID& session) override;
    void toApp(FIX::Message& message, const FIX::SessionID& session) throw(FIX::DoNotSend) override;
    void fromAdmin(const FIX::Message& message,
                   const FIX::SessionID& session) throw(FIX::FieldNotFound, FIX::IncorrectDataFormat,
                                                        FIX::IncorrectTagValue, FIX::RejectLogon) override;
    void fromApp(const FIX::Message& message,
                 const FIX::SessionID& session) throw(FIX::FieldNotFound, FIX::IncorrectDataFormat,
                                                      FIX::IncorrectTagValue,
                                                      FIX::UnsupportedMessageType) override;

    // The rest of what was asked for again, if it may leave by now.
    bool take_waiting(const FIX::SessionID& id, FIX::Message& request);
    void forget_waiting();

  private:
    bool worth_resending(const std::string& type) const;
    bool has_to_wait(const FIX::Message& message);
    void renumber(FIX::Message& message, const FIX::SessionID& id);

    FixStore& store_;
    FixTransport& transport_;
    ResendPolicy policy_;
    HeldResends held_;
    bool resumes_ = false;  // the next request is what take_waiting() has made
};

}  // namespace fixaccel
