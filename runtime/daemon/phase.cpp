// SPDX-License-Identifier: Apache-2.0
#include "phase.hpp"

namespace fixaccel {

const char* phase_text(Phase phase) {
    switch (phase) {
        case Phase::idle:
            return "idle";
        case Phase::connecting:
            return "connecting";
        case Phase::logging_on:
            return "logging on";
        case Phase::reconciling:
            return "reconciling";
        case Phase::subscribing:
            return "subscribing";
        case Phase::ready:
            return "ready";
        case Phase::armed:
            return "armed";
        case Phase::logging_out:
            return "logging out";
        case Phase::logged_out:
            return "logged out";
        case Phase::lost:
            return "lost";
    }
    return "unknown";
}

bool is_up(Phase phase) {
    return phase == Phase::subscribing || phase == Phase::ready || phase == Phase::armed;
}

bool is_logged_on(Phase phase) {
    return phase == Phase::logging_on || phase == Phase::reconciling || is_up(phase);
}

bool may_follow(Phase from, Phase to) {
    switch (to) {
        case Phase::idle:
            return false;
        // A deploy, a try after a loss, the venue's next day; a deploy while one of two sessions is missing.
        case Phase::connecting:
            return from != Phase::connecting;
        // Connected; or a deploy on the session that stands.
        case Phase::logging_on:
            return from == Phase::connecting || is_logged_on(from);
        case Phase::reconciling:
            return from == Phase::logging_on;
        case Phase::subscribing:
            return from == Phase::logging_on || from == Phase::reconciling;
        case Phase::ready:
            return from == Phase::subscribing || from == Phase::armed;
        case Phase::armed:
            return from == Phase::ready;
        // With one of two sessions lost or being opened, the other is left in order.
        case Phase::logging_out:
            return is_logged_on(from) || from == Phase::lost || from == Phase::connecting;
        case Phase::logged_out:
            return from != Phase::idle;
        case Phase::lost:
            return from == Phase::connecting || is_logged_on(from);
    }
    return false;
}

}  // namespace fixaccel
