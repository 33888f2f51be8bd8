// SPDX-License-Identifier: Apache-2.0
// Where the stop of a trail lies, and the limit price that follows it.
#include <algorithm>
#include <utility>

#include "interpreter.hpp"

namespace fixaccel {
namespace {

enum class Distance : std::uint8_t { price, ticks, percent };

constexpr Wide kMillion = 1'000'000;

}  // namespace

// In units of the source; half units on mid, where the grid is one of whole units all the same.
// Every rounding goes away from the market.
std::int64_t TableInterpreter::Impl::stop_of(const Trailing& trail) const {
    const TableColumns& columns = parts_->columns;
    const std::uint32_t row = trail.row;
    const auto detail = static_cast<std::size_t>(columns.part.trail[row]);
    const bool sell = columns.order.side[static_cast<std::size_t>(columns.part.order[row])] != 0;
    const std::int64_t scale = columns.part.source[row] == kMid ? 2 : 1;
    const TickTable& ticks = parts_->ticks[parts_->instrument_of(row)];
    const std::int64_t value = columns.trail.value[detail];
    const Wide extreme = trail.extreme;
    switch (static_cast<Distance>(columns.trail.kind[detail])) {
        case Distance::price:
            break;
        case Distance::ticks: {
            const std::int64_t units = bounded(sell ? floor_div(extreme, scale) : ceil_div(extreme, scale));
            const std::int64_t from = sell ? ticks.floor(units) : ticks.ceil(units);
            return bounded(Wide{ticks.step(from, sell ? -value : value)} * scale);
        }
        case Distance::percent: {
            const Wide by = (extreme < 0 ? -extreme : extreme) * value;
            const Wide exact = extreme * kMillion + (sell ? -by : by);
            const std::int64_t units =
                bounded(sell ? floor_div(exact, kMillion * scale) : ceil_div(exact, kMillion * scale));
            return bounded(Wide{sell ? ticks.floor(units) : ticks.ceil(units)} * scale);
        }
    }
    return bounded(sell ? extreme - value : extreme + value);
}

void Generation::bound_trails(Lane& lane, std::uint8_t source) const {
    lane.trails_low = kLowest;
    lane.trails_high = kHighest;
    const auto above = [&](std::int64_t price) { lane.trails_low = std::max(lane.trails_low, price); };
    const auto below = [&](std::int64_t price) { lane.trails_high = std::min(lane.trails_high, price); };
    for (const std::uint32_t row : lane.trails) {
        if (states[row] != PartState::armed) continue;
        const Trailing& trail = trailing[place[row]];
        const auto detail = static_cast<std::size_t>(columns.part.trail[row]);
        if (!trail.active) {
            if (columns.trail.source[detail] != source) continue;
            columns.trail.direction[detail] != 0 ? below(columns.trail.threshold[detail])
                                                 : above(columns.trail.threshold[detail]);
        } else if (columns.part.source[row] != source) {
            continue;
        } else if (!trail.has_extreme) {
            above(kHighest);
        } else if (columns.order.side[static_cast<std::size_t>(columns.part.order[row])] != 0) {
            above(trail.stop);
            below(bounded(Wide{trail.extreme} + 1));
        } else {
            below(trail.stop);
            above(bounded(Wide{trail.extreme} - 1));
        }
    }
}

void Generation::forget_bounds(std::uint32_t trail) {
    lane_of(trail).trails_low = kHighest;
    const auto detail = static_cast<std::size_t>(columns.part.trail[trail]);
    if (columns.trail.waits[detail] != 0)
        lane(instrument_of(trail), columns.trail.source[detail]).trails_low = kHighest;
}

void TableInterpreter::Impl::note_move(Trailing& trail) {
    if (!std::exchange(trail.moved, true)) moved_.push_back(trail.row);
}

void TableInterpreter::Impl::take_moved(std::vector<std::uint32_t>& rows) {
    for (const std::uint32_t row : moved_) parts_->trailing[parts_->place[row]].moved = false;
    rows.swap(moved_);
    moved_.clear();
}

std::optional<TrailState> TableInterpreter::Impl::trail(std::size_t row) const {
    const std::uint32_t at = checked(row);
    if (parts_->form_of(at) != Form::trail || parts_->states[at] != PartState::armed) return std::nullopt;
    return parts_->trailing[parts_->place[at]];
}

void TableInterpreter::Impl::restore_trail(std::size_t row, const TrailState& state) {
    if (!trail(row)) return;
    static_cast<TrailState&>(parts_->trailing[parts_->place[row]]) = state;
    parts_->forget_bounds(static_cast<std::uint32_t>(row));
}

std::int64_t TableInterpreter::Impl::limit_of(const Trailing& trail) const {
    const TableColumns& columns = parts_->columns;
    const std::uint32_t row = trail.row;
    const bool sell = columns.order.side[static_cast<std::size_t>(columns.part.order[row])] != 0;
    const std::int64_t scale = columns.part.source[row] == kMid ? 2 : 1;
    const TickTable& ticks = parts_->ticks[parts_->instrument_of(row)];
    const std::int64_t units = bounded(sell ? ceil_div(trail.stop, scale) : floor_div(trail.stop, scale));
    const std::int64_t on_grid = sell ? ticks.ceil(units) : ticks.floor(units);
    return ticks.step(on_grid, columns.trail.ticks[static_cast<std::size_t>(columns.part.trail[row])]);
}

}  // namespace fixaccel
