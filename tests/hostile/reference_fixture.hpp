// SPDX-License-Identifier: Apache-2.0
// What the tests of the reference share: where both sides begin to count, and the rules of the compiled
// strategy.
#pragma once

#include <cstdint>

#include "market_rules.hpp"

namespace fixaccel::hostile {

constexpr std::uint32_t kOurs = 1000, kTheirs = 0xFFFF'FF00U;

inline MarketRules rules() { return {read_bundle(HOSTILE_BUNDLE), HOSTILE_TABLES}; }

}  // namespace fixaccel::hostile
