// SPDX-License-Identifier: Apache-2.0
#include "flat_message.hpp"

#include <cstdio>
#include <set>
#include <utility>
#include <vector>

namespace fixaccel {
namespace {

constexpr char kSoh = '\x01';

using Field = std::pair<std::string, std::string>;  // tag, whole text with its SOH

// Fields in order; empty if the text is not made of tag=value fields.
std::vector<Field> split(const std::string& message) {
    std::vector<Field> fields;
    for (std::size_t start = 0; start < message.size();) {
        const std::size_t end = message.find(kSoh, start);
        const std::size_t equals = message.find('=', start);
        if (end == std::string::npos || equals == std::string::npos || equals > end) return {};
        fields.emplace_back(message.substr(start, equals - start), message.substr(start, end + 1 - start));
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

bool numbers_fit(const std::string& message) {
    constexpr std::size_t kMostDigits = 9;
    for (const Field& field : split(message)) {
        const std::string& tag = field.first;
        if (tag != "7" && tag != "16" && tag != "34" && tag != "36") continue;
        const std::string value = field.second.substr(tag.size() + 1, field.second.size() - tag.size() - 2);
        const std::size_t digits = value.find_first_not_of("-0");
        if (digits != std::string::npos && value.size() - digits > kMostDigits) return false;
    }
    return true;
}

std::string without_repeats(const std::string& message) {
    const std::vector<Field> fields = split(message);
    if (fields.size() < 4 || fields[0].first != "8" || fields[1].first != "9" || fields.back().first != "10")
        return message;
    std::set<std::string> seen;
    std::string body;
    bool repeats = false;
    for (std::size_t i = 2; i + 1 < fields.size(); ++i) {
        if (seen.insert(fields[i].first).second)
            body += fields[i].second;
        else
            repeats = true;
    }
    if (!repeats) return message;
    const std::string& check = fields.back().second;
    if (trailer(message.substr(0, message.size() - check.size())) != check) return message;
    const std::string text = fields[0].second + "9=" + std::to_string(body.size()) + kSoh + body;
    return text + trailer(text);
}

}  // namespace fixaccel
