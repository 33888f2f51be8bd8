// SPDX-License-Identifier: Apache-2.0
#include "../fix/engine_clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "fixaccel/utc_clock.hpp"

namespace fixaccel {
namespace {

constexpr std::int64_t kMs = 1000;
constexpr std::int64_t kDay = 24 * 60 * 60 * 1000 * kMs;
constexpr std::int64_t kMidnight = 20783 * kDay;

TEST(EngineClockTest, ACallTakesNoLongerThanAQuarterOfASecond) {
    EXPECT_EQ(end_of_call_us(kMidnight), kMidnight + 250 * kMs);
    EXPECT_EQ(end_of_call_us(kMidnight + kDay / 2), kMidnight + kDay / 2 + 250 * kMs);
}

TEST(EngineClockTest, ItIsTheTimeOfUtcAndGoesNoFurtherThanTheCall) {
    const std::int64_t before = utc_ns() / 1000;
    const std::int64_t now = engine_us();
    EXPECT_LE(before, now);
    EXPECT_LE(now, utc_ns() / 1000);
    const EngineCall call;
    const std::int64_t begun = engine_us();
    while (!EngineCall::is_long()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_LE(engine_us(), begun + 250 * kMs) << "however long the call takes";
}

TEST(EngineClockTest, ACallEndsOnTheDayOnWhichItBegan) {
    EXPECT_EQ(end_of_call_us(kMidnight - 100 * kMs), kMidnight - 1);
    EXPECT_EQ(end_of_call_us(kMidnight - 1), kMidnight - 1);
    EXPECT_EQ(end_of_call_us(kMidnight - 250 * kMs), kMidnight - 1);
    EXPECT_EQ(end_of_call_us(kMidnight - 251 * kMs), kMidnight - 1 * kMs);
}

}  // namespace
}  // namespace fixaccel
