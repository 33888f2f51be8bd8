// SPDX-License-Identifier: Apache-2.0
// Rules `at` a time.
#include "moments.hpp"

#include <gtest/gtest.h>

#include "running.hpp"

namespace fixaccel {
namespace {

using test::kSecond;
using test::Running;
using test::TableBuilder;
using Parts = std::vector<std::int32_t>;

constexpr std::int32_t kHour = 3600;
constexpr std::int64_t kDay = 24 * kHour;

struct Clocks {
    std::vector<std::int64_t> start_s;
    std::vector<std::int32_t> offset_s;

    // Seconds.
    std::int64_t first(std::int32_t second_of_day, std::int64_t from_ns) const {
        const auto moment = first_at(start_s, offset_s, second_of_day, from_ns);
        return moment ? *moment / kSecond : -1;
    }
};

TEST(Moments, AreTheFirstFromATimeOn) {
    const Clocks utc{{0}, {0}};
    EXPECT_EQ(utc.first(10, 0), 10);
    EXPECT_EQ(utc.first(10, 10 * kSecond), 10);
    EXPECT_EQ(utc.first(10, 10 * kSecond + 1), kDay + 10);
    const Clocks east{{0}, {9 * kHour}};
    EXPECT_EQ(east.first(9 * kHour + 5, 0), 5);
    EXPECT_EQ(utc.first(0, std::numeric_limits<std::int64_t>::max()), -1) << "nobody can count it";
}

// On day 10 at two o'clock of an offset of an hour.
TEST(Moments, OfATimeThatIsSkippedOrComesTwice) {
    constexpr std::int64_t kChange = 10 * kDay + kHour;
    const Clocks forward{{0, kChange}, {kHour, 2 * kHour}};
    const std::int64_t morning = 10 * kDay * kSecond;
    EXPECT_EQ(forward.first(2 * kHour - 1, morning), kChange - 1);
    EXPECT_EQ(forward.first(2 * kHour, morning), kChange) << "two o'clock is three o'clock";
    EXPECT_EQ(forward.first(2 * kHour + 1800, morning), kChange + 1800) << "half past three";
    EXPECT_EQ(forward.first(3 * kHour, morning), kChange);
    const Clocks back{{0, kChange}, {kHour, 0}};
    EXPECT_EQ(back.first(kHour + 1800, morning), 10 * kDay + 1800) << "the first of two";
    EXPECT_EQ(back.first(kHour + 1800, (10 * kDay + 1801) * kSecond), 11 * kDay + kHour + 1800);
    EXPECT_EQ(back.first(2 * kHour, morning), 10 * kDay + 2 * kHour);
}

// Clocks go from 23:30 to 00:30: a quarter to midnight of the day before is a quarter to one.
TEST(Moments, OfYesterdayWhereMidnightIsSkipped) {
    constexpr std::int64_t kChange = 10 * kDay - 1800;
    const Clocks clocks{{0, kChange}, {0, kHour}};
    EXPECT_EQ(clocks.first(23 * kHour + 2700, (kChange + 60) * kSecond), kChange + 900);
}

// Sells at each of these seconds of the UTC day.
TableBuilder at(const test::Values& seconds) {
    test::Values order(seconds.size());
    for (std::size_t row = 0; row < seconds.size(); ++row) order[row] = static_cast<std::int64_t>(row);
    return TableBuilder()
        .stops(test::Values(seconds.size(), 0))
        .set("part.form", test::Values(seconds.size(), 3))
        .set("part.at", order)
        .set("at.second", seconds)
        .set("zone.start_s", {0})
        .set("zone.offset_s", {0});
}

TEST(Moments, FireBeforeTheMessageInTheirOrder) {
    Running running(at({20, 10, 20, 30}));
    EXPECT_EQ(running.interpreter.next_moment(), std::numeric_limits<std::int64_t>::min());
    running.see(100, 5 * kSecond);
    EXPECT_TRUE(running.sink.fires.empty());
    EXPECT_EQ(running.interpreter.next_moment(), 10 * kSecond);
    running.see(100, 29 * kSecond);
    EXPECT_EQ(running.sink.parts(), (Parts{1, 0, 2}));
    EXPECT_EQ(running.sink.fires[0].ts_ns, 10 * kSecond);
    EXPECT_EQ(running.sink.fires[0].has_observed, 0);
    EXPECT_EQ(running.interpreter.next_moment(), 30 * kSecond);
}

TEST(Moments, TheFirstMessageSaysFromWhenOn) {
    Running running(at({10, 11}));
    running.see(100, 11 * kSecond);
    EXPECT_EQ(running.sink.parts(), (Parts{1})) << "at its very moment";
    EXPECT_EQ(running.interpreter.next_moment(), (kDay + 10) * kSecond);
}

TEST(Moments, TheClockAloneFiresThem) {
    Running running(at({10}));
    running.interpreter.advance(3 * kSecond, running.sink);
    running.interpreter.advance(10 * kSecond - 1, running.sink);
    EXPECT_TRUE(running.sink.fires.empty());
    running.interpreter.advance(12 * kSecond, running.sink);
    ASSERT_EQ(running.sink.fires.size(), 1U);
    EXPECT_EQ(running.sink.fires[0].ts_ns, 10 * kSecond);
    EXPECT_EQ(running.interpreter.next_moment(), std::nullopt);
    running.interpreter.restart();
    running.interpreter.advance((kDay + 10) * kSecond, running.sink);
    EXPECT_EQ(running.sink.fires.size(), 2U) << "from the very moment of this call on";
}

TEST(Moments, AChildIsDueBehindItsParentOnly) {
    TableBuilder builder = at({20, 10, 30});
    test::armed_on(builder, {-1, 0, 0}, 0);
    Running running(builder);
    running.see(100, 0);
    running.see(100, 40 * kSecond);
    EXPECT_EQ(running.sink.parts(), (Parts{0, 2})) << "10 of the next day for part 1";
    EXPECT_EQ(running.interpreter.next_moment(), (kDay + 10) * kSecond);
}

TEST(Moments, ACancelledOneDoesNotFire) {
    Running running(at({20, 10}).set("part.group", {0, 0}));
    running.see(100, 0);
    running.see(100, 40 * kSecond);
    EXPECT_EQ(running.sink.parts(), (Parts{1}));
    EXPECT_EQ(running.interpreter.next_moment(), std::nullopt);
}

TEST(Moments, StayOverALoadWhereTheRuleDoes) {
    Running running(at({20, 30}));
    running.see(100, 25 * kSecond);
    EXPECT_EQ(running.interpreter.next_moment(), 30 * kSecond) << "20 of the day is past";
    Running other(at({20, 30}));
    other.see(100, 5 * kSecond);
    const SoftwareTable next = at({10, 30}).set("part.hash", {9, 0, 2, 0}).table();
    other.see(100, 15 * kSecond);
    other.interpreter.reload(next.columns());
    other.see(100, 40 * kSecond);
    EXPECT_EQ(other.sink.parts(), (Parts{1})) << "10 is past when it is loaded";
    EXPECT_EQ(other.interpreter.next_moment(), (kDay + 10) * kSecond);
}

TEST(Moments, AMarketOrderNeedsAKnownPriceOnlyUnderALimit) {
    for (const bool limited : {false, true}) {
        TableBuilder builder = at({10, 20});
        if (limited) builder.set("instrument.notional_cap", {2 * 150, 0});
        Running running(builder);
        running.interpreter.advance(0, running.sink);
        running.interpreter.advance(15 * kSecond, running.sink);
        EXPECT_EQ(running.sink.fires[0].outcome, limited ? GateOutcome::order_notional : GateOutcome::sent);
        running.see(150, 16 * kSecond);
        running.interpreter.advance(25 * kSecond, running.sink);
        EXPECT_EQ(running.sink.fires[1].outcome, GateOutcome::sent);
    }
}

}  // namespace
}  // namespace fixaccel
