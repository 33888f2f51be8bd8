// SPDX-License-Identifier: Apache-2.0
#include "matching/instrument.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "matching/decimal.hpp"

namespace fixaccel::exchange {
namespace {

std::int64_t scaled(const char* text) { return parse_decimal(text).value(); }

InstrumentTerms table_terms() {
    return {.symbol = "7203",
            .ticks = {{0, scaled("0.1")}, {scaled("1000"), scaled("0.5")}, {scaled("5000"), scaled("1")}},
            .lot = 100,
            .lowest = scaled("0.1"),
            .highest = scaled("100000")};
}

TEST(Instrument, CountsPricesInItsFinestTick) {
    const Instrument instrument(table_terms());
    std::string why;
    EXPECT_EQ(instrument.parse_price("999.9", why), 9999);
    EXPECT_EQ(instrument.parse_price("1000.5", why), 10005);
    EXPECT_EQ(instrument.parse_price("0005001.0", why), 50010);
    EXPECT_EQ(instrument.format_price(10005), "1000.5");
    EXPECT_EQ(instrument.format_price(50010), "5001.0");
}

TEST(Instrument, HoldsEachPriceToTheTickOfItsBand) {
    const Instrument instrument(table_terms());
    std::string why;
    EXPECT_EQ(instrument.parse_price("1000.1", why), std::nullopt);
    EXPECT_EQ(why, "price 1000.1 is not on the tick grid of 0.5");
    EXPECT_EQ(instrument.parse_price("5000.5", why), std::nullopt);
    EXPECT_EQ(instrument.parse_price("100001", why), std::nullopt);
    EXPECT_EQ(why, "price 100001 is outside the price range 0.1 to 100000");
}

TEST(Instrument, TradesBelowZeroWhereItsRangeSaysSo) {
    const Instrument crude({.symbol = "CLZ6",
                            .ticks = {{0, scaled("0.01")}},
                            .lot = 1,
                            .lowest = scaled("-100"),
                            .highest = scaled("500")});
    std::string why;
    EXPECT_EQ(crude.parse_price("-000012.50", why), -1250);
    EXPECT_EQ(crude.format_price(-1250), "-12.50");
    EXPECT_EQ(crude.format_average(Notional{-3} * 1250 - 1, 3), "-12.50333333");
}

TEST(Instrument, AveragesRoundHalfAwayFromZero) {
    const Instrument whole({.symbol = "X",
                            .ticks = {{0, scaled("0.00000001")}},
                            .lot = 1,
                            .lowest = -kDecimalScale,
                            .highest = kDecimalScale});
    EXPECT_EQ(whole.format_average(Notional{5}, 2), "0.00000003");
    EXPECT_EQ(whole.format_average(Notional{-5}, 2), "-0.00000003");
    EXPECT_EQ(whole.format_average(Notional{4}, 3), "0.00000001");
    EXPECT_EQ(whole.format_average(Notional{0}, 0), "0");
}

TEST(Instrument, ChecksQuantitiesAgainstTheLot) {
    const Instrument instrument(table_terms());
    std::string why;
    EXPECT_EQ(instrument.parse_quantity("0000000200", why), 200);
    EXPECT_EQ(instrument.parse_quantity("150", why), std::nullopt);
    EXPECT_EQ(why, "quantity 150 is not a multiple of the lot 100");
    for (const char* text : {"0", "-100", "", "1.5", "many"}) {
        EXPECT_EQ(instrument.parse_quantity(text, why), std::nullopt) << text;
    }
}

TEST(Instrument, RefusesTermsThatCannotBeTraded) {
    const auto with = [](auto change) {
        InstrumentTerms terms = table_terms();
        change(terms);
        return terms;
    };
    EXPECT_THROW(Instrument(with([](auto& terms) { terms.ticks.clear(); })), std::invalid_argument);
    EXPECT_THROW(Instrument(with([](auto& terms) { terms.lot = 0; })), std::invalid_argument);
    EXPECT_THROW(Instrument(with([](auto& terms) { terms.ticks[0] = 0; })), std::invalid_argument);
    EXPECT_THROW(Instrument(with([](auto& terms) { terms.highest = 0; })), std::invalid_argument);
    EXPECT_THROW(Instrument(with([](auto& terms) { terms.lowest = -1; })), std::invalid_argument);
    EXPECT_THROW(Instrument(with([](auto& terms) { terms.ticks[0] = scaled("0.3"); })),
                 std::invalid_argument);
}

}  // namespace
}  // namespace fixaccel::exchange
