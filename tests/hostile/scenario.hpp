// SPDX-License-Identifier: Apache-2.0
// Short directed scripts, each of one property, on the same bench and before the same referee.
#pragma once

#include <filesystem>
#include <string>

#include "core_bench.hpp"
#include "market_rules.hpp"

namespace fixaccel::hostile {

int list_scenarios();
// `name`, or `all`. Zero if every one did what the list says of it: passed, or failed as expected.
int run_scenarios(const std::string& name, const std::filesystem::path& captures, const MarketRules& rules);

}  // namespace fixaccel::hostile
