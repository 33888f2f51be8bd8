// SPDX-License-Identifier: Apache-2.0
// What an exchange was told to do, as lines of the record and back.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "matching/exchange_journal.hpp"

namespace fixaccel::exchange {

// A line that is not what it should be; the text says how.
class RecordLineError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Prices stand as decimals, but for what the venue itself says, which is in price units.
nlohmann::ordered_json call_line(const Exchange& exchange, const CallView& call);
// Throws RecordLineError: a field is missing or wrong, an instrument is not traded.
ExchangeCall parse_call(const Exchange& exchange, const nlohmann::ordered_json& line);

// The instruments and what else decides what a call does.
struct RecordedVenue {
    std::vector<Instrument> instruments;
    SelfTrade self_trade = SelfTrade::kAllow;
    UpdateType update_type = UpdateType::kFullRefresh;  // decides what `export` makes of a change
    std::size_t kept_orders = Exchange::kKeptFinished;  // that are over and still known
};
nlohmann::ordered_json venue_line(const RecordedVenue& venue);
// Throws RecordLineError.
RecordedVenue parse_venue(const nlohmann::ordered_json& line);

// Any bytes as text, and back; throws RecordLineError.
std::string to_base64(const std::string& bytes);
std::string from_base64(const std::string& text);

}  // namespace fixaccel::exchange
