// SPDX-License-Identifier: Apache-2.0
// What waits for the engine thread, from many threads to one.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace fixaccel::exchange {

template <typename Request>
class RequestQueue {
  public:
    explicit RequestQueue(std::size_t bound) : bound_(bound) {}

    // Waits for room: who sends faster than the engine works is held up, and no one else. After close() it
    // takes nothing and gives false.
    bool push(Request request) {
        std::unique_lock lock(mutex_);
        room_.wait(lock, [this] { return closed_ || waiting_.size() < bound_; });
        if (closed_) return false;
        waiting_.push_back(std::move(request));
        const bool first = waiting_.size() == 1;
        lock.unlock();
        if (first) filled_.notify_one();
        return true;
    }

    // Takes all that waits into `out`, which is empty, once there is some, or at `deadline`. False: it is
    // closed and empty.
    bool take(std::vector<Request>& out, std::chrono::steady_clock::time_point deadline) {
        std::unique_lock lock(mutex_);
        filled_.wait_until(lock, deadline, [this] { return closed_ || !waiting_.empty(); });
        out.swap(waiting_);
        const bool open = !closed_ || !out.empty();
        lock.unlock();
        if (!out.empty()) room_.notify_all();
        return open;
    }

    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        filled_.notify_all();
        room_.notify_all();
    }

  private:
    const std::size_t bound_;
    std::mutex mutex_;
    std::condition_variable filled_;
    std::condition_variable room_;
    std::vector<Request> waiting_;
    bool closed_ = false;
};

}  // namespace fixaccel::exchange
