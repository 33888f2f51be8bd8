// SPDX-License-Identifier: Apache-2.0
// One fire as the fabric's event ring tells it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fixaccel {

struct Fire {
    std::uint32_t entry = 0;       // ring record number
    std::uint32_t generation = 0;  // of the tables
    std::uint32_t message = 0;     // FIX message since the parser found the stream, from 1
    std::uint32_t trigger = 0;
    std::uint32_t rule = 0;
    std::uint32_t order = 0;
    std::uint32_t instrument = 0;
    std::uint32_t source = 0;
    std::uint32_t outcome = 0;  // hwmap::outcome_*
    std::uint32_t fires = 0;    // fire count of the rule, this one included
    std::int64_t observed = 0;  // price units; doubled for mid
    std::uint64_t time_ns = 0;  // UTC, end of the trigger's frame
    std::uint32_t seq_num = 0;  // MsgSeqNum, 0 when rejected
    std::uint32_t tcp_seq = 0;  // of the first byte, 0 when rejected
    std::uint32_t message_end_cycle = 0;
    std::uint32_t frame_end_cycle = 0;
    std::uint32_t first_byte_cycle = 0;
    std::uint32_t last_byte_cycle = 0;
    bool left = false;       // the order's last byte left the board
    bool committed = false;  // the kernel has its bytes
    std::string payload;     // the FIX message, empty when rejected

    bool sent() const;
    // Last byte of the trigger's frame to first byte of the order, cycles.
    std::uint32_t cycles() const { return first_byte_cycle - frame_end_cycle; }
    // ClOrdID(11) of the payload, empty when rejected.
    std::string cl_ord_id() const;
};

// sent, rejected:kill, rejected:watchdog, ...
std::string outcome_text(std::uint32_t outcome);
// bid, ask, last, mid
std::string_view source_text(std::uint32_t source);

// Value of the first field `tag` of a FIX message, empty if it has none.
std::string_view fix_field(std::string_view message, unsigned tag);

}  // namespace fixaccel
