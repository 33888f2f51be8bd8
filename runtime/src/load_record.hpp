// SPDX-License-Identifier: Apache-2.0
// A load as a journal has it.
#pragma once

#include <nlohmann/json.hpp>

#include "fixaccel/ledger_state.hpp"

namespace fixaccel {

// `how`: hot or disarmed.
nlohmann::json load_record(const Load& load, const char* how);
Load load_from(const nlohmann::json& record);

}  // namespace fixaccel
