// SPDX-License-Identifier: Apache-2.0
#include "coverage.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace fixaccel::fuzz {
namespace {

constexpr std::size_t kPlaces = 1U << 16;
// Plain arrays: what they are read and written by must not tell of itself.
std::uint8_t times[kPlaces];  // in this run, by block of code
std::uint8_t known[kPlaces];  // a bit for each order of magnitude that has been seen

}  // namespace

void begin_coverage() { std::memset(times, 0, sizeof times); }

bool covered_more() {
    bool more = false;
    for (std::size_t place = 0; place < kPlaces; ++place) {
        if (times[place] == 0) continue;
        const auto bit = static_cast<std::uint8_t>(1U << (std::bit_width(times[place]) - 1));
        more = more || (known[place] & bit) == 0;
        known[place] = known[place] | bit;
    }
    return more;
}

}  // namespace fixaccel::fuzz

// Called at each block of code that was compiled so. By its distance from here, which is the same in each
// run.
extern "C" __attribute__((no_sanitize_coverage)) void __sanitizer_cov_trace_pc() {
    constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15ULL;
    const auto at = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    const auto here = reinterpret_cast<std::uintptr_t>(&fixaccel::fuzz::begin_coverage);
    std::uint8_t& count = fixaccel::fuzz::times[((at - here) * kSpread) >> 48];
    if (count != 255) count = static_cast<std::uint8_t>(count + 1);
}
