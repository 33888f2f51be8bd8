// SPDX-License-Identifier: Apache-2.0
// Numbers that are the same on every machine for the same seed.
#pragma once

#include <cstdint>

namespace fixaccel::exchange {

// SplitMix64.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebULL;
        return mixed ^ (mixed >> 31U);
    }
    // From 0 to `bound` - 1; `bound` is positive.
    std::int64_t below(std::int64_t bound) {
        return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(bound));
    }
    // From `low` to `high`, both included.
    std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
    bool one_in(std::int64_t times) { return below(times) == 0; }
    // True in `percent` of a hundred.
    bool chance(std::int64_t percent) { return below(100) < percent; }

  private:
    std::uint64_t state_;
};

}  // namespace fixaccel::exchange
