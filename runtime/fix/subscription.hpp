// SPDX-License-Identifier: Apache-2.0
// MarketDataRequests as QuickFIX has messages.
#pragma once

#include <quickfix/Message.h>

#include "fixaccel/fix_session.hpp"

namespace fixaccel {

// `type`: SubscriptionRequestType (263).
FIX::Message subscription(const MarketDataRequest& request, char type);

// Without a dictionary a message read back from the store has lost its groups: their fields stand side by
// side. Only our own subscription has any, each of one tag.
void restore_groups(FIX::Message& message);

}  // namespace fixaccel
