// SPDX-License-Identifier: Apache-2.0
// Reading scenarios: what a step means, and how a wrong file is answered.
#include "scenario/scenario_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "config/venue_config.hpp"
#include "matching/decimal.hpp"

namespace fixaccel::exchange {
namespace {

Exchange& exchange() {
    static Exchange venue({Instrument({.symbol = "MSFT",
                                       .ticks = {{0, parse_decimal("0.01").value()}},
                                       .lot = 10,
                                       .lowest = 0,
                                       .highest = parse_decimal("10000").value()})});
    return venue;
}

Scenario read(const std::string& text) {
    YamlSource source("s.yaml", text);
    return read_scenario(source, "s.yaml", exchange(), {"CLIENT1"});
}

std::string problems(const std::string& text) {
    try {
        read(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

std::string contents(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

TEST(ScenarioReader, ReadsEveryStep) {
    const Scenario scenario = read(R"(fixaccel-scenario: 1
timeout: 2s
steps:
  - quote: {instrument: MSFT, bid: 1180.50, bid_size: 100}
  - trade: {instrument: MSFT, price: "1181", size: 20}
  - batch: [{trade: {instrument: MSFT, price: 1180, size: 10}}, {quote: {instrument: MSFT}}]
  - order: {instrument: MSFT, side: sell, qty: 30, type: limit, price: 1190, tif: ioc}
  - cancel_all: MSFT
  - wait: 200ms
  - wait_for: {orders: 3}
  - wait_for: {logon: CLIENT1, timeout: 1m}
  - logout: CLIENT1
  - resend: {client: CLIENT1, begin: 2, end: 0}
  - test_request: {client: CLIENT1}
  - say: done
)");
    ASSERT_EQ(scenario.steps.size(), 12U);
    EXPECT_EQ(scenario.steps[0].line, 4);
    const auto& quote = std::get<QuoteStep>(std::get<BatchStep>(scenario.steps[0].action).moves.front());
    EXPECT_EQ(quote.bid->price, 118050);
    EXPECT_EQ(quote.bid->quantity, 100);
    EXPECT_FALSE(quote.ask);
    const auto& batch = std::get<BatchStep>(scenario.steps[2].action);
    EXPECT_EQ(std::get<TradeStep>(batch.moves.at(0)).price, 118000);
    EXPECT_FALSE(std::get<QuoteStep>(batch.moves.at(1)).bid);
    const auto& order = std::get<OrderStep>(scenario.steps[3].action);
    EXPECT_EQ(order.side, Side::kSell);
    EXPECT_EQ(order.tif, TimeInForce::kImmediateOrCancel);
    EXPECT_EQ(std::get<WaitStep>(scenario.steps[5].action).duration, std::chrono::milliseconds(200));
    const auto& orders = std::get<WaitForStep>(scenario.steps[6].action);
    EXPECT_EQ(orders.orders, 3U);
    EXPECT_EQ(orders.timeout, std::chrono::seconds(2));
    EXPECT_EQ(std::get<WaitForStep>(scenario.steps[7].action).timeout, std::chrono::minutes(1));
    EXPECT_EQ(std::get<ResendStep>(scenario.steps[9].action).end, 0);
}

TEST(ScenarioReader, NamesAllProblemsAtOnce) {
    EXPECT_EQ(problems("fixaccel-scenario: 1\n"
                       "steps:\n"
                       "  - qoute: {instrument: MSFT}\n"
                       "  - wait: soon\n"),
              "s.yaml:3:5: error: unknown step 'qoute'\n"
              "      - qoute: {instrument: MSFT}\n"
              "        ^\n"
              "  help: did you mean 'quote'?\n"
              "s.yaml:4:11: error: wait 'soon' is not a duration\n"
              "      - wait: soon\n"
              "              ^\n"
              "  help: write a whole number and a unit, such as 200ms or 30s\n");
}

// Each file in the folder is wrong in one way; its rendering is pinned beside it.
TEST(ScenarioReader, WrongFilesAreAnsweredAsPinned) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(SCENARIO_FOLDER)) {
        if (entry.path().extension() != ".yaml") continue;
        ++count;
        auto pinned = entry.path();
        pinned.replace_extension(".txt");
        const std::string seen = problems(contents(entry.path()));
        EXPECT_EQ(seen, contents(pinned)) << entry.path().filename();
        EXPECT_FALSE(seen.empty());
    }
    EXPECT_GE(count, 10);
}

TEST(ScenarioReader, BrokenYamlIsAProblemNotACrash) {
    EXPECT_NE(problems("fixaccel-scenario: [1\n").find("s.yaml:2:1: error: not YAML"), std::string::npos);
    EXPECT_NE(problems("\tsteps: 1\n").find("not YAML"), std::string::npos);
    EXPECT_NE(problems("").find("must be a map"), std::string::npos);
    EXPECT_NE(problems("- 1\n").find("must be a map"), std::string::npos);
    EXPECT_NE(problems(std::string(2 << 20, '#')).find("larger than 1 MiB"), std::string::npos);
    // Cut anywhere, a good file is read or refused.
    const std::string good =
        "fixaccel-scenario: 1\nsteps:\n  - batch: [{trade: {instrument: MSFT, price: 1, size: 10}}]\n"
        "  - wait_for: {orders: 1}\n  - resend: {client: CLIENT1, begin: 1, end: 2}\n";
    ASSERT_EQ(problems(good), "");
    for (std::size_t length = 0; length < good.size(); ++length) problems(good.substr(0, length));
}

TEST(ScenarioReader, WhatShipsIsRead) {
    const std::filesystem::path strategies = STRATEGIES;
    YamlSource venue = YamlSource::open(strategies / "venues/simulator.yaml");
    const VenueConfig config = read_venue_config(venue);
    const Exchange traded(config.instruments);
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(strategies / "scenarios")) {
        YamlSource source = YamlSource::open(entry.path());
        EXPECT_FALSE(read_scenario(source, entry.path(), traded, config.clients).steps.empty());
        ++count;
    }
    EXPECT_GE(count, 3);
}

TEST(ScenarioReader, AMissingFileIsNamed) {
    try {
        YamlSource::open("/nowhere/s.yaml");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()),
                  "/nowhere/s.yaml: error: cannot read this file: No such file or directory\n"
                  "  help: give the path of a YAML file\n");
    }
    EXPECT_THROW(YamlSource::open("/"), InputError);
}

}  // namespace
}  // namespace fixaccel::exchange
