// SPDX-License-Identifier: Apache-2.0
// FIX messages of a session between VENUE and US.
#pragma once

#include <cstdio>
#include <ctime>
#include <string>

namespace fixaccel::test {

// A message around this body.
inline std::string framed(const std::string& body) {
    std::string text =
        "8=FIX.4.4\x01"
        "9=" +
        std::to_string(body.size()) + "\x01" + body;
    unsigned sum = 0;
    for (const char c : text) sum += static_cast<unsigned char>(c);
    char check[16];
    std::snprintf(check, sizeof check, "10=%03u\x01", sum % 256);
    return text + check;
}

// A whole message of `type` and number, from the venue or, by `ours`, from us.
inline std::string message(const std::string& type, int seq_num, const std::string& body, bool ours = false) {
    char time[32];
    const std::time_t now = ::time(nullptr);
    std::strftime(time, sizeof time, "%Y%m%d-%H:%M:%S", std::gmtime(&now));
    const std::string from = ours ? "US" : "VENUE";
    const std::string to = ours ? "VENUE" : "US";
    return framed("35=" + type +
                  "\x01"
                  "34=" +
                  std::to_string(seq_num) +
                  "\x01"
                  "49=" +
                  from +
                  "\x01"
                  "52=" +
                  time +
                  "\x01"
                  "56=" +
                  to + "\x01" + body);
}

}  // namespace fixaccel::test
