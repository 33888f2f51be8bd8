// SPDX-License-Identifier: Apache-2.0
#include "tcp_listener.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "fixaccel/unix_listener.hpp"

namespace fixaccel {
namespace {

sockaddr* generic(TcpAddress& address) { return reinterpret_cast<sockaddr*>(&address.address); }

void set(int fd, int level, int option, int value) { ::setsockopt(fd, level, option, &value, sizeof value); }

template <typename Address>
TcpAddress of(const Address& address) {
    TcpAddress out{.size = sizeof address};
    std::memcpy(&out.address, &address, sizeof address);
    return out;
}

}  // namespace

std::optional<TcpAddress> tcp_address(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos) return std::nullopt;
    std::uint16_t port = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data() + colon + 1, last, port);
    if (error != std::errc() || end != last) return std::nullopt;
    std::string host = text.substr(0, colon);
    sockaddr_in ipv4{};
    ipv4.sin_family = AF_INET;
    ipv4.sin_port = htons(port);
    if (::inet_pton(AF_INET, host.c_str(), &ipv4.sin_addr) == 1) return of(ipv4);
    if (host.size() < 2 || host.front() != '[' || host.back() != ']') return std::nullopt;
    host = host.substr(1, host.size() - 2);
    sockaddr_in6 ipv6{};
    ipv6.sin6_family = AF_INET6;
    ipv6.sin6_port = htons(port);
    if (::inet_pton(AF_INET6, host.c_str(), &ipv6.sin6_addr) == 1) return of(ipv6);
    return std::nullopt;
}

std::string text_of(const TcpAddress& from) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (from.address.ss_family == AF_INET6) {
        sockaddr_in6 address{};
        std::memcpy(&address, &from.address, sizeof address);
        ::inet_ntop(AF_INET6, &address.sin6_addr, text.data(), text.size());
        return "[" + std::string(text.data()) + "]:" + std::to_string(ntohs(address.sin6_port));
    }
    sockaddr_in address{};
    std::memcpy(&address, &from.address, sizeof address);
    ::inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size());
    return std::string(text.data()) + ":" + std::to_string(ntohs(address.sin_port));
}

TcpListener::TcpListener(const std::string& address) {
    auto where = tcp_address(address);
    if (!where) throw ListenError("cannot listen at " + address + ": it is no ADDRESS:PORT");
    fd_ = ::socket(where->address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    // A daemon that starts anew finds the port still in use by connections of the one before.
    set(fd_, SOL_SOCKET, SO_REUSEADDR, 1);
    if (where->address.ss_family == AF_INET6) set(fd_, IPPROTO_IPV6, IPV6_V6ONLY, 1);
    if (fd_ >= 0 && ::bind(fd_, generic(*where), where->size) == 0 && ::listen(fd_, SOMAXCONN) == 0) return;
    const int error = errno;
    if (fd_ >= 0) ::close(fd_);
    throw ListenError("cannot listen at " + address + ": " + std::strerror(error));
}

TcpListener::~TcpListener() { ::close(fd_); }

std::string TcpListener::address() const {
    TcpAddress own;
    ::getsockname(fd_, generic(own), &own.size);
    return text_of(own);
}

int TcpListener::accept(TcpAddress& peer) const {
    constexpr int kIdleS = 30, kBetweenS = 10, kProbes = 3, kUnackedMs = 60'000;
    const int fd = ::accept4(fd_, generic(peer), &peer.size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return fd;
    set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(fd, IPPROTO_TCP, TCP_KEEPIDLE, kIdleS);
    set(fd, IPPROTO_TCP, TCP_KEEPINTVL, kBetweenS);
    set(fd, IPPROTO_TCP, TCP_KEEPCNT, kProbes);
    set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, kUnackedMs);
    return fd;
}

}  // namespace fixaccel
