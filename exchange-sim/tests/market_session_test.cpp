// SPDX-License-Identifier: Apache-2.0
// A venue with a session for market data alone.
#include <gtest/gtest.h>

#include "tests/venue_fixture.hpp"

namespace fixaccel::exchange {
namespace {

class MarketSession : public VenueTest {
  protected:
    MarketSession() : VenueTest(UpdateType::kFullRefresh, "CLIENT1-MD") {
        SessionConfig config;
        config.market_clients = {{"CLIENT1-MD", "SIMULATOR-MD", "127.0.0.1", 0}};
        open(config);
    }

    FixClient watcher() { return FixClient("CLIENT1-MD", "SIMULATOR-MD", host->market_port(0)); }
};

TEST_F(MarketSession, TakesOrdersOnTheOneAndGivesMarketDataOnTheOther) {
    FixClient trader = client("CLIENT1");
    FixClient market = watcher();
    ASSERT_NE(host->port(), host->market_port(0));
    ASSERT_TRUE(trader.log_on());
    ASSERT_TRUE(market.log_on());
    market.send(market_data_request("md", {"MSFT"}));
    EXPECT_EQ(market.next("W").text(tag::kSymbol), "MSFT");
    trader.send(new_order("1", "MSFT", "1", "5", "100"));
    EXPECT_EQ(trader.next("8").text(tag::kOrdStatus), "0");
    EXPECT_EQ(market.next("W").text(tag::kSymbol), "MSFT") << "its book has changed";
    EXPECT_EQ(market.waiting("8"), 0U);
    EXPECT_EQ(trader.waiting("W"), 0U);
}

TEST_F(MarketSession, RefusesWhatBelongsToTheOther) {
    FixClient trader = client("CLIENT1");
    FixClient market = watcher();
    ASSERT_TRUE(trader.log_on());
    ASSERT_TRUE(market.log_on());
    const int asked = trader.send(market_data_request("md", {"MSFT"}));
    EXPECT_EQ(trader.next("j").text(45), std::to_string(asked));
    const int ordered = market.send(new_order("1", "MSFT", "1", "5", "100"));
    EXPECT_EQ(market.next("j").text(45), std::to_string(ordered));
    EXPECT_EQ(order_count(), 0U);
}

}  // namespace
}  // namespace fixaccel::exchange
