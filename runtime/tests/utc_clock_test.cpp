// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/utc_clock.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <random>

#include "fixaccel/clock_sync.hpp"

namespace fixaccel {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr seconds kBound{2};

std::int64_t steady_now, system_ahead;

std::int64_t steady() { return steady_now; }
std::int64_t system() { return steady_now + system_ahead; }

class UtcClockTest : public ::testing::Test {
  protected:
    UtcClockTest() {
        steady_now = 5 * kSecond;
        system_ahead = 1'000'000 * kSecond;
    }

    // Looks at the system's clock every `each`, for `time`.
    void run(nanoseconds time, nanoseconds each) {
        for (std::int64_t passed = 0; passed < time.count(); passed += each.count()) {
            steady_now += each.count();
            clock().follow(kBound);
        }
    }
    std::int64_t off() { return clock().now_ns() - system(); }
    UtcClock& clock() {
        if (!clock_) clock_.emplace(system, steady);
        return *clock_;
    }
    std::optional<UtcClock> clock_;
};

TEST_F(UtcClockTest, ShowsTheSystemsTime) {
    EXPECT_EQ(off(), 0);
    run(seconds(1), milliseconds(1));
    EXPECT_EQ(off(), 0);
}

TEST_F(UtcClockTest, MakesUpForASmallStepSlowly) {
    clock();
    system_ahead += kSecond;
    run(seconds(1), milliseconds(1));
    EXPECT_NEAR(static_cast<double>(off()), -kSecond + 1e6, 3e3) << "a millisecond in a second";
    EXPECT_FALSE(clock().was_set());
    run(seconds(1100), milliseconds(10));
    EXPECT_LT(std::abs(off()), 1000);
}

TEST_F(UtcClockTest, AStepIsNotFollowedUntilItIsTakenBack) {
    for (const std::int64_t step : {7200 * kSecond, -7200 * kSecond, 2 * kSecond + 1}) {
        clock_.reset();
        clock();
        system_ahead += step;
        run(seconds(10), milliseconds(1));
        EXPECT_TRUE(clock().was_set());
        EXPECT_EQ(clock().apart().count(), step);
        EXPECT_EQ(off(), -step) << "not a nanosecond of it";
        system_ahead -= step;
        run(seconds(1), milliseconds(1));
        EXPECT_FALSE(clock().was_set());
        EXPECT_EQ(off(), 0);
    }
}

TEST_F(UtcClockTest, NobodyLooksForHours) {
    clock();
    system_ahead += kSecond / 2;
    run(milliseconds(10), milliseconds(1));
    const std::int64_t before = clock().now_ns();
    steady_now += 100'000 * kSecond;
    EXPECT_NEAR(static_cast<double>(clock().now_ns() - before), 100'000.0 * kSecond, 1.1e6)
        << "a rate holds for a second";
}

TEST_F(UtcClockTest, NeverGoesBackWhateverTheSystemDoes) {
    std::mt19937_64 random(7);
    clock();
    std::int64_t last = clock().now_ns();
    for (int i = 0; i < 100'000; ++i) {
        steady_now += static_cast<std::int64_t>(random() % 3'000'000);
        if (random() % 10 == 0)
            system_ahead += static_cast<std::int64_t>(random() % 10'000'000'000) - 5'000'000'000;
        if (random() % 2 == 0) clock().follow(kBound);
        const std::int64_t now = clock().now_ns();
        ASSERT_GE(now, last);
        last = now;
    }
}

TEST(ClockSync, IsWhatTheKernelWasTold) {
    timex said{};
    said.maxerror = 250;
    said.esterror = 20;
    const ClockSync good = clock_sync(TIME_OK, said);
    EXPECT_TRUE(good.known && good.synchronised);
    EXPECT_EQ(good.max_error, std::chrono::microseconds(250));
    EXPECT_EQ(good.estimated_error, std::chrono::microseconds(20));
    EXPECT_TRUE(good.within(std::chrono::microseconds(250)));
    EXPECT_FALSE(good.within(std::chrono::microseconds(249)));
    EXPECT_TRUE(clock_sync(TIME_INS, said).synchronised) << "a leap second is announced";
    EXPECT_FALSE(clock_sync(TIME_ERROR, said).synchronised);
    said.status = STA_UNSYNC;
    EXPECT_FALSE(clock_sync(TIME_OK, said).synchronised);
    EXPECT_FALSE(clock_sync(TIME_OK, said).within(std::chrono::hours(1)));
    EXPECT_TRUE(clock_sync(TIME_OK, said).known);
    EXPECT_FALSE(clock_sync(-1, said).known);
    EXPECT_FALSE(clock_sync(-1, {}).within(std::chrono::hours(1)));
}

}  // namespace
}  // namespace fixaccel
