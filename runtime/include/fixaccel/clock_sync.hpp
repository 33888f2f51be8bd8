// SPDX-License-Identifier: Apache-2.0
// Whether somebody disciplines the machine's clock, and how well: chronyd, ptp4l with phc2sys, ntpd and their
// like tell the kernel, see adjtimex(2).
#pragma once

#include <sys/timex.h>

#include <chrono>
#include <string>

namespace fixaccel {

struct ClockSync {
    bool known = false;  // the kernel may be asked
    bool synchronised = false;
    std::chrono::microseconds
        max_error{};  // from UTC, as a bound; it grows until the clock is disciplined again
    std::chrono::microseconds estimated_error{};

    std::string text() const;
    bool within(std::chrono::nanoseconds bound) const { return synchronised && max_error <= bound; }
};

// What the kernel has said: its answer, and what it has filled in.
ClockSync clock_sync(int answer, const timex& said);
// Now.
ClockSync clock_sync();

}  // namespace fixaccel
