// SPDX-License-Identifier: Apache-2.0
// A venue that publishes increments, seen by a client that knows FIX 4.4 and nothing else.
#include <gtest/gtest.h>

#include "tests/venue_fixture.hpp"

namespace fixaccel::exchange {
namespace {

class Incremental : public VenueTest {
  protected:
    Incremental() : VenueTest(UpdateType::kIncrementalRefresh) {}
    ~Incremental() override {
        for (const auto& line : recorded("session_message")) EXPECT_NE(line["msg_type"], "3") << line;
    }

    FixClient strict_client() {
        return FixClient("CLIENT1", kVenue, host->port(), 30, MARKET_DATA_DICTIONARY);
    }

    void quote(const char* symbol, std::optional<Quote> bid, std::optional<Quote> ask) {
        gateway.act([&](Exchange& venue) { return venue.quote(symbol, bid, ask); });
    }
    void order(Side side, Price price, Quantity quantity) {
        gateway.act([&](Exchange& venue) {
            return venue.house_order("MSFT", side, OrderType::kLimit, TimeInForce::kDay, price, quantity);
        });
    }
};

TEST_F(Incremental, BeginsWithASnapshotAndGoesOnWithWhatChanges) {
    quote("MSFT", Quote{118000, 7}, std::nullopt);
    FixClient watcher = strict_client();
    ASSERT_TRUE(watcher.log_on());
    watcher.send(market_data_request("md", {"MSFT", "CLZ6"}, "1", "0", "1"));
    EXPECT_EQ(body(watcher.next("W")), "55=CLZ6 262=md 268=0");
    EXPECT_EQ(body(watcher.next("W")), "55=MSFT 262=md 268=1 269=0 270=1180.00 271=7 290=1");
    quote("MSFT", Quote{118000, 5}, Quote{118010, 5});
    EXPECT_EQ(body(watcher.next("X")),
              "262=md 268=2 279=1 269=0 55=MSFT 270=1180.00 271=5 290=1 "
              "279=0 269=1 55=MSFT 270=1180.10 271=5 290=1");
    quote("MSFT", Quote{118000, 5}, Quote{118010, 6});
    EXPECT_EQ(body(watcher.next("X")), "262=md 268=1 279=1 269=1 55=MSFT 270=1180.10 271=6 290=1")
        << "of the bid, nothing is new";
    EXPECT_EQ(watcher.waiting("W"), 0U);
}

TEST_F(Incremental, ALevelBehindTakesThePlaceOfABestThatGoes) {
    FixClient watcher = strict_client();
    ASSERT_TRUE(watcher.log_on());
    order(Side::kBuy, 117990, 9);
    quote("MSFT", Quote{118000, 7}, std::nullopt);
    watcher.send(market_data_request("md", {"MSFT"}, "1", "0", "1"));
    watcher.next("W");
    quote("MSFT", std::nullopt, std::nullopt);
    EXPECT_EQ(body(watcher.next("X")),
              "262=md 268=2 279=1 269=0 55=MSFT 270=1179.90 271=9 290=1 279=2 269=0 55=MSFT 290=2");
    quote("MSFT", Quote{118005, 1}, std::nullopt);
    EXPECT_EQ(body(watcher.next("X")),
              "262=md 268=2 279=1 269=0 55=MSFT 270=1180.05 271=1 290=1 "
              "279=0 269=0 55=MSFT 270=1179.90 271=9 290=2");
    gateway.act([](Exchange& venue) { return venue.cancel_house("MSFT"); });
    EXPECT_EQ(body(watcher.next("X")), "262=md 268=2 279=2 269=0 55=MSFT 290=2 279=2 269=0 55=MSFT 290=1");
}

TEST_F(Incremental, EachTradeOfAStepIsAnEntry) {
    order(Side::kSell, 118000, 2);
    order(Side::kSell, 118010, 2);
    FixClient watcher = strict_client();
    ASSERT_TRUE(watcher.log_on());
    watcher.send(market_data_request("md", {"MSFT"}, "1", "1", "1"));
    EXPECT_EQ(body(watcher.next("W")), "55=MSFT 262=md 268=1 269=1 270=1180.00 271=2 290=1");
    order(Side::kBuy, 118010, 3);
    EXPECT_EQ(body(watcher.next("X")),
              "262=md 268=3 279=1 269=1 55=MSFT 270=1180.10 271=1 290=1 "
              "279=0 269=2 55=MSFT 270=1180.00 271=2 279=0 269=2 55=MSFT 270=1180.10 271=1");
}

TEST_F(Incremental, OneMessageForAllInstrumentsOfAStep) {
    FixClient watcher = strict_client();
    ASSERT_TRUE(watcher.log_on());
    watcher.send(market_data_request("md", {"MSFT", "CLZ6"}, "1", "1", "1"));
    watcher.send(market_data_request("oil", {"CLZ6"}, "1", "1", "1"));
    for (int snapshots = 0; snapshots < 3; ++snapshots) watcher.next("W");
    gateway.act([](Exchange& venue) {
        venue.trade("MSFT", 118000, 3);
        venue.quote("CLZ6", Quote{-125, 2}, std::nullopt);
        return venue.trade("MSFT", 118001, 4);
    });
    EXPECT_EQ(body(watcher.next("X")),
              "262=md 268=3 279=0 269=0 55=CLZ6 270=-1.25 271=2 290=1 279=0 269=2 55=MSFT 270=1180.00 271=3 "
              "279=0 269=2 55=MSFT 270=1180.01 271=4");
    EXPECT_EQ(body(watcher.next("X")), "262=oil 268=1 279=0 269=0 55=CLZ6 270=-1.25 271=2 290=1");
    const auto line = recorded("market_data", 5)[3];
    EXPECT_EQ(line["msg_type"], "X");
    EXPECT_EQ(line["entries"][0],
              nlohmann::json::parse(
                  R"({"action":"new","type":"bid","symbol":"CLZ6","price":"-1.25","qty":2,"position":1})"));
    EXPECT_EQ(line["entries"][2]["type"], "last");
}

TEST_F(Incremental, WhatTheSubscriptionDoesNotShowIsNoNews) {
    quote("MSFT", Quote{118000, 7}, Quote{118010, 7});
    FixClient watcher = strict_client();
    ASSERT_TRUE(watcher.log_on());
    watcher.send(market_data_request("md", {"MSFT"}, "1", "1", "1"));
    watcher.next("W");
    order(Side::kBuy, 117990, 9);                       // behind the best
    quote("CLZ6", Quote{100, 1}, Quote{200, 1});        // not asked for
    quote("MSFT", Quote{118000, 7}, Quote{118010, 7});  // the same again
    order(Side::kBuy, 118000, 1);
    EXPECT_EQ(body(watcher.next("X")), "262=md 268=1 279=1 269=0 55=MSFT 270=1180.00 271=8 290=1");
    recorded("market_data", 2);
}

TEST_F(Incremental, RefusesARequestForFullRefreshes) {
    FixClient watcher = strict_client();
    ASSERT_TRUE(watcher.log_on());
    watcher.send(market_data_request("a", {"MSFT"}, "1", "1", "0"));
    EXPECT_EQ(body(watcher.next("Y")), "58=this venue publishes MDUpdateType(265)=1 262=a 281=6");
    // A lone snapshot is no update, and who does not say takes what there is.
    watcher.send(market_data_request("a", {"MSFT"}, "0", "1", "0"));
    EXPECT_EQ(body(watcher.next("W")), "55=MSFT 262=a 268=0");
    watcher.send(market_data_request("a", {"MSFT"}));
    EXPECT_EQ(body(watcher.next("W")), "55=MSFT 262=a 268=0");
    quote("MSFT", Quote{118000, 7}, std::nullopt);
    EXPECT_EQ(body(watcher.next("X")), "262=a 268=1 279=0 269=0 55=MSFT 270=1180.00 271=7 290=1");
}

TEST_F(Incremental, OldUpdatesAreNotSentAgain) {
    FixClient watcher = strict_client();
    ASSERT_TRUE(watcher.log_on());
    watcher.send(market_data_request("md", {"MSFT"}));
    watcher.next("W");
    quote("MSFT", Quote{118000, 7}, std::nullopt);
    watcher.next("X");
    watcher.send({"2", {{tag::kBeginSeqNo, "1"}, {tag::kEndSeqNo, "0"}}, {}});
    EXPECT_EQ(watcher.next("4").text(36), "4");
    EXPECT_EQ(watcher.waiting("X"), 0U);
}

}  // namespace
}  // namespace fixaccel::exchange
