// SPDX-License-Identifier: Apache-2.0
// Market data in FIX.
#pragma once

#include <string>
#include <vector>

#include "fix/client_registry.hpp"
#include "matching/book_update.hpp"
#include "session/message.hpp"

namespace fixaccel::exchange {

// One 35=W: bid levels best first, ask levels best first, the last trade.
OutgoingMessage market_data_snapshot(const Instrument& instrument, const std::string& md_req_id,
                                     const MarketSnapshot& snapshot);
// One 35=X of all that `updates` changed in what the subscription shows, in their order: of each book its bid
// levels, its ask levels, its trades. It may have no entries.
OutgoingMessage market_data_increment(const Subscription& subscription,
                                      const std::vector<BookUpdate>& updates);
// 35=Y; `reason` is MDReqRejReason(281).
OutgoingMessage market_data_reject(const std::string& md_req_id, const std::string& reason,
                                   const std::string& text);

}  // namespace fixaccel::exchange
