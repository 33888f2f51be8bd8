// SPDX-License-Identifier: Apache-2.0
// The executable itself: options, exit status, signals, record.
#include "tests/program.hpp"

namespace fixaccel::exchange {
namespace {

TEST_F(ProgramTest, TradesUntilItIsToldToEnd) {
    for (const int number : {SIGTERM, SIGINT}) {
        Program program({"--venue", path("venue.yaml"), "--client", "CLIENT2", "--record", path("record")});
        FixClient trader("CLIENT2", "SIMULATOR", port_of(program));
        ASSERT_TRUE(trader.log_on());
        trader.send({"D",
                     {{tag::kClOrdId, "1"},
                      {tag::kOrderQty, "5"},
                      {tag::kOrdType, "2"},
                      {tag::kPrice, "0000100.00"},
                      {tag::kSide, "1"},
                      {tag::kSymbol, "MSFT"},
                      {tag::kTransactTime, "20260101-12:00:00.000"}},
                     {}});
        EXPECT_EQ(trader.next("8").text(tag::kExecType), "0");
        program.signal(number);
        EXPECT_EQ(trader.next("5").text(tag::kMsgType), "5");
        EXPECT_EQ(program.wait(), 0);
        const auto lines = record();
        EXPECT_EQ(lines.back()["event"], "summary");
        ASSERT_EQ(lines.back()["orders"].size(), 1U);
        EXPECT_EQ(lines.back()["orders"][0]["status"], "new");
        EXPECT_EQ(lines.back()["orders"][0]["price"], "0000100.00");
        EXPECT_EQ(lines.back()["orders"][0]["leaves_qty"], 5);
        const auto session = std::find_if(lines.begin(), lines.end(), [](const nlohmann::json& line) {
            return line["event"] == "session";
        });
        ASSERT_NE(session, lines.end());
        EXPECT_EQ((*session)["next_sender_msg_seq_num"], 4);
        EXPECT_EQ((*session)["next_target_msg_seq_num"], 4);
    }
}

TEST_F(ProgramTest, EndsWithItsScenarioWhereAsked) {
    const std::string scenario = write("s.yaml", "fixaccel-scenario: 1\nsteps:\n  - say: hello\n");
    Program program({"--venue", path("venue.yaml"), "--scenario", scenario, "--exit-after-scenario"});
    port_of(program);
    EXPECT_EQ(program.line(), "hello");
    EXPECT_EQ(program.line(), "scenario completed");
    EXPECT_EQ(program.wait(), 0);
}

TEST_F(ProgramTest, StaysAfterItsScenarioOtherwise) {
    const std::string scenario = write("s.yaml", "fixaccel-scenario: 1\nsteps:\n  - wait: 0ms\n");
    Program program({"--venue", path("venue.yaml"), "--scenario", scenario});
    const std::uint16_t port = port_of(program);
    EXPECT_EQ(program.line(), "scenario completed");
    FixClient trader("CLIENT1", "SIMULATOR", port);
    EXPECT_TRUE(trader.log_on());
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0);
}

TEST_F(ProgramTest, FailsWhenTheScenarioFails) {
    const std::string scenario =
        write("s.yaml", "fixaccel-scenario: 1\nsteps:\n  - wait_for: {orders: 1, timeout: 1ms}\n");
    Program program({"--venue", path("venue.yaml"), "--scenario", scenario, "--record", path("record")});
    EXPECT_EQ(program.errors(),
              "error: " + scenario + ":3: wait_for gave up after 1 ms: 0 of 1 orders were accepted\n");
    EXPECT_EQ(program.wait(), 1);
    EXPECT_EQ(record().back()["event"], "summary");
}

TEST_F(ProgramTest, IsInterruptedInTheMiddleOfItsScenario) {
    const std::string scenario =
        write("s.yaml", "fixaccel-scenario: 1\nsteps:\n  - say: begun\n  - wait: 1h\n");
    Program program({"--venue", path("venue.yaml"), "--scenario", scenario, "--exit-after-scenario"});
    port_of(program);
    EXPECT_EQ(program.line(), "begun");
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0);
}

TEST_F(ProgramTest, AnswersBadInputWithStatusTwo) {
    const auto fails = [](const std::vector<std::string>& arguments, const std::string& text) {
        Program program(arguments);
        const std::string errors = program.errors();
        EXPECT_NE(errors.find(text), std::string::npos) << errors;
        EXPECT_EQ(program.wait(), 2);
    };
    const std::string venue = path("venue.yaml");
    fails({}, "is required");
    fails({"--venue", venue, "--colour"}, "--colour");
    fails({"--venue", path("nothing")}, "cannot read this file");
    fails({"--venue", write("bad.yaml", "a: [")}, "bad.yaml:1:1: error: not YAML");
    fails({"--venue", venue, "--listen", "here"}, "--listen: error: 'here' is not ADDRESS:PORT");
    fails({"--venue", venue, "--client", "A B"}, "--client: error: 'A B' is not a CompID");
    fails({"--venue", venue, "--exit-after-scenario"}, "there is no scenario");
    fails({"--venue", venue, "--scenario", write("s.yaml", "steps: []\n")},
          "needs the key 'fixaccel-scenario'");
}

TEST_F(ProgramTest, AnswersFailuresWithStatusOne) {
    Program first({"--venue", path("venue.yaml")});
    const std::string taken = "127.0.0.1:" + std::to_string(port_of(first));
    Program second({"--venue", path("venue.yaml"), "--listen", taken});
    EXPECT_EQ(second.errors(), "error: cannot listen on " + taken + ": Address already in use\n");
    EXPECT_EQ(second.wait(), 1);
    Program third({"--venue", path("venue.yaml"), "--record", path("missing/record")});
    EXPECT_EQ(third.errors(),
              "error: cannot write the record " + path("missing/record") + ": No such file or directory\n");
    EXPECT_EQ(third.wait(), 1);
}

TEST_F(ProgramTest, ExplainsItself) {
    Program program({"--help"});
    std::string all;
    for (int i = 0; i < 60; ++i) all += program.line() + "\n";
    EXPECT_NE(all.find("Exit status:"), std::string::npos);
    EXPECT_NE(all.find("Examples:"), std::string::npos);
    EXPECT_EQ(program.wait(), 0);
}

}  // namespace
}  // namespace fixaccel::exchange
