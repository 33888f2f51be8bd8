// SPDX-License-Identifier: Apache-2.0
// Scenarios that the fabric of today fails. One that passes must leave this list: the test says so.
#pragma once

#include <array>
#include <string_view>

namespace fixaccel::hostile {

struct ExpectedFailure {
    std::string_view scenario;
    std::string_view property;  // that the referee finds broken
    std::string_view reason;
};

inline constexpr std::array<ExpectedFailure, 0> kExpectedFailures{};

constexpr const ExpectedFailure* expected_failure(std::string_view scenario) {
    for (const ExpectedFailure& entry : kExpectedFailures)
        if (entry.scenario == scenario) return &entry;
    return nullptr;
}

}  // namespace fixaccel::hostile
