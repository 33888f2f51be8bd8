// SPDX-License-Identifier: Apache-2.0
// Quantities as the fabric counts them: decimal digits, or all ones where there is no limit.
#pragma once

#include <cstdint>
#include <limits>

#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {

inline constexpr std::uint64_t kAnyQuantity = [] {
    hwmap::quantity_left_record all;
    all.words.fill(std::numeric_limits<std::uint32_t>::max());
    return all.buy();
}();

// BCD of any number of digits; the caller knows that they fit.
constexpr std::uint64_t bcd(std::uint64_t value) {
    std::uint64_t digits = 0;
    for (unsigned shift = 0; value != 0; shift += 4, value /= 10) digits |= value % 10 << shift;
    return digits;
}

constexpr std::uint64_t number(std::uint64_t digits) {
    std::uint64_t value = 0;
    for (unsigned shift = 4 * hwmap::total_qty_digits; shift != 0; shift -= 4)
        value = value * 10 + ((digits >> (shift - 4)) & 0xFU);
    return value;
}

}  // namespace fixaccel
