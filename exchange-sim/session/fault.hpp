// SPDX-License-Identifier: Apache-2.0
// What can be made to go wrong on a client's session, on purpose. Read as C++14 and as C++20.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

// Messages are hit on the wire, behind the FIX engine: a dropped one has used up its MsgSeqNum and is kept
// for a resend request, as where a real line loses it. `count` messages are hit (0: until kClear), of those
// whose MsgType is in `types`; a resend is a message of its type.
struct Fault {
    enum class Kind {
        kClear,          // ends all that lasts; what was held or delayed leaves at once
        kDelay,          // each message leaves `time` after its time, in order
        kDrop,           // does not leave
        kDuplicate,      // leaves twice, the same bytes
        kGarble,         // one byte of it is another, by `seed`: its CheckSum is wrong
        kHold,           // does not leave before kClear
        kEarly,          // leaves ahead of the one before it, which waits for it
        kSequenceJump,   // the next MsgSeqNum is `count` higher, at once
        kWindowClose,    // the venue reads nothing for `time` (0: until kClear): the TCP window closes
        kTestRequests,   // `count` TestRequests, at once
        kResendRequest,  // a ResendRequest from `begin` to `end` (0: up to now), at once
        kSplit,          // each byte is a TCP segment of its own
        kDisconnect,     // the connection ends without Logout, at once
        kReset,          // the same with a TCP reset
        kNoHeartbeats    // no Heartbeat leaves for `time` (0: until kClear), not even one that answers a
                         // TestRequest
    };
    Kind kind = Kind::kClear;
    std::chrono::nanoseconds time{0};
    unsigned count = 0;
    std::string types;  // of MsgType, separated by blanks; empty: all application messages
    int begin = 0;
    int end = 0;
    std::uint64_t seed = 0;
};

// Its name in scenarios and on the control socket, such as sequence-jump.
const char* fault_name(Fault::Kind kind);
// False: no fault has that name.
bool parse_fault_kind(const std::string& name, Fault::Kind& kind);

}  // namespace exchange
}  // namespace fixaccel
