// SPDX-License-Identifier: Apache-2.0
// Commits on a real kernel connection over the loopback of a network namespace of its own (see
// CMakeLists.txt). What the fabric would have sent is put on the wire through a raw socket, so that the
// peer's kernel sees it.
#include "fixaccel/commit.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "connection.hpp"
#include "fixaccel/fabric.hpp"
#include "fixaccel/old_connection.hpp"
#include "loopback_venue.hpp"

namespace fixaccel {
namespace {

constexpr int kSegment = 1460;

sockaddr* generic(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }

// The test owns its namespace: loopback is brought up and TCP timestamps are switched off there only.
void prepare_namespace() {
    const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ifreq loopback{};
    std::strcpy(loopback.ifr_name, "lo");
    ASSERT_EQ(::ioctl(fd, SIOCGIFFLAGS, &loopback), 0);
    ASSERT_EQ(loopback.ifr_flags & IFF_UP, 0) << "run this in a network namespace of its own: unshare --net";
    loopback.ifr_flags |= IFF_UP;
    ASSERT_EQ(::ioctl(fd, SIOCSIFFLAGS, &loopback), 0) << "needs CAP_NET_ADMIN in its namespace";
    ::close(fd);
    std::ofstream("/proc/sys/net/ipv4/tcp_timestamps") << "0";
}

std::uint16_t checksum(const std::string& bytes) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        sum += static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (i % 2 == 0 ? 8 : 0);
    while (sum >> 16 != 0) sum = (sum & 0xFFFF) + (sum >> 16);
    return static_cast<std::uint16_t>(~sum);
}

class Commit : public ::testing::Test {
  protected:
    void SetUp() override {
        ASSERT_NO_FATAL_FAILURE(prepare_namespace());
        const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        venue_address_.sin_family = AF_INET;
        venue_address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof venue_address_;
        ASSERT_EQ(::bind(listener, generic(venue_address_), size), 0);
        ASSERT_EQ(::getsockname(listener, generic(venue_address_), &size), 0);
        ASSERT_EQ(::listen(listener, 1), 0);
        client_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const int one = 1;
        ::setsockopt(client_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        // As on Ethernet: the kernel measures its first send buffer by it.
        ::setsockopt(client_, IPPROTO_TCP, TCP_MAXSEG, &kSegment, sizeof kSegment);
        ASSERT_EQ(::connect(client_, generic(venue_address_), sizeof venue_address_), 0);
        ASSERT_EQ(::getsockname(client_, generic(client_address_), &size), 0);
        venue_ = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
        ::close(listener);
        ASSERT_GE(venue_, 0);
    }

    void TearDown() override {
        if (client_ >= 0) ::close(client_);
        if (venue_ >= 0) ::close(venue_);
    }

    // Up to `size` bytes from a socket, fewer if they do not come.
    static std::string receive(int fd, std::size_t size) {
        std::string out;
        while (out.size() < size) {
            pollfd readable{fd, POLLIN, 0};
            if (::poll(&readable, 1, 3000) != 1) break;
            std::array<char, 256> chunk{};
            const ssize_t n = ::recv(fd, chunk.data(), std::min(chunk.size(), size - out.size()), 0);
            if (n <= 0) break;
            out.append(chunk.data(), static_cast<std::size_t>(n));
        }
        return out;
    }

    static bool silent(int fd, int ms) {
        pollfd readable{fd, POLLIN, 0};
        return ::poll(&readable, 1, ms) == 0;
    }

    static tcp_info info(int fd) {
        tcp_info out{};
        socklen_t size = sizeof out;
        ::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &out, &size);
        return out;
    }

    // Segments that the kernel has sent on a connection. The C library's tcp_info ends before this field of
    // the kernel's.
    static std::uint32_t segments_sent(int fd) {
        struct {
            tcp_info known;
            std::array<std::uint64_t, 4> pacing_and_bytes;
            std::uint32_t segs_out;
        } out{};
        static_assert(sizeof(tcp_info) == 104, "the kernel goes on at byte 104");
        socklen_t size = sizeof out;
        ::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &out, &size);
        return out.segs_out;
    }

