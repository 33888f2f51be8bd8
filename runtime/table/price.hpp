// SPDX-License-Identifier: Apache-2.0
// Prices as whole numbers: from the wire's unit to an instrument's, and along its tick table.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "fixaccel/int128.hpp"

namespace fixaccel {

// Bounds that keep sums of prices within 64 bits: 18 digits on the wire, twice that where half units count.
constexpr std::int64_t kMostWire = 1'000'000'000'000'000'000;
constexpr std::int64_t kMostHalves = 2 * kMostWire + 2;

// Where a product may need more than 64 bits.
using Wide = Int128;

// floor(a / b) and ceil(a / b), b above zero.
constexpr Wide floor_div(Wide a, Wide b) { return a / b - (a % b < 0 ? 1 : 0); }
constexpr Wide ceil_div(Wide a, Wide b) { return -floor_div(-a, b); }

// A price beyond all prices is as good as the bound.
constexpr std::int64_t bounded(Wide price) {
    return static_cast<std::int64_t>(std::clamp<Wide>(price, -kMostHalves, kMostHalves));
}

// Exact division by an instrument's unit: a multiplication by the inverse of its odd part, then a shift. For
// what is no multiple the product leaves the range of valid prices.
class UnitDivider {
  public:
    UnitDivider(std::int64_t unit, std::int64_t price_min, std::int64_t price_max)
        : shift_(static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(unit)))),
          mask_((std::uint64_t{1} << shift_) - 1),
          inverse_(inverse_of(static_cast<std::uint64_t>(unit) >> shift_)),
          min_(price_min),
          max_(price_max) {}

    // Price units, if `wire` is a whole number of them within the range.
    std::optional<std::int64_t> divide(std::int64_t wire) const {
        const auto bits = static_cast<std::uint64_t>(wire);
        const std::int64_t units = static_cast<std::int64_t>(bits * inverse_) >> shift_;
        if ((bits & mask_) != 0 || units < min_ || units > max_) return std::nullopt;
        return units;
    }

  private:
    // Newton's iteration doubles the correct bits; an odd number is its own inverse in the lowest three.
    static std::uint64_t inverse_of(std::uint64_t odd) {
        std::uint64_t inverse = odd;
        for (int bits = 3; bits < 64; bits *= 2) inverse *= 2 - odd * inverse;
        return inverse;
    }

    unsigned shift_;
    std::uint64_t mask_;
    std::uint64_t inverse_;
    std::int64_t min_;
    std::int64_t max_;
};

class TickTable {
  public:
    // `starts` are those of the second and later ticks.
    TickTable(std::vector<std::int64_t> starts, std::vector<std::int64_t> ticks)
        : starts_(std::move(starts)), ticks_(std::move(ticks)) {}

    // The grid price `count` ticks above (negative: below) `units`, along the table.
    std::int64_t step(std::int64_t units, std::int64_t count) const;
    // The highest grid price that is not above `units`, the lowest that is not below.
    std::int64_t floor(std::int64_t units) const { return step(units + 1, -1); }
    std::int64_t ceil(std::int64_t units) const { return step(units - 1, 1); }

  private:
    Wide up(Wide units, Wide count) const;
    Wide down(Wide units, Wide count) const;
    std::size_t index(Wide units) const;

    std::vector<std::int64_t> starts_;
    std::vector<std::int64_t> ticks_;
};

}  // namespace fixaccel
