// SPDX-License-Identifier: Apache-2.0
// A small random source that gives the same numbers on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fixaccel::hostile {

// SplitMix64: one word of state, so a run is told by its seed.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 0x1234567U) {}

    std::uint64_t word() {
        std::uint64_t x = state_ += 0x9E3779B97F4A7C15U;
        x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
        x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
        return x ^ (x >> 31U);
    }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((word() >> 32U) * n) >> 32U); }
    // Inclusive at both ends.
    int between(int low, int high) {
        return low + static_cast<int>(below(static_cast<std::uint32_t>(high - low + 1)));
    }
    bool per_mille(std::uint32_t n) { return below(1000) < n; }
    bool coin() { return (word() >> 63U) != 0; }
    template <typename Container>
    const auto& pick(const Container& from) {
        return from[below(static_cast<std::uint32_t>(from.size()))];
    }

  private:
    std::uint64_t state_;
};

}  // namespace fixaccel::hostile
