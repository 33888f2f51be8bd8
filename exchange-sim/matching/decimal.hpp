// SPDX-License-Identifier: Apache-2.0
// Exact decimals: FIX text to scaled integers and back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fixaccel/decimal.hpp"

namespace fixaccel::exchange {

// That of the runtime: numbers are made of text in one place.
using fixaccel::kDecimalPlaces;
using fixaccel::kDecimalScale;
using fixaccel::parse_decimal;

// A non-negative whole number, also written `100.00`; no value otherwise.
std::optional<std::int64_t> parse_whole(std::string_view text);

// Text of a value scaled by 10^8 with at least `decimals` places and as many more as it needs.
std::string format_decimal(std::int64_t scaled, int decimals);

// Places that a scaled value needs: 0 for 5, 1 for 0.5, 2 for 0.25.
int decimals_needed(std::int64_t scaled);

}  // namespace fixaccel::exchange
