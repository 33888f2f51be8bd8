// SPDX-License-Identifier: Apache-2.0
// What can be made to go wrong on a client's session, on purpose. Read as C++14 and as C++20.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

// `count` messages are hit (0: until kClear), of those whose MsgType is in `types`. One of each kind is in
// force: the newest.
struct Fault {
    enum class Kind {
        kClear,  // ends all that lasts; what was held or delayed leaves at once

        // Of what the venue has posted, ahead of its MsgSeqNum: numbers stay in order, the venue's news do
        // not.
        kDelay,  // each leaves `time` later, in order
        kHold,   // leaves at kClear or when the connection ends
        kEarly,  // lets the next one go first; leaves alone after `time` (0: a second)

        // On the wire, behind the FIX engine: the message has used up its MsgSeqNum and is kept for a resend
        // request, as where a real line loses it. A resend is a message of its type.
        kDrop,          // does not leave
        kDuplicate,     // leaves twice, the same bytes
        kGarble,        // one byte of its body is another, by `seed`: its CheckSum is wrong
        kSplit,         // each byte is a TCP segment of its own
        kNoHeartbeats,  // no Heartbeat leaves for `time` (0: until kClear), not even as a TestRequest's
                        // answer

        // At once.
        kSequenceJump,   // the next MsgSeqNum is `count` higher
        kTestRequests,   // `count` TestRequests
        kResendRequest,  // a ResendRequest from `begin` to `end` (0: up to now)
        kWindowClose,    // the venue reads nothing for `time` (0: until kClear): the TCP window closes
        kDisconnect,     // the connection ends without Logout
        kReset           // the same, with a TCP reset
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
