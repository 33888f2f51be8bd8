// SPDX-License-Identifier: Apache-2.0
// A TCP port to listen at.
#pragma once

#include <sys/socket.h>

#include <optional>
#include <string>

namespace fixaccel {

struct TcpAddress {
    sockaddr_storage address{};
    socklen_t size = sizeof(sockaddr_storage);
};

// Of ADDRESS:PORT, or [ADDRESS]:PORT of IPv6. The address is in numbers: no name is looked up.
std::optional<TcpAddress> tcp_address(const std::string& text);
std::string text_of(const TcpAddress& address);

class TcpListener {
  public:
    // Throws ListenError.
    explicit TcpListener(const std::string& address);
    TcpListener(const TcpListener&) = delete;
    TcpListener& operator=(const TcpListener&) = delete;
    ~TcpListener();

    // Does not block.
    int fd() const { return fd_; }
    // Where it listens, with the port that the kernel has chosen for port 0.
    std::string address() const;
    // -1: nobody waits. Who is connected and gone without a word is found out within a minute or two.
    int accept(TcpAddress& peer) const;

  private:
    int fd_ = -1;
};

}  // namespace fixaccel
