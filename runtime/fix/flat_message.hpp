// SPDX-License-Identifier: Apache-2.0
// Repeating groups and long numbers, for an engine that has no data dictionary and counts with 32 bits.
#pragma once

#include <string>

#include "fixaccel/market_header.hpp"

namespace fixaccel {

// QuickFIX rejects a message in which a tag occurs twice outside a group that a dictionary declares. Dialects
// differ and the session needs none of the groups: of each tag the first occurrence stays, BodyLength and
// CheckSum are made anew. A message without repeats, or with a wrong CheckSum, is returned as it is.
std::string without_repeats(const std::string& message);

// What there is to know of it for who has not taken it apart.
MarketHeader market_header(const std::string& message);

// The header of a message that is plain, as a message of its own: BodyLength and CheckSum made anew.
std::string header_alone(const std::string& message, const MarketHeader& header);

// Whether the engine can count to the message's sequence numbers: to it, 4294967298 is 2.
bool numbers_fit(const std::string& message);

// The highest of the numbers that a message may be taken to have: that of each MsgSeqNum in it, 0 if there is
// none.
int highest_number(const std::string& message);

}  // namespace fixaccel
