// SPDX-License-Identifier: Apache-2.0
// Sequence numbers that go on over midnight. C++14, includes QuickFIX.
#pragma once

#include <quickfix/FileStore.h>
#include <quickfix/MessageStore.h>

#include <string>
#include <utility>

namespace fixaccel {
namespace exchange {

// QuickFIX begins the numbers anew once the day in which they began, by a schedule that it must have, is
// over: so they have always begun just now.
template <typename Store>
class LastingStore : public Store {
  public:
    using Store::Store;
    FIX::UtcTimeStamp getCreationTime() const throw(FIX::IOException) override { return FIX::UtcTimeStamp(); }
};

// In `folder`, or in memory if it is empty.
class LastingStoreFactory : public FIX::MessageStoreFactory {
  public:
    explicit LastingStoreFactory(std::string folder) : folder_(std::move(folder)) {}
    FIX::MessageStore* create(const FIX::SessionID& session) override {
        if (folder_.empty()) return new LastingStore<FIX::MemoryStore>();
        return new LastingStore<FIX::FileStore>(folder_, session);
    }
    void destroy(FIX::MessageStore* store) override { delete store; }

  private:
    std::string folder_;
};

}  // namespace exchange
}  // namespace fixaccel
