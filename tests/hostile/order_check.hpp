// SPDX-License-Identifier: Apache-2.0
// An order as the wire saw it: the FIX message that a rule must send, taken apart and compared.
#pragma once

#include <cstdint>
#include <string>

#include "fixaccel/bundle.hpp"

namespace fixaccel::hostile {

// What an order must say beside its rule.
struct OrderTerms {
    std::uint32_t seq_num = 0;
    std::uint32_t fires = 0;
    std::string epoch{};
    // The clock between the end of the trigger's frame and the order's first byte, ns since the epoch.
    std::uint64_t earliest_ns = 0;
    std::uint64_t latest_ns = 0;
};

// Empty if `message` is the order of `rule`; else what is wrong with it.
std::string order_fault(const std::string& message, const Bundle& bundle, const BundleRule& rule,
                        const OrderTerms& terms);

}  // namespace fixaccel::hostile
