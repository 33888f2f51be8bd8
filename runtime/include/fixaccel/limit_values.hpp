// SPDX-License-Identifier: Apache-2.0
// Limits that hold as values: whoever judges by them can be given others, and nothing has to be compiled
// anew.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace fixaccel {

inline constexpr const char* kCollar = "collar";  // basis points
inline constexpr const char* kRepeat = "repeat";  // nanoseconds
inline constexpr const char* kOrdersPerSecond = "orders_per_second";
inline constexpr const char* kTotalOrders = "total_orders";
inline constexpr const char* kTotalQty = "total_qty";  // of an instrument

// By limit_key(). What is not there is not limited, or as it was, as its place says.
using LimitValues = std::map<std::string, std::int64_t>;

// `instrument`: empty for a limit of all of them; `rule`: as written, for a limit of its own.
inline std::string limit_key(const std::string& limit, const std::string& instrument = {},
                             const std::string& rule = {}) {
    std::string key = limit;
    if (!instrument.empty()) key.append(" ").append(instrument);
    if (!rule.empty()) key.append(" of rule ").append(rule);
    return key;
}

// The smaller is the tighter, but for a time that has to pass.
inline bool tighter(const std::string& limit, std::int64_t value, std::int64_t other) {
    return limit == kRepeat ? value > other : value < other;
}

}  // namespace fixaccel
