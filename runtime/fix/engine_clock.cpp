// SPDX-License-Identifier: Apache-2.0
#include "engine_clock.hpp"

#include <quickfix/FieldTypes.h>
#include <sys/time.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "fixaccel/utc_clock.hpp"

namespace {

constexpr std::int64_t kUsPerSecond = 1000000;
constexpr std::int64_t kUsPerDay = 24 * 60 * 60 * kUsPerSecond;
constexpr std::int64_t kLongestCallUs = kUsPerSecond / 4;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

std::atomic<unsigned> asked{0};
thread_local std::int64_t call_ends_us = kNever;  // the engine's clock stands then

std::int64_t utc_us() { return fixaccel::utc_ns() / 1000; }

}  // namespace

// QuickFIX reads the time inside its library, for heartbeats, time-outs, the age of messages and SendingTime,
// and cannot be given another. It asks this function, which nothing else here does: so it is ours, and a step
// of the system's clock neither ends the session nor shows in a message.
extern "C" int gettimeofday(timeval* time, void* /*zone*/) noexcept {
    const std::int64_t us = fixaccel::engine_us();
    time->tv_sec = static_cast<time_t>(us / kUsPerSecond);
    time->tv_usec = static_cast<suseconds_t>(us % kUsPerSecond);
    ++asked;
    return 0;
}

namespace fixaccel {

std::int64_t engine_us() { return std::min(utc_us(), call_ends_us); }

bool engine_goes_by_our_clock() {
    const unsigned before = asked;
    FIX::DateTime::nowUtc();
    return asked != before;
}

std::int64_t end_of_call_us(std::int64_t begin_us) {
    const std::int64_t next_day_us = (begin_us / kUsPerDay + 1) * kUsPerDay;
    return std::min(begin_us + kLongestCallUs, next_day_us - 1);
}

EngineCall::EngineCall()
    : outer_end_us_(std::exchange(call_ends_us, std::min(call_ends_us, end_of_call_us(utc_us())))) {}

bool EngineCall::is_long() { return utc_us() >= call_ends_us; }

EngineCall::~EngineCall() { call_ends_us = outer_end_us_; }

}  // namespace fixaccel
