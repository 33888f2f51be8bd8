// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config/yaml_source.hpp"
#include "matching/exchange.hpp"
#include "scenario/scenario.hpp"

namespace fixaccel::exchange {

// Reads a scenario against the instruments of an exchange and the clients that may log on: prices and sizes
// are checked here, not while the scenario runs. Throws InputError with all problems.
Scenario read_scenario(YamlSource& source, const std::string& file, const Exchange& exchange,
                       const std::vector<std::string>& clients);

}  // namespace fixaccel::exchange
