// SPDX-License-Identifier: Apache-2.0
#include "market_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

namespace fixaccel {
namespace {

constexpr std::int64_t kOne = 100'000'000;
constexpr std::int64_t kArrived = 77;
constexpr std::size_t kBid = 0;
constexpr std::size_t kAsk = 1;
constexpr std::size_t kLast = 2;

struct Read {
    bool understood = false;
    std::vector<MarketMessage> messages;

    const MarketMessage& only() const {
        EXPECT_EQ(messages.size(), 1U);
        return messages.at(0);
    }
};

// `text` with | for SOH.
Read read(std::string text) {
    std::replace(text.begin(), text.end(), '|', '\x01');
    static MarketReader reader({"MSFT", "CLZ6"});
    Read result;
    result.messages.resize(3);  // what was in it goes
    result.understood = reader.read(MarketText(text), kArrived, result.messages);
    return result;
}

TEST(MarketData, ASnapshotCarriesTheBestLevelsAndTheLastTrade) {
    const MarketMessage seen =
        read(
            "8=FIX.4.4|35=W|34=9|55=MSFT|268=5|269=0|270=1184|290=2|269=0|270=1184.99|290=1|"
            "269=1|270=1185.01|269=2|270=1|269=2|270=1185|10=000|")
            .only();
    EXPECT_EQ(seen.kind, MarketKind::snapshot);
    EXPECT_EQ(seen.instrument, 0);
    EXPECT_EQ(seen.ts_ns, kArrived);
    EXPECT_EQ(seen.price[kBid], 118'499'000'000);
    EXPECT_EQ(seen.price[kAsk], 118'501'000'000);
    EXPECT_EQ(seen.price[kLast], 1185 * kOne);
    for (const PriceState state : seen.state) EXPECT_EQ(state, PriceState::value);
}

TEST(MarketData, WhatASnapshotDoesNotCarryIsAbsent) {
    const MarketMessage seen = read("35=W|55=MSFT|268=1|269=1|270=5|").only();
    EXPECT_EQ(seen.state[kBid], PriceState::absent);
    EXPECT_EQ(seen.state[kAsk], PriceState::value);
    EXPECT_EQ(seen.state[kLast], PriceState::absent);
}

TEST(MarketData, AnUpdateIsOneMessageAnInstrumentInOrderOfAppearance) {
    const Read seen = read(
        "35=X|268=4|279=0|269=0|55=CLZ6|270=-1.25|279=1|269=2|55=MSFT|270=7|279=0|269=2|55=NONE|270=1|"
        "279=1|269=1|55=CLZ6|270=-1|");
    ASSERT_EQ(seen.messages.size(), 2U);
    EXPECT_EQ(seen.messages[0].instrument, 1);
    EXPECT_EQ(seen.messages[0].kind, MarketKind::update);
    EXPECT_EQ(seen.messages[0].price[kBid], -125'000'000);
    EXPECT_EQ(seen.messages[0].price[kAsk], -kOne);
    EXPECT_EQ(seen.messages[0].state[kLast], PriceState::absent);
    EXPECT_EQ(seen.messages[1].instrument, 0);
    EXPECT_EQ(seen.messages[1].price[kLast], 7 * kOne);
}

TEST(MarketData, ADeletedBestLevelLeavesTheSideUnknown) {
    const MarketMessage seen =
        read("35=X|268=3|279=2|269=0|55=MSFT|290=1|279=2|269=1|55=MSFT|290=4|279=2|269=2|55=MSFT|270=5|")
            .only();
    EXPECT_EQ(seen.state[kBid], PriceState::unknown);
    EXPECT_EQ(seen.state[kAsk], PriceState::absent) << "a deeper level says nothing of the best";
    EXPECT_EQ(seen.state[kLast], PriceState::absent) << "a trade taken back is no trade";
}

TEST(MarketData, TheBestLevelIsPositionOneElseTheFirstWithoutAPosition) {
    const auto bid = [](const std::string& entries) { return read("35=X|55=MSFT|" + entries).only(); };
    EXPECT_EQ(bid("279=1|269=0|270=4|290=2|279=1|269=0|270=5|290=1|").price[kBid], 5 * kOne);
    EXPECT_EQ(bid("279=1|269=0|270=5|290=001|279=1|269=0|270=4|290=1|").price[kBid], 5 * kOne);
    EXPECT_EQ(bid("279=1|269=0|270=5|279=1|269=0|270=6|290=1|").price[kBid], 6 * kOne);
    EXPECT_EQ(bid("279=1|269=0|270=5|279=1|269=0|270=4|").price[kBid], 5 * kOne);
    EXPECT_EQ(bid("279=1|269=0|270=4|290=2|279=1|269=0|270=5|").price[kBid], 5 * kOne);
    for (const char* deeper : {"279=1|269=0|270=4|290=2|", "279=2|269=0|290=3|", "279=0|269=0|270=5|290=11|"})
        EXPECT_EQ(bid(deeper).state[kBid], PriceState::absent) << deeper;
}

TEST(MarketData, ADeletedLevelWithAPriceIsNoObservation) {
    EXPECT_EQ(read("35=X|279=2|269=0|55=MSFT|270=5|290=1|").only().state[kBid], PriceState::unknown);
    EXPECT_EQ(read("35=X|279=2|269=1|55=MSFT|270=5|").only().state[kAsk], PriceState::unknown);
}

TEST(MarketData, TheFinalTradeCountsAmongThoseThatStand) {
    const auto last = [](const std::string& entries) { return read("35=X|55=MSFT|" + entries).only(); };
    EXPECT_EQ(last("279=0|269=2|270=5|279=0|269=2|270=6|").price[kLast], 6 * kOne);
    EXPECT_EQ(last("279=0|269=2|270=5|279=2|269=2|270=6|").price[kLast], 5 * kOne);
    EXPECT_EQ(last("279=0|269=2|270=5|290=1|279=0|269=2|270=6|290=2|").price[kLast], 6 * kOne);
    EXPECT_EQ(last("279=0|269=2|270=5|279=0|269=2|271=1|").state[kLast], PriceState::unknown);
}

TEST(MarketData, AnEntryThatCountsWithoutAPriceLeavesItsSideUnknown) {
    const MarketMessage seen =
        read("35=X|279=1|269=0|55=MSFT|271=7|290=1|279=1|269=1|55=MSFT|270=6|290=2|").only();
    EXPECT_EQ(seen.state[kBid], PriceState::unknown);
    EXPECT_EQ(seen.state[kAsk], PriceState::absent);
}

TEST(MarketData, EntriesOfSeveralInstrumentsMayAlternate) {
    const Read seen = read(
        "35=X|279=0|269=2|55=MSFT|270=1|279=1|269=0|55=CLZ6|270=2|290=1|279=0|269=2|270=3|"
        "279=0|269=2|55=MSFT|270=4|279=1|269=0|270=5|290=1|");
    ASSERT_EQ(seen.messages.size(), 2U);
    EXPECT_EQ(seen.messages[0].instrument, 0);
    EXPECT_EQ(seen.messages[0].price[kLast], 4 * kOne);
    EXPECT_EQ(seen.messages[0].price[kBid], 5 * kOne);
    EXPECT_EQ(seen.messages[1].instrument, 1);
    EXPECT_EQ(seen.messages[1].price[kBid], 2 * kOne);
    EXPECT_EQ(seen.messages[1].price[kLast], 3 * kOne);
}

TEST(MarketData, AnEntryWithoutASymbolIsOfTheOneBefore) {
    const MarketMessage seen = read("35=X|268=2|279=1|269=0|55=MSFT|270=5|279=1|269=1|270=6|").only();
    EXPECT_EQ(seen.price[kAsk], 6 * kOne);
}

TEST(MarketData, WhatIsNotForUsIsNothing) {
    for (const char* text : {"35=W|43=Y|55=MSFT|268=1|269=0|270=5|", "35=W|55=OTHER|268=1|269=0|270=5|",
                             "35=8|55=MSFT|269=0|270=5|", "35=X|268=0|", ""}) {
        const Read seen = read(text);
        EXPECT_TRUE(seen.understood) << text;
        EXPECT_TRUE(seen.messages.empty()) << text;
    }
}

TEST(MarketData, AMessageOfNoInstrumentIsNotUnderstood) {
    for (const char* text :
         {"35=W|268=1|269=0|270=5|", "35=X|268=1|279=1|269=0|270=5|", "35=X|268=1|279=1|55=|269=0|270=5|"}) {
        const Read seen = read(text);
        EXPECT_FALSE(seen.understood) << text;
        EXPECT_TRUE(seen.messages.empty()) << text;
    }
}

TEST(MarketData, APriceThatIsNoneIsInvalid) {
    EXPECT_EQ(read("35=W|55=MSFT|268=1|269=0|270=five|").only().state[kBid], PriceState::invalid);
    EXPECT_EQ(read("35=W|55=MSFT|268=1|269=0|270=|").only().state[kBid], PriceState::invalid);
    EXPECT_EQ(read("35=W|55=MSFT|268=1|269=0|").only().state[kBid], PriceState::unknown);
}

TEST(MarketData, PricesAreExact) {
    const std::vector<std::tuple<const char*, std::int64_t>> sound = {
        {"0", 0},
        {"-0.0", 0},
        {"1185", 1185 * kOne},
        {"-1.30", -130'000'000},
        {"0.00000001", 1},
        {"00012.5000000000", 1'250'000'000},
        {"9999999999.99999999", 999'999'999'999'999'999},
        {"-9999999999.99999999", -999'999'999'999'999'999},
        {"000000000000000000001", kOne},
    };
    for (const auto& [text, expected] : sound) {
        std::int64_t price = -1;
        EXPECT_EQ(read_price(text, price), PriceState::value) << text;
        EXPECT_EQ(price, expected) << text;
    }
    for (const char* text : {"", "-", ".", ".5", "5.", "+1", "1e3", " 1", "1 ", "--1", "1.2.3", "1,5",
                             "10000000000", "0.000000001", "99999999999999999999999"}) {
        std::int64_t price = -1;
        EXPECT_EQ(read_price(text, price), PriceState::invalid) << text;
    }
}

}  // namespace
}  // namespace fixaccel
