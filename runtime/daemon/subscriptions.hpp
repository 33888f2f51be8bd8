// SPDX-License-Identifier: Apache-2.0
// Which market data is subscribed to. Each symbol once: of two subscriptions every price would come twice,
// and a repeated price is an observation.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fixaccel/fix_session.hpp"

namespace fixaccel {

class Subscriptions {
  public:
    struct Change {
        std::vector<MarketDataRequest> ended;    // to unsubscribe
        std::optional<MarketDataRequest> begun;  // to subscribe
        std::vector<std::string> kept;           // symbols that go on with the MDReqID that they had
    };

    // `epoch`: that of the journal now. It makes MDReqIDs differ over restarts.
    explicit Subscriptions(std::function<std::string()> epoch) : epoch_(std::move(epoch)) {}

    // From now on just these symbols. A subscription is ended whole: one that is wanted in part is begun
    // anew, and so is one to market data in another way.
    Change change_to(const std::vector<std::string>& symbols, bool full_book, bool increments);
    // From now on these symbols at least, and nothing of them is interrupted: one that is wanted in part goes
    // on.
    Change grow_to(const std::vector<std::string>& symbols, bool full_book, bool increments);
    // For a snapshot of these and nothing more.
    MarketDataRequest snapshot(const std::vector<std::string>& symbols);
    // The venue has refused that request. False: it is no subscription.
    bool refused(const std::string& id);
    // It does not give snapshots alone: all subscriptions have to begin anew, which begin_anew() does.
    bool snapshot_refused() const { return snapshot_refused_; }
    Change begin_anew();
    // The connection has ended, and all of them with it.
    void clear();

  private:
    using Goes = std::function<bool(const MarketDataRequest&)>;

    // Ends what does not go on, and begins what is missing then.
    Change change(const std::vector<std::string>& symbols, bool full_book, bool increments,
                  const Goes& goes_on);
    MarketDataRequest request(const std::vector<std::string>& symbols, bool full_book, bool increments);
    void begin(const std::vector<std::string>& symbols, bool full_book, bool increments, Change& change);

    std::function<std::string()> epoch_;
    std::vector<MarketDataRequest> all_;
    std::uint64_t requests_ = 0;
    std::string snapshot_;  // MDReqID of the last one
    bool snapshot_refused_ = false;
};

}  // namespace fixaccel
