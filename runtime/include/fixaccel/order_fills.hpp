// SPDX-License-Identifier: Apache-2.0
// What orders have filled, by the venue's reports, and the requests that cancel what rests of them.
#pragma once

#include <cstdint>
#include <string>

namespace fixaccel {

// One order at the venue, under all ClOrdIDs that replacements gave it. Its CumQty(14) is the one word on
// what it has filled: a report that is lost is made up for by the next, and one that comes twice adds
// nothing.
struct OrderFills {
    std::string part;         // LoadedRule::key() of the part that sent it; empty: nobody's
    std::string current;      // ClOrdID that the venue knows it by
    std::int64_t filled = 0;  // as last reported
    bool done = false;        // it rests no more
    std::uint32_t names = 1;  // ClOrdIDs of it that are kept

    bool operator==(const OrderFills&) const = default;
};

// All orders of one part, since its rules were last armed anew by hand.
struct PartFills {
    std::int64_t filled = 0;  // below zero: what was filled before has been taken back since
    std::int64_t sent = 0;    // quantity of the orders
    std::uint32_t done = 0;   // orders that are done with something filled

    bool operator==(const PartFills&) const = default;
};

// An order that is to be cancelled for the order of another rule.
struct DueCancel {
    std::string rule;      // whose order it was
    std::string request;   // ClOrdID of the request that is under way; empty: it is to be sent
    std::string named;     // ClOrdID that it named
    bool refused = false;  // the venue did not do it

    bool operator==(const DueCancel&) const = default;
};

}  // namespace fixaccel
