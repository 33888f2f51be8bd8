// SPDX-License-Identifier: Apache-2.0
// The session's socket against a listener on loopback.
#include "connection.hpp"

#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

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
