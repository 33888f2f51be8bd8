// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/windows.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "fake_board.hpp"

namespace fixaccel {
namespace {

constexpr std::int64_t kOneSecond = 1'000'000'000;
constexpr std::int64_t kMinute = 60 * kOneSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::uint32_t kOpen = 1U << hwmap::windows_bits::pending;

// One hour ahead of UTC, two from noon of the second day on. Window 1 is 09:30-16:00, window 2 22:00-02:00.
Bundle timed() {
    Bundle bundle;
    bundle.windows = {{{570, 960}}, {{1320, 120}}};
    bundle.zone = {.start_s = {0, 129'600}, .offset_s = {3600, 7200}};
    return bundle;
}

TEST(TimeOfDay, ComesOnceADayInTheZone) {
    const Zone zone = timed().zone;
    const std::int64_t five = 17 * 3600;
    EXPECT_EQ(next_time_of_day(zone, five, 0), 16 * kHour);
    EXPECT_EQ(next_time_of_day(zone, five, 16 * kHour - 1), 16 * kHour);
    EXPECT_EQ(next_time_of_day(zone, five, 16 * kHour), kDay + 15 * kHour) << "the zone has changed at noon";
    EXPECT_EQ(next_time_of_day(zone, five, kDay + 15 * kHour), 2 * kDay + 15 * kHour);
    EXPECT_EQ(next_time_of_day(zone, 0, 0), 23 * kHour) << "midnight, of the day that begins";
    EXPECT_EQ(next_time_of_day(zone, 0, 23 * kHour - 1), 23 * kHour);
}

TEST(TimeOfDay, EndsWithWhatCanBeCounted) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const Zone utc{.start_s = {0}, .offset_s = {0}};
    EXPECT_EQ(next_time_of_day(utc, 0, kMost - 1), kMost);
    EXPECT_EQ(next_time_of_day(utc, 0, kMost), kMost);
}

TEST(TimeOfDay, WhereClocksArePutForwardOrBack) {
    const Zone zone = timed().zone;  // forward from 13:00 to 14:00 of the second day
    const std::int64_t change = 129'600 * kOneSecond;
    EXPECT_EQ(next_time_of_day(zone, 13 * 3600 + 1800, kDay), change) << "a time that is left out";
    EXPECT_EQ(next_time_of_day(zone, 13 * 3600, kDay), change);
    const Zone back{.start_s = {0, 129'600}, .offset_s = {7200, 3600}};  // from 14:00 to 13:00
    const std::int64_t first = change - kHour / 2;
    EXPECT_EQ(next_time_of_day(back, 13 * 3600 + 1800, kDay), first) << "a time that comes twice";
    EXPECT_EQ(next_time_of_day(back, 13 * 3600 + 1800, first), first + kDay + kHour);
}

TEST(Windows, OpenByTheVenuesTimeOfDay) {
    Windows windows(timed());
    const std::int64_t opens = 8 * kHour + 30 * kMinute;
    EXPECT_EQ(windows.open(opens - 1), 1U);
    EXPECT_EQ(windows.open(opens), 3U);
    EXPECT_EQ(windows.open(15 * kHour - 1), 3U);
    EXPECT_EQ(windows.open(15 * kHour), 1U);
    EXPECT_EQ(windows.open(21 * kHour), 5U);
    EXPECT_EQ(windows.open(kDay + kHour - 1), 5U);
    EXPECT_EQ(windows.open(kDay + kHour), 1U);
    EXPECT_EQ(windows.open(2 * kDay + opens - kHour), 3U) << "an hour earlier once the zone has changed";
}

TEST(Windows, TheNextChangeIsTheFirstThatOpensOrCloses) {
    Windows windows(timed());
    EXPECT_EQ(windows.next(9 * kHour).at_ns, 15 * kHour);
    EXPECT_EQ(windows.next(9 * kHour).open, 1U);
    EXPECT_EQ(windows.next(15 * kHour).at_ns, 21 * kHour);
    EXPECT_EQ(windows.next(15 * kHour).open, 5U);
    EXPECT_EQ(windows.next(kDay + 9 * kHour).at_ns, kDay + 14 * kHour) << "behind the change of the zone";
}

TEST(Windows, NothingChangesInADay) {
    Bundle bundle = timed();
    bundle.windows = {{{0, 1440}}};
    Windows windows(bundle);
    EXPECT_EQ(windows.next(0).at_ns, kDay);
    EXPECT_EQ(windows.next(0).open, 3U);
}

struct Told {
    std::int64_t at_ns;
    std::uint32_t open;
};

Told told(FakeBoard& board) {
    const std::uint64_t high = board.memory[hwmap::reg::windows_at_hi];
    return {static_cast<std::int64_t>(high << 32 | board.memory[hwmap::reg::windows_at_lo]),
            board.memory[hwmap::reg::windows_next]};
}

TEST(Windows, TheBoardIsToldEachChangeAfterTheOneBefore) {
    FakeBoard board;
    Windows windows(timed());
    windows.start(board, 9 * kHour);
    EXPECT_EQ(told(board).at_ns, 15 * kHour);
    EXPECT_EQ(told(board).open, 1U);
    windows.follow(board, 15 * kHour - 1);
    EXPECT_EQ(told(board).at_ns, 15 * kHour);
    // The fabric's clock is a little behind ours.
    board.memory[hwmap::reg::windows] = kOpen;
    windows.follow(board, 15 * kHour);
    EXPECT_EQ(told(board).at_ns, 15 * kHour);
    board.memory[hwmap::reg::windows] = 0;
    windows.follow(board, 15 * kHour + kOneSecond);
    EXPECT_EQ(told(board).at_ns, 21 * kHour);
    EXPECT_EQ(told(board).open, 5U);
}

TEST(Windows, ABoardThatDoesNotOpenThem) {
    FakeBoard board;
    board.memory[hwmap::reg::windows] = kOpen;
    EXPECT_THROW(Windows(timed()).start(board, 0), BoardError);
}

TEST(Windows, WithoutAnyTheBoardOpensTheOneThatAlwaysIs) {
    FakeBoard board;
    Windows().start(board, 9 * kHour);
    EXPECT_EQ(told(board).at_ns, 0);
    EXPECT_EQ(told(board).open, 1U);
}

TEST(Windows, BundlesThatContradictThemselves) {
    EXPECT_NO_THROW(check_windows(timed()));
    Bundle no_zone = timed();
    no_zone.zone = {};
    EXPECT_THROW(check_windows(no_zone), BundleError);
    Bundle no_time = timed();
    no_time.windows[1][0].end = 1441;
    EXPECT_THROW(check_windows(no_time), BundleError);
    Bundle chain = timed();
    hwmap::chain_record record;
    record.set_window(3);
    chain.memories.push_back({.name = "chain",
                              .base = hwmap::memory::chain.base,
                              .records = 1,
                              .words = {record.words.begin(), record.words.end()}});
    EXPECT_THROW(check_windows(chain), BundleError);
    chain.windows.push_back({{0, 60}});
    EXPECT_NO_THROW(check_windows(chain));
}

}  // namespace
}  // namespace fixaccel
