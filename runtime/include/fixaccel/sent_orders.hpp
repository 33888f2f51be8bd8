// SPDX-License-Identifier: Apache-2.0
// What all orders of a session come to: the limits of later ones count them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace fixaccel {

struct SentQuantity {
    std::int64_t bought = 0;
    std::int64_t sold = 0;

    bool operator==(const SentQuantity&) const = default;
};

struct SentOfRule {
    std::int64_t orders = 0;
    std::map<std::string, SentQuantity> quantities;  // by symbol

    bool operator==(const SentOfRule&) const = default;
};

// Whoever sent them, fabric or runtime.
struct SentOrders {
    using Quantity = SentQuantity;
    using Rule = SentOfRule;
    std::int64_t orders = 0;
    std::map<std::string, Quantity> quantities;   // by symbol
    std::map<std::string, std::int64_t> last_ns;  // by rule as written: UTC of its last order
    std::map<std::string, Rule> rules;            // likewise

    bool operator==(const SentOrders&) const = default;
};

}  // namespace fixaccel
