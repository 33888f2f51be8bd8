// SPDX-License-Identifier: Apache-2.0
// The client and the server of the register socket against each other.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "fixaccel/board.hpp"
#include "fixaccel/board_protocol.hpp"
#include "served_board.hpp"

namespace fixaccel::test {
namespace {

std::string message_of(auto action) {
    try {
        action();
    } catch (const BoardError& error) {
        return error.what();
    }
    return "nothing thrown";
}

TEST(SocketBoard, ReadsWhatItWrote) {
    ServedBoard served;
    const auto board = open_board("unix:" + served.path);
    board->write(hwmap::reg::generation, 0x12345678);
    EXPECT_EQ(board->read(hwmap::reg::generation), 0x12345678U);
}

TEST(SocketBoard, SplitsBlocksBeyondOneRequest) {
    ServedBoard served;
    const auto board = open_board("unix:" + served.path);
    std::vector<std::uint32_t> words(board_protocol::kMaxWords * 2 + 5);
    std::iota(words.begin(), words.end(), 1U);
    board->write(hwmap::memory::trigger.base, words);
    std::vector<std::uint32_t> back(words.size());
    board->read(hwmap::memory::trigger.base, back);
    EXPECT_EQ(back, words);
}

TEST(SocketBoard, NamesAWriteThatTheFabricRefuses) {
    ServedBoard served;
    served.board.locked = true;
    const auto board = open_board("unix:" + served.path);
    EXPECT_THROW(board->write(hwmap::memory::order.base, 1), BoardRefused);
    EXPECT_NE(
        message_of([&] { board->write(hwmap::memory::order.base, 1); }).find("locked while it is armed"),
        std::string::npos);
    EXPECT_NO_THROW(board->write(hwmap::reg::kill, 1)) << "and goes on";
}

TEST(SocketBoard, ServesClientsOneAfterAnotherAndTwoAtOnce) {
    ServedBoard served;
    for (unsigned i = 0; i < 3; ++i) EXPECT_NO_THROW(check_hwmap(*open_board("unix:" + served.path)));
    const auto hammer = [&](std::uint32_t base) {
        const auto board = open_board("unix:" + served.path);
        std::vector<std::uint32_t> words(100);
        for (std::uint32_t round = 0; round < 50; ++round) {
            std::iota(words.begin(), words.end(), base + round);
            board->write(base, words);
            std::vector<std::uint32_t> back(words.size());
            board->read(base, back);
            ASSERT_EQ(back, words);
        }
    };
    std::thread first(hammer, hwmap::memory::chain.base);
    std::thread second(hammer, hwmap::memory::order.base);
    first.join();
    second.join();
}

TEST(SocketBoard, RefusalsOfTheBoardAreErrorsAndTheConnectionGoesOn) {
    ServedBoard served;
    served.board.broken_at = hwmap::reg::epoch;
    const auto board = open_board("unix:" + served.path);
    EXPECT_NE(message_of([&] { board->read(hwmap::reg::epoch); }).find("bus error"), std::string::npos);
    EXPECT_NE(message_of([&] { board->read(3); }).find("address unaligned or outside"), std::string::npos);
    EXPECT_NE(message_of([&] { board->write(board_protocol::kAddressSpace, 1); }).find("outside"),
              std::string::npos);
    EXPECT_NO_THROW(check_hwmap(*board));
}

TEST(OpenBoard, ABoardThatHangsIsGivenUpInTime) {
    const TempDir directory;
    const std::string path = directory.path() / "board.sock";
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, path.c_str());
    const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(::listen(listener, 1), 0);
    const auto board = open_board("unix:" + path, std::chrono::milliseconds(50));
    const auto began = std::chrono::steady_clock::now();
    EXPECT_NE(message_of([&] { board->read(hwmap::reg::magic); }).find("no answer in time"),
              std::string::npos);
    EXPECT_LT(std::chrono::steady_clock::now() - began, kBoardAnswers / 2);
    ::close(listener);
}

TEST(OpenBoard, NamesWhatIsWrong) {
    EXPECT_NE(message_of([] { open_board("tcp:host"); }).find("use uio:DEVICE, unix:PATH, or none"),
              std::string::npos);
    EXPECT_NE(message_of([] { open_board("unix:/nonexistent/x"); }).find("is fixaccel-vboard running?"),
              std::string::npos);
    EXPECT_NE(message_of([] { open_board("unix:" + std::string(200, 'x')); }).find("characters"),
              std::string::npos);
}

TEST(CheckHwmap, RefusesAnotherMapAndAnotherDevice) {
    FakeBoard board;
    EXPECT_NO_THROW(check_hwmap(board));
    board.words[hwmap::reg::hwmap_hash] ^= 1U;
    EXPECT_NE(message_of([&] { check_hwmap(board); }).find("hwmap mismatch"), std::string::npos);
    board.words[hwmap::reg::magic] ^= 1U;
    EXPECT_NE(message_of([&] { check_hwmap(board); }).find("not a fixaccel board"), std::string::npos);
}

}  // namespace
}  // namespace fixaccel::test
