// SPDX-License-Identifier: Apache-2.0
#include "board_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "fixaccel/board.hpp"

namespace fixaccel {

BoardLock::BoardLock(const std::string& endpoint) {
    const std::string file = endpoint.substr(endpoint.find(':') + 1) + ".lock";
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
