// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/boundaries.hpp"

#include <algorithm>

#include "fixaccel/seq.hpp"

namespace fixaccel {

void Boundaries::record(const Boundary& boundary) {
    if (count_ == 0 || back(0).seq != boundary.seq) ++count_;
    kept_[(count_ - 1) % kKept] = boundary;
}

std::optional<Boundary> Boundaries::at(std::uint32_t seq) const {
    for (std::size_t age = 0; age < std::min(count_, kKept); ++age) {
        if (back(age).seq == seq) return back(age);
        if (seq_before(back(age).seq, seq)) break;
    }
    return std::nullopt;
}

std::optional<Boundary> Boundaries::resync_point(std::uint32_t rcv_nxt,
                                                 std::optional<std::uint32_t> found) const {
    if (count_ == 0) return std::nullopt;
    const Boundary& newest = back(0);
    if (newest.seq == rcv_nxt) return newest;
    if (!found || seq_before(newest.seq, *found)) return std::nullopt;
    return at(*found).value_or(newest);
}

}  // namespace fixaccel
