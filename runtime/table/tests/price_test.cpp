// SPDX-License-Identifier: Apache-2.0
#include "price.hpp"

#include <gtest/gtest.h>

#include <random>

namespace fixaccel {
namespace {

TEST(UnitDivider, TakesWholeUnitsWithinTheRangeAndNothingElse) {
    std::mt19937_64 random(1);
    for (const std::int64_t unit : {1L, 3L, 64L, 1'000'000L, 25'000'000L, 7'000'000L, 100'000'000L}) {
        const UnitDivider divider(unit, -1'000, 5'000);
        for (int step = 0; step < 20'000; ++step) {
            const auto far = static_cast<std::int64_t>(random());
            const std::int64_t near = static_cast<std::int64_t>(random() % 20'000) * unit - 10'000 * unit;
            for (const std::int64_t wire : {far, near, near + 1, near - unit / 2}) {
                const bool whole = wire % unit == 0 && wire / unit >= -1'000 && wire / unit <= 5'000;
                const auto units = divider.divide(wire);
                ASSERT_EQ(units.has_value(), whole) << wire << " in units of " << unit;
                if (units) {
                    ASSERT_EQ(*units, wire / unit);
                }
            }
        }
    }
}

// Tick 1 below 100, 5 from there, 10 from 200.
const TickTable kTicks({100, 200}, {1, 5, 10});

bool on_grid(std::int64_t price) { return price % (price < 100 ? 1 : price < 200 ? 5 : 10) == 0; }

TEST(TickTable, StepsFromGridPriceToGridPrice) {
    for (std::int64_t price = -30; price < 260; ++price) {
        std::int64_t up = price;
        std::int64_t down = price;
        for (std::int64_t count = 1; count < 60; ++count) {
            do ++up;
            while (!on_grid(up));
            do --down;
            while (!on_grid(down));
            ASSERT_EQ(kTicks.step(price, count), up) << price << " + " << count;
            ASSERT_EQ(kTicks.step(price, -count), down) << price << " - " << count;
        }
        EXPECT_EQ(kTicks.step(price, 0), price);
        EXPECT_EQ(kTicks.floor(price) == price, on_grid(price));
        EXPECT_EQ(kTicks.ceil(price) == price, on_grid(price));
        EXPECT_LE(kTicks.floor(price), price);
        EXPECT_GE(kTicks.ceil(price), price);
    }
}

TEST(TickTable, StaysWithinItsBounds) {
    EXPECT_EQ(kTicks.step(0, std::numeric_limits<std::int64_t>::max()), kMostHalves);
    EXPECT_EQ(kTicks.step(0, std::numeric_limits<std::int64_t>::min() + 1), -kMostHalves);
}

TEST(Division, RoundsDownAndUp) {
    for (std::int64_t a = -20; a <= 20; ++a) {
        for (std::int64_t b = 1; b < 7; ++b) {
            const auto down = static_cast<std::int64_t>(floor_div(a, b));
            const auto up = static_cast<std::int64_t>(ceil_div(a, b));
            EXPECT_TRUE(down * b <= a && a < (down + 1) * b);
            EXPECT_TRUE((up - 1) * b < a && a <= up * b);
        }
    }
}

}  // namespace
}  // namespace fixaccel
