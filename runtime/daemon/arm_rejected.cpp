// SPDX-License-Identifier: Apache-2.0
// Rules that were rejected, armed again one by one.
#include "daemon.hpp"

namespace fixaccel {
namespace {

bool is_called(const LoadedRule& rule, const std::string& name) {
    return rule.id == name || rule.rule == name;
}

std::string why_not(const Ledger& ledger, const LoadedRule& rule) {
    if (ledger.in_doubt().count(rule.key()) != 0) return "it is in doubt since the board lost its memory";
    if (ledger.fired(rule))
        return "its order was sent; `fixaccel deploy --rearm` arms all again that have fired";
    return "it has not fired";
}

// Of the parts that `name` means, those that were rejected. Throws Refused if there is none, and changes
// nothing.
std::vector<std::string> rejected_parts(const Ledger& ledger, const std::string& name) {
    std::vector<std::string> keys;
    std::string why = "no such rule is loaded";
    for (const LoadedRule& rule : ledger.load().rules) {
        if (!is_called(rule, name)) continue;
        if (ledger.in_doubt().count(rule.key()) == 0 && ledger.rejection(rule) != nullptr)
            keys.push_back(rule.key());
        else
            why = why_not(ledger, rule);
    }
    if (keys.empty()) throw Refused("rule " + name + " cannot be armed again: " + why);
    return keys;
}

}  // namespace

// The board is disarmed for it: it may clear a bit of what is live at the very moment at which another is
// set.
void Daemon::arm_rejected(const std::vector<std::string>& names, bool dry) {
    if (!engine_.bundle()) throw Refused("nothing is loaded: deploy a bundle first");
    if (engine_.dry())
        throw Refused("a dry run is on, and its end takes back what fired: `fixaccel disarm` first");
    if (engine_.loading()) throw Refused("a load is under way; wait until it has come about");
    if (phase_ == Phase::armed && dry) throw Refused("the board is armed: `fixaccel disarm` first");
    std::vector<std::string> keys;
    for (const std::string& name : names)
        for (std::string& key : rejected_parts(ledger_, name)) keys.push_back(std::move(key));
    if (phase_ != Phase::armed && phase_ != Phase::ready) return ask_to_arm(dry);  // which refuses
    try {
        engine_.disarm("rules that were rejected are armed again");
    } catch (const CommitError& error) {
        problem_ = error.what();
        return lost();
    }
    ledger_.record_rearmed(keys);
    engine_.states_changed();
    enter(Phase::ready);
    ask_to_arm(dry);
}

}  // namespace fixaccel
