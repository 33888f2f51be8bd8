// SPDX-License-Identifier: Apache-2.0
// What an exchange was told: written down, read again, done again, exported.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "matching/decimal.hpp"
#include "record/call_lines.hpp"
#include "record/call_recorder.hpp"
#include "record/replay.hpp"
#include "venue/record_lines.hpp"

namespace fixaccel::exchange {
namespace {

std::int64_t units(const char* text) { return parse_decimal(text).value(); }

RecordedVenue venue() {
    RecordedVenue result;
    result.self_trade = SelfTrade::kCancelOldest;
    result.update_type = UpdateType::kIncrementalRefresh;
    result.instruments.emplace_back(
        InstrumentTerms{"7203", {{0, units("0.1")}, {units("1000"), units("0.5")}}, 100, 0, units("100000")});
    result.instruments.emplace_back(InstrumentTerms{
        "CLZ6", {{std::numeric_limits<std::int64_t>::min(), units("0.01")}}, 1, units("-100"), units("500")});
    return result;
}

OrderTicket ticket(const std::string& id, const std::string& side, const std::string& qty,
                   const std::string& price, const std::string& symbol = "CLZ6") {
    return {.owner = "CLIENT1",
            .cl_ord_id = id,
            .symbol = symbol,
            .side = side,
            .ord_type = price.empty() ? "1" : "2",
            .tif = "",
            .quantity = qty,
            .price = price,
            .account = ""};
}

std::vector<ExchangeCall> every_call() {
    Message reference;
    reference.kind = MessageKind::kReference;
    reference.instrument = 1;
    reference.price = -150;
    Message phase;
    phase.kind = MessageKind::kPhase;
    phase.phase = Phase::kHalted;
    Message breaker;
    breaker.kind = MessageKind::kBreaker;
    breaker.time = 5;
    OrderTicket stop = ticket("s", "1", "3", "2.00");
    stop.ord_type = "4";
    stop.stop_price = "1.99";
    stop.max_floor = "1";
    return {EnterCall{ticket("1", "1", "5", "-1.50")},
            EnterCall{stop},
            EnterCall{ticket("2", "2", "0x", "")},
            ReplaceCall{ticket("3", "1", "4", "-1.60"), "1"},
            CancelCall{"CLIENT1", "4", "3", "CLZ6", "1"},
            EnterCall{ticket("5", "1", "5", "-1.50")},
            MassCancelCall{"CLIENT1", kAllInstruments, Side::kBuy, "the venue's wish"},
            ForgetCall{},
            UseCall{"CLIENT1", "6"},
            QuoteCall{"7203", Quote{29'995, 100}, std::nullopt},
            QuoteCall{"CLZ6", Quote{-150, 2}, Quote{-148, 2}},
            EnterCall{ticket("7", "1", "3", "")},
            TradeCall{"CLZ6", -149, 7},
            HouseOrderCall{"CLZ6", Side::kSell, OrderType::kStopLimit, TimeInForce::kGoodTillCancel, -151, 1,
                           -151},
            TakeOutCall{9, "the venue's wish"},
            SayCall{reference},
            SayCall{phase},
            SayCall{breaker},
            TimeCall{17}};
}

TEST(RecordLines, ComeBackAsTheyWere) {
    const Exchange exchange(venue().instruments);
    for (const ExchangeCall& call : every_call()) {
        const auto line = call_line(exchange, view_of(call));
        const ExchangeCall again = parse_call(exchange, line);
        EXPECT_EQ(again.index(), call.index()) << line;
        EXPECT_EQ(call_line(exchange, view_of(again)), line);
    }
    const auto said = venue_line(venue());
    EXPECT_EQ(venue_line(parse_venue(said)), said);
    for (const char* text : {"", "a", "ab", "abc", "\xff\x01"}) EXPECT_EQ(from_base64(to_base64(text)), text);
    EXPECT_EQ(to_base64("light w"), "bGlnaHQgdw==");
}

TEST(RecordLines, WrongOnesSayWhatIsWrong) {
    const Exchange exchange(venue().instruments);
    const auto wrong = [&](const char* text) -> std::string {
        try {
            parse_call(exchange, nlohmann::ordered_json::parse(text));
        } catch (const RecordLineError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(wrong(R"({"call": "dance"})"), "there is no call 'dance'");
    EXPECT_EQ(wrong(R"({"call": "enter", "qty": 5})"), "'qty' is missing or wrong");
    EXPECT_EQ(wrong(R"({"call": "trade", "symbol": "SPY"})"), "instrument 'SPY' is not traded here");
    EXPECT_EQ(wrong(R"({"call": "trade", "symbol": "CLZ6", "price": "1.005", "size": 1})"),
              "price 1.005 is not on the tick grid of 0.01");
    EXPECT_EQ(wrong(R"({"call": "say", "what": "add"})"), "'what' is missing or wrong");
    EXPECT_THROW(from_base64("a*b"), RecordLineError);
}

// A record of calls with what came of them, as the venue writes it.
class ReplayTest : public testing::Test {
  protected:
    ReplayTest() {
        Exchange exchange(venue().instruments);
        exchange.set_self_trade(venue().self_trade);
        Recorder recorder(path);
        CallRecorder calls(exchange, recorder, venue());
        for (const ExchangeCall& call : every_call()) {
            for (const Execution& execution : apply_call(exchange, call).executions) {
                const Order& order = exchange.order(execution.order);
                if (!order.house) recorder.write("execution", execution_line(order, execution, 3));
                if (execution.type == ExecType::kTrade && execution.order > execution.counterparty)
                    recorder.write("trade", trade_line(exchange, execution));
            }
        }
        recorder.write("summary", summary_line(exchange));
    }
    ~ReplayTest() override { std::filesystem::remove(path); }

    std::string text() const {
        // The writer may be a thread of its own: the constructor's recorder has ended it.
        std::ostringstream all;
        all << std::ifstream(path).rdbuf();
        return all.str();
    }
    static ReplayResult replay(const std::string& record, std::ostream* events = nullptr) {
        std::istringstream in(record);
        return Replay(in, "r.jsonl", std::nullopt, events).run();
    }
    static std::string without(const std::string& all, const std::string& part) {
        std::istringstream in(all);
        std::string result;
        bool done = false;
        for (std::string line; std::getline(in, line);) {
            if (!done && line.find(part) != std::string::npos)
                done = true;
            else
                result += line + "\n";
        }
        EXPECT_TRUE(done) << part;
        return result;
    }
    static std::string with(std::string all, const std::string& old, const std::string& now) {
        const std::size_t place = all.find(old);
        EXPECT_NE(place, std::string::npos) << old;
        return all.replace(place, old.size(), now);
    }

    const std::string path =
        (std::filesystem::temp_directory_path() / ("fixaccel-record-" + std::to_string(getpid()))).string();
};

TEST_F(ReplayTest, TheSameInputsGiveTheSame) {
    const ReplayResult result = replay(text());
    EXPECT_EQ(result.difference_count, 0U) << result.as_json().dump(1);
    EXPECT_TRUE(result.whole);
    EXPECT_EQ(result.calls, every_call().size());
    EXPECT_GT(result.executions, 8U);
    EXPECT_EQ(result.trades, 1U);
}

TEST_F(ReplayTest, WhateverDiffersIsShownWithItsPlace) {
    const std::string good = text();
    const auto one = [](const ReplayResult& result) {
        EXPECT_EQ(result.difference_count, 1U) << result.as_json().dump(1);
        return result.differences.at(0);
    };
    // An execution that is another, one that is lost, and one too many.
    ReplayDifference found = one(replay(with(good, R"("cum_qty":2)", R"("cum_qty":1)")));
    EXPECT_EQ(found.what, "execution");
    EXPECT_EQ(found.recorded["cum_qty"], 1);
    EXPECT_EQ(found.replayed["cum_qty"], 2);
    EXPECT_GT(found.line, 10U);
    found = one(replay(without(good, R"("event":"execution")")));
    EXPECT_TRUE(found.recorded.is_null());
    found = one(replay(without(good, R"("event":"trade")") + ""));
    EXPECT_EQ(found.what, "trade");
    EXPECT_EQ(
        one(replay(with(good, R"("status":"canceled","cum_qty":2)", R"("status":"new","cum_qty":2)"))).what,
        "order");
    // An input that is lost changes what comes behind it.
    EXPECT_GT(replay(without(good, R"("call":"quote","symbol":"CLZ6")")).difference_count, 0U);
}

TEST_F(ReplayTest, ARecordThatEndsInTheMiddleIsReplayedSoFar) {
    const std::string good = text();
    for (std::size_t length = good.find("\"call\""); length < good.size(); length += 97) {
        const ReplayResult result = replay(good.substr(0, length));
        EXPECT_EQ(result.difference_count, 0U) << length;
        EXPECT_FALSE(result.whole);
    }
}

TEST_F(ReplayTest, WhatIsNoRecordIsAnError) {
    const auto why = [](const std::string& record) -> std::string {
        try {
            replay(record);
        } catch (const ReplayError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(why("{\"event\":\"start\"}\n"),
              "r.jsonl:1: the record does not say what it was told: it is empty, or older than `call` lines");
    EXPECT_EQ(why("{\"event\":\"call\"}\n"), "r.jsonl:1: the record does not begin with its venue");
    EXPECT_EQ(why("{\"event\":\"venue\",\n\n"), "r.jsonl:1: this is no line of a record");
    EXPECT_EQ(why(with(text(), "\"call\":\"enter\"", "\"call\":\"dance\"")),
              "r.jsonl:2: there is no call 'dance'");
}

TEST_F(ReplayTest, HappeningsBecomeEvents) {
    std::ostringstream events;
    std::string record = text();
    // Times of the record are the clock's.
    replay(record, &events);
    std::istringstream in(events.str());
    std::string all;
    for (std::string line; std::getline(in, line);) all += line.substr(line.find(',')) + "\n";
    EXPECT_EQ(all,
              ",instrument,kind,bid,bid_size,ask,ask_size,last,last_size,rule\n"
              ",CLZ6,,-1.50,5,,,,,\n"
              ",,reject,,,,,,,2\n"
              ",CLZ6,,-1.60,4,,,,,\n"
              ",,done,,,,,,,3\n"
              ",CLZ6,,-,,,,,,\n"
              ",CLZ6,,-1.50,5,,,,,\n"
              ",,done,,,,,,,s\n"
              ",,done,,,,,,,5\n"
              ",CLZ6,,-,,,,,,\n"
              ",7203,,2999.5,100,,,,,\n"
              ",CLZ6,,-1.50,2,-1.48,2,,,\n"
              ",,fill,,,,,-1.48,2,7\n"
              ",,done,,,,,,,7\n"
              ",CLZ6,,,,-,,-1.48,2,\n"
              ",CLZ6,,,,,,-1.49,7,\n");
}

}  // namespace
}  // namespace fixaccel::exchange
