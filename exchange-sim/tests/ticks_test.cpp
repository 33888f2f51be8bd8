// SPDX-License-Identifier: Apache-2.0
// Event files, and what the house makes of them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "matching/decimal.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/ticks/tick_player.hpp"

namespace fixaccel::exchange {
namespace {

constexpr const char* kHead = "ts_ns,instrument,kind,bid,bid_size,ask,ask_size,last,last_size\n";

class TicksTest : public testing::Test {
  protected:
    TicksTest() { std::filesystem::create_directories(folder); }
    ~TicksTest() override { std::filesystem::remove_all(folder); }

    std::string write(const std::string& text) const {
        std::ofstream(folder / "day.csv") << text;
        return (folder / "day.csv").string();
    }
    // What is wrong with a scenario that replays the file; empty if nothing is.
    std::string problems(const std::string& text, const std::string& more = "") const {
        write(text);
        const std::string file = (folder / "s.yaml").string();
        YamlSource source(file, "fixaccel-scenario: 1\nsteps:\n  - ticks: {file: day.csv" + more + "}\n");
        try {
            read_scenario(source, file, exchange, {});
        } catch (const InputError& error) {
            const std::string all = error.what();
            const std::size_t begin = all.find("day.csv");
            return all.substr(begin, all.find('\n') - begin);
        }
        return "";
    }

    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("fixaccel-ticks-" + std::to_string(getpid()));
    Exchange exchange{
        {Instrument({"MSFT", {{0, parse_decimal("0.01").value()}}, 10, 0, parse_decimal("10000").value()})}};
};

TEST_F(TicksTest, RowsMoveTheMarket) {
    EventFile file(write(std::string(kHead) + "1,MSFT,,10,25,10.02,5,,\n"
                                              "2,MSFT,,,,,,\"10.01\",30\r\n"
                                              "\n"
                                              "3,MSFT,update,10.02,7,,,,\n"
                                              "4,,gap,,,,,,\n"
                                              "5,MSFT,snapshot,9.98,10,,,,\n"
                                              "6,MSFT,,-,,,,,\n"
                                              "7,,halt,,,,,,\n"));
    TickPlayer player(exchange, {});
    EventRow row;
    const auto play = [&] {
        EXPECT_TRUE(file.next(row));
        for (const TickMove& move : player.moves(row)) TickPlayer::make(exchange, move);
        return exchange.snapshot("MSFT");
    };
    MarketSnapshot now = play();
    ASSERT_EQ(now.bids, (std::vector<Level>{{1000, 20, 1}})) << "no more than was there, in whole lots";
    ASSERT_EQ(now.asks, (std::vector<Level>{{1002, 10, 1}})) << "a lot at least";
    now = play();
    EXPECT_EQ(now.last, (Print{1001, 30}));
    EXPECT_EQ(now.bids.size(), 1U) << "quotes stay";
    now = play();
    EXPECT_EQ(now.bids, (std::vector<Level>{{1002, 10, 1}}));
    EXPECT_TRUE(now.asks.empty()) << "the ask that the row does not carry is old";
    EXPECT_EQ(now.last, (Print{1001, 30})) << "the house does not trade with itself";
    play();
    EXPECT_EQ(file.line(), 6);
    now = play();
    EXPECT_EQ(now.bids, (std::vector<Level>{{998, 10, 1}}));
    now = play();
    EXPECT_TRUE(now.bids.empty());
    play();
    EXPECT_EQ(exchange.engine().phase(0), Phase::kHalted);
    EXPECT_FALSE(file.next(row));
}

TEST_F(TicksTest, AWrongFileIsAnsweredBeforeTheVenueStarts) {
    const std::string head = kHead;
    EXPECT_EQ(problems(head + "1,MSFT,,10,1,,,,\n"), "");
    EXPECT_EQ(problems(head + "1,MSFT,,10.001,1,,,,\n"),
              "day.csv:2: price 10.001 is not on the tick grid of 0.01");
    EXPECT_EQ(problems(head + "1,SPY,,10,1,,,,\n"), "day.csv:2: instrument 'SPY' is not traded here");
    EXPECT_EQ(problems(head + "1,MSFT,,10,1,,,\n"), "day.csv:2: the row has 8 cells in place of 9");
    EXPECT_EQ(problems(head + "x,MSFT,,10,1,,,,\n"), "day.csv:2: ts_ns 'x' is not a number of nanoseconds");
    EXPECT_EQ(problems(head + "1,MSFT,jump,10,1,,,,\n"), "day.csv:2: kind 'jump' is unknown");
    EXPECT_EQ(problems(head + "1,MSFT,,10,many,,,,\n"),
              "day.csv:2: size 'many' is not a decimal from zero up");
    EXPECT_EQ(problems("a,b\n"),
              "day.csv:1: an event file begins with the line "
              "ts_ns,instrument,kind,bid,bid_size,ask,ask_size,last,last_size");
    EXPECT_EQ(problems(head), "day.csv: no row is of an instrument that is traded here");
}

TEST_F(TicksTest, SymbolsOfTheFileAreOthersHere) {
    const std::string file = std::string(kHead) + "1,SPY,,10,1,,,,\n2,QQQ,,7,1,,,,\n";
    EXPECT_EQ(problems(file, ", instruments: {SPY: MSFT}"), "") << "others are left out";
    TickPlayer player(exchange, {{"SPY", "MSFT"}});
    EXPECT_EQ(player.moves({1, "SPY", "", "10", "", "", "", "", ""}).size(), 1U);
    EXPECT_TRUE(player.moves({1, "QQQ", "", "7.77777", "", "", "", "", ""}).empty());
    EXPECT_EQ(std::get<TickPhase>(player.moves({1, "", "halt", "", "", "", "", "", ""}).at(0)).symbol,
              "MSFT");
}

}  // namespace
}  // namespace fixaccel::exchange
