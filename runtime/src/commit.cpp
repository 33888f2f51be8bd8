// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/commit.hpp"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace fixaccel {
namespace {

[[noreturn]] void fail(const std::string& what) {
    const int error = errno;
    std::string text = what + ": " + std::strerror(error);
    if (error == EPERM) text += " (the daemon needs CAP_NET_ADMIN)";
    throw CommitError(text);
}

void set_option(int fd, int option, int value, const char* what) {
    if (::setsockopt(fd, IPPROTO_TCP, option, &value, sizeof value) != 0) fail(what);
}

// Doubles the send buffer. The kernel counts the upkeep of a segment against it too, a multiple of a short
// order, and begins with room for ten full segments: fewer orders than the fabric may have unacknowledged.
// How much there can be is bounded by the fabric's own limit, so growing ends.
bool make_room(int fd) {
    int size = 0;
    socklen_t length = sizeof size;
    if (::getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, &length) != 0) return false;
    const int before = size;  // what is set counts twice
    if (::setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size) != 0)
        ::setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);  // up to net.core.wmem_max
    const bool grown = ::getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, &length) == 0 && size > before;
    errno = EAGAIN;  // why there was no room
    return grown;
}

// Repair mode for one scope. TCP_REPAIR_OFF_NO_WP: the plain OFF would send a window probe.
class Repair {
  public:
    Repair(int fd, int queue) : fd_(fd) {
        set_option(fd_, TCP_REPAIR, TCP_REPAIR_ON, "cannot enter TCP repair mode");
        try {
            set_option(fd_, TCP_REPAIR_QUEUE, queue, "cannot choose the TCP repair queue");
        } catch (...) {
            leave();
            throw;
        }
    }
    Repair(const Repair&) = delete;
    Repair& operator=(const Repair&) = delete;
    ~Repair() { leave(); }

  private:
    void leave() const {
        const int off = TCP_REPAIR_OFF_NO_WP;
        ::setsockopt(fd_, IPPROTO_TCP, TCP_REPAIR, &off, sizeof off);
    }
    int fd_;
};

}  // namespace

std::uint32_t SocketStream::unsent() {
    int bytes = 0;
    if (::ioctl(fd_, SIOCOUTQNSD, &bytes) != 0) fail("cannot read the socket's unsent bytes");
    return static_cast<std::uint32_t>(bytes);
}

std::uint32_t SocketStream::queue_seq(int queue) {
    const Repair repair(fd_, queue);
    std::uint32_t seq = 0;
    socklen_t size = sizeof seq;
    if (::getsockopt(fd_, IPPROTO_TCP, TCP_QUEUE_SEQ, &seq, &size) != 0)
        fail("cannot read a TCP sequence number");
    return seq;
}

std::uint32_t SocketStream::snd_nxt() {
    // Repair mode on the send queue takes unsent data for sent, if the peer's acknowledgement comes just
    // then.
    if (unsent() != 0) throw CommitError("the kernel still holds unsent bytes");
    return queue_seq(TCP_SEND_QUEUE);
}

std::uint32_t SocketStream::rcv_nxt() { return queue_seq(TCP_RECV_QUEUE); }

void SocketStream::commit(std::string_view bytes) {
    // A commit over unsent data would mark that data as sent and lose it.
    if (const std::uint32_t waiting = unsent(); waiting != 0)
        throw CommitError("cannot commit behind " + std::to_string(waiting) +
                          " bytes that the kernel has not sent");
    const Repair repair(fd_, TCP_SEND_QUEUE);
    while (!bytes.empty()) {
        const ssize_t taken = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (taken < 0 && (errno == EINTR || (errno == EAGAIN && make_room(fd_)))) continue;
        if (taken < 0) fail("the kernel refused the fabric's bytes");
        committed_ += static_cast<std::uint32_t>(taken);
        bytes.remove_prefix(static_cast<std::size_t>(taken));
    }
}

}  // namespace fixaccel
