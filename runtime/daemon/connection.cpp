// SPDX-License-Identifier: Apache-2.0
#include "connection.hpp"

#include <arpa/inet.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
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
#include <ctime>
#include <limits>
#include <utility>

#include "card_clock.hpp"

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

// Ancillary data of one message.
struct Control {
    alignas(cmsghdr) std::array<char, 256> bytes;
    msghdr message{};
};

ssize_t receive_message(int fd, std::span<char> room, Control& control, int flags) {
    iovec text{room.data(), room.size()};
    control.message = {};
    control.message.msg_iov = &text;
    control.message.msg_iovlen = 1;
    control.message.msg_control = control.bytes.data();
    control.message.msg_controllen = control.bytes.size();
    return ::recvmsg(fd, &control.message, flags);
}

const cmsghdr* find(Control& control, int level, int type) {
    for (cmsghdr* at = CMSG_FIRSTHDR(&control.message); at != nullptr; at = CMSG_NXTHDR(&control.message, at))
        if (at->cmsg_level == level && at->cmsg_type == type) return at;
    return nullptr;
}

std::optional<std::uint32_t> byte_of(Control& control) {
    const cmsghdr* const found = find(control, SOL_IP, IP_RECVERR);
    if (found == nullptr) return std::nullopt;
    sock_extended_err what{};
    std::memcpy(&what, CMSG_DATA(found), sizeof what);
    if (what.ee_origin != SO_EE_ORIGIN_TIMESTAMPING) return std::nullopt;
    return what.ee_data;
}

std::int64_t ns_of(const timespec& time) { return time.tv_sec * 1'000'000'000LL + time.tv_nsec; }

// How far the system's clock is ahead of the steady one. Where we were held up between the two looks, we look
// again.
std::int64_t ahead_ns() {
    constexpr int kTries = 3;
    constexpr std::int64_t kClose = 1000;
    std::int64_t best = 0, apart = std::numeric_limits<std::int64_t>::max();
    for (int tries = 0; tries < kTries && apart > kClose; ++tries) {
        timespec before{}, system{}, after{};
        ::clock_gettime(CLOCK_MONOTONIC, &before);
        ::clock_gettime(CLOCK_REALTIME, &system);
        ::clock_gettime(CLOCK_MONOTONIC, &after);
        const std::int64_t between = ns_of(after) - ns_of(before);
        if (between >= apart) continue;
        apart = between;
        best = ns_of(system) - ns_of(before) - between / 2;
    }
    return best;
}

// By our own clock; none where there is none, or it cannot be: the system's clock was set.
std::optional<Stamp> stamp_of(Control& control, bool card) {
    const cmsghdr* const found = find(control, SOL_SOCKET, SCM_TIMESTAMPING);
    if (found == nullptr) return std::nullopt;
    std::array<timespec, 3> times{};
    std::memcpy(times.data(), CMSG_DATA(found), sizeof times);
    const std::int64_t ahead = ahead_ns();
    return chosen_stamp(times, card, ahead, std::chrono::steady_clock::now());
}

tcp_info info(int fd) {
    tcp_info out{};
    socklen_t size = sizeof out;
    if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &out, &size) != 0) fail("cannot read TCP_INFO");
    return out;
}

}  // namespace

Connection::Connection(const std::string& host, std::uint16_t port, std::uint32_t max_segment,
                       std::chrono::microseconds busy_poll, Stamps stamps)
    : stamps_(stamps == Stamps::kernel || stamps == Stamps::hardware), card_(stamps == Stamps::hardware) {
    sockaddr_in peer = look_up(host, port);
    sockaddr_in local = source_address(peer);
    fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd_ < 0) fail("cannot open a socket");
    const int one = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    // Urgent data stays in the stream: the fabric's parser takes it for plain data, too.
    ::setsockopt(fd_, SOL_SOCKET, SO_OOBINLINE, &one, sizeof one);
    // Without it a read is as quick as without the setting: no reason to stay away.
    const int busy_us = static_cast<int>(busy_poll.count());
    if (busy_us != 0) ::setsockopt(fd_, SOL_SOCKET, SO_BUSY_POLL, &busy_us, sizeof busy_us);
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
    // It counts from what is not acknowledged yet: nothing was written. A kernel that cannot says nothing
    // later.
    int asked = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_ID |
                SOF_TIMESTAMPING_OPT_TSONLY;
    if (card_) asked |= SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
    stamps_ = stamps_ && ::setsockopt(fd_, SOL_SOCKET, SO_TIMESTAMPING, &asked, sizeof asked) == 0;
}

Connection::Read Connection::read(std::string& bytes, std::size_t limit) {
    std::array<char, 16384> chunk;
    bool any = false;
    came_.reset();
    while (limit > 0) {
        const ssize_t n = receive(std::span(chunk).first(std::min(chunk.size(), limit)));
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

// The kernel's stamps are of its clock, which may be set: only what lies just behind us is believed.
ssize_t Connection::receive(std::span<char> room) {
    if (!stamps_) return ::recv(fd_, room.data(), room.size(), 0);
    Control control;
    const ssize_t n = receive_message(fd_, room, control, 0);
    if (n > 0) came_ = stamp_of(control, card_);
    return n;
}

ssize_t Connection::send(std::string_view bytes, bool stamped) {
    if (!stamped) return ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    Control control;
    iovec text{const_cast<char*>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes.data();
    message.msg_controllen = CMSG_SPACE(sizeof(std::uint32_t));
    cmsghdr* const ask = CMSG_FIRSTHDR(&message);
    ask->cmsg_level = SOL_SOCKET;
    ask->cmsg_type = SO_TIMESTAMPING;
    ask->cmsg_len = CMSG_LEN(sizeof(std::uint32_t));
    std::uint32_t what = SOF_TIMESTAMPING_TX_SOFTWARE;
    if (card_) what |= SOF_TIMESTAMPING_TX_HARDWARE;
    std::memcpy(CMSG_DATA(ask), &what, sizeof what);
    return ::sendmsg(fd_, &message, MSG_NOSIGNAL);
}

// Stamps say which byte they are of, counted from when they were asked for.
std::optional<Connection::Left> Connection::left() {
    while (stamps_) {
        Control control;
        char none = 0;
        if (receive_message(fd_, std::span(&none, 1), control, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) break;
        const std::optional<std::uint32_t> byte = byte_of(control);
        const std::optional<Stamp> at = stamp_of(control, card_);
        if (byte && at) return Left{*byte + 1, *at};
    }
    return std::nullopt;
}

bool Connection::write(std::string_view bytes, std::chrono::milliseconds limit, bool stamped) {
    broken_ = broken_ || !write_all(bytes, limit, stamped && stamps_);
    return !broken_;
}

bool Connection::write_all(std::string_view bytes, std::chrono::milliseconds limit, bool stamped) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!bytes.empty()) {
        const ssize_t n = send(bytes, stamped);
        if (n >= 0) {
            own_written_ += static_cast<std::uint32_t>(n);
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
