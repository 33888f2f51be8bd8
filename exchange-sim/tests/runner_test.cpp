// SPDX-License-Identifier: Apache-2.0
// Steps that are made of others, and markets that the house makes by itself, on a stage without sessions.
#include "scenario/runner.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <fstream>
#include <thread>

#include "matching/decimal.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/step_specs.hpp"
#include "tests/eventually.hpp"

namespace fixaccel::exchange {
namespace {

class QuietStage : public Stage {
  public:
    void act(const std::function<std::vector<Execution>(Exchange&)>& action) override {
        const std::lock_guard lock(mutex_);
        executions += action(exchange).size();
        ++acts;
    }
    void fault(const std::string& client, const Fault& fault) override {
        const std::lock_guard lock(mutex_);
        faults.emplace_back(client, fault);
    }
    void log_out(const std::string&, const std::string&) override {}
    void request_resend(const std::string&, std::int64_t, std::int64_t) override {}
    void request_test(const std::string&, const std::string&) override {}
    bool logged_on(const std::string&) const override { return false; }
    bool subscribed(const std::string&) const override { return false; }
    std::size_t accepted_orders() const override { return 0; }
    bool wait(const std::function<bool()>& condition, std::chrono::nanoseconds timeout) override {
        std::unique_lock lock(waiting_);
        return changed_.wait_for(lock, timeout, [&] { return stopped || condition(); }) && !stopped;
    }
    bool interrupted() const override { return stopped; }
    void stop() {
        const std::lock_guard lock(waiting_);
        stopped = true;
        changed_.notify_all();
    }

    Exchange exchange{
        {Instrument({"MSFT", {{0, parse_decimal("0.01").value()}}, 10, 0, parse_decimal("10000").value()})}};
    std::vector<std::pair<std::string, Fault>> faults;
    std::size_t executions = 0;
    std::atomic<int> acts{0};  // read while a flow runs
    std::atomic<bool> stopped = false;

  private:
    std::mutex mutex_;
    std::mutex waiting_;
    std::condition_variable changed_;
};

class RunnerTest : public testing::Test {
  protected:
    RunResult run(const std::string& steps) {
        YamlSource source("run.yaml", "fixaccel-scenario: 1\nsteps:\n" + steps);
        return runner.run(read_scenario(source, "run.yaml", stage.exchange, {"CLIENT1"}));
    }

