// SPDX-License-Identifier: Apache-2.0
// Decimals as they stand in FIX messages and as people write them, exact.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fixaccel {

// A price unit is a multiple of 10^-8 and prices stay below 10^10, so that they fit 64 bits.
inline constexpr int kDecimalPlaces = 8;
inline constexpr std::int64_t kDecimalScale = 100'000'000;

// `-?digits[.digits]` times 10^8, without taking memory. Leading and trailing zeros are free, as fixed-width
// fields need them. No value: another character, no digit, a digit finer than 10^-8, or beyond 18 significant
// digits.
constexpr std::optional<std::int64_t> parse_decimal(std::string_view text) {
    const auto all_digits = [](std::string_view part) {
        return std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
    };
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    const std::size_t point = std::min(text.find('.'), text.size());
    const bool bare_point = point + 1 == text.size();
    std::string_view whole = text.substr(0, point);
    std::string_view fraction = text.substr(std::min(point + 1, text.size()));
    if (whole.empty() || bare_point || !all_digits(whole) || !all_digits(fraction)) return std::nullopt;
    whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size()));
    fraction = fraction.substr(0, fraction.find_last_not_of('0') + 1);
    constexpr std::size_t kMostWhole = 10;
    if (fraction.size() > kDecimalPlaces || whole.size() > kMostWhole) return std::nullopt;
    std::int64_t value = 0;
    for (const char digit : whole) value = value * 10 + (digit - '0');
    for (std::size_t place = 0; place < kDecimalPlaces; ++place)
        value = value * 10 + (place < fraction.size() ? fraction[place] - '0' : 0);
    return negative ? -value : value;
}

// A padded decimal (00012.50, -001.35) as people write it: 12.5, -1.35.
std::string plain_number(std::string_view text);

// mantissa x 10^-decimals of a price unit such as 0.25 = 25 x 10^-2.
struct PriceUnit {
    std::uint64_t mantissa = 0;  // below 10^13
    int decimals = 0;

    bool operator==(const PriceUnit&) const = default;
};

// None if it is no decimal without a sign.
std::optional<PriceUnit> parse_price_unit(std::string_view text);

// `count` price units of size `unit` (decimal text such as "0.01") as decimal text without trailing zeros;
// half units if `halved` (mid is kept doubled). Throws std::invalid_argument on a unit that is no decimal.
std::string price_text(std::int64_t count, std::string_view unit, bool halved = false);
// Likewise, into `text`, whose room is kept.
void write_price(std::string& text, std::int64_t count, std::string_view unit, bool halved = false);
void write_price(std::string& text, std::int64_t count, PriceUnit unit, bool halved = false);

}  // namespace fixaccel
