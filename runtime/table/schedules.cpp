// SPDX-License-Identifier: Apache-2.0
#include "schedules.hpp"

#include <algorithm>

#include "price.hpp"

namespace fixaccel {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kMinutesOfDay = 24 * 60;

std::int64_t nanoseconds(Wide seconds) {
    const Wide most = std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(std::clamp<Wide>(seconds * kSecond, -most, most));
}

}  // namespace

Schedules::Schedules(const TableColumns& columns) : columns_(columns), on_(columns.schedule.first.size()) {}

void Schedules::recompute(std::int64_t ts_ns) {
    const auto second = static_cast<std::int64_t>(floor_div(ts_ns, kSecond));
    const auto& zone = columns_.zone;
    const auto next = std::upper_bound(zone.start_s.begin(), zone.start_s.end(), second);
    const auto row = std::max<std::ptrdiff_t>(next - zone.start_s.begin() - 1, 0);
    const std::int64_t offset = zone.offset_s[static_cast<std::size_t>(row)];
    const auto minute = static_cast<std::int64_t>(floor_div(Wide{second} + offset, kMinute));
    from_ns_ = nanoseconds(
        std::max<Wide>(Wide{minute} * kMinute - offset, zone.start_s[static_cast<std::size_t>(row)]));
    // Before the first row its offset holds too.
    if (second < zone.start_s.front()) from_ns_ = nanoseconds(Wide{minute} * kMinute - offset);
    until_ns_ = nanoseconds((Wide{minute} + 1) * kMinute - offset);
    if (next != zone.start_s.end()) until_ns_ = std::min(until_ns_, nanoseconds(*next));
    const auto of_day = static_cast<std::int32_t>(minute - floor_div(minute, kMinutesOfDay) * kMinutesOfDay);
    for (std::size_t schedule = 0; schedule < on_.size(); ++schedule)
        on_[schedule] = within(schedule, of_day) ? 1 : 0;
}

bool Schedules::within(std::size_t schedule, std::int32_t minute) const {
    const auto first = static_cast<std::size_t>(columns_.schedule.first[schedule]);
    const auto count = static_cast<std::size_t>(columns_.schedule.count[schedule]);
    for (std::size_t at = first; at < first + count; ++at) {
        const std::int32_t start = columns_.window.start[at];
        const std::int32_t end = columns_.window.end[at];
        const bool inside = start < end ? start <= minute && minute < end : start <= minute || minute < end;
        if (inside) return true;
    }
    return false;
}

}  // namespace fixaccel
