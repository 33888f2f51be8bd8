// SPDX-License-Identifier: Apache-2.0
// The random market: each participant by itself, then all of them in a venue's books.
#include "scenario/flow/flow.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "matching/decimal.hpp"
#include "matching/exchange_journal.hpp"
#include "record/call_lines.hpp"
#include "scenario/flow/market_maker.hpp"
#include "scenario/flow/momentum_traders.hpp"
#include "scenario/flow/noise_traders.hpp"

namespace fixaccel::exchange {
namespace {

std::int64_t scaled(const char* text) { return parse_decimal(text).value(); }

std::vector<Instrument> traded() {
    std::vector<Instrument> result;
    result.emplace_back(InstrumentTerms{"MSFT", {{0, scaled("0.01")}}, 1, 0, scaled("10000")});
    result.emplace_back(InstrumentTerms{
        "7203", {{0, scaled("0.1")}, {scaled("1000"), scaled("0.5")}}, 100, scaled("0.1"), scaled("100000")});
    return result;
}

FlowSettings settings(std::uint64_t seed) {
    FlowSettings result;
    result.seed = seed;
    result.rate = 1000;
    result.instruments = {{"MSFT", 118000}, {"7203", 30000}};
    result.maker.emplace();
    result.noise.emplace();
    result.momentum.emplace();
    return result;
}

// Everything that an exchange is told, as text.
class Calls : public ExchangeJournal {
  public:
    explicit Calls(Exchange& exchange) : exchange_(exchange) { exchange.add_journal(*this); }
    void on_call(const CallView& call) override { text += call_line(exchange_, call).dump() + "\n"; }

    std::string text;

