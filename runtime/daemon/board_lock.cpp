// SPDX-License-Identifier: Apache-2.0
#include "board_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "fixaccel/board.hpp"
#include "fixaccel/uio_map.hpp"

namespace fixaccel {
namespace {

// Beside the board's socket; a board in this machine's memory has a file of its own.
std::string file_of(const std::string& endpoint, const std::string& root) {
    if (endpoint.starts_with(kUioScheme)) return uio_file(root, endpoint.substr(kUioScheme.size()));
    return endpoint.substr(endpoint.find(':') + 1) + ".lock";
}

}  // namespace

BoardLock::BoardLock(const std::string& endpoint, const std::string& root) {
    const std::string file = file_of(endpoint, root);
    fd_ = ::open(file.c_str(), O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0640);
    if (fd_ < 0) throw BoardError("cannot lock the board: " + file + ": " + std::strerror(errno));
    if (::flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
    const int error = errno;
    ::close(fd_);
    throw BoardError(error == EWOULDBLOCK ? "another daemon has the board " + endpoint
                                          : "cannot lock the board: " + file + ": " + std::strerror(error));
}

BoardLock::~BoardLock() { ::close(fd_); }

}  // namespace fixaccel
