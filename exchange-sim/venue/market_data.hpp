// SPDX-License-Identifier: Apache-2.0
// Market data in FIX.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "matching/book_update.hpp"
#include "session/message.hpp"

namespace fixaccel::exchange {

struct Subscription {
    std::string client;
    std::string md_req_id;  // 262
    std::size_t depth = 0;  // 264: levels a side, 0 is the whole book
    std::set<std::string> symbols;
    // The entry types (269) that were asked for.
    bool bids = true;
    bool asks = true;
    bool trades = true;

    // Whether something in a changed book may be news.
    bool shows(const BookUpdate& update) const { return bids || asks || !update.prints.empty(); }
};

// One 35=W: bid levels best first, ask levels best first, the last trade.
OutgoingMessage market_data_snapshot(const Subscription& subscription, const Instrument& instrument,
                                     const MarketSnapshot& snapshot);
// One 35=X of all that `updates` changed in what the subscription shows, in their order: of each book its bid
// levels, its ask levels, its trades. It may have no entries.
OutgoingMessage market_data_increment(const Subscription& subscription,
                                      const std::vector<const BookUpdate*>& updates);
// 35=Y; `reason` is MDReqRejReason(281).
OutgoingMessage market_data_reject(const std::string& md_req_id, const std::string& reason,
                                   const std::string& text);

}  // namespace fixaccel::exchange
