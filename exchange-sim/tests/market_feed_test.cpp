// SPDX-License-Identifier: Apache-2.0
// Market data to those who keep up, to those who do not, and at an interval: whoever has taken what was sent
// knows the venue's book.
#include "venue/market_feed.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "matching/decimal.hpp"
#include "tests/client_books.hpp"

namespace fixaccel::exchange {
namespace {

using std::chrono::milliseconds;

std::vector<Instrument> feed_instruments() {
    const auto terms = [](const char* symbol) {
        return Instrument({.symbol = symbol,
                           .ticks = {{0, parse_decimal("1").value()}},
                           .lot = 1,
                           .lowest = parse_decimal("1").value(),
                           .highest = parse_decimal("1000").value()});
    };
    return {terms("AAA"), terms("BBB")};
}

// As it would come in: the fields of the groups behind those of the body.
IncomingMessage received(const OutgoingMessage& message) {
    IncomingMessage result{message.type, {{tag::kMsgType, message.type}}};
    for (const Field& field : message.fields) result.fields.push_back(field);
    for (const EntryGroup& group : message.groups) {
        result.fields.push_back({group.counter, std::to_string(group.entries.size())});
        for (const Fields& entry : group.entries)
            for (const Field& field : entry) result.fields.push_back(field);
    }
    return result;
}

class FeedTest : public testing::Test {
  protected:
    void make(UpdateType type, milliseconds conflate) {
        feed.emplace(exchange, type, conflate,
                     MarketFeed::Wire{[this](const std::string& client, OutgoingMessage message) {
                                          if (slow.contains(client)) return false;
                                          sent[client].push_back(std::move(message));
                                          return true;
                                      },
                                      [this](const std::string& client) { return slow.contains(client); }});
    }
    void follow(const char* client, std::size_t depth = 0) {
        const Subscription wanted{
            .client = client, .md_req_id = "md", .depth = depth, .symbols = {"AAA", "BBB"}};
        ASSERT_TRUE(feed->subscribe(wanted));
        feed->send_snapshots(wanted);
    }
    void quote(Price bid, Price ask, Quantity quantity = 5) {
        exchange.quote("AAA", Quote{bid, quantity}, Quote{ask, quantity});
        feed->publish(now);
    }
    void wait(milliseconds time) {
        now += time;
        feed->tick(now);
    }
    std::size_t count(const char* client) { return sent[client].size(); }

