// SPDX-License-Identifier: Apache-2.0
// The venue's end of a connection over loopback.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>

namespace fixaccel::test {

// Listens on a free port of loopback.
class LoopbackVenue {
  public:
    LoopbackVenue() {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
        EXPECT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
        EXPECT_EQ(::listen(listener_, 1), 0);
        port_ = ntohs(address.sin_port);
    }
    LoopbackVenue(const LoopbackVenue&) = delete;
    LoopbackVenue& operator=(const LoopbackVenue&) = delete;
    ~LoopbackVenue() {
        ::close(fd_);
        ::close(listener_);
    }

    std::uint16_t port() const { return port_; }
    int listener() const { return listener_; }
    // The socket, once it has met a client.
    int fd() const { return fd_; }

    // Takes the client that has connected its socket `client`, which is writable then.
    void meet(int client) {
        fd_ = ::accept(listener_, nullptr, nullptr);
        ASSERT_GE(fd_, 0);
        pollfd ready{client, POLLOUT, 0};
        ASSERT_EQ(::poll(&ready, 1, 5000), 1);
    }
    // Bytes that `client` can read when it returns.
    void say(const std::string& bytes, int client) const {
        ASSERT_EQ(::send(fd_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
        pollfd ready{client, POLLIN, 0};
        ASSERT_EQ(::poll(&ready, 1, 5000), 1);
    }

  private:
    int listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int fd_ = -1;
    std::uint16_t port_ = 0;
};

}  // namespace fixaccel::test
