// SPDX-License-Identifier: Apache-2.0
// What the daemon's session is at, and what may follow what.
#pragma once

#include <array>

namespace fixaccel {

enum class Phase {
    idle,         // nothing was deployed yet
    connecting,   // a TCP connection is being opened
    logging_on,   // until both sides have all messages of the other
    reconciling,  // the venue is asked what has become of orders in doubt
    subscribing,  // until there is a first snapshot of each instrument
    ready,        // nothing is armed
    armed,        // rules fire, or would in a dry run
    logging_out,  // until the venue has answered
    logged_out,   // nothing connects to the venue until somebody deploys
    lost          // a connection is to be opened again, after a pause
};

inline constexpr std::array kPhases{
    Phase::idle,  Phase::connecting, Phase::logging_on,  Phase::reconciling, Phase::subscribing,
    Phase::ready, Phase::armed,      Phase::logging_out, Phase::logged_out,  Phase::lost};

const char* phase_text(Phase phase);

// Between logon and logout: the session of the orders stands.
bool is_logged_on(Phase phase);
// The session stands, with market data: orders may leave, and rules may be armed.
bool is_up(Phase phase);

// Whether a daemon may go from one to the other at once.
bool may_follow(Phase from, Phase to);

}  // namespace fixaccel
