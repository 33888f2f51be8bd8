// SPDX-License-Identifier: Apache-2.0
#include "rule_states.hpp"

#include <set>

namespace fixaccel {
namespace {

const char* state_text(PartState state) {
    switch (state) {
        case PartState::disarmed:
            return "disarmed";
        case PartState::armed:
        case PartState::undecided:
        case PartState::arming:
            return "armed";
        case PartState::waiting:
            return "waiting";
        case PartState::fired:
            return "fired";
        case PartState::cancelled:
            return "cancelled";
        case PartState::refused:
            return "refused";
        case PartState::rearming:
            return "rearming";
    }
    return "unknown";
}

// `judges`: what it waits for is `if_already_through`.
const char* state_text(const TriggerState& trigger, bool judges) {
    if (trigger.live) return "armed";
    if (!trigger.dormant) return "cancelled";
    return judges ? "waiting" : "disarmed";
}

}  // namespace

std::vector<const char*> rule_states(const Engine& engine, const Ledger& ledger) {
    const auto triggers = engine.armed() ? engine.trigger_states() : std::vector<TriggerState>();
    std::set<std::uint32_t> judging;
    for (const Watch& watch : ledger.load().watches)
        if (watch.role == WatchRole::clear) judging.insert(watch.rule);
    const auto state_of = [&](const BundleRule& rule) {
        const LoadedRule& loaded = ledger.load().rules.at(rule.index);
        // A rule of the runtime can be armed again, and does not fire if another one does.
        if (engine.armed() && !rule.trigger && engine.software() != nullptr)
            if (const auto state = engine.software()->state(rule.index)) return state_text(*state);
        if (engine.armed() && ledger.awaits_rearm(loaded)) return "rearming";
        if (ledger.fired(loaded)) return "fired";
        if (ledger.spent(loaded)) return "in doubt";
        if (!engine.armed() || !rule.trigger) return "disarmed";
        if (ledger.refused(loaded)) return "refused";
        return state_text(triggers.at(*rule.trigger), judging.count(rule.index) != 0);
    };
    std::vector<const char*> states;
    for (const BundleRule& rule : engine.bundle()->rules) states.push_back(state_of(rule));
    return states;
}

}  // namespace fixaccel
