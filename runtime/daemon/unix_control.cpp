// SPDX-License-Identifier: Apache-2.0
#include "unix_control.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace fixaccel {
namespace {

constexpr std::string_view kScheme = "unix:";

std::string path_of(const std::string& endpoint) {
    if (endpoint.starts_with(kScheme)) return endpoint.substr(kScheme.size());
    throw ControlError("the control endpoint must be unix:PATH, not " + endpoint);
}

std::string peer_of(int fd, const UserNames& users) {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return "the control socket";
    return users.text(peer.uid) + ", process " + std::to_string(peer.pid);
}

bool is_for_later() { return errno == EAGAIN || errno == EINTR; }

class UnixStream final : public ControlStream {
  public:
    UnixStream(int fd, ControlPeer peer) : fd_(fd), peer_(std::move(peer)) {}
    ~UnixStream() override { ::close(fd_); }

    int fd() const override { return fd_; }
    Greeting greet(std::string&) override { return Greeting::done; }
    const ControlPeer& peer() const override { return peer_; }

    std::optional<std::size_t> read(std::span<char> room) override {
        const ssize_t n = ::recv(fd_, room.data(), room.size(), 0);
        if (n > 0) return static_cast<std::size_t>(n);
        if (n < 0 && is_for_later()) return 0;
        return std::nullopt;
    }

    std::optional<std::size_t> write(std::string_view bytes) override {
        const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n >= 0) return static_cast<std::size_t>(n);
        if (is_for_later()) return 0;
        return std::nullopt;
    }

    void end() override { ::shutdown(fd_, SHUT_WR); }
    std::string address() const override { return "the control socket"; }

  private:
    int fd_;
    ControlPeer peer_;
};

}  // namespace

bool discard(int fd) {
    std::array<char, 16384> chunk;
    const ssize_t n = ::recv(fd, chunk.data(), chunk.size(), MSG_DONTWAIT);
    return n > 0 || (n < 0 && is_for_later());
}

UnixControl::UnixControl(Role role, const ControlDoor& door, const UserNames& users)
    : role_(role),
      users_(users),
      socket_(path_of(door.endpoint), SOMAXCONN, SocketRights{door.mode, door.group}) {}

std::unique_ptr<ControlStream> UnixControl::accept() {
    const int fd = ::accept4(socket_.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return nullptr;
    return std::make_unique<UnixStream>(fd, ControlPeer{peer_of(fd, users_), role_});
}

}  // namespace fixaccel
