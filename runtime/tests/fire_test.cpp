// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/fire.hpp"
#include "fixaccel/decimal.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>

#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {
namespace {

TEST(Fire, PriceIsDecimalTextWithoutTrailingZeros) {
    EXPECT_EQ(price_text(118000, "0.01"), "1180");
    EXPECT_EQ(price_text(117950, "0.01"), "1179.5");
    EXPECT_EQ(price_text(5, "0.01"), "0.05");
    EXPECT_EQ(price_text(0, "0.01"), "0");
    EXPECT_EQ(price_text(-125, "0.1"), "-12.5");
    EXPECT_EQ(price_text(7, "5"), "35");
    EXPECT_EQ(price_text(3, "0.25"), "0.75");
}

TEST(Fire, PaddingIsTakenOff) {
    EXPECT_EQ(plain_number("0000000002"), "2");
    EXPECT_EQ(plain_number("06800.25"), "6800.25");
    EXPECT_EQ(plain_number("-001.350"), "-1.35");
    EXPECT_EQ(plain_number("00000"), "0");
    EXPECT_EQ(plain_number("000.50"), "0.5");
    EXPECT_EQ(plain_number("0012.00"), "12");
    EXPECT_EQ(plain_number(""), "");
}

TEST(Fire, MidIsHalved) {
    EXPECT_EQ(price_text(201, "0.01", true), "1.005");
    EXPECT_EQ(price_text(-1, "1", true), "-0.5");
    EXPECT_EQ(price_text(4, "1", true), "2");
}

TEST(Fire, PriceHasRoomBeyond64Bits) {
    EXPECT_EQ(price_text(140737488355327, "100000000"), "14073748835532700000000");
}

TEST(Fire, UnitMustBeADecimal) {
    EXPECT_THROW(price_text(1, ""), std::invalid_argument);
    EXPECT_THROW(price_text(1, "1e-2"), std::invalid_argument);
    EXPECT_THROW(price_text(1, "0.0.1"), std::invalid_argument);
}

TEST(Fire, EveryOutcomeHasAName) {
    for (std::uint32_t outcome = 0; outcome <= hwmap::outcome_frame; ++outcome)
        EXPECT_FALSE(outcome_text(outcome).starts_with("unknown")) << outcome;
    EXPECT_EQ(outcome_text(hwmap::outcome_orders_per_second), "rejected:orders_per_second");
    EXPECT_EQ(outcome_text(hwmap::outcome_dry), "dry");
    EXPECT_EQ(outcome_text(hwmap::outcome_watch), "watch");
    EXPECT_EQ(outcome_text(hwmap::outcome_frame), "rejected:frame");
    EXPECT_EQ(outcome_text(hwmap::outcome_frame + 1), "unknown:17");
}

TEST(Fire, FieldIsFoundByItsWholeTag) {
    constexpr std::string_view message =
        "8=FIX.4.4\x01"
        "9=5\x01"
        "111=X\x01"
        "11=ORDER\x01"
        "10=000\x01";
    EXPECT_EQ(fix_field(message, 11), "ORDER");
    EXPECT_EQ(fix_field(message, 111), "X");
    EXPECT_EQ(fix_field(message, 1), "");
}

}  // namespace
}  // namespace fixaccel
