// SPDX-License-Identifier: Apache-2.0
// Random orders in two books: what a client puts together from the increments is the venue's book, at any
// depth, from any moment on. The seed of a failing run is in the message.
#include <gtest/gtest.h>

#include "tests/client_books.hpp"
#include "tests/random_orders.hpp"
#include "tests/venue_fixture.hpp"

namespace fixaccel::exchange {
namespace {

constexpr unsigned kRuns = 6;
constexpr int kSteps = 60;
constexpr std::array kDepths = {0, 1, 3};
constexpr const char* kSymbols[] = {"CLZ6", "MSFT"};

class IncrementalProperty : public VenueTest, public testing::WithParamInterface<unsigned> {
  protected:
    IncrementalProperty() : VenueTest(UpdateType::kIncrementalRefresh) {}

    void act(Exchange& venue) {
        const std::string symbol = kSymbols[random.below(2)];
        const RandomOrder order = random.next();
        const auto price = [&] { return Price{random.below(9)} - 4; };
        switch (random.below(8)) {
            case 0:
                venue.cancel_house(symbol);
                break;
            case 1:
                venue.trade(symbol, price(), order.quantity);
                break;
            case 2: {
                const Price bid = price();
                venue.quote(symbol, Quote{bid, order.quantity}, Quote{bid + 1 + random.below(3), 5});
                break;
            }
            case 3:
                venue.quote(symbol, std::nullopt, std::nullopt);
                break;
            default:
                venue.house_order(symbol, order.side, order.type, order.tif, order.price, order.quantity);
        }
    }

    // The venue's book as a client would know it, but for trades before the last.
    ClientBook book_of(const std::string& symbol, std::size_t depth) const {
        const Instrument& instrument = *exchange.find(symbol);
        const MarketSnapshot snapshot = exchange.snapshot(symbol, depth);
        ClientBook book;
        const auto add = [&](const char* type, Price price, Quantity quantity) {
            book.sides[type].push_back(instrument.format_price(price) + " x " + std::to_string(quantity));
        };
        for (const Level& level : snapshot.bids) add("0", level.price, level.quantity);
        for (const Level& level : snapshot.asks) add("1", level.price, level.quantity);
        if (snapshot.last) add("2", snapshot.last->price, snapshot.last->quantity);
        return book;
    }

    static ClientBook without_old_trades(ClientBook book) {
        std::vector<std::string>& trades = book.sides["2"];
        if (trades.size() > 1) trades.erase(trades.begin(), trades.end() - 1);
        std::erase_if(book.sides, [](const auto& side) { return side.second.empty(); });
        return book;
    }

    RandomOrders random{GetParam()};
};

TEST_P(IncrementalProperty, AClientKnowsTheVenuesBooks) {
    FixClient watcher("CLIENT1", kVenue, host->port(), 30, MARKET_DATA_DICTIONARY);
    ASSERT_TRUE(watcher.log_on());
    std::map<std::string, ClientBooks> known;  // by MDReqID
    std::size_t updates = 0;
    for (int step = 0; step < kSteps; ++step) {
        SCOPED_TRACE("step " + std::to_string(step));
        if (step % 10 == 0) {
            // Those of before go on: what one subscription knows is nothing to another.
            const std::string id = std::to_string(known.size());
            const int depth = kDepths[known.size() % kDepths.size()];
            known[id];
            watcher.send(market_data_request(id, {"CLZ6", "MSFT"}, "1", std::to_string(depth), "1"));
            for (int snapshots = 0; snapshots < 2; ++snapshots) known[id].take(watcher.next("W"));
        }
        gateway.act([&](Exchange& venue) {
            for (int actions = 1 + random.below(4); actions > 0; --actions) act(venue);
            return std::vector<Execution>();
        });
        // Its answer comes behind all that the step brought.
        watcher.send(market_data_request("fence", {"MSFT"}, "0"));
        ASSERT_EQ(watcher.next("W").text(tag::kMdReqId), "fence");
        for (; watcher.waiting("X") > 0; ++updates) {
            const IncomingMessage update = watcher.next("X");
            known.at(update.text(tag::kMdReqId)).take(update);
        }
        for (auto& [id, books] : known) {
            const auto depth = static_cast<std::size_t>(kDepths[std::stoul(id) % kDepths.size()]);
            for (const char* symbol : kSymbols)
                ASSERT_EQ(without_old_trades(books.books[symbol]), book_of(symbol, depth))
                    << id << " " << symbol;
        }
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(updates, static_cast<std::size_t>(kSteps)) << "the run shows little";
    for (const auto& line : recorded("session_message")) EXPECT_NE(line["msg_type"], "3") << line;
}

INSTANTIATE_TEST_SUITE_P(Seeds, IncrementalProperty, testing::Range(0U, kRuns));

}  // namespace
}  // namespace fixaccel::exchange
