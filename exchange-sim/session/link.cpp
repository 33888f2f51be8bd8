// SPDX-License-Identifier: Apache-2.0
#include "session/link.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace fixaccel {
namespace exchange {
namespace {

constexpr std::size_t kKeptCapacity = 1 << 16;

using Clock = std::chrono::steady_clock;

}  // namespace

std::string peer_of(int socket) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    char text[INET_ADDRSTRLEN] = "";
    if (::getpeername(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return std::string();
    ::inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
    return std::string(text) + ":" + std::to_string(ntohs(address.sin_port));
}

void prepare_socket(int socket, std::chrono::milliseconds stalled_peer) {
    const int on = 1;
    const auto stalled = static_cast<unsigned>(stalled_peer.count());
    ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &stalled, sizeof stalled);
}

void Link::open(int socket) {
    close();
    socket_ = socket;
    progress_ = Clock::now();
}

bool Link::flush() {
    while (pending() > 0) {
        const ssize_t sent = ::send(socket_, out_.data() + begin_, pending(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            // Bytes that have left are taken out now and then, not for each send.
            if (begin_ > pending()) {
                out_.erase(0, begin_);
                begin_ = 0;
            }
            return true;
        }
        if (sent < 0) return false;
        begin_ += static_cast<std::size_t>(sent);
        bytes_out_ += static_cast<std::uint64_t>(sent);
        progress_ = Clock::now();
    }
    if (out_.capacity() > kKeptCapacity * 4) std::string().swap(out_);
    out_.clear();
    begin_ = 0;
    progress_ = Clock::now();
    return true;
}

bool Link::flush_split(const std::string& bytes) {
    if (!flush()) return false;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (pending() > 0) {
            out_.append(bytes, i, std::string::npos);
            return true;
        }
        out_ += bytes[i];
        if (!flush()) return false;
    }
    return true;
}

long Link::read(char* bytes, std::size_t size) {
    while (true) {
        const ssize_t got = ::recv(socket_, bytes, size, MSG_DONTWAIT);
        if (got > 0) {
            bytes_in_ += static_cast<std::uint64_t>(got);
            return got;
        }
        if (got == 0) return -1;
        if (errno == EINTR) continue;
        return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1;
    }
}

void Link::close_gently(std::chrono::milliseconds patience) {
    if (!is_open()) return;
    const auto deadline = Clock::now() + patience;
    while (flush() && pending() > 0) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        pollfd wanted{socket_, POLLOUT, 0};
        if (left.count() <= 0 || ::poll(&wanted, 1, static_cast<int>(left.count())) == 0) break;
    }
    ::shutdown(socket_, SHUT_WR);
    // Bytes that nobody has read would make the kernel reset the connection, over what was just sent.
    char rest[4096];
    for (int reads = 0; reads < 64 && read(rest, sizeof rest) > 0; ++reads) {
    }
    close();
}

void Link::close() {
    if (is_open()) ::close(socket_);
    socket_ = -1;
    std::string().swap(out_);
    begin_ = 0;
}

void Link::reset() {
    if (!is_open()) return;
    const linger at_once{1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
}

}  // namespace exchange
}  // namespace fixaccel
