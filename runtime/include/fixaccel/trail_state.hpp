// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fixaccel {

// How far a trail has come, in units of its source, half units on mid.
struct TrailState {
    bool active = false;
    bool has_extreme = false;
    std::int64_t extreme = 0;
    std::int64_t stop = 0;

    bool operator==(const TrailState&) const = default;
};

}  // namespace fixaccel
