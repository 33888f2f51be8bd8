// SPDX-License-Identifier: Apache-2.0
// Scenarios that the fabric of today fails. One that passes must leave this list: the test says so.
#pragma once

#include <array>
#include <string_view>

namespace fixaccel::hostile {

struct ExpectedFailure {
    std::string_view scenario;
    std::string_view property;  // that the referee finds broken
    std::string_view reason;
};

inline constexpr std::array<ExpectedFailure, 39> kExpectedFailures{{
    {"foreign-lengths", "false-gap", "what one frame's header leaves behind is taken for the next one's"},
    {"small-datagram", "false-gap", "the same"},
    {"other-station", "wrong-fire", "the destination MAC is not looked at"},
    {"oversize", "wrong-fire", "frames longer than a MAC hands on are read"},
    {"ip-options", "lost-stop", "segments behind IP options are passed over without a gap"},
    {"far-rst", "false-close", "RST and FIN count at any sequence number"},
    {"near-rst", "false-close", "the same"},
    {"far-fin", "false-close", "the same"},
    {"far-syn", "false-gap", "SYN counts at any sequence number"},
    {"near-syn", "false-gap", "the same"},
    {"stray-syn-ack", "false-gap", "the same"},
    {"far-data", "false-gap", "a segment outside the window moves wire_nxt"},
    {"no-ack-flag", "wrong-fire", "segments without ACK are read"},
    {"ack-of-unsent", "wrong-fire", "acknowledgements of unsent bytes are taken"},
    {"bare-ack-of-unsent", "peer-window", "the same"},
    {"ancient-ack", "wrong-fire", "acknowledgements too old for a kernel are taken"},
    {"rst-ip-options", "missed-close", "segments behind IP options are passed over"},
    {"urgent", "wrong-fire", "urgent data is read as data"},
    {"old-window", "peer-window", "the window of an old segment is taken"},
    {"busy-resync", "resync-refused", "resync must hit the very end of the stream"},
    {"nul-symbol", "wrong-fire", "a symbol is padded with NUL in the directory"},
    {"two-symbols", "wrong-fire", "the last of two symbols wins"},
    {"sender-comp-id", "wrong-fire", "the header of market data is not looked at"},
    {"target-comp-id", "wrong-fire", "the same"},
    {"begin-string", "wrong-fire", "the same"},
    {"seq-num-high", "wrong-fire", "the same"},
    {"seq-num-low", "wrong-fire", "the same"},
    {"behind-logout", "wrong-fire", "the same"},
    {"after-midnight", "wrong-reject", "the clock does not roll the date"},
    {"at-midnight", "false-disarm", "the same"},
    {"stalled-kill", "not-silent", "an order is taken before the line is ready"},
    {"stalled-disarm", "not-silent", "the same"},
    {"stalled-rst", "not-silent", "the same"},
    {"stalled-time", "order-text", "the same"},
    {"unwritten-order", "cpu-frame", "order records have no valid bit"},
    {"last-seq-num", "order-text", "MsgSeqNum wraps"},
    {"last-fire-count", "order-text", "the fire count wraps"},
    {"full-ring", "lost-stop", "a full ring spends rules without a record"},
    {"busy-host", "cpu-frame", "register writes keep the egress guard from deciding"},
}};

constexpr const ExpectedFailure* expected_failure(std::string_view scenario) {
    for (const ExpectedFailure& entry : kExpectedFailures)
        if (entry.scenario == scenario) return &entry;
    return nullptr;
}

}  // namespace fixaccel::hostile
