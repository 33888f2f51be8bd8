// SPDX-License-Identifier: Apache-2.0
// The terms of an order as a record of its fire has them.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "fixaccel/ledger_state.hpp"

namespace fixaccel {

// As a FIX message of it has them: the order, or a report on it.
void describe_order(std::string_view message, Record& record);
// As they would have been.
void describe_order(const LoadedRule& rule, Record& record);

}  // namespace fixaccel
