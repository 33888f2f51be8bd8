// SPDX-License-Identifier: Apache-2.0
// FIX messages of a session between VENUE and US.
#pragma once

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <string>

namespace fixaccel::test {

// CheckSum(10) of a message that has all but its trailer, with its SOH. Of what others than the product have
// added up.
inline std::string check_sum(const std::string& text) {
    unsigned sum = 0;
    for (const char c : text) sum += static_cast<unsigned char>(c);
    char field[16];
    std::snprintf(field, sizeof field, "10=%03u\x01", sum % 256);
    return field;
}

// A message around this body; `length`: what it says in the place of its BodyLength.
inline std::string framed(const std::string& body, const std::string& length = "") {
    const std::string text =
        "8=FIX.4.4\x01"
        "9=" +
        (length.empty() ? std::to_string(body.size()) : length) + "\x01" + body;
    return text + check_sum(text);
}

// `text` with | for SOH.
inline std::string fix_of(std::string text) {
    std::replace(text.begin(), text.end(), '|', '\x01');
    return text;
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

// Fields by tag.
inline std::map<int, std::string> fields_of(const std::string& text) {
    std::map<int, std::string> fields;
    for (std::size_t at = 0, end; at < text.size(); at = end + 1) {
        end = text.find('\x01', at);
        const std::size_t equals = text.find('=', at);
        fields[std::stoi(text.substr(at, equals - at))] = text.substr(equals + 1, end - equals - 1);
    }
    return fields;
}

}  // namespace fixaccel::test
