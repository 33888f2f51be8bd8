// SPDX-License-Identifier: Apache-2.0
// How long the daemon rests between two looks at the board, whose event ring nothing but a look tells of.
#pragma once

#include <chrono>

#include "config.hpp"
#include "fixaccel/fabric.hpp"

namespace fixaccel {

class RingWatch {
  public:
    using Time = std::chrono::steady_clock::time_point;

    // Something has come. A fire follows a message, and whatever passes the fabric wakes the daemon, too:
    // what it finds in the ring is there by then, or soon.
    void woken(Time now) { awake_until_ = now + kAwake; }
    // While armed, with a board whose last word was `status`. Zero: it does not rest.
    std::chrono::nanoseconds rest(Time now, FabricStatus status, const DaemonConfig& config) const;

    static constexpr std::chrono::milliseconds kAwake{5};
    // At most: a fire whose message the kernel never got, or the end of being armed, is seen that late.
    static constexpr std::chrono::nanoseconds kRest{std::chrono::milliseconds(10)};

  private:
    Time awake_until_{};
};

}  // namespace fixaccel
