// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/clock_sync.hpp"

namespace fixaccel {

using std::chrono::microseconds;

ClockSync clock_sync(int answer, const timex& said) {
    if (answer < 0) return {};
    const bool synchronised = answer != TIME_ERROR && (said.status & STA_UNSYNC) == 0;
    return {true, synchronised, microseconds(said.maxerror), microseconds(said.esterror)};
}

std::string ClockSync::text() const {
    if (!known)
        return "whether somebody synchronises the system's clock is not known: the kernel may not be asked";
    if (!synchronised) return "nobody synchronises the system's clock";
    return "the system's clock is synchronised, at most " + std::to_string(max_error.count()) + " us off";
}

ClockSync clock_sync() {
    timex said{};  // asks, and changes nothing
    const int answer = ::adjtimex(&said);
    return clock_sync(answer, said);
}

}  // namespace fixaccel
