// SPDX-License-Identifier: Apache-2.0
// Up to which report a client's session has given them all their MsgSeqNum.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>

namespace fixaccel::exchange {

// Faults let reports overtake each other: one that is out says nothing of those posted before it.
class SentReports {
  public:
    // The engine's thread. The place of a report that is posted now, among all of this client.
    std::uint64_t post(std::uint64_t exec_id) {
        posted_ = exec_id;
        return ++places_;
    }
    // ExecID of the last one posted.
    std::uint64_t posted() const { return posted_; }

    // The session's thread: the report of that place has its number.
    void sent(std::uint64_t place, std::uint64_t exec_id) {
        if (place != next_) {
            early_.emplace(place, exec_id);
            return;
        }
        std::uint64_t last = exec_id;
        for (++next_; !early_.empty() && early_.begin()->first == next_; ++next_) {
            last = early_.begin()->second;
            early_.erase(early_.begin());
        }
        up_to_.store(last, std::memory_order_release);
    }
    // Any thread. ExecID of the last one before which none is missing; never goes back.
    std::uint64_t up_to() const { return up_to_.load(std::memory_order_acquire); }

  private:
    std::uint64_t posted_ = 0;
    std::uint64_t places_ = 0;
    std::uint64_t next_ = 1;
    std::map<std::uint64_t, std::uint64_t> early_;  // ExecIDs by place
    std::atomic<std::uint64_t> up_to_{0};
};

}  // namespace fixaccel::exchange
