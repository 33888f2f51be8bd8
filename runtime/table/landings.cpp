// SPDX-License-Identifier: Apache-2.0
#include "landings.hpp"

#include <algorithm>

namespace fixaccel {

void Landings::add(std::span<const std::int64_t> low, std::span<const std::int64_t> high,
                   std::uint32_t first) {
    const auto decision = static_cast<std::uint32_t>(aside_.size());
    aside_.emplace_back();
    for (std::size_t at = 0; at < low.size(); ++at)
        intervals_.push_back({low[at], high[at], decision, first + static_cast<std::uint32_t>(at)});
}

void Landings::build() {
    if (intervals_.empty()) return;
    std::sort(intervals_.begin(), intervals_.end(),
              [](const Interval& a, const Interval& b) { return a.low < b.low; });
    for (leaves_ = 1; leaves_ < intervals_.size();) leaves_ *= 2;
    most_.assign(2 * leaves_, kNone);
    for (std::size_t place = 0; place < intervals_.size(); ++place)
        most_[leaves_ + place] = intervals_[place].high;
    for (std::size_t node = leaves_; --node > 0;)
        most_[node] = std::max(most_[2 * node], most_[2 * node + 1]);
}

void Landings::bring_back(std::uint32_t decision) {
    for (const std::uint32_t place : aside_[decision]) set(place, intervals_[place].high);
    aside_[decision].clear();
}

void Landings::set(std::size_t place, std::int64_t high) {
    std::size_t node = leaves_ + place;
    most_[node] = high;
    while ((node /= 2) > 0) {
        const std::int64_t most = std::max(most_[2 * node], most_[2 * node + 1]);
        if (most_[node] == most) return;
        most_[node] = most;
    }
}

}  // namespace fixaccel
