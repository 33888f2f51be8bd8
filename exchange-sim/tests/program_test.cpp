// SPDX-License-Identifier: Apache-2.0
// The executable itself: options, exit status, signals, record.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/fix_client.hpp"

namespace fixaccel::exchange {
namespace {

constexpr const char* kVenue = R"(fixaccel-venue: 1
session: {begin_string: FIX.4.4, sender_comp_id: CLIENT1, target_comp_id: SIMULATOR, connect: 127.0.0.1:0}
instruments:
  MSFT: {tick: 0.01, lot: 1, price_range: 0.01..10000}
)";

// One run of the program with its standard output and error read through pipes.
class Program {
  public:
    explicit Program(const std::vector<std::string>& arguments) {
        int out[2];
        int error[2];
        EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
        EXPECT_EQ(pipe2(error, O_CLOEXEC), 0);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, error[1], STDERR_FILENO);
        std::vector<char*> argv;
        std::string program = EXCHANGE_PROGRAM;
        std::vector<std::string> copies = arguments;
        argv.push_back(program.data());
        for (std::string& argument : copies) argv.push_back(argument.data());
        argv.push_back(nullptr);
        EXPECT_EQ(posix_spawn(&pid_, EXCHANGE_PROGRAM, &actions, nullptr, argv.data(), environ), 0);
        posix_spawn_file_actions_destroy(&actions);
        close(out[1]);
        close(error[1]);
        out_ = fdopen(out[0], "r");
        error_ = fdopen(error[0], "r");
    }
    ~Program() {
        if (pid_ != 0) {
            kill(pid_, SIGKILL);
            wait();
        }
        std::fclose(out_);
        std::fclose(error_);
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    std::string line() { return read_line(out_); }
    std::string errors() {
        std::string all;
        for (std::string line = read_line(error_); !line.empty(); line = read_line(error_))
            all += line + "\n";
        return all;
    }
    void signal(int number) const { kill(pid_, number); }

    // Exit status; -1 if it ended by a signal.
    int wait() {
        int status = 0;
        waitpid(pid_, &status, 0);
        pid_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

  private:
    static std::string read_line(FILE* file) {
        std::string result;
        for (int c = std::fgetc(file); c != EOF && c != '\n'; c = std::fgetc(file))
            result += static_cast<char>(c);
        return result;
    }

    pid_t pid_ = 0;
    FILE* out_ = nullptr;
    FILE* error_ = nullptr;
};

class ProgramTest : public testing::Test {
  protected:
    ProgramTest() {
        std::filesystem::create_directories(folder);
        write("venue.yaml", kVenue);
    }
    ~ProgramTest() override { std::filesystem::remove_all(folder); }

    std::string path(const std::string& name) const { return (folder / name).string(); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path(name)) << text;
        return path(name);
    }
    std::vector<nlohmann::json> record() const {
        std::vector<nlohmann::json> lines;
        std::ifstream file(path("record"));
        for (std::string line; std::getline(file, line);) lines.push_back(nlohmann::json::parse(line));
        return lines;
    }
    static std::uint16_t port_of(Program& program) {
        const std::string line = program.line();
        EXPECT_EQ(line.rfind("listening on 127.0.0.1:", 0), 0U) << line;
        return static_cast<std::uint16_t>(std::stoi(line.substr(line.rfind(':') + 1)));
    }

    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("fixaccel-exchange-test-" + std::to_string(getpid()));
};

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
    fails({}, "--venue is required");
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
