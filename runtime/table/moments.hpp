// SPDX-License-Identifier: Apache-2.0
// When rules `at` a time fire next.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "table_columns.hpp"

namespace fixaccel {

// The first moment from `from_ns` on, both UTC, at which clocks of the zone show that second of the day.
// Where they are put forward over it or show it twice, as the offset before the change has it. None: beyond
// what can be counted.
std::optional<std::int64_t> first_at(Units zone_start_s, Numbers zone_offset_s, std::int32_t second_of_day,
                                     std::int64_t from_ns);

// Armed rows by their moments; equal moments in the order of rows.
class Moments {
  public:
    // Below all moments: armed before the clock is known.
    static constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::min();

    struct Due {
        std::int64_t moment_ns;
        std::uint32_t row;
    };

    // Whether one has come at `now_ns`, or has to be found.
    bool due(std::int64_t now_ns) const { return now_ns >= first_ns_; }
    std::optional<Due> first() const {
        if (by_time_.empty()) return std::nullopt;
        return Due{by_time_.begin()->first, by_time_.begin()->second};
    }
    std::optional<std::int64_t> of(std::uint32_t row) const {
        const auto found = of_row_.find(row);
        return found == of_row_.end() ? std::nullopt : std::optional(found->second);
    }

    void set(std::uint32_t row, std::int64_t moment_ns) {
        drop(row);
        of_row_[row] = moment_ns;
        by_time_.emplace(moment_ns, row);
        note_first();
    }
    void drop(std::uint32_t row) {
        const auto found = of_row_.find(row);
        if (found == of_row_.end()) return;
        by_time_.erase({found->second, row});
        of_row_.erase(found);
        note_first();
    }

  private:
    void note_first() {
        first_ns_ = by_time_.empty() ? std::numeric_limits<std::int64_t>::max() : by_time_.begin()->first;
    }

    std::int64_t first_ns_ = std::numeric_limits<std::int64_t>::max();
    std::set<std::pair<std::int64_t, std::uint32_t>> by_time_;
    std::map<std::uint32_t, std::int64_t> of_row_;
};

}  // namespace fixaccel
