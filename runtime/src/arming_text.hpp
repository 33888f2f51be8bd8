// SPDX-License-Identifier: Apache-2.0
// What was asked for, in the journal's words.
#pragma once

#include <string>

#include "fixaccel/ledger_state.hpp"

namespace fixaccel {

inline const char* arming_text(Arming arming) {
    switch (arming) {
        case Arming::disarmed:
            return "disarmed";
        case Arming::dry:
            return "dry run";
        case Arming::armed:
            return "armed";
    }
    return "";
}

inline Arming arming_from(const std::string& text) {
    return text == arming_text(Arming::armed) ? Arming::armed
           : text == arming_text(Arming::dry) ? Arming::dry
                                              : Arming::disarmed;
}

}  // namespace fixaccel
