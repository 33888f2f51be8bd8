// SPDX-License-Identifier: Apache-2.0
// A stream socket with a name in the file system, to listen at.
#pragma once

#include <sys/types.h>

#include <stdexcept>
#include <string>

namespace fixaccel {

// Nobody can listen there; the text says why.
class ListenError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Who may connect.
struct SocketRights {
    mode_t mode = 0660;
    std::string group{};  // empty: the process's
};

class UnixListener {
  public:
    // Nobody else may connect, at no time. A socket that stands there and that nobody serves is replaced;
    // whatever else stands there is left as it is. Throws ListenError.
    UnixListener(std::string path, int backlog, const SocketRights& rights = {});
    UnixListener(const UnixListener&) = delete;
    UnixListener& operator=(const UnixListener&) = delete;
    ~UnixListener();

    // Does not block.
    int fd() const { return fd_; }

  private:
    std::string path_;
    int fd_;
};

}  // namespace fixaccel
