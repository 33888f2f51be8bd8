// SPDX-License-Identifier: Apache-2.0
// Every fault that a scenario knows, played against a QuickFIX client: what the client makes of it.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "scenario/fault_words.hpp"
#include "scenario/gateway_stage.hpp"
#include "scenario/runner.hpp"
#include "scenario/scenario_reader.hpp"
#include "tests/eventually.hpp"
#include "tests/venue_fixture.hpp"

namespace fixaccel::exchange {
namespace {

// Of a busy machine; what comes, comes at once.
constexpr std::chrono::seconds kFaultPatience(30);

class ScenarioFaults : public VenueTest {
  protected:
    void SetUp() override { ASSERT_TRUE(trader.log_on(kFaultPatience)); }

    // Steps one after the other, in the flow form of YAML.
    void play(const std::vector<std::string>& steps) {
        std::string text = "fixaccel-scenario: 1\nsteps:\n";
        for (const std::string& step : steps) text += "  - " + step + "\n";
        YamlSource source("faults.yaml", text);
        ASSERT_EQ(runner.run(read_scenario(source, "faults.yaml", exchange, {"CLIENT1", "CLIENT2"})),
                  RunResult::kCompleted)
            << text << runner.failure();
    }
    void fault(const std::string& what) { play({"fault: {client: CLIENT1, " + what + "}"}); }
    void ask() { play({"test_request: {client: CLIENT1}"}); }

    // An order that the venue has taken; gives its ClOrdID.
    std::string order() {
        const std::size_t before = order_count();
        const std::string id = send();
        EXPECT_TRUE(eventually([&] { return order_count() > before; }));
        return id;
    }
    std::string send() {
        const std::string id = "F" + std::to_string(++orders);
        trader.send(new_order(id, "MSFT", "1", "2", "100"));
        return id;
    }
    IncomingMessage next(const std::string& type) { return trader.next(type, kFaultPatience); }
    // The report of that order, as it came at last.
    IncomingMessage report(const std::string& id, bool again = false) {
        while (true) {
            IncomingMessage message = next("8");
            if (message.text(tag::kMsgType).empty()) return message;
            if (message.text(tag::kClOrdId) == id && (!again || message.text(tag::kPossDupFlag) == "Y"))
                return message;
        }
    }
    // What came before is not what comes of the next fault.
    void forget() {
        for (const char* type : {"0", "1", "2", "4", "5", "8"}) {
            while (trader.waiting(type) > 0) trader.next(type);
        }
    }
    static int number(const IncomingMessage& message) {
        return std::stoi("0" + message.text(tag::kMsgSeqNum));
    }

    // It comes back after its connection has ended.
    void come_back() {
        play({"wait_for: {logout: CLIENT1}"});
        trader.log_out();
        ASSERT_TRUE(trader.log_on(kFaultPatience));
    }

