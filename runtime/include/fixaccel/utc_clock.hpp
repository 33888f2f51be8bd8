// SPDX-License-Identifier: Apache-2.0
// UTC as this process counts it: by a clock of its own that follows the system's and never steps. Valid in
// C++14 and C++20.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

namespace fixaccel {

// For any thread.
class UtcClock {
  public:
    // Nanoseconds: UTC of the system, which may step, and a time that cannot.
    using Source = std::int64_t (*)();

    // Shows what the system's clock shows.
    UtcClock(Source system, Source steady);

    // Never goes back.
    std::int64_t now_ns();

    // Looks at the system's clock; call it often. As long as the two are at most `bound` apart it goes faster
    // or slower, by a thousandth at most, until they agree. Further apart, the system's has been set: it goes
    // on by itself.
    void follow(std::chrono::nanoseconds bound);
    // How far ahead the system's clock was when it was looked at last, and whether it has been set.
    std::chrono::nanoseconds apart();
    bool was_set();

  private:
    std::int64_t at(std::int64_t steady_ns) const;

    Source system_;
    Source steady_;
    std::mutex mutex_;
    std::int64_t base_steady_ns_;
    std::int64_t base_utc_ns_;
    std::int64_t rate_ = 0;  // nanoseconds more in each second, for one second
    std::int64_t apart_ns_ = 0;
    bool was_set_ = false;
};

// The one of this process.
UtcClock& utc_clock();

inline std::int64_t utc_ns() { return utc_clock().now_ns(); }

}  // namespace fixaccel
