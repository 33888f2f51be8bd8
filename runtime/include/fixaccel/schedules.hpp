// SPDX-License-Identifier: Apache-2.0
// Times of day in the venue's zone: which schedules are on now.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace fixaccel {

// A time zone as a list of offsets; the first holds before its start too.
struct Zone {
    std::vector<std::int64_t> start_s;   // UTC second from which each holds, rising
    std::vector<std::int32_t> offset_s;  // seconds that local time is ahead of UTC

    bool operator==(const Zone&) const = default;
};

// Days since the epoch, of local time. The zone is not empty.
std::int64_t day_of(const Zone& zone, std::int64_t ts_ns);

// The first moment behind `ts_ns`, both UTC, at which that second of the local day begins; where clocks are
// put forward over it, when they are; the highest number beyond what can be counted. The zone is not empty.
std::int64_t next_time_of_day(const Zone& zone, std::int32_t second_of_day, std::int64_t ts_ns);

// Minutes of the local day, the end not included; an end before the start is on the next day.
struct DayWindow {
    std::int32_t start = 0;
    std::int32_t end = 0;

    bool operator==(const DayWindow&) const = default;
};

class Schedules {
  public:
    // Each schedule is on within any of its windows. With schedules, the zone is not empty.
    Schedules(Zone zone, std::vector<std::vector<DayWindow>> schedules);

    std::size_t size() const { return schedules_.size(); }

    // What holds at `ts_ns`. Cheap as long as the local minute stays the same.
    void advance(std::int64_t ts_ns) {
        if (ts_ns >= from_ns_ && ts_ns < until_ns_) return;
        if (!on_.empty()) recompute(ts_ns);
    }

    // -1 is always on.
    bool on(std::int32_t schedule) const {
        return schedule < 0 || on_[static_cast<std::size_t>(schedule)] != 0;
    }

    // Nothing changes before; with a schedule, after the first advance().
    std::int64_t until_ns() const { return until_ns_; }

  private:
    void recompute(std::int64_t ts_ns);

    Zone zone_;
    std::vector<std::vector<DayWindow>> schedules_;
    std::vector<std::uint8_t> on_;
    std::int64_t from_ns_ = 0;
    std::int64_t until_ns_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace fixaccel
