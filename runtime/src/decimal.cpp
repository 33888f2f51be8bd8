// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/decimal.hpp"

#include <array>
#include <stdexcept>

namespace fixaccel {
namespace {

// Digits of a product of 64 and 43 bits, or zeros in front of one for all decimals and a half.
using Digits = std::array<char, 48>;
constexpr int kMostDecimals = 40;

// The digits of value * factor, which may have more than 64 bits, at the end of `room`: as many as `least`,
// or more.
std::string_view product_digits(std::uint64_t value, std::uint64_t factor, std::size_t least, Digits& room) {
    char* const end = room.data() + room.size();
    char* first = end;
    std::uint64_t carry = 0;
    for (; value != 0 || carry != 0; value /= 10, carry /= 10) {
        carry += value % 10 * factor;
        *--first = static_cast<char>('0' + carry % 10);
    }
    while (first != end && *first == '0') ++first;
    while (static_cast<std::size_t>(end - first) < least) *--first = '0';
    return {first, static_cast<std::size_t>(end - first)};
}

}  // namespace

std::string plain_number(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    while (text.size() > 1 && text[0] == '0' && text[1] != '.') text.remove_prefix(1);
    if (text.find('.') != std::string_view::npos) {
        while (text.ends_with('0')) text.remove_suffix(1);
        if (text.ends_with('.')) text.remove_suffix(1);
    }
    return (negative ? "-" : "") + std::string(text);
}

std::optional<PriceUnit> parse_price_unit(std::string_view text) {
    PriceUnit unit;
    bool point = false;
    bool digit = false;
    for (const char c : text) {
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9' && unit.mantissa < 1'000'000'000'000 &&
                   unit.decimals < kMostDecimals) {
            unit.mantissa = unit.mantissa * 10 + static_cast<std::uint64_t>(c - '0');
            unit.decimals += point ? 1 : 0;
            digit = true;
        } else {
            return std::nullopt;
        }
    }
    return digit ? std::optional(unit) : std::nullopt;
}

std::string price_text(std::int64_t count, std::string_view unit, bool halved) {
    std::string text;
    write_price(text, count, unit, halved);
    return text;
}

void write_price(std::string& text, std::int64_t count, std::string_view unit_text, bool halved) {
    const std::optional<PriceUnit> unit = parse_price_unit(unit_text);
    if (!unit) throw std::invalid_argument("not a price unit: " + std::string(unit_text));
    write_price(text, count, *unit, halved);
}

void write_price(std::string& text, std::int64_t count, PriceUnit unit, bool halved) {
    if (halved) {
        unit.mantissa *= 5;
        ++unit.decimals;
    }
    const bool negative = count < 0;
    const std::uint64_t magnitude =
        negative ? 0 - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
    const auto decimals = static_cast<std::size_t>(unit.decimals);
    Digits room;
    const std::string_view digits = product_digits(magnitude, unit.mantissa, decimals + 1, room);
    const std::string_view whole = digits.substr(0, digits.size() - decimals);
    std::string_view fraction = digits.substr(whole.size());
    fraction = fraction.substr(0, fraction.find_last_not_of('0') + 1);
    text.assign(negative ? "-" : "").append(whole);
    if (!fraction.empty()) text.append(1, '.').append(fraction);
}

}  // namespace fixaccel