    int orders = 0;
    GatewayStage stage{gateway};
    Runner runner{stage, recorder, [](const std::string&) {}};
    FixClient trader = client("CLIENT1");
};

TEST_F(ScenarioFaults, EachKindAsItsClientSeesIt) {
    const std::map<std::string, std::function<void()>> kinds = {
        {"delay",
         [&] {
             fault("delay: 1s, types: [8]");
             const std::string id = order();
             ask();
             const IncomingMessage request = next("1");
             EXPECT_LT(number(request), number(report(id))) << "what was posted later came first";
             // One that would leave sooner does not overtake it.
             fault("delay: 300ms, types: [8]");
             const std::string first = order();
             fault("delay: 1ms, types: [8]");
             const std::string second = order();
             EXPECT_EQ(next("8").text(tag::kClOrdId), first);
             EXPECT_EQ(next("8").text(tag::kClOrdId), second);
         }},
        {"drop",
         [&] {
             fault("drop: 1, types: [8]");
             const std::string id = order();
             ask();  // it sees the hole when something comes behind it
             EXPECT_EQ(report(id).text(tag::kPossDupFlag), "Y");
         }},
        {"duplicate",
         [&] {
             fault("duplicate: 1, types: [8]");
             const std::string id = order();
             const IncomingMessage first = report(id);
             EXPECT_EQ(number(report(id)), number(first)) << "the same message twice";
             come_back();  // the client ends a session whose numbers run backwards
         }},
        {"garble",
         [&] {
             fault("garble: 1, types: [8]");
             const std::string id = order();
             ask();
             EXPECT_EQ(report(id, true).text(tag::kPossDupFlag), "Y") << "asked for again";
         }},
        {"hold",
         [&] {
             fault("hold: true, types: [8]");
             const std::string id = order();
             ask();
             EXPECT_EQ(next("1").text(tag::kTestReqId), "SCENARIO");
             EXPECT_EQ(trader.waiting("8"), 0U);
             fault("clear: true");
             EXPECT_EQ(report(id).text(tag::kClOrdId), id);
         }},
        {"early",
         [&] {
             fault("early: 1, types: [8]");
             const std::string first = order();
             const std::string second = order();
             const std::string third = order();
             const IncomingMessage early = next("8");
             EXPECT_EQ(early.text(tag::kClOrdId), second);
             EXPECT_EQ(next("8").text(tag::kClOrdId), first);
             const IncomingMessage last = next("8");
             EXPECT_EQ(last.text(tag::kClOrdId), third) << "one only was early";
             EXPECT_EQ(number(last), number(early) + 2) << "each has its number as it left";
         }},
        {"split",
         [&] {
             fault("split: 1, types: [8]");
             const std::string id = order();
             EXPECT_NE(report(id).text(tag::kPossDupFlag), "Y") << "byte by byte it is the same message";
         }},
        {"sequence_jump",
         [&] {
             const int before = trader.next_target();
             fault("sequence_jump: 5");
             const std::string id = order();
             EXPECT_EQ(number(report(id)), before + 5);
             EXPECT_EQ(next("4").text(tag::kGapFillFlag), "Y") << "it asked for what was never sent";
         }},
        {"window_close",
         [&] {
             const std::size_t before = order_count();
             play({"fault: {client: CLIENT1, window_close: true}", "test_request: {client: CLIENT1}"});
             ASSERT_EQ(next("1").text(tag::kTestReqId), "SCENARIO") << "the venue still writes";
             const std::string id = send();
             std::this_thread::sleep_for(std::chrono::milliseconds(100));
             EXPECT_EQ(order_count(), before) << "but does not read";
             fault("clear: true");
             EXPECT_EQ(report(id).text(tag::kClOrdId), id);
         }},
        {"test_requests",
         [&] {
             fault("test_requests: 50");
             std::set<std::string> names;
             for (int count = 0; count < 50; ++count) names.insert(next("1").text(tag::kTestReqId));
             EXPECT_EQ(names.size(), 50U);
         }},
        {"resend_request",
         [&] {
             const std::size_t before = order_count();
             fault("resend_request: {begin: 1}");
             EXPECT_EQ(next("2").text(tag::kBeginSeqNo), "1");
             const std::string id = order();
             EXPECT_EQ(report(id).text(tag::kClOrdId), id);
             EXPECT_EQ(order_count(), before + 1) << "what came again did nothing again";
         }},
        {"disconnect",
         [&] {
             fault("disconnect: true");
             come_back();
             EXPECT_EQ(trader.waiting("5"), 0U) << "without a Logout";
         }},
        {"reset",
         [&] {
             fault("reset: true");
             come_back();
             EXPECT_EQ(trader.waiting("5"), 0U);
         }},
        {"no_heartbeats",
         [&] {
             fault("no_heartbeats: true");
             trader.send({"1", {{tag::kTestReqId, "SILENT"}}, {}});
             EXPECT_FALSE(report(order()).text(tag::kClOrdId).empty());
             fault("clear: true");
             trader.send({"1", {{tag::kTestReqId, "SPOKEN"}}, {}});
             IncomingMessage answer = next("0");
             // Heartbeats that answer nothing are none.
             while (!answer.fields.empty() && answer.find(tag::kTestReqId) == nullptr) answer = next("0");
             EXPECT_EQ(answer.text(tag::kTestReqId), "SPOKEN") << "the one before was not answered";
         }},
        {"clear",
         [&] {
             play({"fault: {client: CLIENT1, drop: 100, types: [8]}",
                   "fault: {client: CLIENT1, clear: true}"});
             EXPECT_NE(report(order()).text(tag::kPossDupFlag), "Y");
         }},
    };
    for (const FaultWord& word : fault_words()) {
        SCOPED_TRACE(word.name);
        const auto kind = kinds.find(word.name);
        ASSERT_NE(kind, kinds.end()) << "a fault that nobody plays";
        forget();
        kind->second();
        fault("clear: true");
        if (HasFatalFailure()) return;
    }
    EXPECT_EQ(kinds.size(), fault_words().size());
}

}  // namespace
}  // namespace fixaccel::exchange
