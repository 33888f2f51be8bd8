// SPDX-License-Identifier: Apache-2.0
// One run of the executable, and a folder for its files.
#pragma once

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
inline constexpr const char* kVenue = R"(fixaccel-venue: 1
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

}  // namespace fixaccel::exchange
