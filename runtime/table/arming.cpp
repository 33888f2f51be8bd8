// SPDX-License-Identifier: Apache-2.0
// Arming and its end.
#include "interpreter.hpp"

namespace fixaccel {

// The tables of these columns as they are built.
std::unique_ptr<Generation> TableInterpreter::Impl::unarmed() {
    return untouched_ ? std::move(parts_) : std::make_unique<Generation>(parts_->columns);
}

void TableInterpreter::Impl::arm_all() {
    untouched_ = false;
    for (std::uint32_t row = 0; row < parts_->columns.parts(); ++row)
        if (parts_->columns.part.parents[row] < 0 && parts_->states[row] == PartState::disarmed) enter(row);
    parts_->refresh_all();
}

void TableInterpreter::Impl::arm(std::uint32_t row) {
    enter(row);
    const std::size_t instrument = parts_->instrument_of(row);
    if (parts_->form_of(row) == Form::at) return;
    if (parts_->form_of(row) == Form::threshold)
        parts_->chain_of(row).set_head(parts_->chain_thresholds.data());
    for (std::size_t source = 0; source < kSources; ++source)
        parts_->refresh(parts_->lane(instrument, source));
}

// Without heads and bounds, which follow.
void TableInterpreter::Impl::enter(std::uint32_t row) {
    parts_->states[row] = PartState::armed;
    switch (parts_->form_of(row)) {
        case Form::decide:
            ++parts_->lane_of(row).armed_decisions;
            parts_->lane_of(row).landings.bring_back(parts_->place[row]);
            return;
        case Form::at:
            plan(row);
            return;
        case Form::trail: {
            const auto detail = static_cast<std::size_t>(parts_->columns.part.trail[row]);
            Trailing& trail = parts_->trailing[parts_->place[row]];
            static_cast<TrailState&>(trail) = {.active = parts_->columns.trail.waits[detail] == 0};
            parts_->forget_bounds(row);
            return;
        }
        case Form::threshold:
            break;
    }
    Chain& chain = parts_->chain_of(row);
    const std::uint32_t rank = parts_->rank[row];
    parts_->states[row] = judged(row);
    if (parts_->states[row] == PartState::armed) chain.live.insert(rank);
    if (parts_->states[row] == PartState::waiting) chain.waiting.insert(rank);
    if (parts_->states[row] == PartState::undecided) chain.undecided.push_back(rank);
}

// What `if_already_through` makes of a threshold that is armed now. It looks at the plain condition.
PartState TableInterpreter::Impl::judged(std::uint32_t row) const {
    const auto& part = parts_->columns.part;
    const auto through = static_cast<Through>(part.through[row]);
    if (through == Through::fire) return PartState::armed;
    std::int64_t value = 0;
    const bool known = markets_[parts_->instrument_of(row)].value(part.source[row], value);
    const bool satisfied = known && satisfies(value, part.direction[row] != 0, part.threshold[row]);
    if (known && !satisfied) return PartState::armed;
    if (through == Through::wait) return PartState::waiting;
    return known ? PartState::refused : PartState::undecided;
}

void TableInterpreter::Impl::go_live(Chain& chain, std::uint32_t rank) {
    parts_->states[parts_->chain_rows[chain.first + rank]] = PartState::armed;
    chain.live.insert(rank);
    chain.set_head(parts_->chain_thresholds.data());
}

// Out of whatever it is armed in. A rank among the undecided stays there: its state says that it is gone.
void TableInterpreter::Impl::leave(std::uint32_t row, PartState state) {
    const PartState before = parts_->states[row];
    parts_->states[row] = state;
    if (parts_->form_of(row) == Form::at) parts_->moments.drop(row);
    if (parts_->form_of(row) == Form::decide && before == PartState::armed)
        --parts_->lane_of(row).armed_decisions;
    if (parts_->form_of(row) != Form::threshold) return;
    Chain& chain = parts_->chain_of(row);
    const std::uint32_t rank = parts_->rank[row];
    if (before == PartState::waiting) chain.waiting.erase(rank);
    if (before != PartState::armed) return;
    chain.live.erase(rank);
    if (rank == chain.head) chain.set_head(parts_->chain_thresholds.data());
}

void TableInterpreter::Impl::queue(std::uint32_t row, PartState state) {
    parts_->states[row] = state;
    arming_.push_back(row);
    markets_[parts_->instrument_of(row)].ending = true;
}

}  // namespace fixaccel
