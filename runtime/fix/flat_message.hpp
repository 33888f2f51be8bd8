// SPDX-License-Identifier: Apache-2.0
// Repeating groups and long numbers, for an engine that has no data dictionary and counts with 32 bits.
#pragma once

#include <string>

namespace fixaccel {

// QuickFIX rejects a message in which a tag occurs twice outside a group that a dictionary declares. Dialects
// differ and the session needs none of the groups: of each tag the first occurrence stays, BodyLength and
// CheckSum are made anew. A message without repeats, or with a wrong CheckSum, is returned as it is.
std::string without_repeats(const std::string& message);

// Of a message of market data (W, X) the session needs the header, and the daemon reads the rest by itself:
// header, BodyLength and CheckSum made anew go into `text`, whose room is kept from message to message. False
// where the message is none, or not plainly made - a field twice in its header, one of the header behind it,
// no field behind it, a tag that is no number, no value, data that may hold fields, a wrong BodyLength or
// CheckSum: what of it is wrong, if anything, is the engine's to say.
bool header_alone(const std::string& message, std::string& text);

// Whether the engine can count to the message's sequence numbers: to it, 4294967298 is 2.
bool numbers_fit(const std::string& message);

}  // namespace fixaccel
