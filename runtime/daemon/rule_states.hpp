// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "engine.hpp"

namespace fixaccel {

// State of each rule of the loaded bundle, by index: armed, fired, in doubt, disarmed, and of an armed board
// cancelled, waiting, refused or rearming too. Disarmed is also what waits for a parent.
std::vector<const char*> rule_states(const Engine& engine, const Ledger& ledger);

}  // namespace fixaccel
