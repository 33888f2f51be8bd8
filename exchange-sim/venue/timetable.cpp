// SPDX-License-Identifier: Apache-2.0
#include "venue/timetable.hpp"

#include <algorithm>
#include <utility>

namespace fixaccel::exchange {

Timetable::Timetable(std::vector<Row> rows) : rows_(std::move(rows)) {
    std::sort(rows_.begin(), rows_.end(),
              [](const Row& one, const Row& other) { return one.second < other.second; });
}

std::time_t Timetable::begins(const Row& row, std::time_t time, int days) {
    std::tm local{};
    localtime_r(&time, &local);
    local.tm_hour = row.second / 3600;
    local.tm_min = row.second / 60 % 60;
    local.tm_sec = row.second % 60;
    local.tm_mday += days;
    local.tm_isdst = -1;  // whichever holds there
    return std::mktime(&local);
}

Phase Timetable::at(std::time_t time) const {
    Phase phase = rows_.back().phase;
    for (const Row& row : rows_) {
        if (begins(row, time, 0) <= time) phase = row.phase;
    }
    return phase;
}

std::time_t Timetable::next(std::time_t time) const {
    for (const Row& row : rows_) {
        if (const std::time_t begin = begins(row, time, 0); begin > time) return begin;
    }
    return begins(rows_.front(), time, 1);
}

std::optional<std::time_t> Timetable::last_close(std::time_t time) const {
    std::optional<std::time_t> last;
    for (const int days : {-1, 0}) {
        for (const Row& row : rows_) {
            const std::time_t begin = begins(row, time, days);
            if (row.phase == Phase::kClosed && begin <= time && (!last || begin > *last)) last = begin;
        }
    }
    return last;
}

}  // namespace fixaccel::exchange
