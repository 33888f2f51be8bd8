// SPDX-License-Identifier: Apache-2.0
#include "matching/decimal.hpp"

#include <algorithm>

namespace fixaccel::exchange {
namespace {

constexpr std::int64_t kLimit = 1'000'000'000'000'000'000;

bool all_digits(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<std::int64_t> parse_decimal(std::string_view text) {
    const bool negative = !text.empty() && text.front() == '-';
    if (negative) text.remove_prefix(1);
    const std::size_t point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    std::string_view fraction;
    if (point != std::string_view::npos) {
        fraction = text.substr(point + 1);
        if (fraction.empty()) return std::nullopt;
    }
    if (whole.empty() || !all_digits(whole) || !all_digits(fraction)) return std::nullopt;
    while (fraction.size() > kDecimalPlaces) {
        if (fraction.back() != '0') return std::nullopt;
        fraction.remove_suffix(1);
    }
    std::int64_t value = 0;
    const auto append = [&value](char digit) {
        // The bound comes first: ten times a value below a tenth of it still fits.
        if (value >= kLimit / 10) return false;
        value = value * 10 + (digit - '0');
        return true;
    };
    for (const char digit : whole) {
        if (!append(digit)) return std::nullopt;
    }
    for (std::size_t place = 0; place < kDecimalPlaces; ++place) {
        if (!append(place < fraction.size() ? fraction[place] : '0')) return std::nullopt;
    }
    return negative ? -value : value;
}

std::optional<std::int64_t> parse_whole(std::string_view text) {
    const auto scaled = parse_decimal(text);
    if (!scaled || *scaled < 0 || *scaled % kDecimalScale != 0) return std::nullopt;
    return *scaled / kDecimalScale;
}

int decimals_needed(std::int64_t scaled) {
    int places = kDecimalPlaces;
    while (places > 0 && scaled % 10 == 0) {
        scaled /= 10;
        --places;
    }
    return places;
}

std::string format_decimal(std::int64_t scaled, int decimals) {
    const int places = std::max(decimals, decimals_needed(scaled));
    const auto magnitude = static_cast<std::uint64_t>(scaled < 0 ? -scaled : scaled);
    std::string text = std::to_string(magnitude / kDecimalScale);
    if (places > 0) {
        std::string fraction = std::to_string(magnitude % kDecimalScale);
        fraction.insert(0, kDecimalPlaces - fraction.size(), '0');
        text += '.' + fraction.substr(0, static_cast<std::size_t>(places));
    }
    return scaled < 0 ? '-' + text : text;
}

}  // namespace fixaccel::exchange
