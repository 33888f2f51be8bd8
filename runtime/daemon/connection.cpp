// SPDX-License-Identifier: Apache-2.0
#include "connection.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace fixaccel {
namespace {

sockaddr* generic(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }

[[noreturn]] void fail(const std::string& what) { throw ConnectionError(what + ": " + std::strerror(errno)); }

sockaddr_in look_up(const std::string& host, std::uint16_t port) {
    addrinfo hints{};
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &found); error != 0)
        throw ConnectionError("cannot look up " + host + ": " + ::gai_strerror(error));
    sockaddr_in address{};
    std::memcpy(&address, found->ai_addr, sizeof address);
    ::freeaddrinfo(found);
    address.sin_port = htons(port);
    return address;
}

// The address that the kernel would send from: connecting a datagram socket picks the route and sends
// nothing.
sockaddr_in source_address(sockaddr_in peer) {
    const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) fail("cannot open a socket");
    sockaddr_in local{};
    socklen_t size = sizeof local;
    const bool found =
        ::connect(fd, generic(peer), sizeof peer) == 0 && ::getsockname(fd, generic(local), &size) == 0;
    const int error = errno;
    ::close(fd);
    errno = error;
    if (!found) fail("no route to the venue");
    local.sin_port = 0;
    return local;
}

tcp_info info(int fd) {
    tcp_info out{};
    socklen_t size = sizeof out;
    if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &out, &size) != 0) fail("cannot read TCP_INFO");
    return out;
}

}  // namespace

Connection::Connection(const std::string& host, std::uint16_t port, std::uint32_t max_segment) {
    sockaddr_in peer = look_up(host, port);
    sockaddr_in local = source_address(peer);
    fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd_ < 0) fail("cannot open a socket");
    const int one = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    // Urgent data stays in the stream: the fabric's parser takes it for plain data, too.
    ::setsockopt(fd_, SOL_SOCKET, SO_OOBINLINE, &one, sizeof one);
    const int segment = static_cast<int>(max_segment);
    if (segment != 0 && ::setsockopt(fd_, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment) != 0) {
        const int error = errno;
        ::close(fd_);
        errno = error;
        fail("max_segment_bytes " + std::to_string(max_segment) + " is not taken");
    }
    socklen_t size = sizeof local;
    if (::bind(fd_, generic(local), sizeof local) != 0 || ::getsockname(fd_, generic(local), &size) != 0) {
        const int error = errno;
        ::close(fd_);
        errno = error;
        fail("cannot bind the session's socket");
    }
    flow_ = {ntohl(local.sin_addr.s_addr), ntohl(peer.sin_addr.s_addr), ntohs(local.sin_port), port};
    stream_.emplace(fd_);
}

Connection::~Connection() {
    if (fd_ >= 0) ::close(fd_);
}

void Connection::start() {
    sockaddr_in peer{};
    peer.sin_family = AF_INET;
    peer.sin_addr.s_addr = htonl(flow_.remote_ip);
    peer.sin_port = htons(flow_.remote_port);
    if (::connect(fd_, generic(peer), sizeof peer) != 0 && errno != EINPROGRESS) fail("cannot connect");
}

void Connection::finish() {
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) {
        errno = error;
        fail("cannot connect");
    }
    // A FIX acceptor waits for our Logon: nothing has arrived yet, so this is the first byte's number.
    read_seq_ = stream_->rcv_nxt();
    established_ = true;
}

Connection::Read Connection::read(std::string& bytes, std::size_t limit) {
    std::array<char, 16384> chunk;
    bool any = false;
    while (limit > 0) {
        const ssize_t n = ::recv(fd_, chunk.data(), std::min(chunk.size(), limit), 0);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
        if (n <= 0) return any ? Read::data : Read::closed;
        bytes.append(chunk.data(), static_cast<std::size_t>(n));
        read_seq_ += static_cast<std::uint32_t>(n);
        limit -= static_cast<std::size_t>(n);
        any = true;
        if (static_cast<std::size_t>(n) < chunk.size())
            break;  // there was no more; what comes now wakes again
    }
    return any ? Read::data : Read::nothing;
}

bool Connection::readable() const {
    pollfd there{fd_, POLLIN, 0};
    return ::poll(&there, 1, 0) > 0;
}

bool Connection::write(std::string_view bytes, std::chrono::milliseconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!bytes.empty()) {
        const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(n));
            continue;
        }
        if (errno == EINTR) continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
        const auto rest =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        pollfd room{fd_, POLLOUT, 0};
        if (rest.count() <= 0 || ::poll(&room, 1, static_cast<int>(rest.count())) == 0) return false;
    }
    return true;
}

void Connection::abandon() {
    const linger at_once{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

bool Connection::timestamps() const { return (info(fd_).tcpi_options & TCPI_OPT_TIMESTAMPS) != 0; }

std::uint32_t Connection::peer_wscale() const { return info(fd_).tcpi_snd_wscale; }

std::uint32_t Connection::local_wscale() const { return info(fd_).tcpi_rcv_wscale; }

}  // namespace fixaccel
