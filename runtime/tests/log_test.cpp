// SPDX-License-Identifier: Apache-2.0
#include "log.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>

namespace fixaccel {
namespace {

TEST(Log, NobodyWaitsForAPipeThatIsNotReadAndWhatIsLostIsSaid) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    const int before = ::dup(STDERR_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    const std::string line(1000, 'x');
    for (int i = 0; i < 3000; ++i) log_line(std::to_string(i) + " " + line);
    std::string text;
    std::array<char, 65536> chunk{};
    bool more = true;
    const auto read_some = [&] {
        const ssize_t n = ::read(ends[0], chunk.data(), chunk.size());
        if (n > 0) text.append(chunk.data(), static_cast<std::size_t>(n));
    };
    while (text.find("\nfixacceld: 999 ") == std::string::npos) read_some();
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    for (int i = 0; i < 1000 && more; ++i) {
        log_line("the end\x01");
        flush_log(std::chrono::milliseconds(10));
        read_some();
        more = text.find("the end|\n") == std::string::npos;
    }
    ::dup2(before, STDERR_FILENO);
    for (const int fd : {ends[0], ends[1], before}) ::close(fd);
    EXPECT_NE(text.find(" lines were lost here: nobody read them\n"), std::string::npos);
    EXPECT_NE(text.find("fixacceld: the end|\n"), std::string::npos);
}

TEST(Log, ALineMayBeAnObject) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    const std::array<int, 2> before{::dup(STDOUT_FILENO), ::dup(STDERR_FILENO)};
    flush_log(std::chrono::seconds(20));
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(ends[1], fd);
    log_as(LogFormat::json);
    log_line("35=8\x01of \"X\"\n\xff");
    log_line("disarmed: no", {LogLevel::warning, "disarmed", {{"reason", "no"}}});
    announce("ready");
    flush_log(std::chrono::seconds(20));
    log_as(LogFormat::text);
    log_line("disarmed: no", {LogLevel::warning, "disarmed", {{"reason", "no"}}});
    flush_log(std::chrono::seconds(20));
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(before[fd - STDOUT_FILENO], fd);
    std::array<char, 4096> chunk{};
    const ssize_t n = ::read(ends[0], chunk.data(), chunk.size());
    for (const int fd : {ends[0], ends[1], before[0], before[1]}) ::close(fd);
    ASSERT_GT(n, 0);
    std::istringstream text(std::string(chunk.data(), static_cast<std::size_t>(n)));
    std::array<std::string, 4> lines;
    for (std::string& line : lines) ASSERT_TRUE(std::getline(text, line));
    const std::regex time(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)");
    std::array<nlohmann::json, 3> objects;
    for (std::size_t i = 0; i < objects.size(); ++i) {
        objects[i] = nlohmann::json::parse(lines[i]);
        EXPECT_TRUE(std::regex_match(objects[i]["time"].get<std::string>(), time)) << lines[i];
    }
    EXPECT_EQ(objects[0]["text"], "35=8\x01of \"X\"\n\xEF\xBF\xBD");
    EXPECT_EQ(objects[0]["level"], "info");
    EXPECT_EQ(objects[0]["event"], "note");
    EXPECT_EQ(objects[1]["level"], "warning");
    EXPECT_EQ(objects[1]["event"], "disarmed");
    EXPECT_EQ(objects[1]["reason"], "no");
    EXPECT_EQ(objects[2]["event"], "ready");
    EXPECT_EQ(lines[3], "fixacceld: disarmed: no");
}

}  // namespace
}  // namespace fixaccel
