// SPDX-License-Identifier: Apache-2.0
#include "market_text.hpp"

#include <gtest/gtest.h>

#include <string>

#include "fix_text.hpp"

namespace fixaccel {
namespace {

using test::fix_of;

TEST(MarketText, ASnapshotNamesItsInstrumentAheadOfItsEntries) {
    const std::string message =
        fix_of("8=FIX.4.4|9=1|35=W|34=7|55=MSFT|268=2|269=0|270=10.5|271=3|290=1|269=2|270=11|10=000|");
    const MarketText text(message);
    EXPECT_TRUE(text.snapshot());
    EXPECT_EQ(text.symbol(), "MSFT");
    EXPECT_EQ(text.text(), message);
    ASSERT_EQ(text.entries().size(), 2U);
    EXPECT_EQ(text.entries()[0].price, "10.5");
    EXPECT_EQ(text.entries()[0].size, "3");
    EXPECT_EQ(text.entries()[0].position, "1");
    EXPECT_EQ(text.entries()[1].type, "2");
    EXPECT_EQ(text.entries()[1].position, "");
}

TEST(MarketText, WhatAnEntryLeavesOutOfItsInstrumentIsAsInTheOneBefore) {
    const std::string message = fix_of("35=X|55=A|268=4|279=0|269=0|279=1|55=B|279=2|55=|269=1|279=0|55=C|");
    const MarketText text(message);
    ASSERT_EQ(text.entries().size(), 4U);
    EXPECT_EQ(text.symbol(), "A");
    EXPECT_EQ(text.entries()[0].symbol, "A");
    EXPECT_EQ(text.entries()[1].symbol, "B");
    EXPECT_EQ(text.entries()[2].symbol, "B");
    EXPECT_TRUE(text.entries()[2].deleted());
    EXPECT_FALSE(text.entries()[2].price.has_value());
    EXPECT_EQ(text.entries()[3].symbol, "C");
}

// As without_repeats() hands it to the FIX engine.
TEST(MarketText, OfAHeaderThatRepeatsItselfTheFirstCounts) {
    EXPECT_TRUE(MarketText(fix_of("35=W|35=8|43=Y|43=N|55=A|")).snapshot());
    EXPECT_TRUE(MarketText(fix_of("35=W|43=Y|43=N|55=A|")).again());
    EXPECT_FALSE(MarketText(fix_of("35=W|43=N|43=Y|55=A|")).again());
}

TEST(MarketText, NothingStaysOfTheMessageBefore) {
    MarketText text;
    const std::string first = fix_of("35=X|43=Y|55=A|279=0|269=0|");
    text.read(first);
    ASSERT_EQ(text.entries().size(), 1U);
    for (const std::string& message :
         {fix_of("35=8|55=B|279=0|269=0|"), std::string(), fix_of("=|35|x=1|")}) {
        text.read(message);
        EXPECT_FALSE(text.quotes());
        EXPECT_FALSE(text.again());
        EXPECT_TRUE(text.symbol().empty());
        EXPECT_TRUE(text.entries().empty());
    }
}

}  // namespace
}  // namespace fixaccel
