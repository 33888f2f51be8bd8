// SPDX-License-Identifier: Apache-2.0
// QuickFIX's MessageStore over a FixStore.
#pragma once

#include <quickfix/MessageStore.h>

#include <string>
#include <vector>

#include "fixaccel/fix_store.hpp"

namespace fixaccel {

// Failures become FIX::IOException: the engine then leaves the message unsent.
class StoreAdapter : public FIX::MessageStore {
  public:
    explicit StoreAdapter(FixStore& store) : store_(store) {}

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
};

class StoreAdapterFactory : public FIX::MessageStoreFactory {
  public:
    explicit StoreAdapterFactory(FixStore& store) : store_(store) {}
    FIX::MessageStore* create(const FIX::SessionID& /*session*/) override { return new StoreAdapter(store_); }
    void destroy(FIX::MessageStore* store) override { delete store; }

  private:
    FixStore& store_;
};

}  // namespace fixaccel
