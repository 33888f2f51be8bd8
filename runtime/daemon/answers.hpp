// SPDX-License-Identifier: Apache-2.0
// What the control socket tells of a rule and of a fire, and how it is asked for some of them.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine.hpp"
#include "fixaccel/ledger.hpp"

namespace fixaccel {

nlohmann::json rule_answer(const Engine& engine, const Ledger& ledger, const char* state,
                           std::uint32_t index);
nlohmann::json fire_answer(const Record& fire, const Ledger& ledger);

// A list of names, empty where there is none. Throws Refused.
std::vector<std::string> names(const nlohmann::json& request, const char* key);

}  // namespace fixaccel
