// SPDX-License-Identifier: Apache-2.0
#include "wall_clock.hpp"

#include <algorithm>
#include <ctime>

namespace fixaccel::board {
namespace {

std::uint64_t now(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
           static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

std::uint64_t utc_now_ns() { return now(CLOCK_REALTIME); }
std::uint64_t monotonic_now_ns() { return now(CLOCK_MONOTONIC); }
std::uint64_t cpu_time_ns() { return now(CLOCK_PROCESS_CPUTIME_ID); }

std::uint32_t WallClock::step() {
    const std::uint64_t elapsed = std::min<std::uint64_t>(monotonic_now_ns() - told_, kMaxStepNs);
    told_ += elapsed;
    return static_cast<std::uint32_t>(elapsed);
}

}  // namespace fixaccel::board
