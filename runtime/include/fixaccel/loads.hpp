// SPDX-License-Identifier: Apache-2.0
// What is loaded, as the journal has it, and what the journal makes of a load's triggers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fixaccel/bundle.hpp"
#include "fixaccel/ledger.hpp"
#include "fixaccel/links.hpp"

namespace fixaccel {

// The rules of `bundle`, with the links of those that the fabric runs. `before`: what was made of the rules
// of the bundle before it.
Load describe_load(const Bundle& bundle, std::uint32_t generation = 0, const std::string& epoch = {});
Load describe_load(const Bundle& bundle, PieceMemo<BundleRule, LoadedRule>& before);

// State of each trigger of a load: as after a fresh load, but for what has fired since it was last armed by
// hand, and what orders that were sent have cancelled and armed of the rules that were loaded then.
std::vector<TriggerState> trigger_states(const Bundle& bundle, const Load& load, const Ledger& ledger);

}  // namespace fixaccel
