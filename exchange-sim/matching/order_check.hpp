// SPDX-License-Identifier: Apache-2.0
// From a client's texts to a typed order, or the reason why not.
#pragma once

#include <string>

#include "matching/exchange.hpp"

namespace fixaccel::exchange {

// FIX OrdRejReason(103).
enum class RejectReason {
    kNone = -1,
    kUnknownSymbol = 1,
    kExchangeClosed = 2,
    kTooLate = 4,
    kDuplicateOrder = 6,
    kUnsupported = 11,
    kIncorrectQuantity = 13,
    kOther = 99,
};

// Fills the typed fields of `order` from its ticket; `order.instrument` is already looked up. Gives the first
// fault found, with words for the sender in `text`.
RejectReason check(Order& order, std::string& text);

}  // namespace fixaccel::exchange
