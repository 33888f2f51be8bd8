// SPDX-License-Identifier: Apache-2.0
// The step `fault`: its keys, and what they make of a fault.
#pragma once

#include "scenario/step_specs.hpp"
#include "session/fault.hpp"

namespace fixaccel::exchange {

// A kind of fault as a key: delay, sequence_jump.
struct FaultWord {
    Fault::Kind kind = Fault::Kind::kClear;
    std::string name;
    bool hits_messages = false;  // of some types: `types` says which
};

const std::vector<FaultWord>& fault_words();
KeySpec fault_spec();

}  // namespace fixaccel::exchange
