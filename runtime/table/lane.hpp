// SPDX-License-Identifier: Apache-2.0
// What one observation can concern: all parts of an instrument that one source can fire, arm or activate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "bit_tree.hpp"
#include "landings.hpp"

namespace fixaccel {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

inline bool satisfies(std::int64_t price, bool at_or_above, std::int64_t threshold) {
    return at_or_above ? price >= threshold : price <= threshold;
}

// Thresholds of one lane, direction, confirm and terms in firing order: what a price satisfies is always a
// run from the first rank on.
struct Chain {
    Chain(std::uint32_t first_, std::uint32_t size_)
        : first(first_), size(size_), live(size_), waiting(size_) {}

    std::uint32_t first;  // in the arrays of all chains
    std::uint32_t size;
    bool at_or_above = false;
    std::uint8_t confirm = 1;
    std::int32_t terms = -1;
    BitTree live;                          // ranks
    BitTree waiting;                       // ranks of parts that must first be seen not satisfied
    std::vector<std::uint32_t> undecided;  // ranks of parts that the first eligible observation decides
    std::int64_t head_threshold = 0;       // of the first live rank, else beyond all prices
    std::uint32_t head = BitTree::kNone;

    void set_head(const std::int64_t* thresholds) {
        head = live.first();
        head_threshold = head != BitTree::kNone ? thresholds[first + head] : at_or_above ? kHighest : kLowest;
    }
};

// Fired parts that wait for the condition of `rearm: {reset}`, the one that is satisfied first on top.
struct Resets {
    bool at_or_above = false;
    std::int32_t terms = -1;
    struct Entry {
        std::int64_t key;  // threshold, negated for at or below
        std::uint32_t row;
    };
    std::vector<Entry> heap;

    void push(std::int64_t threshold, std::uint32_t row);
    bool pop(std::int64_t price, std::uint32_t& row);
};

struct Lane {
    // A price between the two concerns nothing here, as long as `quiet` holds.
    std::int64_t low = kLowest;
    std::int64_t high = kHighest;
    bool quiet = true;
    std::uint32_t first_chain = 0;  // by confirm, then at or below before at or above, then terms
    std::uint32_t chains = 0;
    std::vector<std::uint32_t> decisions;  // rows of parts, rising
    std::size_t armed_decisions = 0;
    Landings landings;                  // of these, by their places
    std::vector<std::uint32_t> trails;  // rows of parts that it moves or activates
    // A price between the two moves, activates and fires none of the armed ones. At first there is no such.
    std::int64_t trails_low = kHighest;
    std::int64_t trails_high = kLowest;
    std::vector<Resets> resets;
};

}  // namespace fixaccel
