// SPDX-License-Identifier: Apache-2.0
// What an order that was sent does to other rules: it cancels them, or arms those that wait for it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "fixaccel/bundle.hpp"

namespace fixaccel {

// Rules by index: ranges from a first to a last one, in their order.
using RuleRanges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

RuleRanges ranges_of(std::vector<std::uint32_t> rules);

struct Links {
    RuleRanges senders;  // the order of any of these
    RuleRanges cancels;
    RuleRanges arms;
};

// What the fabric remembers of a trigger: never both live and dormant; neither once it has fired or is
// cancelled.
struct TriggerState {
    bool live = false;        // it may fire
    bool dormant = false;     // it waits to be armed
    std::uint32_t fires = 0;  // how often its rule has
};

// Throws BundleError if a list of links does not end, cancels behind what it arms or leads out of the
// fabric's tables, or if a trigger is both live and dormant. The other functions take bundles that pass.
void check_links(const Bundle& bundle);

// The links of the rules that the fabric runs.
std::vector<Links> fabric_links(const Bundle& bundle);

// Every trigger as a fresh load leaves it, nothing fired yet.
std::vector<TriggerState> fresh_triggers(const Bundle& bundle);

}  // namespace fixaccel
