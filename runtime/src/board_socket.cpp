// SPDX-License-Identifier: Apache-2.0
#include "board_socket.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <vector>

namespace fixaccel {
namespace protocol = board_protocol;

static_assert(std::endian::native == std::endian::little,
              "the protocol's words are sent as they lie in memory");

namespace {

timeval as_timeval(std::chrono::milliseconds time) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
    return {.tv_sec = static_cast<time_t>(seconds.count()),
            .tv_usec = static_cast<suseconds_t>(std::chrono::microseconds(time - seconds).count())};
}

std::string at(const protocol::RequestHeader& request) {
    std::ostringstream text;
    text << (request.op == static_cast<std::uint32_t>(protocol::Op::read) ? "read" : "write") << " of "
         << request.count << " words at 0x" << std::hex << request.addr;
    return text.str();
}

}  // namespace

SocketBoard::SocketBoard(const std::string& path, std::chrono::milliseconds answers) : path_(path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof(address.sun_path))
        throw BoardError("board socket path '" + path + "' must have 1 to " +
                         std::to_string(sizeof(address.sun_path) - 1) + " characters");
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    fd_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd_ < 0) throw BoardError(std::string("no socket: ") + std::strerror(errno));
    // The two timeouts turn a hanging board into an error that the caller can act on.
    const timeval limit = as_timeval(answers);
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
        const int error = errno;
        ::close(fd_);
        throw BoardError("no board at unix:" + path + ": " + std::strerror(error) +
                         "; is fixaccel-vboard running?");
    }
}

SocketBoard::~SocketBoard() {
    if (fd_ >= 0) ::close(fd_);
}

void SocketBoard::read(std::uint32_t addr, std::span<std::uint32_t> words) {
    while (!words.empty()) {
        const auto count = std::min<std::size_t>(words.size(), protocol::kMaxWords);
        exchange({static_cast<std::uint32_t>(protocol::Op::read), addr, static_cast<std::uint32_t>(count)},
                 {}, words.first(count));
        words = words.subspan(count);
        addr += static_cast<std::uint32_t>(count * protocol::kWordBytes);
    }
}

void SocketBoard::write(std::uint32_t addr, std::span<const std::uint32_t> words) {
    while (!words.empty()) {
        const auto count = std::min<std::size_t>(words.size(), protocol::kMaxWords);
        exchange({static_cast<std::uint32_t>(protocol::Op::write), addr, static_cast<std::uint32_t>(count)},
                 words.first(count), {});
        words = words.subspan(count);
        addr += static_cast<std::uint32_t>(count * protocol::kWordBytes);
    }
}

void SocketBoard::exchange(const protocol::RequestHeader& request, std::span<const std::uint32_t> out,
                           std::span<std::uint32_t> in) {
    if (fd_ < 0) fail("the connection failed before");
    // One buffer, one system call: a register access is on the daemon's path to every commit.
    std::vector<std::byte> message(sizeof(request) + out.size_bytes());
    std::memcpy(message.data(), &request, sizeof(request));
    if (!out.empty()) std::memcpy(message.data() + sizeof(request), out.data(), out.size_bytes());
    send_all(message);

    protocol::ResponseHeader response{};
    receive_all(std::as_writable_bytes(std::span(&response, 1)));
    const auto status = static_cast<protocol::Status>(response.status);
    if (status != protocol::Status::ok) {
        if (response.count != 0) fail(at(request) + ": an error answer with data");
        const std::string text =
            "board at unix:" + path_ + " refused the " + at(request) + ": " + protocol::describe(status);
        if (status == protocol::Status::refused) throw BoardRefused(text);
        throw BoardError(text);
    }
    if (response.count != in.size())
        fail(at(request) + ": answer of " + std::to_string(response.count) + " words");
    receive_all(std::as_writable_bytes(in));
}

void SocketBoard::send_all(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) fail(errno == EAGAIN ? "no answer in time" : std::strerror(errno));
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
}

void SocketBoard::receive_all(std::span<std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t got = ::recv(fd_, bytes.data(), bytes.size(), 0);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(errno == EAGAIN ? "no answer in time" : std::strerror(errno));
        if (got == 0) fail("it closed the connection");
        bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
}

void SocketBoard::fail(const std::string& what) {
    // Half an answer may still be under way: the connection is of no more use.
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
    throw BoardError("board at unix:" + path_ + ": " + what);
}

}  // namespace fixaccel
