// SPDX-License-Identifier: Apache-2.0
// The phases of a day, by the clock of the process's time zone.
#pragma once

#include <ctime>
#include <optional>
#include <vector>

#include "matching/types.hpp"

namespace fixaccel::exchange {

class Timetable {
  public:
    struct Row {
        int second = 0;  // of the day
        Phase phase = Phase::kContinuous;
    };

    // The rows by time; at least one.
    explicit Timetable(std::vector<Row> rows);

    // What holds at a time: the last row that began, of the day before where none has today.
    Phase at(std::time_t time) const;
    // When the next row begins after a time.
    std::time_t next(std::time_t time) const;
    // The last time at or before `time` at which the venue closed; none if it never does.
    std::optional<std::time_t> last_close(std::time_t time) const;

  private:
    // When a row begins, on the day of `time` or `days` later.
    static std::time_t begins(const Row& row, std::time_t time, int days);

    std::vector<Row> rows_;
};

}  // namespace fixaccel::exchange
