// SPDX-License-Identifier: Apache-2.0
#include "flat_message.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <numeric>
#include <string_view>
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

constexpr std::size_t kTrailer = 7;  // 10=000 and its SOH

std::array<char, kTrailer + 1> trailer(std::string_view text) {
    const unsigned sum = std::accumulate(text.begin(), text.end(), 0U, [](unsigned all, char c) {
        return all + static_cast<unsigned char>(c);
    });
    std::array<char, kTrailer + 1> field{};
    std::snprintf(field.data(), field.size(), "10=%03u%c", sum % 256, kSoh);
    return field;
}

bool ends_in_its_sum(std::string_view message) {
    if (message.size() < kTrailer) return false;
    const std::size_t end = message.size() - kTrailer;
    return message.substr(end) == trailer(message.substr(0, end)).data();
}

// Takes a number off the front of `rest`, up to `stop`; none, or another text there: -1.
int take_number(std::string_view& rest, char stop) {
    int number = 0;
    const char* const end = rest.data() + rest.size();
    const auto [past, error] = std::from_chars(rest.data(), end, number);
    if (error != std::errc() || past == end || *past != stop || *rest.data() == '-') return -1;
    rest.remove_prefix(static_cast<std::size_t>(past - rest.data()) + 1);
    return number;
}

// As QuickFIX 1.15.1 sorts them, in ascending order.
constexpr std::array kHeader{8,   9,   34,  35,  43,  49,  50,  52,  56,  57,  90,  91,  97,  115,  116,
                             122, 128, 129, 142, 143, 144, 145, 212, 213, 347, 369, 370, 627, 1128, 1129};
constexpr std::array kOfTrailer{10, 89, 93};
// A field that counts the bytes of the next one, or that: what looks like fields may be its bytes.
constexpr std::array kData{89,  90,  91,  93,  95,  96,  212, 213, 348, 349, 350, 351, 352, 353, 354, 355,
                           356, 357, 358, 359, 360, 361, 362, 363, 364, 365, 445, 446, 618, 619, 621, 622};

template <std::size_t size>
bool among(const std::array<int, size>& tags, int tag) {
    return std::binary_search(tags.begin(), tags.end(), tag);
}

// The size of the header's fields at the front of `body`, which begins with MsgType; 0 if anything is odd
// about them or about what follows.
std::size_t plain_header(std::string_view body) {
    std::array<int, 16> seen{};
    std::size_t count = 0, size = 0;
    for (std::string_view rest = body; !rest.empty();) {
        const std::size_t start = body.size() - rest.size();
        const int tag = take_number(rest, '=');
        const std::size_t end = rest.find(kSoh);
        if (tag <= 0 || end == 0 || end == std::string_view::npos) return 0;
        rest.remove_prefix(end + 1);
        if (among(kData, tag) || among(kOfTrailer, tag)) return 0;
        const bool header = among(kHeader, tag);
        if (header && (size != 0 || count == seen.size())) return 0;
        if (header && std::find(seen.begin(), seen.begin() + count, tag) != seen.begin() + count) return 0;
        if (header) seen[count++] = tag;
        if (!header && size == 0) size = start;
    }
    return size;
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
    if (!ends_in_its_sum(message)) return message;
    std::string body;
    for (const Field& field : kept) body.append(message, field.start, field.size);
    std::string text = message.substr(0, fields[0].size);
    text += "9=" + std::to_string(body.size()) + kSoh + body;
    return text + trailer(text).data();
}

bool header_alone(const std::string& whole, std::string& text) {
    const std::string_view message = whole;
    const std::string_view begin = message.substr(0, message.find(kSoh) + 1);
    std::string_view body = message.substr(begin.size());
    if (!begin.starts_with("8=") || !body.starts_with("9=")) return false;
    body.remove_prefix(2);
    const int length = take_number(body, kSoh);
    if (!body.starts_with("35=W\x01") && !body.starts_with("35=X\x01")) return false;
    if (length < 0 || static_cast<std::size_t>(length) + kTrailer != body.size()) return false;
    const std::size_t header = plain_header(body.substr(0, static_cast<std::size_t>(length)));
    if (header == 0 || !ends_in_its_sum(message)) return false;
    char size[16];
    const char* const past = std::to_chars(size, size + sizeof size, header).ptr;
    text.assign(begin).append("9=").append(std::string_view(size, past)).push_back(kSoh);
    text.append(body.substr(0, header));
    text.append(trailer(text).data());
    return true;
}

}  // namespace fixaccel