  private:
    Exchange& exchange_;
};

std::string sent(std::uint64_t seed, int turns) {
    Exchange exchange(traded());
    Calls calls(exchange);
    Flow flow(settings(seed), exchange);
    for (int turn = 0; turn < turns; ++turn) flow.turn(exchange);
    flow.end(exchange);
    for (const char* symbol : {"MSFT", "7203"}) {
        EXPECT_TRUE(exchange.snapshot(symbol).bids.empty()) << "what rests is withdrawn in the end";
        EXPECT_TRUE(exchange.snapshot(symbol).last) << "nothing has traded in " << symbol;
    }
    return calls.text;
}

TEST(Flow, TheSameSeedSendsTheSame) {
    const std::string first = sent(7, 3000);
    EXPECT_EQ(first, sent(7, 3000));
    EXPECT_NE(first, sent(8, 3000));
    for (const char* said : {"\"type\":\"limit\"", "\"type\":\"market\"", "\"take_out\""})
        EXPECT_NE(first.find(said), std::string::npos) << said;
}

TEST(Flow, TurnsComeAtTheirRate) {
    Exchange exchange(traded());
    Flow flow(settings(3), exchange);
    for (int turn = 0; turn < 20'000; ++turn) {
        const auto before = flow.next_time();
        flow.turn(exchange);
        EXPECT_GE(flow.next_time(), before);
    }
    const double seconds = std::chrono::duration<double>(flow.next_time()).count();
    EXPECT_NEAR(seconds, 20, 1) << "1000 turns a second";
}

// Whoever does what in a market that somebody else moved: the draws stay the same.
TEST(Flow, WhoIsNextDoesNotDependOnTheMarket) {
    const auto times = [](bool disturbed) {
        Exchange exchange(traded());
        Flow flow(settings(5), exchange);
        std::vector<std::int64_t> result;
        for (int turn = 0; turn < 500; ++turn) {
            flow.turn(exchange);
            if (disturbed)
                exchange.enter(
                    {"CLIENT1", std::to_string(turn), "MSFT", turn % 2 ? "1" : "2", "1", "", "7", "", ""});
            result.push_back(flow.next_time().count());
        }
        return result;
    };
    EXPECT_EQ(times(false), times(true));
}

TEST(Flow, OrdersThatOthersFilledAreKnownToBeOver) {
    Exchange exchange(traded());
    FlowSettings only_noise = settings(11);
    only_noise.maker.reset();
    only_noise.momentum.reset();
    only_noise.noise->market = only_noise.noise->cancel = 0;
    Flow flow(only_noise, exchange);
    for (int turn = 0; turn < 60; ++turn) flow.turn(exchange);
    // Somebody takes all that there is.
    exchange.enter({"CLIENT1", "a", "MSFT", "1", "1", "", "100000", "", ""});
    exchange.enter({"CLIENT1", "b", "MSFT", "2", "1", "", "100000", "", ""});
    for (int turn = 0; turn < 2000; ++turn) flow.turn(exchange);
    std::size_t resting = 0;
    for (const Level& level : exchange.snapshot("MSFT").bids) resting += level.orders;
    for (const Level& level : exchange.snapshot("MSFT").asks) resting += level.orders;
    EXPECT_GT(resting, 5U);
    EXPECT_LE(resting, static_cast<std::size_t>(only_noise.noise->resting));
}

class ParticipantTest : public testing::Test {
  protected:
    MarketView view(std::optional<Price> last = std::nullopt, std::int64_t turn = 0) const {
        return {0, grid, 9'990, 10'010, last, 10'000, turn};
    }
    static std::vector<PlaceOrder> placed(const std::vector<Decision>& decisions) {
        std::vector<PlaceOrder> result;
        for (const Decision& decision : decisions) {
            if (const auto* order = std::get_if<PlaceOrder>(&decision)) result.push_back(*order);
        }
        return result;
    }

    const Instrument instrument = traded()[0];
    const Grid grid{instrument};
    Random random{1};
};

TEST_F(ParticipantTest, TheMakerQuotesBothSidesAndLeansAgainstItsInventory) {
    MakerSettings terms;
    terms.drift = 0;
    terms.levels = 2;
    terms.skew = 10;
    MarketMaker maker(terms);
    const auto first = placed(maker.decide(view(), random));
    ASSERT_EQ(first.size(), 4U);
    EXPECT_EQ(first[0].side, Side::kBuy);
    EXPECT_EQ(first[0].price, 9'999);
    EXPECT_EQ(first[1].price, 10'001);
    EXPECT_EQ(first[2].price, 9'998);
    EXPECT_EQ(first[3].price, 10'002);
    for (OrderId id = 1; id <= 4; ++id) maker.on_resting(0, id, first[id - 1]);
    EXPECT_TRUE(maker.decide(view(), random).empty()) << "nothing has changed";
    // It bought thirty: its quotes go down by three ticks, and its orders are replaced.
    maker.on_fill(0, 1, Side::kBuy, 10, 0);
    maker.on_fill(0, 3, Side::kBuy, 10, 0);
    maker.on_fill(0, 5, Side::kBuy, 10, 0);
    EXPECT_EQ(maker.inventory(0), 30);
    const auto decisions = maker.decide(view(), random);
    EXPECT_EQ(std::count_if(decisions.begin(), decisions.end(),
                            [](const Decision& next) { return std::holds_alternative<CancelOrder>(next); }),
              2)
        << "two of its orders still rest";
    EXPECT_EQ(placed(decisions)[0].price, 9'996);
}

TEST_F(ParticipantTest, TheMakerFollowsWhereOthersTrade) {
    MakerSettings terms;
    terms.drift = 0;
    MarketMaker maker(terms);
    maker.decide(view(), random);
    maker.on_fill(0, 1, Side::kSell, 1, 0);
    EXPECT_EQ(placed(maker.decide(view(10'005), random))[0].price, 10'000) << "a tick up";
}

TEST_F(ParticipantTest, NoiseStaysNearAndWithinItsRoom) {
    NoiseSettings terms;
    terms.depth = 3;
    terms.resting = 5;
    NoiseTraders noise(terms);
    OrderId next = 1;
    int limits = 0;
    for (int turn = 0; turn < 500; ++turn) {
        for (const Decision& decision : noise.decide(view(), random)) {
            if (const auto* cancel = std::get_if<CancelOrder>(&decision)) {
                noise.on_gone(0, cancel->order);
                continue;
            }
            const auto& order = std::get<PlaceOrder>(decision);
            EXPECT_GE(order.quantity, 1);
            EXPECT_LE(order.quantity, terms.size);
            if (order.type == OrderType::kMarket) continue;
            ++limits;
            EXPECT_LE(std::abs(order.price - (order.side == Side::kBuy ? 9'990 : 10'010)), 3);
            noise.on_resting(0, next++, order);
            EXPECT_LE(noise.resting(0), 5U);
        }
    }
    EXPECT_GT(limits, 100);
}

TEST_F(ParticipantTest, MomentumFollowsAMoveOnce) {
    MomentumSettings terms;
    terms.threshold = 3;
    terms.window = 10;
    MomentumTraders traders(terms);
    EXPECT_TRUE(traders.decide(view(std::nullopt, 0), random).empty()) << "nothing has traded";
    EXPECT_TRUE(traders.decide(view(10'000, 1), random).empty());
    EXPECT_TRUE(traders.decide(view(10'002, 2), random).empty()) << "below the threshold";
    const auto bought = placed(traders.decide(view(10'003, 3), random));
    ASSERT_EQ(bought.size(), 1U);
    EXPECT_EQ(bought[0].side, Side::kBuy);
    EXPECT_TRUE(traders.decide(view(10'003, 4), random).empty()) << "it is followed already";
    EXPECT_EQ(placed(traders.decide(view(10'000, 5), random)).at(0).side, Side::kSell);
    // What lies behind the window is forgotten: a move that slow is none.
    EXPECT_TRUE(traders.decide(view(10'001, 20), random).empty());
    EXPECT_TRUE(traders.decide(view(10'003, 40), random).empty());
    EXPECT_TRUE(traders.decide(view(10'005, 60), random).empty());
}

TEST(Grid, CountsTicksOverATickTableAndEndsWithTheRange) {
    const Grid grid(traded()[1]);  // price units of 0.1
    EXPECT_EQ(grid.away(9'999, 1), 10'000);
    EXPECT_EQ(grid.away(10'000, 1), 10'005);
    EXPECT_EQ(grid.away(10'000, -1), 9'999);
    EXPECT_EQ(grid.away(10'005, -2), 9'999);
    EXPECT_EQ(grid.away(1, -5), 1);
    const Grid plain(traded()[0]);
    EXPECT_EQ(plain.away(999'999, 5), 1'000'000);
}

}  // namespace
}  // namespace fixaccel::exchange
