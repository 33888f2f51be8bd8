// SPDX-License-Identifier: Apache-2.0
// Repeating groups and long numbers, for an engine that has no data dictionary and counts with 32 bits.
#pragma once

#include <string>

namespace fixaccel {

// QuickFIX rejects a message in which a tag occurs twice outside a group that a dictionary declares. Dialects
// differ and the session needs none of the groups: of each tag the first occurrence stays, BodyLength and
// CheckSum are made anew. A message without repeats, or with a wrong CheckSum, is returned as it is.
std::string without_repeats(const std::string& message);

// Whether the engine can count to the message's sequence numbers: to it, 4294967298 is 2.
bool numbers_fit(const std::string& message);

}  // namespace fixaccel
