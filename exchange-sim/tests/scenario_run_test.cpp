// SPDX-License-Identifier: Apache-2.0
// A scenario played against a client that trades.
#include <gtest/gtest.h>

#include <thread>

#include "record/call_recorder.hpp"
#include "record/replay.hpp"
#include "scenario/gateway_stage.hpp"
#include "scenario/runner.hpp"
#include "scenario/scenario_reader.hpp"
#include "tests/eventually.hpp"
#include "tests/venue_fixture.hpp"
#include "venue/record_lines.hpp"

namespace fixaccel::exchange {
namespace {

class ScenarioRun : public VenueTest {
  protected:
    Scenario read(const std::string& steps) {
        YamlSource source("run.yaml", "fixaccel-scenario: 1\nsteps:\n" + steps);
        return read_scenario(source, "run.yaml", exchange, {"CLIENT1", "CLIENT2"});
    }

    // Read while no message is being processed.
    Phase exchange_phase() {
        Phase phase = Phase::kContinuous;
        gateway.act([&](Exchange& venue) {
            phase = venue.engine().phase(venue.index_of("MSFT"));
            return std::vector<Execution>();
        });
        return phase;
    }

    std::vector<std::string> said;
    GatewayStage stage{gateway};
    Runner runner{stage, recorder, [this](const std::string& text) { said.push_back(text); }};
};

TEST_F(ScenarioRun, AHaltCollectsOrdersAndEndsWithAnAuction) {
    const Scenario scenario = read(R"(
  - phase: {instrument: MSFT, phase: halted}
  - order: {instrument: MSFT, side: sell, qty: 3, type: limit, price: 100.00}
  - wait_for: {orders: 1}
  - phase: {instrument: MSFT, phase: continuous}
)");
    RunResult result = RunResult::kInterrupted;
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    std::thread player([&] { result = runner.run(scenario); });
    EXPECT_TRUE(eventually([&] { return exchange_phase() == Phase::kHalted; }));
    trader.send(new_order("1", "MSFT", "1", "2", "101"));
    EXPECT_EQ(trader.next("8").text(tag::kExecType), "0");
    const IncomingMessage filled = trader.next("8");
    EXPECT_EQ(filled.text(tag::kExecType), "F");
    EXPECT_EQ(filled.text(tag::kLastPx), "100.00") << "sellers are left at both limits";
    player.join();
    EXPECT_EQ(result, RunResult::kCompleted);
}

TEST_F(ScenarioRun, MovesTheMarketForAClient) {
    const Scenario scenario = read(R"(
  - wait_for: {subscribed: CLIENT1}
  - quote: {instrument: MSFT, bid: 1180.00, bid_size: 10, ask: 1180.10, ask_size: 10}
  - say: quoted
  - wait_for: {orders: 1}
  - batch:
      - trade: {instrument: MSFT, price: 1179.99, size: 1}
      - quote: {instrument: MSFT, bid: 1179.90, bid_size: 5, ask: 1180.00, ask_size: 5}
      - trade: {instrument: MSFT, price: 1179.95, size: 2}
  - order: {instrument: CLZ6, side: sell, qty: 3, type: limit, price: -1.50}
  - cancel_all: CLZ6
  - test_request: {client: CLIENT1}
  - resend: {client: CLIENT1, begin: 3, end: 3}
  - wait: 1ms
  - logout: CLIENT1
  - wait_for: {logout: CLIENT1}
)");
    RunResult result = RunResult::kInterrupted;
    std::thread player([&] { result = runner.run(scenario); });
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    trader.send(market_data_request("md", {"CLZ6", "MSFT"}));
    trader.next("W");
    trader.next("W");
    EXPECT_EQ(body(trader.next("W")),
              "55=MSFT 262=md 268=2 269=0 270=1180.00 271=10 290=1 269=1 270=1180.10 271=10 290=1");
    EXPECT_EQ(trader.send(new_order("1", "MSFT", "2", "2", "1180")), 3);
    EXPECT_EQ(body(trader.next("W")),
              "55=MSFT 262=md 268=3 269=0 270=1180.00 271=8 290=1 269=1 270=1180.10 271=10 290=1 "
              "269=2 270=1180.00 271=2");
    EXPECT_EQ(body(trader.next("W")),
              "55=MSFT 262=md 268=3 269=0 270=1179.90 271=5 290=1 269=1 270=1180.00 271=5 290=1 "
              "269=2 270=1179.95 271=2");
    EXPECT_EQ(body(trader.next("W")), "55=CLZ6 262=md 268=1 269=1 270=-1.50 271=3 290=1");
    EXPECT_EQ(body(trader.next("W")), "55=CLZ6 262=md 268=0");
    EXPECT_EQ(trader.next("1").text(tag::kTestReqId), "SCENARIO");
    EXPECT_EQ(trader.next("2").text(tag::kBeginSeqNo), "3");
    EXPECT_EQ(trader.next("5").text(tag::kText), "scenario");
    player.join();
    EXPECT_EQ(result, RunResult::kCompleted);
    EXPECT_EQ(said, std::vector<std::string>{"quoted"});
    recorded("scenario", scenario.steps.size());
    recorded("resend", 1);
}

// The day of a client who trades: what the venue did is what its record says that it would do again.
TEST_F(ScenarioRun, ARecordReplaysTheSame) {
    const auto calls = std::make_unique<CallRecorder>(
        exchange, recorder, RecordedVenue{instruments(), SelfTrade::kAllow, UpdateType::kFullRefresh});
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    const auto report = [&] { return trader.next("8").text(tag::kExecType); };
    EXPECT_EQ(
        runner.run(read("  - quote: {instrument: MSFT, bid: 1180, bid_size: 10, ask: 1181, ask_size: 10}\n")),
        RunResult::kCompleted);
    trader.send(new_order("1", "MSFT", "1", "4", "1181"));
    EXPECT_EQ(report(), "0");
    EXPECT_EQ(report(), "F");
    trader.send(new_order("2", "MSFT", "1", "8", "1180.50"));
    EXPECT_EQ(report(), "0");
    trader.send(replace_order("3", "2", "MSFT", "6", "1180.40"));
    EXPECT_EQ(report(), "5");
    EXPECT_EQ(
        runner.run(read("  - flow: {seed: 3, rate: 1000/s, for: 2s, pace: max, instruments: {MSFT: 1180}}\n"
                        "  - trade: {instrument: MSFT, price: 1180.30, size: 2}\n")),
        RunResult::kCompleted);
    trader.send(cancel_order("4", "9", "MSFT"));
    EXPECT_EQ(trader.next("9").text(tag::kClOrdId), "4");
    trader.log_out();
    gateway.detach();
    host.reset();
    gateway.stop();
    recorder.write("summary", summary_line(exchange));
    recorder.flush();
    std::ifstream record(record_path);
    const ReplayResult result = Replay(record, "record", std::nullopt, nullptr).run();
    EXPECT_EQ(result.difference_count, 0U) << result.as_json().dump(1);
    EXPECT_TRUE(result.whole);
    EXPECT_GE(result.executions, 5U);
    EXPECT_GE(result.trades, 20U);
    EXPECT_EQ(result.orders, 2U);
}

TEST_F(ScenarioRun, FaultsHitTheClientsSession) {
    FixClient trader = client("CLIENT1");
    ASSERT_TRUE(trader.log_on());
    EXPECT_EQ(runner.run(read("  - fault: {client: CLIENT1, drop: 1, types: [8]}\n")), RunResult::kCompleted);
    trader.send(new_order("1", "MSFT", "1", "2", "100"));
    ASSERT_TRUE(eventually([&] { return order_count() == 1; }));
    // The client sees the hole when something comes behind it, and asks again.
    EXPECT_EQ(runner.run(read("  - test_request: {client: CLIENT1}\n")), RunResult::kCompleted);
    const IncomingMessage late = trader.next("8");
    EXPECT_EQ(late.text(tag::kClOrdId), "1");
    EXPECT_EQ(late.text(tag::kPossDupFlag), "Y");
    EXPECT_EQ(runner.run(read("  - fault: {client: CLIENT1, test_requests: 3}\n"
                              "  - fault: {client: CLIENT1, hold: true, types: [8]}\n")),
              RunResult::kCompleted);
    for (int count = 0; count < 3; ++count) EXPECT_EQ(trader.next("1").text(tag::kMsgType), "1");
    trader.send(new_order("2", "MSFT", "1", "2", "100"));
    ASSERT_TRUE(eventually([&] { return order_count() == 2; }));
    EXPECT_EQ(trader.waiting("8"), 0U);
    EXPECT_EQ(runner.run(read("  - fault: {client: CLIENT1, clear: true}\n")), RunResult::kCompleted);
    EXPECT_EQ(trader.next("8").text(tag::kClOrdId), "2");
    EXPECT_EQ(runner.run(read("  - fault: {client: CLIENT1, reset: true}\n"
                              "  - wait_for: {logout: CLIENT1}\n")),
              RunResult::kCompleted);
}

TEST_F(ScenarioRun, GivesUpWithThePlaceAndTheReason) {
    EXPECT_EQ(runner.run(read("  - wait: 0ms\n  - wait_for: {orders: 2, timeout: 10ms}\n")),
              RunResult::kFailed);
    EXPECT_EQ(runner.failure(), "run.yaml:4: wait_for gave up after 10 ms: 0 of 2 orders were accepted");
    EXPECT_EQ(runner.run(read("  - wait_for: {logon: CLIENT2, timeout: 10ms}\n")), RunResult::kFailed);
    EXPECT_EQ(runner.failure(), "run.yaml:3: wait_for gave up after 10 ms: CLIENT2 has not logged on");
    EXPECT_EQ(runner.run(read("  - wait_for: {logout: CLIENT2, timeout: 10ms}\n")), RunResult::kCompleted);
}

TEST_F(ScenarioRun, StopsWhenInterrupted) {
    const Scenario scenario = read("  - wait: 1h\n  - say: never\n");
    RunResult result = RunResult::kCompleted;
    std::thread player([&] { result = runner.run(scenario); });
    gateway.clients().interrupt();
    player.join();
    EXPECT_EQ(result, RunResult::kInterrupted);
    EXPECT_TRUE(said.empty());
}

}  // namespace
}  // namespace fixaccel::exchange
