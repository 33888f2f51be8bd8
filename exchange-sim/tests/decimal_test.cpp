// SPDX-License-Identifier: Apache-2.0
#include "matching/decimal.hpp"

#include <gtest/gtest.h>

#include <random>

namespace fixaccel::exchange {
namespace {

TEST(Decimal, ReadsExactly) {
    EXPECT_EQ(parse_decimal("0"), 0);
    EXPECT_EQ(parse_decimal("1180"), 1180 * kDecimalScale);
    EXPECT_EQ(parse_decimal("0.1"), kDecimalScale / 10);
    EXPECT_EQ(parse_decimal("-12.5"), -1'250'000'000);
    EXPECT_EQ(parse_decimal("0.00000001"), 1);
    EXPECT_EQ(parse_decimal("9999999999.99999999"), 999'999'999'999'999'999);
}

TEST(Decimal, TakesZeroPaddedFields) {
    EXPECT_EQ(parse_decimal("0001100.00"), 1100 * kDecimalScale);
    EXPECT_EQ(parse_decimal("-000012.50"), -1'250'000'000);
    EXPECT_EQ(parse_decimal("00000000000000000000000001"), kDecimalScale);
    EXPECT_EQ(parse_decimal("1.5000000000000"), 150'000'000);
    EXPECT_EQ(parse_whole("0000000002"), 2);
    EXPECT_EQ(parse_whole("100.00"), 100);
}

TEST(Decimal, RefusesEverythingElse) {
    for (const char* text : {"", "-", ".", "1.", ".5", "+1", "1e3", " 1", "1 ", "1,5", "--1", "1.2.3", "nan",
                             "0x1", "0.000000001", "10000000000", "-10000000000"}) {
        EXPECT_EQ(parse_decimal(text), std::nullopt) << "'" << text << "'";
    }
    EXPECT_EQ(parse_whole("-1"), std::nullopt);
    EXPECT_EQ(parse_whole("1.5"), std::nullopt);
}

// Ten times what is there already, then the digit, is where 64 bits end first: 9223372036854775908 came back
// as 100.
TEST(Decimal, RefusesWhatGoesRoundIn64Bits) {
    for (const char* text : {"9223372036854775908", "92233720368.54775908", "18446744073709551716",
                             "92233720369", "184467440738", "9223372036854775807", "-9223372036854775908",
                             "340282366920938463463374607431768211556"}) {
        EXPECT_EQ(parse_decimal(text), std::nullopt) << text;
        EXPECT_EQ(parse_whole(text), std::nullopt) << text;
    }
    // All that 20 digits can be: what is beyond the bound has no value, whatever its low bits are.
    std::mt19937_64 random(2);
    for (int i = 0; i < 2000; ++i) {
        std::string text =
            std::to_string(random() | (std::uint64_t{1} << 60U)) + std::to_string(random() % 10);
        EXPECT_EQ(parse_decimal(text), std::nullopt) << text;
    }
}

TEST(Decimal, WritesWhatItReads) {
    EXPECT_EQ(format_decimal(1180 * kDecimalScale, 2), "1180.00");
    EXPECT_EQ(format_decimal(-1'250'000'000, 0), "-12.5");
    EXPECT_EQ(format_decimal(-1, 2), "-0.00000001");
    EXPECT_EQ(format_decimal(0, 0), "0");
    std::mt19937_64 random(1);
    std::uniform_int_distribution<std::int64_t> any(-999'999'999'999'999'999, 999'999'999'999'999'999);
    std::uniform_int_distribution<int> places(0, kDecimalPlaces);
    for (int i = 0; i < 2000; ++i) {
        const std::int64_t value = any(random);
        const std::string text = format_decimal(value, places(random));
        EXPECT_EQ(parse_decimal(text), value) << text;
    }
}

}  // namespace
}  // namespace fixaccel::exchange
