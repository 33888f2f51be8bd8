// SPDX-License-Identifier: Apache-2.0
#include "engine_clock.hpp"

#include <quickfix/FieldTypes.h>
#include <sys/time.h>

#include <atomic>

#include "fixaccel/utc_clock.hpp"

namespace {

std::atomic<unsigned> asked{0};

}  // namespace

// QuickFIX reads the time inside its library, for heartbeats, time-outs, the age of messages and SendingTime,
// and cannot be given another. It asks this function, which nothing else here does: so it is ours, and a step
// of the system's clock neither ends the session nor shows in a message.
extern "C" int gettimeofday(timeval* time, void* /*zone*/) noexcept {
    constexpr std::int64_t kNsPerUs = 1000;
    constexpr std::int64_t kUsPerSecond = 1000000;
    const std::int64_t us = fixaccel::utc_ns() / kNsPerUs;
    time->tv_sec = static_cast<time_t>(us / kUsPerSecond);
    time->tv_usec = static_cast<suseconds_t>(us % kUsPerSecond);
    ++asked;
    return 0;
}

namespace fixaccel {

bool engine_goes_by_our_clock() {
    const unsigned before = asked;
    FIX::DateTime::nowUtc();
    return asked != before;
}

}  // namespace fixaccel
