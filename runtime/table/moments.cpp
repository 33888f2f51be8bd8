// SPDX-License-Identifier: Apache-2.0
// Rules `at` a time: when they fire, and that they do.
#include "moments.hpp"

#include <algorithm>

#include "interpreter.hpp"
#include "order_words.hpp"

namespace fixaccel {
namespace {

// Longer than any change of offset may hide a time of day, in days.
constexpr int kMostDays = 4;

// The UTC second at which the clocks show this local one.
std::int64_t utc_second(Units start_s, Numbers offset_s, std::int64_t local) {
    // A row holds from its start on, as the later of the clocks before and behind the change show it.
    std::size_t row = 0;
    const auto from = [&](std::size_t at) { return start_s[at] + std::max(offset_s[at - 1], offset_s[at]); };
    std::size_t end = start_s.size();
    while (end - row > 1) {
        const std::size_t middle = row + (end - row) / 2;
        (local >= from(middle) ? row : end) = middle;
    }
    return local - offset_s[row];
}

}  // namespace

std::optional<std::int64_t> first_at(Units zone_start_s, Numbers zone_offset_s, std::int32_t second_of_day,
                                     std::int64_t from_ns) {
    const auto from_s = static_cast<std::int64_t>(ceil_div(from_ns, kSecond));
    // Two days before, as clocks put forward over midnight bring a time of the day before behind now.
    const auto today = static_cast<std::int64_t>(floor_div(from_s, kDay)) - 2;
    for (std::int64_t day = today; day < today + 2 + kMostDays; ++day) {
        const std::int64_t second = utc_second(zone_start_s, zone_offset_s, day * kDay + second_of_day);
        if (second < from_s) continue;
        if (second > std::numeric_limits<std::int64_t>::max() / kSecond) return std::nullopt;
        return second * kSecond;
    }
    return std::nullopt;
}

std::optional<std::int64_t> TableInterpreter::Impl::moment_from(std::uint32_t row,
                                                                std::int64_t from_ns) const {
    const TableColumns& columns = parts_->columns;
    const std::int32_t second = columns.at.second[static_cast<std::size_t>(columns.part.at[row])];
    return first_at(columns.zone.start_s, columns.zone.offset_s, second, from_ns);
}

// Armed now, it fires at a moment behind now; armed before the clock is known, from the first time on.
void TableInterpreter::Impl::plan(std::uint32_t row) {
    if (!clock_known_) {
        parts_->moments.set(row, Moments::kUnknown);
        return;
    }
    if (now_ns_ == std::numeric_limits<std::int64_t>::max()) return;
    if (const auto moment = moment_from(row, now_ns_ + 1)) parts_->moments.set(row, *moment);
}

// What is armed by one of them may be due before the next.
void TableInterpreter::Impl::come_to(std::int64_t now_ns, std::int64_t event, TableSink& sink) {
    if (!clock_known_) {
        clock_known_ = true;
        now_ns_ = std::max(now_ns_, now_ns);
    }
    current_ = kNoInstrument;
    while (const auto first = parts_->moments.first()) {
        if (first->moment_ns > now_ns) break;
        parts_->moments.drop(first->row);
        if (first->moment_ns == Moments::kUnknown) {
            if (const auto moment = moment_from(first->row, now_ns_))
                parts_->moments.set(first->row, *moment);
            continue;
        }
        now_ns_ = std::max(now_ns_, first->moment_ns);
        fire_at(first->row, event, sink);
    }
}

void TableInterpreter::Impl::advance(std::int64_t now_ns, TableSink& sink) {
    if (!clock_known_ || parts_->moments.due(now_ns)) come_to(now_ns, 0, sink);
    now_ns_ = std::max(now_ns_, now_ns);
}

std::optional<std::int64_t> TableInterpreter::Impl::next_moment() const {
    const auto first = parts_->moments.first();
    return first ? std::optional(first->moment_ns) : std::nullopt;
}

}  // namespace fixaccel
