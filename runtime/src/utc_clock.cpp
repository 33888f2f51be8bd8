// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/utc_clock.hpp"

#include <algorithm>
#include <ctime>

namespace fixaccel {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMostRate = kSecond / 1000;
constexpr std::int64_t kLongRead =
    1'000'000;  // whoever was held up so long between two clocks compares nothing

std::int64_t read_ns(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<std::int64_t>(time.tv_sec) * kSecond + time.tv_nsec;
}

std::int64_t system_ns() { return read_ns(CLOCK_REALTIME); }
// It goes on while the machine sleeps.
std::int64_t steady_ns() { return read_ns(CLOCK_BOOTTIME); }

}  // namespace

UtcClock::UtcClock(Source system, Source steady)
    : system_(system), steady_(steady), base_steady_ns_(steady()), base_utc_ns_(system()) {}

std::int64_t UtcClock::at(std::int64_t steady) const {
    const std::int64_t passed = steady - base_steady_ns_;
    return base_utc_ns_ + passed + std::min(passed, kSecond) * rate_ / kSecond;
}

std::int64_t UtcClock::now_ns() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return at(steady_());
}

void UtcClock::follow(std::chrono::nanoseconds bound) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::int64_t before = steady_();
    const std::int64_t system = system_();
    const std::int64_t after = steady_();
    if (after - before > kLongRead) return;
    const std::int64_t ours = at(after);
    apart_ns_ = system - at(before + (after - before) / 2);
    was_set_ = apart_ns_ > bound.count() || apart_ns_ < -bound.count();
    rate_ = was_set_ ? 0 : std::max(-kMostRate, std::min(apart_ns_, kMostRate));
    base_steady_ns_ = after;
    base_utc_ns_ = ours;
}

std::chrono::nanoseconds UtcClock::apart() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::chrono::nanoseconds(apart_ns_);
}

bool UtcClock::was_set() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return was_set_;
}

UtcClock& utc_clock() {
    static UtcClock clock(system_ns, steady_ns);
    return clock;
}

}  // namespace fixaccel