    // Sends `payload` to the venue as the fabric would: the kernel of the client knows nothing of it.
    void send_as_fabric(std::uint32_t seq, std::uint32_t ack, const std::string& payload) {
        tcphdr header{};
        header.source = client_address_.sin_port;
        header.dest = venue_address_.sin_port;
        header.seq = htonl(seq);
        header.ack_seq = htonl(ack);
        header.doff = 5;
        header.psh = header.ack = 1;
        header.window = htons(2000);
        const auto text = [](const auto& value) {
            return std::string(reinterpret_cast<const char*>(&value), sizeof value);
        };
        const auto length = static_cast<std::uint16_t>(sizeof header + payload.size());
        const std::string pseudo = text(client_address_.sin_addr.s_addr) +
                                   text(venue_address_.sin_addr.s_addr) + std::string("\0\x06", 2) +
                                   text(htons(length));
        header.check = htons(checksum(pseudo + text(header) + payload));
        const std::string segment = text(header) + payload;
        const int raw = ::socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_TCP);
        ASSERT_GE(raw, 0);
        sockaddr_in to = venue_address_;
        to.sin_port = 0;
        ASSERT_EQ(::sendto(raw, segment.data(), segment.size(), 0, generic(to), sizeof to),
                  static_cast<ssize_t>(segment.size()));
        ::close(raw);
    }

    sockaddr_in venue_address_{};
    sockaddr_in client_address_{};
    int client_ = -1;
    int venue_ = -1;
};

TEST_F(Commit, AdvancesTheSequenceAndSendsNothing) {
    SocketStream stream(client_);
    const std::uint32_t start = stream.snd_nxt();
    const std::string order = "8=FIX.4.4|order";
    send_as_fabric(start, stream.rcv_nxt(), order);
    ASSERT_EQ(receive(venue_, order.size()), order);
    const std::uint32_t unacked = info(client_).tcpi_unacked;
    const std::uint32_t sent = segments_sent(client_);
    EXPECT_GT(sent, 0U);

    stream.commit(order);
    EXPECT_EQ(stream.snd_nxt(), start + order.size());
    EXPECT_EQ(stream.unsent(), 0U);
    EXPECT_EQ(info(client_).tcpi_unacked, unacked + 1) << "the kernel keeps the bytes for loss recovery";
    EXPECT_EQ(segments_sent(client_), sent) << "no data and no window probe";

    // What the kernel sends next is taken as what follows the order, and the order arrives once only.
    ASSERT_EQ(::send(client_, "next", 4, 0), 4);
    EXPECT_EQ(receive(venue_, 4), "next");
    EXPECT_TRUE(silent(venue_, 300));
}

TEST_F(Commit, PeerAnswersBehindCommittedBytes) {
    SocketStream stream(client_);
    const std::string order = "order";
    const std::uint32_t start = stream.snd_nxt();
    send_as_fabric(start, stream.rcv_nxt(), order);
    ASSERT_EQ(receive(venue_, order.size()), order);
    stream.commit(order);
    // The venue's data carries the acknowledgement of the order: the kernel takes both.
    ASSERT_EQ(::send(venue_, "report", 6, 0), 6);
    EXPECT_EQ(receive(client_, 6), "report");
    EXPECT_EQ(info(client_).tcpi_unacked, 0U);
    EXPECT_EQ(info(client_).tcpi_total_retrans, 0U);
}

TEST_F(Commit, RefusesBehindUnsentBytes) {
    SocketStream stream(client_);
    // The venue reads nothing: its window fills and the kernel holds bytes back.
    const std::string bulk(1 << 16, 'x');
    while (stream.unsent() == 0) ASSERT_GT(::send(client_, bulk.data(), bulk.size(), MSG_DONTWAIT), 0);
    const std::uint32_t waiting = stream.unsent();
    EXPECT_THROW(stream.commit("order"), CommitError);
    EXPECT_THROW(stream.snd_nxt(), CommitError);
    EXPECT_EQ(stream.unsent(), waiting) << "not a byte of it may count as sent";
}

