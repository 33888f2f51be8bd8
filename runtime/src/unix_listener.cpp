// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/unix_listener.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace fixaccel {
namespace {

constexpr mode_t kMask = 0117;  // owner and group read and write

sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path)
        throw ListenError("the path of a socket has 1 to " + std::to_string(sizeof address.sun_path - 1) +
                          " characters, not " + std::to_string(path.size()) + ": " + path);
    std::memcpy(address.sun_path, path.data(), path.size());
    return address;
}

bool served(const sockaddr_un& address) {
    // A server whose queue is full is one, too.
    const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const bool connected = ::connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    const bool full = !connected && errno == EAGAIN;
    ::close(probe);
    return connected || full;
}

void make_way(const std::string& path, const sockaddr_un& address) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return;  // what else is wrong bind() will say
    if (!S_ISSOCK(status.st_mode)) throw ListenError(path + " is there already and is no socket");
    if (served(address)) throw ListenError("another process serves " + path);
    ::unlink(path.c_str());
}

}  // namespace

UnixListener::UnixListener(std::string path, int backlog) : path_(std::move(path)) {
    const sockaddr_un address = address_of(path_);
    make_way(path_, address);
    fd_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const mode_t mask = ::umask(kMask);
    const bool bound = ::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    const bool listens = bound && ::listen(fd_, backlog) == 0;
    const int error = errno;
    ::umask(mask);
    if (listens) return;
    ::close(fd_);
    if (bound) ::unlink(path_.c_str());
    throw ListenError("cannot listen at " + path_ + ": " + std::strerror(error));
}

UnixListener::~UnixListener() {
    ::close(fd_);
    ::unlink(path_.c_str());
}

}  // namespace fixaccel
