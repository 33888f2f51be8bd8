// SPDX-License-Identifier: Apache-2.0
#include "venue/timetable.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace fixaccel::exchange {
namespace {

class TimetableTest : public testing::Test {
  protected:
    TimetableTest() {
        setenv("TZ", "America/New_York", 1);
        tzset();
    }
    ~TimetableTest() override {
        unsetenv("TZ");
        tzset();
    }
    static std::time_t local(int year, int month, int day, int hour, int minute) {
        std::tm time{};
        time.tm_year = year - 1900;
        time.tm_mon = month - 1;
        time.tm_mday = day;
        time.tm_hour = hour;
        time.tm_min = minute;
        time.tm_isdst = -1;
        return std::mktime(&time);
    }

    const Timetable table{{{9 * 3600, Phase::kOpeningCall},
                           {9 * 3600 + 1800, Phase::kContinuous},
                           {16 * 3600, Phase::kClosed}}};
};

TEST_F(TimetableTest, EachPhaseFromItsTimeOn) {
    EXPECT_EQ(table.at(local(2026, 1, 5, 8, 59)), Phase::kClosed) << "of the day before";
    EXPECT_EQ(table.at(local(2026, 1, 5, 9, 0)), Phase::kOpeningCall);
    EXPECT_EQ(table.at(local(2026, 1, 5, 9, 30)), Phase::kContinuous);
    EXPECT_EQ(table.at(local(2026, 1, 5, 16, 0)), Phase::kClosed);
    EXPECT_EQ(table.next(local(2026, 1, 5, 9, 0)), local(2026, 1, 5, 9, 30));
    EXPECT_EQ(table.next(local(2026, 1, 5, 16, 0)), local(2026, 1, 6, 9, 0));
    EXPECT_EQ(table.last_close(local(2026, 1, 5, 9, 0)), local(2026, 1, 4, 16, 0));
    EXPECT_EQ(table.last_close(local(2026, 1, 5, 17, 0)), local(2026, 1, 5, 16, 0));
}

TEST_F(TimetableTest, GoesByTheClockAlsoWhereThatIsPutForward) {
    // In the night before the 8th of March there are 23 hours.
    const std::time_t evening = local(2026, 3, 7, 16, 0);
    EXPECT_EQ(table.next(evening), local(2026, 3, 8, 9, 0));
    EXPECT_EQ(table.next(evening) - evening, 16 * 3600);
    EXPECT_EQ(table.at(local(2026, 3, 8, 9, 29)), Phase::kOpeningCall);
}

}  // namespace
}  // namespace fixaccel::exchange