    Exchange exchange{feed_instruments()};
    std::optional<MarketFeed> feed;
    std::map<std::string, std::vector<OutgoingMessage>> sent;
    std::set<std::string> slow;
    MarketFeed::Clock::time_point now = MarketFeed::Clock::now();
};

TEST_F(FeedTest, TheNewestGoesOutAtItsInterval) {
    make(UpdateType::kFullRefresh, milliseconds(50));
    follow("A");
    ASSERT_EQ(count("A"), 2U) << "the books as they are";
    quote(90, 110);
    wait(milliseconds(0));
    EXPECT_EQ(count("A"), 3U) << "nothing was sent before: at once";
    for (Price bid = 91; bid < 100; ++bid) {
        quote(bid, 110);
        wait(milliseconds(5));
    }
    EXPECT_EQ(count("A"), 3U);
    wait(milliseconds(5));
    ASSERT_EQ(count("A"), 4U) << "one for all of them";
    EXPECT_EQ(sent["A"].back().groups[0].entries[0][1].text, "99");
    EXPECT_EQ(feed->stats("A").conflated, 8U);
    wait(milliseconds(500));
    EXPECT_EQ(count("A"), 4U) << "nothing has changed since";
}

// It may have the MDReqID(262) of one that goes on.
TEST_F(FeedTest, ALoneSnapshotBelongsToNoSubscription) {
    make(UpdateType::kFullRefresh, milliseconds(0));
    const Subscription follows{.client = "SLOW", .md_req_id = "md", .symbols = {"AAA"}};
    const Subscription lone{.client = "SLOW", .md_req_id = "md", .symbols = {"BBB"}};
    ASSERT_TRUE(feed->subscribe(follows));
    feed->send_snapshots(follows);
    EXPECT_TRUE(feed->send_lone(lone));
    ASSERT_EQ(count("SLOW"), 2U);
    slow.insert("SLOW");
    EXPECT_FALSE(feed->send_lone(lone)) << "whoever waits for it is told that it does not come";
    slow.clear();
    feed->drained("SLOW");
    EXPECT_EQ(count("SLOW"), 2U);
}

TEST_F(FeedTest, WhoIsBehindGetsTheNewestOnceItReads) {
    make(UpdateType::kFullRefresh, milliseconds(0));
    follow("FAST");
    follow("SLOW");
    slow.insert("SLOW");
    for (Price bid = 50; bid < 90; ++bid) quote(bid, 110);
    EXPECT_EQ(count("FAST"), 42U) << "nobody else notices";
    EXPECT_EQ(count("SLOW"), 2U);
    slow.clear();
    feed->drained("SLOW");
    ASSERT_EQ(count("SLOW"), 3U);
    EXPECT_EQ(sent["SLOW"].back().groups[0].entries[0][1].text, "89");
    quote(90, 110);
    EXPECT_EQ(count("SLOW"), 4U) << "it keeps up again";
}

TEST_F(FeedTest, ASnapshotThatWasRefusedComesLater) {
    make(UpdateType::kIncrementalRefresh, milliseconds(0));
    quote(90, 110);
    slow.insert("A");
    follow("A");
    EXPECT_EQ(count("A"), 0U);
    slow.clear();
    wait(milliseconds(100));
    ASSERT_EQ(count("A"), 1U);
    EXPECT_EQ(sent["A"][0].groups[0].entries.size(), 2U) << "what it does not know: both sides";
}

TEST_F(FeedTest, ManyTradesBecomeFew) {
    make(UpdateType::kIncrementalRefresh, milliseconds(50));
    follow("A");
    exchange.trade("AAA", 100, 1);
    feed->publish(now);
    wait(milliseconds(0));
    sent.clear();
    for (int trade = 0; trade < 1000; ++trade) {
        exchange.trade("AAA", 100, 2);
        feed->publish(now);
    }
    wait(milliseconds(50));
    ASSERT_EQ(count("A"), 1U);
    const auto& entries = sent["A"][0].groups[0].entries;
    ASSERT_EQ(entries.size(), MarketFeed::kListedTrades + 1);
    EXPECT_EQ(entries.back()[4].text, std::to_string(2 * (1000 - MarketFeed::kListedTrades)));
}

TEST_F(FeedTest, OnlyWhatWasAskedFor) {
    make(UpdateType::kIncrementalRefresh, milliseconds(0));
    Subscription wanted{.client = "A", .md_req_id = "md", .depth = 0, .symbols = {"AAA"}};
    wanted.bids = wanted.asks = false;
    ASSERT_TRUE(feed->subscribe(wanted));
    EXPECT_FALSE(feed->subscribe(wanted)) << "its MDReqID is in use";
    quote(90, 110);
    EXPECT_EQ(count("A"), 0U);
    exchange.trade("AAA", 100, 2);
    feed->publish(now);
    EXPECT_EQ(count("A"), 1U);
    EXPECT_TRUE(feed->unsubscribe("A", "md"));
    EXPECT_FALSE(feed->unsubscribe("A", "md"));
    EXPECT_EQ(feed->count("A"), 0U);
}

class FeedProperty : public FeedTest, public testing::WithParamInterface<unsigned> {};

TEST_P(FeedProperty, WhoeverTookAllKnowsTheBook) {
    std::mt19937 random(GetParam());
    const auto below = [&](unsigned limit) { return static_cast<std::int64_t>(random() % limit); };
    make(UpdateType::kIncrementalRefresh, milliseconds(GetParam() % 2 == 0 ? 0 : 20));
    exchange.house_order("BBB", Side::kBuy, OrderType::kLimit, TimeInForce::kDay, 50, 3);
    feed->publish(now);
    follow("ALL");
    follow("TWO", 2);
    for (int step = 0; step < 400; ++step) {
        const std::string symbol = below(2) == 0 ? "AAA" : "BBB";
        if (below(4) == 0)
            exchange.cancel_house(symbol);
        else
            exchange.house_order(symbol, below(2) == 0 ? Side::kBuy : Side::kSell, OrderType::kLimit,
                                 TimeInForce::kDay, 95 + below(10), 1 + below(5));
        feed->publish(now);
        if (below(10) == 0) slow.insert(below(2) == 0 ? "ALL" : "TWO");
        if (below(10) == 0) {
            slow.clear();
            for (const char* client : {"ALL", "TWO"}) feed->drained(client);
        }
        wait(milliseconds(below(15)));
    }
    slow.clear();
    wait(milliseconds(100));
    for (const auto& [client, depth] : std::map<std::string, std::size_t>{{"ALL", 0}, {"TWO", 2}}) {
        ClientBooks books;
        for (const OutgoingMessage& message : sent[client]) books.take(received(message));
        for (const std::string symbol : {"AAA", "BBB"}) {
            const MarketSnapshot truth = exchange.snapshot(symbol, depth);
            std::vector<std::string> bids;
            for (const Level& level : truth.bids)
                bids.push_back(std::to_string(level.price) + " x " + std::to_string(level.quantity));
            EXPECT_EQ(books.books[symbol].sides["0"], bids)
                << client << " " << symbol << " seed " << GetParam();
            EXPECT_EQ(books.books[symbol].sides["1"].size(), truth.asks.size()) << "seed " << GetParam();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, FeedProperty, testing::Range(1U, 7U));

}  // namespace
}  // namespace fixaccel::exchange
