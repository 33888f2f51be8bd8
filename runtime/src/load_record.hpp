// SPDX-License-Identifier: Apache-2.0
// A load as a journal has it.
#pragma once

#include <nlohmann/json.hpp>

#include "fixaccel/ledger_state.hpp"

namespace fixaccel {

// `how`: hot or disarmed. What is as in `former`, the load when the record is written, is named by its place
// there; null: the record has it all.
Record load_record(const Load& load, const char* how, const Load* former);
// `former`: the load ahead of the record. Throws JournalError.
Load load_from(const Record& record, const Load& former);

}  // namespace fixaccel
