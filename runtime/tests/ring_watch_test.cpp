// SPDX-License-Identifier: Apache-2.0
#include "ring_watch.hpp"

#include <gtest/gtest.h>

namespace fixaccel {
namespace {

using namespace std::chrono_literals;
namespace bits = hwmap::status_bits;

constexpr std::uint32_t kQuiet = 1U << bits::armed | 1U << bits::flow | 1U << bits::synced;
const RingWatch::Time kNow = RingWatch::Time{} + 1h;

TEST(RingWatchTest, BehindWhatHasComeItLooksOften) {
    const DaemonConfig config;
    RingWatch watch;
    watch.woken(kNow);
    EXPECT_EQ(watch.rest(kNow, {kQuiet}, config), config.poll);
    EXPECT_EQ(watch.rest(kNow + RingWatch::kAwake - 1ns, {kQuiet}, config), config.poll);
    EXPECT_EQ(watch.rest(kNow + RingWatch::kAwake, {kQuiet}, config), RingWatch::kRest);
}

TEST(RingWatchTest, WhileSomethingIsOnItsWayItLooksOften) {
    const DaemonConfig config;
    for (const unsigned bit : {bits::order_busy, bits::lease_requested, bits::lease_held, bits::flip_asked})
        EXPECT_EQ(RingWatch().rest(kNow, {kQuiet | 1U << bit}, config), config.poll) << bit;
    for (const unsigned bit : {bits::armed, bits::synced})
        EXPECT_EQ(RingWatch().rest(kNow, {kQuiet & ~(1U << bit)}, config), config.poll) << bit;
}

TEST(RingWatchTest, ItRestsForLessThanWhatTheFabricWaitsFor) {
    using Limit = std::chrono::nanoseconds FabricLimits::*;
    for (const Limit limit : {&FabricLimits::watchdog, &FabricLimits::clock_max_age, &FabricLimits::rx_gate,
                              &FabricLimits::hold}) {
        DaemonConfig config;
        config.limits.*limit = 8ms;
        EXPECT_EQ(RingWatch().rest(kNow, {kQuiet}, config), 1ms);
    }
}

TEST(RingWatchTest, WhoAsksForLongerOrForNoRestGetsThat) {
    DaemonConfig config;
    config.poll = 20ms;
    EXPECT_EQ(RingWatch().rest(kNow, {kQuiet}, config), 20ms);
    config.poll = 0ns;
    EXPECT_EQ(RingWatch().rest(kNow, {kQuiet}, config), 0ns);
}

}  // namespace
}  // namespace fixaccel
