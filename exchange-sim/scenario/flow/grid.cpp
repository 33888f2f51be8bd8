// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scenario/flow/participant.hpp"

namespace fixaccel::exchange {

Price Grid::tick_at(Price price) const {
    Price tick = rules_.ticks.empty() ? 1 : rules_.ticks.front().tick;
    for (const TickRow& row : rules_.ticks) {
        if (row.from <= price) tick = row.tick;
    }
    return tick;
}

Price Grid::away(Price from, std::int64_t ticks) const {
    // No table, no change on the way.
    if (rules_.ticks.empty()) return std::clamp(from + ticks, rules_.lowest, rules_.highest);
    Price price = from;
    for (; ticks > 0 && price < rules_.highest; --ticks) price += tick_at(price);
    // Downwards the tick is that of the price below.
    for (; ticks < 0 && price > rules_.lowest; ++ticks) price -= tick_at(price - 1);
    return price > rules_.highest || price < rules_.lowest ? from : price;
}

}  // namespace fixaccel::exchange
