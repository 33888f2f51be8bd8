// SPDX-License-Identifier: Apache-2.0
// Work beside whatever trades, on a thread that takes only what nobody else wants of the processors.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>

namespace fixaccel {

class IdleThread {
  public:
    // Must not throw, and gives up soon when it is asked to stop.
    using Work = std::function<void(const std::stop_token&)>;

    IdleThread() = default;
    IdleThread(const IdleThread&) = delete;
    IdleThread& operator=(const IdleThread&) = delete;
    // Gives up what is under way.
    ~IdleThread();

    // One after the other; of what waits meanwhile the last. Waits for nothing: the thread may get no time.
    void begin(Work work);
    // What was begun has not been done yet.
    bool busy() const { return done_.load() != begun_.load(); }
    // Waits until it has.
    void finish() const;

  private:
    void run(const std::stop_token& stop) noexcept;

    std::atomic<Work*> waiting_{nullptr};
    std::atomic<std::uint32_t> begun_{0};
    std::atomic<std::uint32_t> done_{0};
    mutable std::atomic<std::uint32_t> awaited_{0};  // by so many
    std::jthread thread_;                            // from the first work on
};

}  // namespace fixaccel
