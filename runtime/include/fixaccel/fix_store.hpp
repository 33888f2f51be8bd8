// SPDX-License-Identifier: Apache-2.0
// What the FIX engine must find again after a crash. Valid in C++14 and C++20.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fixaccel {

// Sent messages and sequence numbers of one session. Every call may throw std::exception when it cannot be
// done; the engine then does not send.
class FixStore {
  public:
    FixStore() = default;
    FixStore(const FixStore&) = delete;
    FixStore& operator=(const FixStore&) = delete;
    virtual ~FixStore() = default;

    // Keeps a sent message. On return it survives power loss.
    virtual void set(int seq_num, const std::string& message) = 0;
    // Appends the kept messages numbered first to last, in order; missing numbers are left out.
    virtual void get(int first, int last, std::vector<std::string>& messages) const = 0;

    virtual int next_sender() const = 0;
    virtual int next_target() const = 0;
    virtual void set_next_sender(int seq_num) = 0;
    virtual void set_next_target(int seq_num) = 0;

    // Both numbers back to 1, all messages forgotten.
    virtual void reset() = 0;
    // The numbers begin anew and the peer does not know it yet: the next Logon says so.
    virtual bool begins_anew() const = 0;
};

}  // namespace fixaccel
