// SPDX-License-Identifier: Apache-2.0
// Malformed requests, half requests and rude clients.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <vector>

#include "served_board.hpp"

namespace fixaccel::test {
namespace {

namespace protocol = board_protocol;
using Words = std::vector<std::uint32_t>;

constexpr auto kRead = static_cast<std::uint32_t>(protocol::Op::read);
constexpr auto kWrite = static_cast<std::uint32_t>(protocol::Op::write);

// A client that says whatever the test wants.
class RawClient {
  public:
    explicit RawClient(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
        if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
            throw std::runtime_error("connect");
        const timeval limit{.tv_sec = 10, .tv_usec = 0};
        ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    }
    ~RawClient() { ::close(fd_); }
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;

    void send_bytes(const void* data, std::size_t size) const { ::send(fd_, data, size, MSG_NOSIGNAL); }
    void send(const Words& words) const { send_bytes(words.data(), words.size() * sizeof(words[0])); }
    // The next `count` words; fewer if the server closes before.
    Words receive(std::size_t count) const {
        Words words(count);
        const ssize_t got = ::recv(fd_, words.data(), count * sizeof(words[0]), MSG_WAITALL);
        words.resize(got < 0 ? 0 : static_cast<std::size_t>(got) / sizeof(words[0]));
        return words;
    }
    bool closed() const {
        char byte = 0;
        return ::recv(fd_, &byte, 1, 0) == 0;
    }

  private:
    int fd_;
};

std::uint32_t code(protocol::Status status) { return static_cast<std::uint32_t>(status); }

TEST(RegisterServer, UnknownOperationIsAnsweredAndEndsTheConnection) {
    ServedBoard served;
    RawClient client(served.path);
    client.send({99, 0, 1});
    EXPECT_EQ(client.receive(2), (Words{code(protocol::Status::bad_op), 0}));
    EXPECT_TRUE(client.closed());
}

TEST(RegisterServer, WordCountsOutsideTheLimitEndTheConnection) {
    ServedBoard served;
    for (const std::uint32_t count : {0U, protocol::kMaxWords + 1, 0xFFFFFFFFU}) {
        RawClient client(served.path);
        client.send({kWrite, 0, count});
        EXPECT_EQ(client.receive(2), (Words{code(protocol::Status::bad_count), 0}));
        EXPECT_TRUE(client.closed());
    }
}

TEST(RegisterServer, BadAddressesAreAnsweredAndNothingIsWritten) {
    ServedBoard served;
    RawClient client(served.path);
    client.send({kWrite, 2, 1, 0xAAAA});                          // unaligned
    client.send({kWrite, protocol::kAddressSpace - 4, 2, 1, 2});  // its end is outside
    client.send({kRead, 0xFFFFFFFC, 2});                          // would wrap around
    client.send({kRead, hwmap::reg::magic, 1});
    for (int i = 0; i < 3; ++i) EXPECT_EQ(client.receive(2), (Words{code(protocol::Status::bad_address), 0}));
    EXPECT_EQ(client.receive(3), (Words{code(protocol::Status::ok), 1, hwmap::reg_reset::magic}));
    EXPECT_TRUE(served.board.writes.empty());
}

TEST(RegisterServer, LastWordOfTheAddressSpaceCanBeRead) {
    ServedBoard served;
    RawClient client(served.path);
    client.send({kRead, protocol::kAddressSpace - 4, 1});
    EXPECT_EQ(client.receive(3), (Words{code(protocol::Status::ok), 1, 0}));
}

TEST(RegisterServer, RequestsMayComeByteByByte) {
    ServedBoard served;
    RawClient client(served.path);
    const Words request{kWrite, hwmap::reg::generation, 1, 0x01020304, kRead, hwmap::reg::generation, 1};
    const auto* bytes = reinterpret_cast<const char*>(request.data());
    for (std::size_t i = 0; i < request.size() * sizeof(request[0]); ++i) client.send_bytes(bytes + i, 1);
    EXPECT_EQ(client.receive(5), (Words{0, 0, 0, 1, 0x01020304}));
}

TEST(RegisterServer, ManyRequestsInOneSendAreAnsweredInOrder) {
    ServedBoard served;
    RawClient client(served.path);
    Words requests;
    for (std::uint32_t i = 0; i < 200; ++i)
        requests.insert(requests.end(), {kWrite, hwmap::memory::fire_count.base + 4 * i, 1, i + 1});
    requests.insert(requests.end(), {kRead, hwmap::memory::fire_count.base, 200});
    client.send(requests);
    const Words answers = client.receive(400 + 2 + 200);
    ASSERT_EQ(answers.size(), 602U);
    for (std::uint32_t i = 0; i < 200; ++i) EXPECT_EQ(answers[402 + i], i + 1);
}

TEST(RegisterServer, AClientThatLeavesInTheMiddleHarmsNobody) {
    ServedBoard served;
    {
        RawClient rude(served.path);
        rude.send({kWrite, hwmap::memory::chain.base, 100, 1, 2, 3});
    }
    RawClient client(served.path);
    client.send({kRead, hwmap::memory::chain.base, 1});
    EXPECT_EQ(client.receive(3), (Words{0, 1, 0}));
}

TEST(RegisterServer, TakesOverADeadSocketButNoLiveOneAndNoFile) {
    TempDir directory;
    const std::string path = directory.path() / "board.sock";
    const int epoll = ::epoll_create1(0);
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
        const int dead = ::socket(AF_UNIX, SOCK_STREAM, 0);
        ASSERT_EQ(::bind(dead, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
        ::close(dead);
    }
    {
        board::RegisterServer server(path, epoll);
        EXPECT_THROW(board::RegisterServer(path, epoll), ListenError);
    }
    EXPECT_FALSE(std::filesystem::exists(path));
    directory.write("file", "precious");
    EXPECT_THROW(board::RegisterServer(directory.path() / "file", epoll), ListenError);
    EXPECT_TRUE(std::filesystem::exists(directory.path() / "file"));
    ::close(epoll);
}

}  // namespace
}  // namespace fixaccel::test
