// SPDX-License-Identifier: Apache-2.0
// An exchange that is written down and read again, or fed with the log of another, is the same exchange: it
// answers whatever comes next as that one does. And what it remembers of a day is bounded.
#include <gtest/gtest.h>

#include <random>

#include "matching/call_bytes.hpp"
#include "matching/decimal.hpp"
#include "matching/exchange.hpp"

namespace fixaccel::exchange {
namespace {

std::vector<Instrument> two_instruments() {
    const auto terms = [](const char* symbol) {
        return Instrument({.symbol = symbol,
                           .ticks = {{0, parse_decimal("1").value()}},
                           .lot = 1,
                           .lowest = parse_decimal("1").value(),
                           .highest = parse_decimal("1000").value()});
    };
    return {terms("AAA"), terms("BBB")};
}

// All that an exchange says, as text.
std::string said(const std::vector<Execution>& executions) {
    std::string out;
    for (const Execution& each : executions)
        out += std::to_string(each.id) + " " + std::to_string(each.order) + " " +
               std::string(to_text(each.type)) + " " + std::string(to_text(each.status)) + " " +
               std::to_string(each.last_quantity) + "@" + std::to_string(each.last_price) + " of " +
               std::to_string(each.counterparty) + " " + std::to_string(each.cum_quantity) + "/" +
               std::to_string(each.leaves_quantity) + " " + each.text + " " + each.cancel_cl_ord_id + " " +
               each.replaced_cl_ord_id + "\n";
    return out;
}

// Random requests of all kinds. The same seed makes the same.
class Traffic {
  public:
    explicit Traffic(unsigned seed) : random_(seed) {}

    std::string next(Exchange& exchange) {
        const std::string symbol = below(2) == 0 ? "AAA" : "BBB";
        switch (below(20)) {
            case 0:
                return said(exchange.quote(symbol, Quote{95 + below(3), 5}, Quote{105 - below(3), 7}));
            case 1:
                return said(exchange.trade(symbol, 90 + below(20), 1 + below(9)));
            case 2:
                return said(exchange.house_order(symbol, side(), OrderType::kLimit, TimeInForce::kDay,
                                                 90 + below(20), 1 + below(9)));
            case 3: {
                Message message;
                message.kind = MessageKind::kPhase;
                message.instrument = exchange.index_of(symbol);
                message.phase = static_cast<Phase>(below(4));
                return said(exchange.say(message));
            }
            case 4: {
                Message message;
                message.kind = below(2) == 0 ? MessageKind::kReference : MessageKind::kBreaker;
                message.instrument = exchange.index_of(symbol);
                message.price = message.kind == MessageKind::kReference ? 90 + below(20) : 8;
                message.time = 50;
                return said(exchange.say(message));
            }
            case 5:
                time_ += below(60);
                return said(exchange.set_time(time_));
            case 6:
                return said(exchange.mass_cancel(
                    client(), below(2) == 0 ? exchange.index_of(symbol) : kAllInstruments,
                    below(2) == 0 ? std::optional(side()) : std::nullopt, "all"));
            case 7:
            case 8:
            case 9: {
                const CancelOutcome& outcome =
                    exchange.cancel({client(), name(), known(), symbol, below(4) == 0 ? "1" : ""});
                return said(outcome.executions) + (outcome.reject ? outcome.reject->text : "");
            }
            case 10:
            case 11: {
                const CancelOutcome& outcome = exchange.replace({ticket(symbol), known()});
                return said(outcome.executions) + (outcome.reject ? outcome.reject->text : "");
            }
            default:
                return said(exchange.enter(ticket(symbol)));
        }
    }

  private:
    std::int64_t below(int limit) {
        return static_cast<std::int64_t>(random_() % static_cast<unsigned>(limit));
    }
    Side side() { return below(2) == 0 ? Side::kBuy : Side::kSell; }
    std::string client() { return below(2) == 0 ? "ONE" : "TWO"; }
    // Now and then one that was used.
    std::string name() { return "c" + std::to_string(below(30) == 0 ? below(names_ + 1) : ++names_); }
    std::string known() { return "c" + std::to_string(names_ - below(std::min(names_ + 1, 40))); }
    OrderTicket ticket(const std::string& symbol) {
        const char* types[] = {"2", "2", "2", "2", "1", "3", "4", "J"};
        const char* tifs[] = {"0", "0", "1", "1", "3", "4", "2", "7"};
        OrderTicket ticket;
        ticket.owner = client();
        ticket.cl_ord_id = name();
        ticket.symbol = symbol;
        ticket.side = below(2) == 0 ? "1" : "2";
        ticket.ord_type = types[below(8)];
        ticket.tif = tifs[below(8)];
        ticket.quantity = std::to_string(1 + below(20));
        const bool priced = ticket.ord_type == "2" || ticket.ord_type == "4";
        if (priced) ticket.price = std::to_string(90 + below(20));
        if (ticket.ord_type != "1" && ticket.ord_type != "2")
            ticket.stop_price = std::to_string(90 + below(20));
        if (priced && below(4) == 0) ticket.max_floor = "2";
        return ticket;
    }

