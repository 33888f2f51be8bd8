// SPDX-License-Identifier: Apache-2.0
// The intervals of all decisions of one lane by price: which of them hold one is found in a step for each
// level of a tree, whatever their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace fixaccel {

class Landings {
  public:
    struct Interval {
        std::int64_t low, high;
        std::uint32_t decision;  // its number here
        std::uint32_t number;    // row of its columns
    };

    // A decision with these intervals, by its number: the next one. In before the first look.
    void add(std::span<const std::int64_t> low, std::span<const std::int64_t> high, std::uint32_t first);
    void build();

    // Adds the intervals that hold `price` to `found`, in no order, at most one of each decision. Those that
    // `armed(decision)` denies are set aside until bring_back(), for no price is to look at them again.
    template <typename Armed>
    void find(std::int64_t price, const Armed& armed, std::vector<Interval>& found);
    // A decision is armed again.
    void bring_back(std::uint32_t decision);

  private:
    static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

    void set(std::size_t place, std::int64_t high);

    std::vector<Interval> intervals_;                // by low
    std::vector<std::int64_t> most_;                 // tree: the highest `high` below each node, leaves last
    std::size_t leaves_ = 0;                         // a power of two
    std::vector<std::vector<std::uint32_t>> aside_;  // places of intervals, by decision
    std::vector<std::size_t> nodes_;                 // scratch
};

template <typename Armed>
void Landings::find(std::int64_t price, const Armed& armed, std::vector<Interval>& found) {
    if (leaves_ == 0 || most_[1] < price) return;
    nodes_.assign(1, 1);
    std::size_t first = 0;  // of the leaves below a node, by its level
    while (!nodes_.empty()) {
        const std::size_t node = nodes_.back();
        nodes_.pop_back();
        if (most_[node] < price) continue;
        for (first = node; first < leaves_;) first *= 2;
        const std::size_t place = first - leaves_;
        if (place >= intervals_.size() || intervals_[place].low > price) continue;  // and so all below it
        if (node < leaves_) {
            nodes_.push_back(2 * node + 1);
            nodes_.push_back(2 * node);
        } else if (armed(intervals_[place].decision)) {
            found.push_back(intervals_[place]);
        } else {
            aside_[intervals_[place].decision].push_back(static_cast<std::uint32_t>(place));
            set(place, kNone);
        }
    }
}

}  // namespace fixaccel
