// SPDX-License-Identifier: Apache-2.0
#include "log.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
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

}  // namespace
}  // namespace fixaccel
