// SPDX-License-Identifier: Apache-2.0
// What an order that was sent does to other rules: it cancels them, or arms those that wait for it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fixaccel/armed_on.hpp"
#include "fixaccel/bundle.hpp"

namespace fixaccel {

// Rules by index: ranges from a first to a last one, in their order.
using RuleRanges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

RuleRanges ranges_of(std::vector<std::uint32_t> rules);

struct Links {
    RuleRanges senders;  // the order of any of these
    RuleRanges cancels;
    RuleRanges arms;
    ArmedOn on = ArmedOn::sent;  // what arms them
    bool sizes = false;          // they send what the senders have filled
    RuleRanges ends{};           // orders of these that may rest are cancelled at the venue

    // What the senders fill does something.
    bool heeds_fills() const { return on != ArmedOn::sent || sizes; }
    bool operator==(const Links&) const = default;
};

// What the fabric watches for a rule beside its own condition, with a trigger that sends nothing.
enum class WatchRole {
    reset,    // the condition of `rearm`: arms the rule again
    clear,    // the rule's condition does not hold: `if_already_through` arms it
    through,  // it holds first: `if_already_through: reject` refuses the rule
    after,    // the time of `rearm`: arms the rule again
    fills,    // what the venue reports of other rules' orders: arms the rule
};

struct Watch {
    std::uint32_t trigger = 0;
    std::uint32_t rule = 0;
    WatchRole role = WatchRole::reset;
    std::uint32_t fires = 0;  // its count at load: it hits until that is at its highest
    // Of what hits when its time has come: how long after the rule's order, and the board's record for it.
    std::uint64_t after_ns = 0;
    std::uint32_t slot = 0;

    // It hits when its time has come, or the runtime has told the board that it has, and is in no chain.
    bool told() const { return role == WatchRole::after || role == WatchRole::fills; }
    // So often it hits at most.
    std::uint32_t times() const;
    bool operator==(const Watch&) const = default;
};

// What the board is told of a watch that is in no chain.
struct Told {
    std::optional<std::uint64_t> due_ns{};  // it hits with the first message from then on
    std::uint32_t other_fires = 0;          // of the rule, but for those that it is armed again for
    bool operator==(const Told&) const = default;
};

// What the fabric remembers of a trigger: never both live and dormant; neither once it has fired or is
// cancelled.
struct TriggerState {
    bool live = false;        // it may fire
    bool dormant = false;     // it waits to be armed
    std::uint32_t fires = 0;  // how often its rule has, or the watch
};

// Throws BundleError if a list of links does not end, cancels behind what it arms or leads out of the
// fabric's tables, or if a trigger is both live and dormant. The other functions take bundles that pass.
void check_links(const Bundle& bundle);

// The links of the rules that the fabric runs, but for what they do to watches.
std::vector<Links> fabric_links(const Bundle& bundle);

// By trigger, rising.
std::vector<Watch> fabric_watches(const Bundle& bundle);

// Every trigger as a fresh load leaves it.
std::vector<TriggerState> fresh_triggers(const Bundle& bundle);

}  // namespace fixaccel
