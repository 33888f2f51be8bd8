// SPDX-License-Identifier: Apache-2.0
// A message on its way to a client, before it has a MsgSeqNum. Read as C++14 and as C++20.
#pragma once

#include <functional>

#include "session/message.hpp"

namespace fixaccel {  // NOLINT(modernize-concat-nested-namespaces): read as C++14 too
namespace exchange {

// kReport is never lost: while the client is away or behind it is kept for a resend request. kMarketData is
// dropped there: old prices must not look like news.
enum class Urgency { kReport, kMarketData };

struct Post {
    OutgoingMessage message;
    Urgency urgency = Urgency::kReport;
    std::function<void(int)> sent;  // told the MsgSeqNum
};

}  // namespace exchange
}  // namespace fixaccel
