// SPDX-License-Identifier: Apache-2.0
// What the exchange is: address, CompIDs, instruments. From an exchange file or from a strategy's venue file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/yaml_source.hpp"
#include "matching/instrument.hpp"

namespace fixaccel::exchange {

// Who talks to whom on a session, and where.
struct SessionEnds {
    std::string comp_id;  // the venue's own on it
    std::string client;
    std::string host;
    std::uint16_t port = 0;
};

struct VenueConfig {
    std::string begin_string;
    std::string comp_id;
    std::vector<std::string> clients;
    std::string host;
    std::uint16_t port = 0;
    int heartbeat_seconds = 0;  // HeartBtInt that clients must use; 0: theirs to choose
    std::string store_path;     // empty: session store in memory
    UpdateType update_type = UpdateType::kFullRefresh;
    std::optional<SessionEnds>
        market;  // a session for market data alone; none: they come on those for orders
    SelfTrade self_trade = SelfTrade::kAllow;  // of clients' orders
    std::vector<Instrument> instruments;
};

// Reads either kind of file, told apart by its first key. Throws InputError with all problems.
VenueConfig read_venue_config(YamlSource& source);

// Splits HOST:PORT, with an IPv4 address; throws InputError.
void parse_endpoint(const std::string& text, std::string& host, std::uint16_t& port);

// Symbols and CompIDs in use on a FIX session: printable, no separator.
bool valid_comp_id(const std::string& text);

}  // namespace fixaccel::exchange
