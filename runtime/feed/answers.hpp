// SPDX-License-Identifier: Apache-2.0
// What programs that decode datagrams say on their standard output: see decode_main.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fixaccel/feed_interpreter.hpp"

namespace fixaccel::feed {

// Events as JSON.
class Events {
  public:
    std::string json;

    void message(int routine) { event("message", -1, std::to_string(routine)); }
    void number(unsigned at, const Word& word, std::uint64_t value) {
        const bool plain = word.op == Op::raw || word.is_unsigned();
        event("value", static_cast<int>(at),
              plain ? std::to_string(value) : std::to_string(static_cast<std::int64_t>(value)));
    }
    void decimal(unsigned at, const Word& /*word*/, int exponent, std::int64_t mantissa) {
        event("value", static_cast<int>(at),
              "[" + std::to_string(exponent) + "," + std::to_string(mantissa) + "]");
    }
    void text(unsigned at, const Word& /*word*/, std::span<const std::uint8_t> bytes) {
        static constexpr std::string_view kDigits = "0123456789abcdef";
        std::string hex;
        for (const std::uint8_t byte : bytes) {
            hex += kDigits[byte >> 4];
            hex += kDigits[byte & 15U];
        }
        event("value", static_cast<int>(at), "\"" + hex + "\"");
    }
    void group(unsigned at) { event("group", static_cast<int>(at), ""); }
    void sequence(unsigned at, std::uint32_t length) {
        event("sequence", static_cast<int>(at), std::to_string(length));
    }
    void element(unsigned at) { event("element", static_cast<int>(at), ""); }
    void call(unsigned at, int routine) { event("call", static_cast<int>(at), std::to_string(routine)); }
    void leave(unsigned at) { event("return", static_cast<int>(at), ""); }
    void end(unsigned at) { event("end", static_cast<int>(at), ""); }

  private:
    void event(const char* what, int at, const std::string& value) {
        json += json.empty() ? "[\"" : ",[\"";
        json += what;
        json += "\"," + std::to_string(at);
        if (!value.empty()) json += "," + value;
        json += ']';
    }
};

inline std::string counts_of(const Outcome& outcome) {
    const Counts& counts = outcome.counts;
    return "\"counts\":[" + std::to_string(counts.r6) + "," + std::to_string(counts.r7) + "," +
           std::to_string(counts.r8) + "," + std::to_string(counts.r9) + "]}";
}

// The answer to a datagram.
inline std::string answer_of(const Outcome& outcome, const std::string& events) {
    if (outcome.fault == 0) return R"({"events":[)" + events + "]," + counts_of(outcome);
    std::string text = R"({"fault":[)" + std::to_string(outcome.fault) + "," + std::to_string(outcome.byte) +
                       "," + std::to_string(outcome.at) + "," + std::to_string(outcome.routine);
    for (std::uint32_t place = 0; place < outcome.calls; ++place)
        text += "," + std::to_string(outcome.call[place]);
    return text + "]," + counts_of(outcome);
}

inline std::vector<std::uint8_t> bytes_of(std::string_view hex) {
    std::vector<std::uint8_t> bytes;
    for (std::size_t at = 0; at + 1 < hex.size(); at += 2)
        bytes.push_back(static_cast<std::uint8_t>(std::stoul(std::string(hex.substr(at, 2)), nullptr, 16)));
    return bytes;
}

}  // namespace fixaccel::feed
