// SPDX-License-Identifier: Apache-2.0
// A fire: the gate, and what an order that left does to other parts.
#include <algorithm>
#include <limits>

#include "interpreter.hpp"
#include "order_words.hpp"

namespace fixaccel {

// The order of a part that is satisfied now; nothing is observed yet.
TableFire TableInterpreter::Impl::fire_of(std::uint32_t row, std::int32_t order, std::int64_t event) const {
    const TableColumns& columns = parts_->columns;
    const auto sent = static_cast<std::size_t>(order);
    TableFire fire;
    fire.event = event;
    fire.ts_ns = now_ns_;
    fire.has_observed = 0;
    fire.part = columns.part.index[row];
    fire.row = static_cast<std::int32_t>(row);
    fire.order = order;
    fire.fires = static_cast<std::int32_t>(parts_->fires[row] + 1);
    fire.side = columns.order.side[sent];
    fire.type = columns.order.type[sent];
    fire.qty = columns.order.filled[sent] != 0 ? parents_filled(row) : columns.order.qty[sent];
    if (fire.type == kLimit) fire.price = columns.order.price[sent];
    return fire;
}

void TableInterpreter::Impl::fire(std::uint32_t row, std::int32_t order, const Observation& seen,
                                  std::optional<std::int64_t> trigger) {
    leave(row, PartState::fired);
    TableFire fire = fire_of(row, order, seen.event);
    fire.observed = seen.price;
    fire.has_observed = 1;
    fire.source = seen.source;
    fire.trigger = trigger.value_or(0);
    fire.has_trigger = trigger ? 1 : 0;
    if (!seen.sink.admit(fire)) return;
    const std::optional<std::int64_t> checked = checked_price(fire, seen);
    if (fire.type == kLimit && checked) fire.price = *checked / 2;
    send(row, fire,
         {.instrument = seen.instrument,
          .rule = parts_->columns.part.rule[row],
          .price_halves = checked,
          .observed_halves = seen.halves(),
          .reference_halves = reference_halves_,
          .limits = parts_->columns.part.limits[row],
          .from_fills = parts_->columns.order.filled[static_cast<std::size_t>(order)] != 0},
         seen.sink);
}

// By the clock: a market order is worth what is known of the market.
void TableInterpreter::Impl::fire_at(std::uint32_t row, std::int64_t event, TableSink& sink) {
    const std::int32_t order = parts_->columns.part.order[row];
    leave(row, PartState::fired);
    TableFire fire = fire_of(row, order, event);
    if (!sink.admit(fire)) return;
    GateCase by{.instrument = parts_->instrument_of(row),
                .rule = parts_->columns.part.rule[row],
                .price_halves = std::nullopt,
                .observed_halves = 0,
                .reference_halves = 0,
                .limits = parts_->columns.part.limits[row],
                .observed = false,
                .from_fills = parts_->columns.order.filled[static_cast<std::size_t>(order)] != 0};
    if (fire.type == kLimit) {
        if (by.from_fills) by.price_halves = 2 * fire.price;
    } else {
        std::int64_t halves = 0;
        by.priced = markets_[by.instrument].reference(halves);
        by.price_halves = halves;
    }
    send(row, fire, by, sink);
}

void TableInterpreter::Impl::send(std::uint32_t row, TableFire& fire, const GateCase& by, TableSink& sink) {
    fire.outcome = gate_.judge(fire, by, sink);
    if (fire.outcome == GateOutcome::sent) fire.outcome = sink.offer(fire);
    const bool sent = fire.outcome == GateOutcome::sent;
    if (sent)
        take_effect(row, fire);
    else
        fire.fires = 0;
    sink.report(fire);
    const std::int32_t cancels = parts_->columns.part.cancels[row];
    if (sent && cancels >= 0) sink.cancel(fire, parts_->cancels[static_cast<std::size_t>(cancels)]);
}

// The price that order_notional is taken of, in half units: limit prices that are fixed, of orders whose
// quantity is, were checked by the compiler.
std::optional<std::int64_t> TableInterpreter::Impl::checked_price(const TableFire& fire,
                                                                  const Observation& seen) const {
    if (fire.type != kLimit) return seen.halves();
    const auto row = static_cast<std::uint32_t>(fire.row);
    const auto detail = parts_->columns.part.trail[row];
    if (detail >= 0 && parts_->columns.trail.relative[static_cast<std::size_t>(detail)] != 0)
        return 2 * limit_of(parts_->trailing[parts_->place[row]]);
    if (parts_->columns.order.filled[static_cast<std::size_t>(fire.order)] != 0) return 2 * fire.price;
    return std::nullopt;
}

void TableInterpreter::Impl::take_effect(std::uint32_t row, const TableFire& fire) {
    ++parts_->fires[row];
    gate_.count(fire, parts_->instrument_of(row), parts_->columns.part.rule[row],
                parts_->columns.part.limits[row]);
    cancel_siblings(row);
    arm_children(fire.part, ArmedOn::sent);
    plan_rearm(row, fire.ts_ns);
}

void TableInterpreter::Impl::cancel_siblings(std::uint32_t row) {
    const auto group = parts_->groups.find(parts_->columns.part.group[row]);
    if (group == parts_->groups.end()) return;
    const auto gone = [&](std::uint32_t sibling) {
        const PartState state = parts_->states[sibling];
        if (state == PartState::fired || state == PartState::rearming) return false;
        // It was refused ahead of its turn: who fires first cancels it.
        if (state == PartState::refused && parts_->form_of(row) == Form::threshold &&
            fires_before(row, sibling) &&
            std::find(refused_.begin(), refused_.end(), sibling) != refused_.end())
            parts_->states[sibling] = PartState::cancelled;
        if (state != PartState::cancelled && state != PartState::refused)
            leave(sibling, PartState::cancelled);
        return true;
    };
    // Those have come to their end: the group need not look at them again.
    group->second.erase(std::remove_if(group->second.begin(), group->second.end(), gone),
                        group->second.end());
}

void TableInterpreter::Impl::arm_children(std::int32_t part, ArmedOn on) {
    children_.clear();
    parts_->children_of(part, on, children_);
    for (const std::uint32_t child : children_) {
        if (parts_->states[child] != PartState::disarmed) continue;
        if (parts_->instrument_of(child) == current_)
            queue(child, PartState::arming);
        else
            arm(child);
    }
}

void TableInterpreter::Impl::plan_rearm(std::uint32_t row, std::int64_t ts_ns) {
    const TableColumns& columns = parts_->columns;
    if (columns.part.rearm[row] < 0 || !rearming_) return;
    const auto detail = static_cast<std::size_t>(columns.part.rearm[row]);
    if (parts_->rearmed[row] >= columns.rearm.times[detail]) return;
    const std::int64_t after = columns.rearm.after_ns[detail];
    if (after < 0) {
        Resets& resets = parts_->resets_of(row);
        resets.push(columns.rearm.threshold[detail], row);
        parts_->lane(parts_->instrument_of(row), columns.rearm.source[detail]).quiet = false;
        return;
    }
    const Wide due = std::min<Wide>(Wide{ts_ns} + after, std::numeric_limits<std::int64_t>::max());
    parts_->timers[parts_->instrument_of(row)].push({static_cast<std::int64_t>(due), row});
    markets_[parts_->instrument_of(row)].ending = true;
}

}  // namespace fixaccel
