// SPDX-License-Identifier: Apache-2.0
// What one eligible observation does, stage by stage in firing order.
#include <algorithm>

#include "interpreter.hpp"

namespace fixaccel {

void TableInterpreter::Impl::evaluate(Lane& lane, const Observation& seen) {
    settle(lane, seen);
    fire_thresholds(lane, seen);
    land(lane, seen);
    follow(lane, seen);
    parts_->refresh(lane);
}

bool TableInterpreter::Impl::fits(std::int32_t number, const Observation& seen) const {
    if (parts_->part_terms.empty()) return parts_->schedules.on(number);
    const Terms& terms = parts_->terms[static_cast<std::size_t>(number)];
    return parts_->schedules.on(terms.schedule) &&
           (terms.limits < 0 ||
            gate_.rule_admits(terms.limits, has_reference_, seen.halves(), reference_halves_));
}

// What an observation decides without a fire: re-arming, and `if_already_through`.
void TableInterpreter::Impl::settle(Lane& lane, const Observation& seen) {
    refused_.clear();
    for (Resets& resets : lane.resets) {
        if (!eligible(resets.terms, seen)) continue;
        for (std::uint32_t row = 0; resets.pop(seen.price, row);) queue(row, PartState::rearming);
    }
    for (std::uint32_t at = lane.first_chain; at < lane.first_chain + lane.chains; ++at) {
        Chain& chain = parts_->chains[at];
        if (!eligible(chain.terms, seen)) continue;
        const std::int64_t* thresholds = parts_->chain_thresholds.data() + chain.first;
        const std::uint32_t* rows = parts_->chain_rows.data() + chain.first;
        for (const std::uint32_t rank : chain.undecided) {
            if (parts_->states[rows[rank]] != PartState::undecided) continue;
            if (satisfies(seen.price, chain.at_or_above, thresholds[rank])) {
                parts_->states[rows[rank]] = PartState::refused;
                refused_.push_back(rows[rank]);
            } else {
                go_live(chain, rank);
            }
        }
        chain.undecided.clear();
        // What the price does not satisfy is a run up to the last rank.
        for (std::uint32_t rank = chain.waiting.last(); rank != BitTree::kNone; rank = chain.waiting.last()) {
            if (satisfies(seen.price, chain.at_or_above, thresholds[rank])) break;
            chain.waiting.erase(rank);
            go_live(chain, rank);
        }
    }
}

// Of two thresholds that one observation satisfies.
bool TableInterpreter::Impl::fires_before(std::uint32_t row, std::uint32_t other) const {
    const auto& part = parts_->columns.part;
    if (part.confirm[row] != part.confirm[other]) return part.confirm[row] < part.confirm[other];
    if (part.direction[row] != part.direction[other]) return part.direction[row] < part.direction[other];
    if (part.threshold[row] != part.threshold[other])
        return (part.threshold[row] < part.threshold[other]) == (part.direction[row] != 0);
    return row < other;
}

// Chains of equal confirm and direction differ in their terms only and fire as if they were one.
void TableInterpreter::Impl::fire_thresholds(Lane& lane, const Observation& seen) {
    const Market& market = markets_[seen.instrument];
    const std::uint32_t end_of_lane = lane.first_chain + lane.chains;
    for (std::uint32_t begin = lane.first_chain, end = begin; begin < end_of_lane; begin = end) {
        const Chain& first = parts_->chains[begin];
        while (end < end_of_lane && parts_->chains[end].confirm == first.confirm &&
               parts_->chains[end].at_or_above == first.at_or_above)
            ++end;
        std::int64_t price = seen.price;
        if (first.confirm == 2) {
            // Both observations satisfy what the weaker of them satisfies.
            if (!market.has_previous[seen.source]) continue;
            const std::int64_t before = market.previous[seen.source];
            price = first.at_or_above ? std::min(price, before) : std::max(price, before);
        }
        fire_run(begin, end, price, seen);
    }
}

void TableInterpreter::Impl::fire_run(std::uint32_t begin, std::uint32_t end, std::int64_t price,
                                      const Observation& seen) {
    for (;;) {
        const Chain* best = nullptr;
        std::uint32_t row = 0;
        for (std::uint32_t at = begin; at < end; ++at) {
            const Chain& chain = parts_->chains[at];
            if (!satisfies(price, chain.at_or_above, chain.head_threshold)) continue;
            if (!eligible(chain.terms, seen)) continue;
            const std::uint32_t head = parts_->chain_rows[chain.first + chain.head];
            // A head that is satisfied by less comes first; rows rise with the declaration.
            if (best != nullptr && (chain.head_threshold == best->head_threshold
                                        ? head > row
                                        : chain.at_or_above == (chain.head_threshold > best->head_threshold)))
                continue;
            best = &chain;
            row = head;
        }
        if (best == nullptr) return;
        fire(row, parts_->columns.part.order[row], seen, parts_->columns.part.threshold[row]);
    }
}

// In the order of declaration, which is that of rows.
void TableInterpreter::Impl::land(Lane& lane, const Observation& seen) {
    if (lane.armed_decisions == 0) return;
    landed_.clear();
    const auto armed = [&](std::uint32_t row) { return parts_->states[row] == PartState::armed; };
    lane.landings.find(
        seen.price, [&](std::uint32_t decision) { return armed(lane.decisions[decision]); }, landed_);
    std::sort(landed_.begin(), landed_.end(),
              [](const auto& a, const auto& b) { return a.decision < b.decision; });
    for (const Landings::Interval& landed : landed_) {
        const std::uint32_t row = lane.decisions[landed.decision];
        if (armed(row) && eligible(parts_->terms_of(row), seen))
            fire(row, parts_->columns.interval.order[landed.number], seen, std::nullopt);
    }
}

void TableInterpreter::Impl::follow(Lane& lane, const Observation& seen) {
    if (lane.trails.empty() || (lane.trails_low < seen.price && seen.price < lane.trails_high)) return;
    for (const std::uint32_t row : lane.trails)
        if (parts_->states[row] == PartState::armed && eligible(parts_->terms_of(row), seen))
            follow(parts_->trailing[parts_->place[row]], seen);
    parts_->bound_trails(lane, seen.source);
}

void TableInterpreter::Impl::follow(Trailing& trail, const Observation& seen) {
    const TableColumns& columns = parts_->columns;
    const std::uint32_t row = trail.row;
    const auto detail = static_cast<std::size_t>(columns.part.trail[row]);
    const bool own = columns.part.source[row] == seen.source;
    if (!trail.active) {
        if (columns.trail.source[detail] != seen.source) return;
        trail.active =
            satisfies(seen.price, columns.trail.direction[detail] != 0, columns.trail.threshold[detail]);
        if (!trail.active) return;
        parts_->forget_bounds(row);
        note_move(trail);
    }
    if (!own) return;
    const bool sell = columns.order.side[static_cast<std::size_t>(columns.part.order[row])] != 0;
    if (trail.has_extreme && satisfies(seen.price, !sell, trail.stop)) {
        fire(row, columns.part.order[row], seen, trail.stop);
        return;
    }
    if (trail.has_extreme && !satisfies(seen.price, sell, trail.extreme)) return;
    if (trail.has_extreme && trail.extreme == seen.price) return;
    note_move(trail);
    const bool first = !trail.has_extreme;
    trail.extreme = seen.price;
    trail.has_extreme = true;
    const std::int64_t stop = stop_of(trail);
    trail.stop = first ? stop : sell ? std::max(trail.stop, stop) : std::min(trail.stop, stop);
}

}  // namespace fixaccel
