// SPDX-License-Identifier: Apache-2.0
// What the relay knows of instruments is what the daemon's rules know, told as text.
#include "bus/images.hpp"

#include <gtest/gtest.h>

#include "bus/subjects.hpp"

namespace fixaccel::bus {
namespace {

using nlohmann::json;

class ImagesTest : public ::testing::Test {
  protected:
    json see(std::string fix) {
        for (char& c : fix) c = c == '|' ? '\x01' : c;
        json told = json::array();
        images_.see(fix, 7, [&](Image& image) {
            ++image.n;
            told.push_back(json::parse(quote_json(image, 5, Telling::message)));
        });
        return told;
    }

    Images images_;
};

constexpr const char* kSnapshot =
    "8=FIX.4.4|35=W|55=MSFT|268=3|269=0|270=0011.50|271=0010|269=1|270=12|271=4|269=2|270=11.75|271=1|";

TEST_F(ImagesTest, ASnapshotIsAllThatIsKnown) {
    const json told = see(kSnapshot);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0],
              json::parse(R"({"v":1,"run":5,"n":1,"gaps":0,"ts_ns":7,"kind":"snapshot","symbol":"MSFT",
        "msg":{"bid":"11.5","bid_size":"10","ask":"12","ask_size":"4","last":"11.75","last_size":"1"},
        "top":{"bid":"11.5","bid_size":"10","ask":"12","ask_size":"4","last":"11.75","last_size":"1","state":"open"}})"));
    const json next = see("8=FIX.4.4|35=W|55=MSFT|268=1|269=1|270=13|271=1|");
    EXPECT_TRUE(next[0]["top"]["bid"].is_null()) << "in a snapshot what it does not carry is unknown";
    EXPECT_TRUE(next[0]["msg"]["bid"].is_null());
    EXPECT_EQ(next[0]["top"]["ask"], "13");
}

TEST_F(ImagesTest, AnUpdateKeepsWhatItDoesNotCarry) {
    see(kSnapshot);
    const json told =
        see("8=FIX.4.4|35=X|268=2|279=1|269=0|55=MSFT|270=11.25|271=2|279=0|269=2|55=IBM|270=9|271=1|");
    ASSERT_EQ(told.size(), 2U);
    EXPECT_EQ(told[0]["symbol"], "IBM");
    EXPECT_EQ(told[1]["msg"], json::parse(R"({"bid":"11.25","bid_size":"2"})"));
    EXPECT_EQ(told[1]["top"]["ask"], "12");
    EXPECT_EQ(told[1]["n"], 2);
}

TEST_F(ImagesTest, WhatIsTakenOutOrNoPriceIsUnknown) {
    see(kSnapshot);
    EXPECT_TRUE(see("8=FIX.4.4|35=X|268=1|279=2|269=0|55=MSFT|")[0]["top"]["bid"].is_null());
    EXPECT_TRUE(see("8=FIX.4.4|35=X|268=1|279=1|269=1|55=MSFT|270=12x|271=1|")[0]["top"]["ask"].is_null());
}

TEST_F(ImagesTest, WhatIsSentAgainOrIsNoMarketDataIsNothing) {
    EXPECT_TRUE(see("8=FIX.4.4|35=W|43=Y|55=MSFT|268=1|269=0|270=1|271=1|").empty());
    EXPECT_TRUE(see("8=FIX.4.4|35=8|55=MSFT|").empty());
    EXPECT_TRUE(see("no FIX at all").empty());
}

TEST_F(ImagesTest, BehindAGapNothingIsKnown) {
    see(kSnapshot);
    images_.forget();
    const json gap = json::parse(quote_json(images_.all().begin()->second, 5, Telling::gap));
    EXPECT_EQ(gap["kind"], "gap");
    EXPECT_EQ(gap["top"]["state"], "unknown");
    EXPECT_TRUE(gap["top"]["ask"].is_null());
    EXPECT_EQ(see(kSnapshot)[0]["top"]["state"], "open");
}

TEST(Subject, ASymbolIsOneToken) {
    EXPECT_EQ(token("BRK.B"), "BRK%2EB");
    EXPECT_EQ(token("EUR/USD^2"), "EUR/USD^2");
    EXPECT_EQ(token("A*>% B"), "A%2A%3E%25%20B");
    EXPECT_EQ(Subjects("tokyo", "b1").quotes("MSFT"), "fx.tokyo.b1.md.MSFT");
}

}  // namespace
}  // namespace fixaccel::bus
