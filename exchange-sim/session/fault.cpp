// SPDX-License-Identifier: Apache-2.0
#include "session/fault.hpp"

namespace fixaccel {
namespace exchange {
namespace {

struct Name {
    Fault::Kind kind;
    const char* name;
};

constexpr Name kNames[] = {{Fault::Kind::kClear, "clear"},
                           {Fault::Kind::kDelay, "delay"},
                           {Fault::Kind::kDrop, "drop"},
                           {Fault::Kind::kDuplicate, "duplicate"},
                           {Fault::Kind::kGarble, "garble"},
                           {Fault::Kind::kHold, "hold"},
                           {Fault::Kind::kEarly, "early"},
                           {Fault::Kind::kSequenceJump, "sequence-jump"},
                           {Fault::Kind::kWindowClose, "window-close"},
                           {Fault::Kind::kTestRequests, "test-requests"},
                           {Fault::Kind::kResendRequest, "resend-request"},
                           {Fault::Kind::kSplit, "split"},
                           {Fault::Kind::kDisconnect, "disconnect"},
                           {Fault::Kind::kReset, "reset"},
                           {Fault::Kind::kNoHeartbeats, "no-heartbeats"}};

}  // namespace

const char* fault_name(Fault::Kind kind) {
    for (const Name& each : kNames)
        if (each.kind == kind) return each.name;
    return "";
}

bool parse_fault_kind(const std::string& name, Fault::Kind& kind) {
    for (const Name& each : kNames) {
        if (name != each.name) continue;
        kind = each.kind;
        return true;
    }
    return false;
}

}  // namespace exchange
}  // namespace fixaccel
