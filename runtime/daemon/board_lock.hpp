// SPDX-License-Identifier: Apache-2.0
// One daemon to a board: two would take each other's fires off the ring and arm what the other has disarmed.
#pragma once

#include <string>

namespace fixaccel {

// Held until it goes, or its process does.
class BoardLock {
  public:
    // `endpoint` as for open_board(); the lock is the file beside the board's socket, or the device's own,
    // below `root` as for UioMap. Throws BoardError: a daemon has it, or it cannot be had.
    explicit BoardLock(const std::string& endpoint, const std::string& root = "");
    BoardLock(const BoardLock&) = delete;
    BoardLock& operator=(const BoardLock&) = delete;
    ~BoardLock();

  private:
    int fd_;
};

}  // namespace fixaccel