    std::mt19937 random_;
    int names_ = 0;
    std::int64_t time_ = 0;
};

std::string book_of(const Exchange& exchange) {
    std::string out;
    for (const InstrumentIndex index : {0U, 1U}) {
        const MarketSnapshot book = exchange.snapshot(index);
        for (const auto* side : {&book.bids, &book.asks}) {
            for (const Level& level : *side)
                out += std::to_string(level.price) + "x" + std::to_string(level.quantity) + "(" +
                       std::to_string(level.orders) + ") ";
            out += "| ";
        }
        out += book.last ? std::to_string(book.last->price) : "none";
        out += std::string(to_text(exchange.engine().phase(index)));
    }
    return out;
}

class ExchangeState : public testing::TestWithParam<unsigned> {};

TEST_P(ExchangeState, GoesOnAsTheOneThatWasWrittenDown) {
    const unsigned seed = GetParam();
    Exchange original(two_instruments());
    original.set_kept_finished(50);
    Exchange copy(two_instruments());
    copy.set_kept_finished(50);
    Exchange replayed(two_instruments());
    replayed.set_kept_finished(50);
    CallLog log;
    original.add_journal(log);
    Traffic traffic(seed);
    std::string heard;
    for (int step = 0; step < 600; ++step) heard += traffic.next(original);
    ASSERT_TRUE(copy.restore(original.state())) << "seed " << seed;
    std::string replies;
    ASSERT_TRUE(replay_calls(replayed, log.bytes,
                             [&](const auto&, const auto& result) { replies += said(result.executions); }));
    EXPECT_EQ(book_of(copy), book_of(original)) << "seed " << seed;
    EXPECT_EQ(book_of(replayed), book_of(original)) << "seed " << seed;
    EXPECT_TRUE(replayed.state() == original.state()) << "seed " << seed;
    original.remove_journal(log);
    Traffic same = traffic;
    Traffic too = traffic;
    for (int step = 0; step < 600; ++step) {
        const std::string expected = traffic.next(original);
        ASSERT_EQ(same.next(copy), expected) << "seed " << seed << ", step " << step;
        ASSERT_EQ(too.next(replayed), expected) << "seed " << seed << ", step " << step;
    }
    EXPECT_EQ(book_of(copy), book_of(original)) << "seed " << seed;
}

INSTANTIATE_TEST_SUITE_P(Seeds, ExchangeState, testing::Range(1U, 9U));

TEST(ExchangeStateTest, WhatIsNoStateIsRefused) {
    Exchange exchange(two_instruments());
    Traffic traffic(1);
    for (int step = 0; step < 50; ++step) traffic.next(exchange);
    const std::string state = exchange.state();
    for (const std::size_t length : {std::size_t{0}, std::size_t{10}, state.size() / 2, state.size() - 1}) {
        Exchange fresh(two_instruments());
        EXPECT_FALSE(fresh.restore(state.substr(0, length))) << length;
    }
    Exchange fresh(two_instruments());
    EXPECT_FALSE(replay_calls(fresh, "\x63", [](const auto&, const auto&) {}));
    EXPECT_FALSE(replay_calls(fresh, std::string("\x01\x7f", 2), [](const auto&, const auto&) {}));
}

TEST(ExchangeMemory, ADaysOrdersTakeNoMoreThanThoseThatAreKept) {
    Exchange exchange(two_instruments());
    exchange.set_kept_finished(1'000);
    OrderTicket ticket;
    ticket.owner = "ONE";
    ticket.symbol = "AAA";
    ticket.side = "1";
    ticket.ord_type = "2";
    ticket.tif = "1";
    ticket.quantity = "1";
    ticket.price = "90";
    ticket.cl_ord_id = "stays";
    exchange.enter(ticket);
    std::size_t places = 0;
    for (int number = 0; number < 60'000; ++number) {
        const std::string id = "n" + std::to_string(number);
        ticket.cl_ord_id = id;
        exchange.enter(ticket);
        exchange.cancel({"ONE", "x" + id, id, "AAA", "1"});
        exchange.prints(0).clear();
        exchange.clear_changed();
        if (number == 5'000) places = exchange.store().places();
    }
    EXPECT_EQ(exchange.store().places(), places) << "places are used again";
    EXPECT_LE(exchange.orders().size(), 1'002U);
    EXPECT_LT(exchange.store().pages(), 65U)
        << "a page for a thousand OrderIDs that are gone would be 60 more";
    EXPECT_EQ(exchange.find_order("ONE", "n0"), nullptr) << "forgotten";
    EXPECT_TRUE(exchange.used("ONE", "n0")) << "but its ClOrdID stays used";
    ticket.cl_ord_id = "n0";
    EXPECT_EQ(exchange.enter(ticket).front().reject_reason, 6);
    EXPECT_EQ(exchange.find_order("ONE", "stays")->leaves_quantity, 1);
    exchange.forget_finished();
    EXPECT_EQ(exchange.enter(ticket).front().type, ExecType::kNew) << "the next day it may be used";
}

}  // namespace
}  // namespace fixaccel::exchange
