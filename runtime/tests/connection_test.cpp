// SPDX-License-Identifier: Apache-2.0
// The session's socket against a listener on loopback.
#include "connection.hpp"

#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <chrono>
#include <optional>
#include <string>

#include "loopback_venue.hpp"

namespace fixaccel {
namespace {

class ConnectionTest : public ::testing::Test {
  protected:
    void meet(Connection& connection) {
        connection.start();
        venue_.meet(connection.fd());
    }

    // It is said at once, where the machine has time for that.
    static std::optional<Connection::Left> wait_left(Connection& connection) {
        auto left = connection.left();
        for (int tries = 0; !left && tries < 5000; ++tries) {
            pollfd said{connection.fd(), 0, 0};
            ::poll(&said, 1, 1);
            left = connection.left();
        }
        return left;
    }

    test::LoopbackVenue venue_;
};

TEST_F(ConnectionTest, UrgentDataStaysInTheStream) {
    Connection connection("127.0.0.1", venue_.port());
    ASSERT_NO_FATAL_FAILURE(meet(connection));
    ASSERT_EQ(::send(venue_.fd(), "ab", 2, 0), 2);
    ASSERT_EQ(::send(venue_.fd(), "!", 1, MSG_OOB), 1);
    ASSERT_EQ(::send(venue_.fd(), "cd", 2, 0), 2);
    std::string bytes;
    for (int tries = 0; bytes.size() < 5 && tries < 100; ++tries) {
        pollfd ready{connection.fd(), POLLIN, 0};
        ::poll(&ready, 1, 100);
        connection.read(bytes, 100);
    }
    EXPECT_EQ(bytes, "ab!cd");
}

TEST_F(ConnectionTest, AbandonedItEndsAtOnceWithoutWhatIsStillToBeSent) {
    std::optional<Connection> connection(std::in_place, "127.0.0.1", venue_.port());
    ASSERT_NO_FATAL_FAILURE(meet(*connection));
    connection->finish();
    // More than the venue's kernel takes while nobody reads.
    const std::string much(1U << 20, 'x');
    while (connection->stream().unsent() == 0)
        if (!connection->write(much, std::chrono::milliseconds(10))) break;
    ASSERT_GT(connection->stream().unsent(), 0U);
    connection->abandon();
    connection.reset();
    pollfd gone{venue_.fd(), POLLRDHUP, 0};
    ASSERT_EQ(::poll(&gone, 1, 5000), 1) << "nothing has made room for a FIN behind the data";
    EXPECT_NE(gone.revents & POLLERR, 0);
}

// The venue's window is closed: an order leaves when there is room for it again, not when it is written.
TEST_F(ConnectionTest, WhatTheKernelHoldsBackHasNotLeft) {
    const int small = 4096;
    ASSERT_EQ(::setsockopt(venue_.listener(), SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
    Connection connection("127.0.0.1", venue_.port(), 0, {}, Stamps::kernel);
    ASSERT_NO_FATAL_FAILURE(meet(connection));
    connection.finish();
    const std::string much(16384, 'x');
    ASSERT_TRUE(connection.write(much, std::chrono::milliseconds(1000)));
    ASSERT_TRUE(connection.write("an order", std::chrono::milliseconds(1000), true));
    ASSERT_TRUE(connection.write("another", std::chrono::milliseconds(1000), true));
    ASSERT_GT(connection.stream().unsent(), 0U);
    EXPECT_FALSE(connection.left());
    const auto before = std::chrono::steady_clock::now();
    std::string room(1024, ' ');
    std::optional<Connection::Left> left;
    // It goes in pieces of its own choice, and it says the last byte of each that is asked for.
    for (int tries = 0; (!left || left->bytes != connection.written()) && tries < 1000; ++tries) {
        pollfd ready{venue_.fd(), POLLIN, 0};
        if (::poll(&ready, 1, 10) == 1) {
            ASSERT_GT(::recv(venue_.fd(), room.data(), room.size(), 0), 0);
        }
        while (const auto next = connection.left()) left = next;
    }
    ASSERT_TRUE(left);
    EXPECT_EQ(left->bytes, connection.written());
    EXPECT_GE(left->at.at, before);
}

// The venue's window is closed, then it reads again: of what did not go in whole nothing more follows, nor
// does another message in the middle of it.
TEST_F(ConnectionTest, BehindAMessageThatWasWrittenInPartNothingIsWritten) {
    Connection connection("127.0.0.1", venue_.port());
    ASSERT_NO_FATAL_FAILURE(meet(connection));
    connection.finish();
    const std::string much(1U << 20, 'x');
    while (connection.write(much, std::chrono::milliseconds(10))) continue;
    std::string read(1U << 20, ' ');
    std::size_t whole = 0;
    const auto take = [&] {
        pollfd ready{venue_.fd(), POLLIN, 0};
        while (::poll(&ready, 1, 50) == 1) {
            const ssize_t n = ::recv(venue_.fd(), read.data(), read.size(), 0);
            if (n <= 0) break;
            whole += static_cast<std::size_t>(n);
            EXPECT_EQ(read.find('y'), std::string::npos);
        }
    };
    take();
    EXPECT_NE(whole % much.size(), 0U) << "there is room again";
    const std::size_t before = whole;
    EXPECT_FALSE(connection.write("y", std::chrono::milliseconds(100)));
    take();
    EXPECT_EQ(whole, before);
}

TEST_F(ConnectionTest, TheKernelSaysWhenItLeftAndWhenItCame) {
    Connection connection("127.0.0.1", venue_.port(), 0, {}, Stamps::kernel);
    ASSERT_NO_FATAL_FAILURE(meet(connection));
    connection.finish();
    const auto second = std::chrono::milliseconds(1000);
    const auto now = [] { return std::chrono::steady_clock::now(); };
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(connection.write("of no interest", second));
        EXPECT_FALSE(connection.left());
        const auto before = now();
        ASSERT_TRUE(connection.write("an order", second, true));
        const auto left = wait_left(connection);
        ASSERT_TRUE(left);
        EXPECT_EQ(left->bytes, connection.written());
        EXPECT_GE(left->at.at, before);
        EXPECT_LE(left->at.at, now());
        EXPECT_FALSE(connection.left()) << "it was said";
    }
    // Nobody is woken by a stamp that was taken.
    pollfd ready{connection.fd(), POLLIN, 0};
    EXPECT_EQ(::poll(&ready, 1, 0), 0);
    std::string bytes;
    // It begins to stamp what comes a moment after it is asked to.
    for (int tries = 0; !connection.came() && tries < 1000; ++tries) {
        const auto before = now();
        venue_.say("a price", connection.fd());
        ASSERT_EQ(connection.read(bytes, 100), Connection::Read::data);
        if (!connection.came()) continue;
        EXPECT_GE(connection.came()->at, before);
        EXPECT_LE(connection.came()->at, now());
    }
    EXPECT_TRUE(connection.came());
    EXPECT_EQ(connection.read(bytes, 100), Connection::Read::nothing);
    EXPECT_FALSE(connection.came()) << "of nothing";
}

TEST_F(ConnectionTest, SegmentsAreKeptShortInBothDirections) {
    Connection connection("127.0.0.1", venue_.port(), 536);
    ASSERT_NO_FATAL_FAILURE(meet(connection));
    for (const int fd : {connection.fd(), venue_.fd()}) {
        int segment = 0;
        socklen_t size = sizeof segment;
        ASSERT_EQ(::getsockopt(fd, IPPROTO_TCP, TCP_MAXSEG, &segment, &size), 0);
        EXPECT_LE(segment, 536);
        EXPECT_GT(segment, 400);
    }
}

}  // namespace
}  // namespace fixaccel
