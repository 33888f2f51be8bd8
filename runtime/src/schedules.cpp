// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/schedules.hpp"

#include <algorithm>
#include <utility>

namespace fixaccel {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kMinutesOfDay = 24 * 60;
constexpr std::int64_t kDay = kMinutesOfDay * kMinute;
constexpr std::int64_t kMostSeconds = std::numeric_limits<std::int64_t>::max() / kSecond;

std::int64_t nanoseconds(std::int64_t seconds) {
    return std::clamp(seconds, -kMostSeconds, kMostSeconds) * kSecond;
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

std::size_t row_of(const Zone& zone, std::int64_t second) {
    const auto next = std::upper_bound(zone.start_s.begin(), zone.start_s.end(), second);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - zone.start_s.begin() - 1, 0));
}

bool within(const DayWindow& window, std::int32_t minute) {
    const bool started = window.start <= minute;
    const bool before_end = minute < window.end;
    return window.start < window.end ? started && before_end : started || before_end;
}

}  // namespace

std::int64_t day_of(const Zone& zone, std::int64_t ts_ns) {
    const std::int64_t second = floor_div(ts_ns, kSecond);
    return floor_div(second + zone.offset_s[row_of(zone, second)], kDay);
}

namespace {

// The first UTC second that the zone calls this local one.
std::int64_t utc_second(const Zone& zone, std::int64_t local) {
    const std::size_t first = row_of(zone, local - kDay);
    const std::size_t last = row_of(zone, local + kDay);
    for (std::size_t row = first; row <= last; ++row)
        if (row_of(zone, local - zone.offset_s[row]) == row) return local - zone.offset_s[row];
    // Left out: of two offsets the change lies between.
    for (std::size_t row = first + 1; row <= last; ++row)
        if (zone.start_s[row] + zone.offset_s[row] > local) return zone.start_s[row];
    return local - zone.offset_s[first];
}

}  // namespace

std::int64_t next_time_of_day(const Zone& zone, std::int32_t second_of_day, std::int64_t ts_ns) {
    for (std::int64_t day = day_of(zone, ts_ns) - 1;; ++day) {
        const std::int64_t second = utc_second(zone, day * kDay + second_of_day);
        if (second > kMostSeconds) return std::numeric_limits<std::int64_t>::max();
        if (nanoseconds(second) > ts_ns) return nanoseconds(second);
    }
}

Schedules::Schedules(Zone zone, std::vector<std::vector<DayWindow>> schedules)
    : zone_(std::move(zone)), schedules_(std::move(schedules)), on_(schedules_.size()) {}

void Schedules::recompute(std::int64_t ts_ns) {
    const std::int64_t second = floor_div(ts_ns, kSecond);
    const auto next = std::upper_bound(zone_.start_s.begin(), zone_.start_s.end(), second);
    const std::size_t row = row_of(zone_, second);
    const std::int64_t offset = zone_.offset_s[row];
    const std::int64_t minute = floor_div(second + offset, kMinute);
    // Before the first row its offset holds too.
    std::int64_t from = minute * kMinute - offset;
    if (second >= zone_.start_s.front()) from = std::max(from, zone_.start_s[row]);
    from_ns_ = nanoseconds(from);
    until_ns_ = nanoseconds((minute + 1) * kMinute - offset);
    if (next != zone_.start_s.end()) until_ns_ = std::min(until_ns_, nanoseconds(*next));
    const auto of_day = static_cast<std::int32_t>(minute - floor_div(minute, kMinutesOfDay) * kMinutesOfDay);
    for (std::size_t schedule = 0; schedule < on_.size(); ++schedule) {
        const auto& windows = schedules_[schedule];
        on_[schedule] = std::any_of(windows.begin(), windows.end(),
                                    [&](const DayWindow& window) { return within(window, of_day); })
                            ? 1
                            : 0;
    }
}

}  // namespace fixaccel
