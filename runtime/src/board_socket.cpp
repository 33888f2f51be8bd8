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

namespace fixaccel {
namespace protocol = board_protocol;

static_assert(std::endian::native == std::endian::little,
              "the protocol's words are sent as they lie in memory");

namespace {

// Words of one request, far fewer than it may have: the limit is for each answer, and a board that is
// simulated on a busy machine takes a millisecond a word.
constexpr std::size_t kPiece = 512;
static_assert(kPiece <= protocol::kMaxWords);

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

SocketBoard::SocketBoard(const std::string& path, std::chrono::milliseconds answers)
    : path_(path), buffer_(sizeof(protocol::RequestHeader) + kPiece * protocol::kWordBytes) {
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
        const auto count = std::min(words.size(), kPiece);
        exchange({static_cast<std::uint32_t>(protocol::Op::read), addr, static_cast<std::uint32_t>(count)},
                 {}, words.first(count));
        words = words.subspan(count);
        addr += static_cast<std::uint32_t>(count * protocol::kWordBytes);
    }
}

void SocketBoard::write(std::uint32_t addr, std::span<const std::uint32_t> words) {
    while (!words.empty()) {
        const auto count = std::min(words.size(), kPiece);
        exchange({static_cast<std::uint32_t>(protocol::Op::write), addr, static_cast<std::uint32_t>(count)},
                 words.first(count), {});
        words = words.subspan(count);
        addr += static_cast<std::uint32_t>(count * protocol::kWordBytes);
    }
}

void SocketBoard::exchange(const protocol::RequestHeader& request, std::span<const std::uint32_t> out,
                           std::span<std::uint32_t> in) {
    if (fd_ < 0) fail("the connection failed before");
    // One system call each way and no memory of the heap: a register access is on the daemon's path to every
    // commit.
    std::memcpy(buffer_.data(), &request, sizeof(request));
    if (!out.empty()) std::memcpy(buffer_.data() + sizeof(request), out.data(), out.size_bytes());
    send_all(std::span(buffer_).first(sizeof(request) + out.size_bytes()));

    protocol::ResponseHeader response{};
    const std::span<std::byte> answer = std::span(buffer_).first(sizeof(response) + in.size_bytes());
    // That of a refusal ends with its header.
    const std::size_t got = receive(answer, 0, sizeof(response));
    std::memcpy(&response, answer.data(), sizeof(response));
    const auto status = static_cast<protocol::Status>(response.status);
    if (status != protocol::Status::ok) {
        if (response.count != 0 || got != sizeof(response)) fail(at(request) + ": an error answer with data");
        const std::string text =
            "board at unix:" + path_ + " refused the " + at(request) + ": " + protocol::describe(status);
        if (status == protocol::Status::refused) throw BoardRefused(text);
        throw BoardError(text);
    }
    if (response.count != in.size())
        fail(at(request) + ": answer of " + std::to_string(response.count) + " words");
    receive(answer, got, answer.size());
    if (!in.empty()) std::memcpy(in.data(), answer.data() + sizeof(response), in.size_bytes());
}

void SocketBoard::send_all(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) fail(errno == EAGAIN ? "no answer in time" : std::strerror(errno));
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
}

// Of `bytes` the first `got` are there already. As many as have come, once there are `least`.
std::size_t SocketBoard::receive(std::span<std::byte> bytes, std::size_t got, std::size_t least) {
    while (got < least) {
        const ssize_t came = ::recv(fd_, bytes.data() + got, bytes.size() - got, 0);
        if (came < 0 && errno == EINTR) continue;
        if (came < 0) fail(errno == EAGAIN ? "no answer in time" : std::strerror(errno));
        if (came == 0) fail("it closed the connection");
        got += static_cast<std::size_t>(came);
    }
    return got;
}

void SocketBoard::fail(const std::string& what) {
    // Half an answer may still be under way: the connection is of no more use.
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
    throw BoardError("board at unix:" + path_ + ": " + what);
}

}  // namespace fixaccel
