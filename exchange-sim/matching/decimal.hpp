// SPDX-License-Identifier: Apache-2.0
// Exact decimals: FIX text to scaled integers and back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fixaccel::exchange {

// Decimal places that are kept. A price unit is a multiple of 10^-8 and prices stay below 10^10, so that a
// scaled price fits 64 bits.
inline constexpr int kDecimalPlaces = 8;
inline constexpr std::int64_t kDecimalScale = 100'000'000;

// `-?digits[.digits]` times 10^8. Leading and trailing zeros are free, as fixed-width fields need them.
// No value: another character, no digit, a digit finer than 10^-8, or beyond 18 significant digits.
std::optional<std::int64_t> parse_decimal(std::string_view text);

// A non-negative whole number, also written `100.00`; no value otherwise.
std::optional<std::int64_t> parse_whole(std::string_view text);

// Text of a value scaled by 10^8 with at least `decimals` places and as many more as it needs.
std::string format_decimal(std::int64_t scaled, int decimals);

// Places that a scaled value needs: 0 for 5, 1 for 0.5, 2 for 0.25.
int decimals_needed(std::int64_t scaled);

}  // namespace fixaccel::exchange
