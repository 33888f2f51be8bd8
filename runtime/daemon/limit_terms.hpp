// SPDX-License-Identifier: Apache-2.0
// Values of limits as people write and read them: as in a strategy.
#pragma once

#include <cstdint>
#include <string>

#include "fixaccel/bundle.hpp"
#include "fixaccel/limit_values.hpp"

namespace fixaccel {

inline constexpr std::int64_t kNsOfMs = 1'000'000;

// Of `limit`. Throws Refused: there is no such limit, it does not hold as a value, or that is none.
std::int64_t limit_value(const std::string& limit, const std::string& text);
std::string limit_value_text(const std::string& limit, std::int64_t value);

// Whether any rule of it is written under that name.
bool has_rule(const Bundle& bundle, const std::string& rule);
// Why orders under `bundle` cannot be held to these values in place of `own`, those that it came with; empty
// if they can. `rule`: whose own limit it is, empty for one of all rules.
std::string not_held(const Bundle& bundle, const LimitValues& own, const std::string& limit,
                     const std::string& instrument, std::int64_t value, const std::string& rule = {});

}  // namespace fixaccel
