// SPDX-License-Identifier: Apache-2.0
// The fabric's windows of time: told ahead which are open next and from when, it changes over by its own
// clock.
#pragma once

#include <cstdint>

#include "fixaccel/board.hpp"
#include "fixaccel/bundle.hpp"
#include "fixaccel/schedules.hpp"

namespace fixaccel {

// Throws BundleError if a chain names a window that the bundle does not have, or one is no time of day.
void check_windows(const Bundle& bundle);

class Windows {
  public:
    struct Change {
        std::int64_t at_ns = 0;  // UTC
        std::uint32_t open = 0;  // a bit each, as the register has them
    };

    Windows() = default;
    // Of a bundle that check_windows passes.
    explicit Windows(const Bundle& bundle) : schedules_(bundle.zone, bundle.windows) {}

    // Which are open at a time.
    std::uint32_t open(std::int64_t ts_ns);
    // The first change behind a time, or a day later what holds then.
    Change next(std::int64_t ts_ns);

    // Opens what is open now, and tells the next change. The board's clock is set; no message of it waits to
    // be evaluated. Throws BoardError.
    void start(Board& board, std::int64_t now_ns);
    // Tells the next change once the last one has come. Throws BoardError.
    void follow(Board& board, std::int64_t now_ns);

    // Has the fabric change over at a time, which may be past; the change before has come.
    static void tell(Board& board, const Change& change);

  private:
    Schedules schedules_{{}, {}};
    Change told_;
};

}  // namespace fixaccel
