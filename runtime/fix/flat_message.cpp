// SPDX-License-Identifier: Apache-2.0
#include "flat_message.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace fixaccel {
namespace {

constexpr char kSoh = '\x01';

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

std::string trailer(const std::string& text) {
    unsigned sum = 0;
    for (const char c : text) sum += static_cast<unsigned char>(c);
    char field[8];
    std::snprintf(field, sizeof field, "10=%03u", sum % 256);
    return field + std::string(1, kSoh);
}

}  // namespace

// Each message comes here: nothing is taken apart that need not be.
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
    const std::size_t end = fields.back().start;
    if (message.substr(end) != trailer(message.substr(0, end))) return message;
    std::string body;
    for (const Field& field : kept) body.append(message, field.start, field.size);
    std::string text = message.substr(0, fields[0].size);
    text += "9=" + std::to_string(body.size()) + kSoh + body;
    return text + trailer(text);
}

}  // namespace fixaccel
