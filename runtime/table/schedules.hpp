// SPDX-License-Identifier: Apache-2.0
// Times of day in the venue's zone: which schedules are on now.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "table_columns.hpp"

namespace fixaccel {

class Schedules {
  public:
    explicit Schedules(const TableColumns& columns);

    // What holds at `ts_ns`. Cheap as long as the local minute stays the same.
    void advance(std::int64_t ts_ns) {
        if (ts_ns >= from_ns_ && ts_ns < until_ns_) return;
        if (!on_.empty()) recompute(ts_ns);
    }

    // -1 is always on.
    bool on(std::int32_t schedule) const {
        return schedule < 0 || on_[static_cast<std::size_t>(schedule)] != 0;
    }

  private:
    void recompute(std::int64_t ts_ns);
    bool within(std::size_t schedule, std::int32_t minute) const;

    const TableColumns& columns_;
    std::vector<std::uint8_t> on_;
    std::int64_t from_ns_ = 0;
    std::int64_t until_ns_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace fixaccel
