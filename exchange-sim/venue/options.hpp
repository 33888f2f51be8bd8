// SPDX-License-Identifier: Apache-2.0
// How the venue behaves towards its clients.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "matching/types.hpp"

namespace fixaccel::exchange {

struct VenueOptions {
    UpdateType update_type = UpdateType::kFullRefresh;
    // The one client whose session is for market data alone, which then come on no other; empty: they come on
    // every session.
    std::string market_client{};
    // Market data are published at most so often for each subscription, the newest of each instrument; 0:
    // after each change.
    std::chrono::nanoseconds conflate{0};
    // Of one client at a time; one more is refused.
    std::size_t subscriptions = 1000;
    // Who gets copies of the reports of which clients; such a session enters no orders.
    std::map<std::string, std::vector<std::string>> drop_copy{};
    // Whose open orders are canceled when their session ends.
    std::set<std::string> cancel_on_disconnect{};
    // Requests that wait for the engine at a time.
    std::size_t queue = 16384;
    // Folder of the journal; empty: nothing outlives the program.
    std::string store{};
    // Bytes of a journal before the state is written anew.
    std::size_t journal_bytes = std::size_t{64} << 20U;
    // Reports wait until the disk has what they are of.
    bool sync = false;
};

}  // namespace fixaccel::exchange