    QuietStage stage;
    Recorder recorder{""};
    std::vector<std::string> said;
    Runner runner{stage, recorder, [this](const std::string& text) { said.push_back(text); }};
};

TEST_F(RunnerTest, RepeatsByNumberAndByTime) {
    EXPECT_EQ(run("  - repeat: {times: 3, steps: [{say: a}, {repeat: {times: 2, steps: [{say: b}]}}]}\n"),
              RunResult::kCompleted);
    EXPECT_EQ(said, (std::vector<std::string>{"a", "b", "b", "a", "b", "b", "a", "b", "b"}));
    said.clear();
    EXPECT_EQ(run("  - repeat: {for: 30ms, steps: [{say: a}, {wait: 1ms}]}\n"), RunResult::kCompleted);
    EXPECT_GE(said.size(), 1U);
}

TEST_F(RunnerTest, TimesThatAreOverAreNotWaitedFor) {
    EXPECT_EQ(run("  - after: 1ms\n  - wait: 2ms\n  - after: 1ms\n  - at: 00:00:00\n  - say: done\n"),
              RunResult::kCompleted);
    EXPECT_EQ(said, std::vector<std::string>{"done"});
}

TEST_F(RunnerTest, BranchesRunSideBySide) {
    // Neither could end before the other has begun.
    const std::string file = testing::TempDir() + "fixaccel-branch-" + std::to_string(getpid());
    EXPECT_EQ(run("  - parallel:\n"
                  "      - - wait_for: {file: " +
                  file +
                  ", timeout: 50ms}\n"
                  "        - say: first\n"
                  "      - - quote: {instrument: MSFT, bid: 1, bid_size: 10}\n"
                  "        - parallel: [[{wait_for: {file: " +
                  file + ", timeout: 50ms}}], [{flow: {rate: 1/s, for: 0s, instruments: {MSFT: 1}}}]]\n" +
                  "      - - wait_for: {logout: CLIENT1}\n"
                  "        - fault: {client: CLIENT1, clear: true}\n"),
              RunResult::kFailed)
        << "there is no such file yet";
    EXPECT_EQ(runner.failure().rfind("run.yaml:4: wait_for gave up", 0) == 0 ||
                  runner.failure().rfind("run.yaml:7: wait_for gave up", 0) == 0,
              true)
        << runner.failure();
    std::ofstream{file} << "x";
    EXPECT_EQ(run("  - parallel: [[{wait_for: {file: " + file + "}}, {say: a}], [{say: b}]]\n  - say: c\n"),
              RunResult::kCompleted);
    EXPECT_EQ(said.back(), "c");
    EXPECT_EQ(said.size(), 3U);
    std::filesystem::remove(file);
}

TEST_F(RunnerTest, ABranchThatFailsEndsTheOthers) {
    EXPECT_EQ(run("  - parallel:\n"
                  "      - - wait: 1h\n"
                  "      - - wait_for: {logon: CLIENT1, timeout: 5ms}\n"
                  "      - - flow: {rate: 10/s, for: 10h, instruments: {MSFT: 100}}\n"
                  "  - say: never\n"),
              RunResult::kFailed);
    EXPECT_EQ(runner.failure(), "run.yaml:5: wait_for gave up after 5 ms: CLIENT1 has not logged on");
    EXPECT_TRUE(said.empty());
}

TEST_F(RunnerTest, AMarketEndsWhenItIsInterrupted) {
    std::thread stopper([this] {
        EXPECT_TRUE(eventually([&] { return stage.acts >= 3; }));
        stage.stop();
    });
    EXPECT_EQ(run("  - flow: {rate: 1000/s, for: 10h, instruments: {MSFT: 100}}\n"), RunResult::kInterrupted);
    stopper.join();
}

TEST_F(RunnerTest, AFlowAsFastAsTheVenueTakesIt) {
    EXPECT_EQ(run("  - flow: {seed: 3, rate: 1000/s, for: 20s, pace: max, instruments: {MSFT: 100}}\n"),
              RunResult::kCompleted);
    EXPECT_GT(stage.executions, 5'000U) << "some of 20,000 turns";
    EXPECT_TRUE(stage.exchange.snapshot("MSFT").last);
    EXPECT_TRUE(stage.exchange.snapshot("MSFT").bids.empty());
}

TEST_F(RunnerTest, FaultsComeAsTheyAreWritten) {
    EXPECT_EQ(run(R"(
  - fault: {client: CLIENT1, delay: 50ms, types: [8, W], count: 10}
  - fault: {client: CLIENT1, drop: 3}
  - fault: {client: CLIENT1, duplicate: all}
  - fault: {client: CLIENT1, garble: 2, seed: 7}
  - fault: {client: CLIENT1, hold: true, types: [8]}
  - fault: {client: CLIENT1, early: 1}
  - fault: {client: CLIENT1, split: 1}
  - fault: {client: CLIENT1, sequence_jump: 5}
  - fault: {client: CLIENT1, window_close: 2s}
  - fault: {client: CLIENT1, test_requests: 100}
  - fault: {client: CLIENT1, resend_request: {begin: 2}}
  - fault: {client: CLIENT1, disconnect: true}
  - fault: {client: CLIENT1, reset: true}
  - fault: {client: CLIENT1, no_heartbeats: true}
  - fault: {client: CLIENT1, clear: true}
)"),
              RunResult::kCompleted);
    using Kind = Fault::Kind;
    const auto is = [&](std::size_t at, Kind kind, std::chrono::nanoseconds time, unsigned count,
                        const std::string& types = "") {
        const auto& [client, fault] = stage.faults.at(at);
        EXPECT_EQ(client, "CLIENT1");
        EXPECT_EQ(fault.kind, kind) << at;
        EXPECT_EQ(fault.time, time) << at;
        EXPECT_EQ(fault.count, count) << at;
        EXPECT_EQ(fault.types, types) << at;
    };
    using std::chrono::milliseconds;
    ASSERT_EQ(stage.faults.size(), 15U);
    is(0, Kind::kDelay, milliseconds(50), 10, "8 W");
    is(1, Kind::kDrop, milliseconds(0), 3);
    is(2, Kind::kDuplicate, milliseconds(0), 0);
    is(3, Kind::kGarble, milliseconds(0), 2);
    EXPECT_EQ(stage.faults[3].second.seed, 7U);
    is(4, Kind::kHold, milliseconds(0), 0, "8");
    is(5, Kind::kEarly, milliseconds(0), 1);
    is(6, Kind::kSplit, milliseconds(0), 1);
    is(7, Kind::kSequenceJump, milliseconds(0), 5);
    is(8, Kind::kWindowClose, milliseconds(2000), 0);
    is(9, Kind::kTestRequests, milliseconds(0), 100);
    is(10, Kind::kResendRequest, milliseconds(0), 0);
    EXPECT_EQ(stage.faults[10].second.begin, 2);
    EXPECT_EQ(stage.faults[10].second.end, 0);
    is(11, Kind::kDisconnect, milliseconds(0), 0);
    is(12, Kind::kReset, milliseconds(0), 0);
    is(13, Kind::kNoHeartbeats, milliseconds(0), 0);
    is(14, Kind::kClear, milliseconds(0), 0);
}

// Editors complete with the committed file; `fixaccel-exchange --scenario-schema` makes it.
TEST(ScenarioSchema, TheCommittedOneIsFresh) {
    std::ifstream file(SCENARIO_SCHEMA);
    EXPECT_EQ(nlohmann::ordered_json::parse(file, nullptr, false), scenario_schema());
}

}  // namespace
}  // namespace fixaccel::exchange
