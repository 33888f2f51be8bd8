// SPDX-License-Identifier: Apache-2.0
// Feeds real time into the simulated clock, so that timers inside the fabric run in real nanoseconds however
// slow the simulation is.
#pragma once

#include <cstdint>

namespace fixaccel::board {

// CLOCK_REALTIME in nanoseconds since the epoch.
std::uint64_t utc_now_ns();
// CLOCK_MONOTONIC in nanoseconds.
std::uint64_t monotonic_now_ns();
// CPU time that this process has used, in nanoseconds.
std::uint64_t cpu_time_ns();

class WallClock {
  public:
    // No cycle is told of more time than this, so no timer overshoots by more, even after a long sleep.
    static constexpr std::uint32_t kMaxStepNs = 100'000;

    WallClock() : told_(monotonic_now_ns()) {}
    // Time for the next cycle: what has passed since the former one, at most kMaxStepNs.
    std::uint32_t step();
    // More than one cycle is needed to catch up.
    bool behind() const { return monotonic_now_ns() - told_ > kMaxStepNs; }

  private:
    std::uint64_t told_;  // up to here the fabric knows
};

}  // namespace fixaccel::board
