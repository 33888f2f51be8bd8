// SPDX-License-Identifier: Apache-2.0
// What the FIX session has to know of a message of market data (W, X). Valid in C++14 and C++20.
#pragma once

#include <cstddef>

namespace fixaccel {

// Bytes of a message.
struct MessagePart {
    std::size_t at = 0;
    std::size_t size = 0;
};

struct MarketHeader {
    // It is market data, and plainly made: the session needs the header alone. Not plain: a field twice in
    // the header, one of the header behind it, no field behind it, a tag that is no number, no value, data
    // that may hold fields, a wrong BodyLength or CheckSum. What of it is wrong, if anything, is the engine's
    // to say.
    bool plain = false;
    // It is plain, and its header has the fields below and no other.
    bool usual = false;
    MessagePart begin;   // BeginString(8), with tag and SOH
    MessagePart fields;  // the header's others behind BodyLength(9), likewise
    // Values.
    MessagePart begin_string;
    MessagePart sender;
    MessagePart target;
    MessagePart sending_time;
    char type = 0;
    int number = 0;  // MsgSeqNum
};

}  // namespace fixaccel
