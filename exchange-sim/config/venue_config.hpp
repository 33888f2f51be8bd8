// SPDX-License-Identifier: Apache-2.0
// What the exchange is: address, CompIDs, instruments. From an exchange file or from a strategy's venue file.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
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

// What holds for an instrument from the start on, besides its terms. In price units.
struct InstrumentSettings {
    std::string symbol;
    std::optional<Price> reference;                 // the middle of the breaker's band, at the first start
    std::optional<std::pair<Price, Price>> limits;  // limit down and limit up
    Price breaker = 0;                              // distance from the reference that halts; 0: never
    std::chrono::nanoseconds halt{0};               // for how long; 0: until it is told to go on
};

// A phase of the day and when it begins.
struct DayRow {
    int second = 0;  // of the day
    Phase phase = Phase::kContinuous;
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
    std::vector<InstrumentSettings> settings;
    std::vector<DayRow> day;               // none: it is always continuous trading, and no day ends
    std::string time_zone;                 // of the day; empty: the machine's
    std::chrono::nanoseconds conflate{0};  // market data: the newest at this interval; 0: each change
    std::size_t subscriptions = 1000;      // of one client at a time
    std::size_t log_bytes = std::size_t{64} << 20U;  // of the store, before its state is written anew
    bool sync = false;                               // the disk has a request before it is answered
    std::size_t kept_orders = 20'000;                // orders that are over and still known whole
    std::map<std::string, std::vector<std::string>> drop_copy;  // who gets copies of whose reports; none: all
    std::vector<std::string> cancel_on_disconnect;
    // What only the sessions need to know, see session/session_config.hpp.
    bool validate = true;
    bool reset_on_logon = false;
    std::string dictionary;  // path; empty: the one installed
};

// Reads either kind of file, told apart by its first key. Throws InputError with all problems.
VenueConfig read_venue_config(YamlSource& source);

// Splits HOST:PORT, with an IPv4 address; throws InputError.
void parse_endpoint(const std::string& text, std::string& host, std::uint16_t& port);

// Symbols and CompIDs in use on a FIX session: printable, no separator.
bool valid_comp_id(const std::string& text);

}  // namespace fixaccel::exchange
