// SPDX-License-Identifier: Apache-2.0
// QuickFIX's MessageStore over a FixStore.
#pragma once

#include <quickfix/MessageStore.h>

#include <string>
#include <vector>

#include "fixaccel/fix_session.hpp"
#include "fixaccel/fix_store.hpp"

namespace fixaccel {

// What the engine takes for the present. It resets the numbers when a day of its own schedule, which it must
// have, has passed since they began. They are reset when the venue's day rolls, and at no other time: to the
// engine they have begun at whatever time it asks for.
class Present {
  public:
    // The engine is handed this time.
    void is(const FIX::UtcTimeStamp& time);
    // The engine looks at its own clock, from now on. creation_time() throws MidnightPassed if it cannot tell
    // what the engine saw: it has to be called again.
    void is_the_engines();
    FIX::UtcTimeStamp creation_time() const;

  private:
    FIX::UtcTimeStamp time_;
    bool engines_ = true;
};

class MidnightPassed : public FIX::IOException {
  public:
    MidnightPassed() : FIX::IOException("midnight has just passed") {}
};

// Failures become FIX::IOException: the engine then leaves the message unsent.
class StoreAdapter : public FIX::MessageStore {
  public:
    StoreAdapter(FixStore& store, FixTransport& transport, const Present& present)
        : store_(store), transport_(transport), present_(present) {}

    bool set(int seq_num, const std::string& message) throw(FIX::IOException) override;
    void get(int first, int last, std::vector<std::string>& messages) const throw(FIX::IOException) override;
    int getNextSenderMsgSeqNum() const throw(FIX::IOException) override;
    int getNextTargetMsgSeqNum() const throw(FIX::IOException) override;
    void setNextSenderMsgSeqNum(int seq_num) throw(FIX::IOException) override;
    void setNextTargetMsgSeqNum(int seq_num) throw(FIX::IOException) override;
    void incrNextSenderMsgSeqNum() throw(FIX::IOException) override;
    void incrNextTargetMsgSeqNum() throw(FIX::IOException) override;
    FIX::UtcTimeStamp getCreationTime() const throw(FIX::IOException) override;
    void reset() throw(FIX::IOException) override;
    // The store is never written by another process.
    void refresh() throw(FIX::IOException) override {}

  private:
    FixStore& store_;
    FixTransport& transport_;
    const Present& present_;
};

class StoreAdapterFactory : public FIX::MessageStoreFactory {
  public:
    StoreAdapterFactory(FixStore& store, FixTransport& transport, const Present& present)
        : store_(store), transport_(transport), present_(present) {}
    FIX::MessageStore* create(const FIX::SessionID& /*session*/) override {
        return new StoreAdapter(store_, transport_, present_);
    }
    void destroy(FIX::MessageStore* store) override { delete store; }

  private:
    FixStore& store_;
    FixTransport& transport_;
    const Present& present_;
};

}  // namespace fixaccel