TEST_F(Commit, KernelRetransmitsWhatWasNeverSent) {
    SocketStream stream(client_);
    // A lost order segment: committed, but the venue never saw it.
    stream.commit("lost order");
    EXPECT_EQ(receive(venue_, 10), "lost order");
    EXPECT_GE(info(client_).tcpi_total_retrans, 1U);
}

// The kernel counts a segment's own upkeep against the send buffer, many times what a short order weighs.
TEST_F(Commit, TakesAsManyUnacknowledgedOrdersAsTheFabricMaySend) {
    SocketStream stream(client_);
    const std::string order(150, 'o');
    const std::uint32_t start = stream.snd_nxt();
    const std::size_t orders = FabricLimits{}.max_unacked / order.size();
    for (std::size_t i = 0; i < orders; ++i) ASSERT_NO_THROW(stream.commit(order)) << i;
    EXPECT_EQ(stream.snd_nxt(), start + orders * order.size());
    // The kernel has each of them: it delivers what the venue never saw.
    EXPECT_EQ(receive(venue_, orders * order.size()), std::string(orders * order.size(), 'o'));
}

// A peer that reads nothing, and a socket that is closed over what it has yet to send.
TEST_F(Commit, WhatADeadProcessHasLeftOfItsConnectionIsEnded) {
    const Flow flow{INADDR_LOOPBACK, INADDR_LOOPBACK, ntohs(client_address_.sin_port),
                    ntohs(venue_address_.sin_port)};
    const std::string much(std::size_t{1} << 20, 'x');
    while (::send(client_, much.data(), much.size(), MSG_DONTWAIT) > 0) {
    }
    ::close(client_);
    client_ = -1;
    EXPECT_EQ(end_old_connection(flow), OldConnection::ended);
    pollfd hung_up{venue_, 0, 0};
    EXPECT_EQ(::poll(&hung_up, 1, 3000), 1);
    EXPECT_NE(hung_up.revents & POLLERR, 0) << "a RST, ahead of what was still to be sent";
    EXPECT_EQ(end_old_connection(flow), OldConnection::none);
    // Its port may be another's by then.
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    const int on = 1;
    ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&client_address_), sizeof client_address_),
              0);
    ASSERT_EQ(::listen(listener, 1), 0);
    EXPECT_EQ(end_old_connection(flow), OldConnection::none);
    const int other = ::socket(AF_INET, SOCK_STREAM, 0);
    EXPECT_EQ(::connect(other, reinterpret_cast<const sockaddr*>(&client_address_), sizeof client_address_),
              0)
        << "it listens as before";
    ::close(other);
    ::close(listener);
}

// The kernel's stamps say which byte they are of, and the fabric's count, too.
TEST(CommitStamps, StayThoseOfOurOwnOrders) {
    ASSERT_NO_FATAL_FAILURE(prepare_namespace());
    test::LoopbackVenue venue;
    Connection connection("127.0.0.1", venue.port(), kSegment, {}, Stamps::kernel);
    connection.start();
    ASSERT_NO_FATAL_FAILURE(venue.meet(connection.fd()));
    connection.finish();
    for (int i = 0; i < 3; ++i) {
        connection.stream().commit("an order of the fabric");
        const auto before = std::chrono::steady_clock::now();
        ASSERT_TRUE(connection.write("an order of ours", std::chrono::milliseconds(1000), true));
        pollfd said{connection.fd(), 0, 0};
        ASSERT_EQ(::poll(&said, 1, 5000), 1) << i;
        const auto left = connection.left();
        ASSERT_TRUE(left) << i;
        EXPECT_EQ(left->bytes, connection.written());
        EXPECT_EQ(left->at.by, StampBy::kernel);
        EXPECT_GE(left->at.at, before);
        EXPECT_LE(left->at.at, std::chrono::steady_clock::now());
    }
}

}  // namespace
}  // namespace fixaccel
