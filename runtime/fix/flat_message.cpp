// SPDX-License-Identifier: Apache-2.0
#include "flat_message.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "fixaccel/digits.hpp"
#include "fixaccel/framer.hpp"
#include "fixaccel/message_scan.hpp"

namespace fixaccel {
namespace {

// Where it is in the message.
struct Field {
    std::size_t start;
    std::size_t tag_size;
    std::size_t size;  // with its SOH
};

// Fields in order; empty if the text is not made of tag=value fields.
std::vector<Field> split(const std::string& message) {
    std::vector<Field> fields;
    fields.reserve(64);
    for (std::size_t start = 0; start < message.size();) {
        const std::size_t end = message.find(kSoh, start);
        const std::size_t equals = message.find('=', start);
        if (end == std::string::npos || equals == std::string::npos || equals > end) return {};
        fields.push_back({start, equals - start, end + 1 - start});
        start = end + 1;
    }
    return fields;
}

// A message of these fields, BodyLength and CheckSum between and behind them.
std::string around(std::string begin, const std::string& body) {
    begin.append("9=");
    append_number(begin, static_cast<unsigned>(body.size()));
    begin.append(1, kSoh).append(body);
    append_trailer(begin);
    return begin;
}

bool ends_in_its_sum(const std::string& message) {
    if (message.size() < kTrailerBytes) return false;
    const std::size_t end = message.size() - kTrailerBytes;
    return message.compare(end, kTrailerBytes, trailer(byte_sum(message.data(), end)).data()) == 0;
}

}  // namespace

// Each message that the engine is to see comes here: nothing is taken apart that need not be.
bool numbers_fit(const std::string& message) {
    constexpr std::size_t kMostDigits = 9;
    static const std::string kTags[] = {"34=", "7=", "16=", "36="};
    for (const std::string& tag : kTags) {
        for (std::size_t at = message.find(tag); at != std::string::npos; at = message.find(tag, at + 1)) {
            if (at == 0 || message[at - 1] != kSoh) continue;
            const std::size_t first = message.find_first_not_of("-0", at + tag.size());
            const std::size_t end = message.find(kSoh, at + tag.size());
            if (first != std::string::npos && end != std::string::npos && first < end &&
                end - first > kMostDigits)
                return false;
        }
    }
    return true;
}

std::string without_repeats(const std::string& message) {
    const std::vector<Field> fields = split(message);
    const auto is = [&](const Field& field, const char* tag) {
        return message.compare(field.start, field.tag_size, tag) == 0;
    };
    if (fields.size() < 4 || !is(fields[0], "8") || !is(fields[1], "9") || !is(fields.back(), "10"))
        return message;
    std::vector<Field> kept;  // the first of each tag: a dozen, however often they occur
    for (std::size_t i = 2; i + 1 < fields.size(); ++i) {
        const Field& field = fields[i];
        const auto same = [&](const Field& other) {
            return other.tag_size == field.tag_size &&
                   message.compare(other.start, other.tag_size, message, field.start, field.tag_size) == 0;
        };
        if (std::none_of(kept.begin(), kept.end(), same)) kept.push_back(field);
    }
    if (kept.size() + 3 == fields.size()) return message;
    if (!ends_in_its_sum(message)) return message;
    std::string body;
    for (const Field& field : kept) body.append(message, field.start, field.size);
    return around(message.substr(0, fields[0].size), body);
}

int highest_number(const std::string& message) {
    static constexpr std::string_view kTag =
        "\x01"
        "34=";
    int highest = 0;
    for (std::size_t at = message.find(kTag); at != std::string::npos; at = message.find(kTag, at + 1)) {
        int number = 0;
        std::from_chars(message.data() + at + kTag.size(), message.data() + message.size(), number);
        highest = std::max(highest, number);
    }
    return highest;
}

MarketHeader market_header(const std::string& message) {
    MarketHeader header;
    MessageScan scan(message, header);
    for (FixField field; scan.next(field);) {
    }
    return header;
}

std::string header_alone(const std::string& message, const MarketHeader& header) {
    return around(message.substr(header.begin.at, header.begin.size),
                  message.substr(header.fields.at, header.fields.size));
}

}  // namespace fixaccel
