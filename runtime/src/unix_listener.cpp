// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/unix_listener.hpp"

#include <grp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace fixaccel {
namespace {

constexpr mode_t kAll = 0777;

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

// False with errno: the group is not known, or the process may not give the file to it.
bool give(const std::string& path, const std::string& group) {
    if (group.empty()) return true;
    errno = 0;
    const struct group* const known = ::getgrnam(group.c_str());
    if (known == nullptr && errno == 0) errno = ENOENT;
    return known != nullptr && ::lchown(path.c_str(), static_cast<uid_t>(-1), known->gr_gid) == 0;
}

}  // namespace

UnixListener::UnixListener(std::string path, int backlog, const SocketRights& rights)
    : path_(std::move(path)) {
    const sockaddr_un address = address_of(path_);
    make_way(path_, address);
    fd_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const mode_t mask = ::umask(kAll & ~rights.mode);
    const bool bound = ::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    const bool given = bound && give(path_, rights.group);
    const bool listens = given && ::listen(fd_, backlog) == 0;
    const int error = errno;
    ::umask(mask);
    if (listens) return;
    ::close(fd_);
    if (bound) ::unlink(path_.c_str());
    if (bound && !given)
        throw ListenError("cannot give " + path_ + " to group " + rights.group + ": " + std::strerror(error) +
                          "; the daemon's user has to be a member of it, and its unit to allow @chown");
    throw ListenError("cannot listen at " + path_ + ": " + std::strerror(error));
}

UnixListener::~UnixListener() {
    ::close(fd_);
    ::unlink(path_.c_str());
}

}  // namespace fixaccel
