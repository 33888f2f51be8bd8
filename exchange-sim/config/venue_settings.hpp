// SPDX-License-Identifier: Apache-2.0
// What an exchange file may say beyond who the venue is and what is traded there.
#pragma once

#include <array>
#include <string>

#include "config/venue_config.hpp"

namespace fixaccel::exchange {

// The keys of the file that read_settings() reads.
inline const std::array<std::string, 10> kSettingKeys = {
    "drop_copy",      "cancel_on_disconnect", "day",         "time_zone", "validate",
    "reset_on_logon", "dictionary",           "kept_orders", "sync",      "log_bytes"};

// `config` has its clients and instruments already.
void read_settings(YamlSource& source, MapReader& file, VenueConfig& config);
// Of market_data: conflate and subscriptions.
void read_feed_settings(YamlSource& source, MapReader& data, VenueConfig& config);

}  // namespace fixaccel::exchange
