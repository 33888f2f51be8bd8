// SPDX-License-Identifier: Apache-2.0
#include "price.hpp"

namespace fixaccel {

std::int64_t TickTable::step(std::int64_t units, std::int64_t count) const {
    return bounded(count < 0 ? down(units, -Wide{count}) : up(units, count));
}

std::size_t TickTable::index(Wide units) const {
    return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), units) -
                                    starts_.begin());
}

Wide TickTable::up(Wide units, Wide count) const {
    while (count > 0) {
        const std::size_t at = index(units);
        const Wide tick = ticks_[at];
        const Wide base = floor_div(units, tick) * tick;
        if (at == starts_.size()) return base + count * tick;
        const Wide inside = floor_div(starts_[at] - 1 - base, tick);
        if (count <= inside) return base + count * tick;
        units = starts_[at];
        count -= inside + 1;
    }
    return units;
}

Wide TickTable::down(Wide units, Wide count) const {
    while (count > 0) {
        const std::size_t at = index(units - 1);
        const Wide tick = ticks_[at];
        const Wide base = ceil_div(units, tick) * tick;
        if (at == 0) return base - count * tick;
        const Wide inside = floor_div(base - starts_[at - 1], tick);
        if (count <= inside) return base - count * tick;
        units = starts_[at - 1];
        count -= inside;
    }
    return units;
}

}  // namespace fixaccel
