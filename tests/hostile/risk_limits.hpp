// SPDX-License-Identifier: Apache-2.0
// The limits that count, from semantics.md, "The risk gate": credits and sums of what was sent.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "fixaccel/bundle.hpp"

namespace fixaccel::hostile {

// Nothing is no limit.
struct LimitTerms {
    std::optional<std::int64_t> orders_per_second{}, total_orders{};
    std::map<std::string, std::int64_t> total_qty{};  // by symbol, for each side
};

class RiskLimits {
  public:
    // Sums begin anew. A bucket keeps what it holds; it is full at first, and always of the same size.
    void load(const LimitTerms& terms);
    // The outcome of the first limit that the rule's order is beyond at a message of that time, nothing if it
    // may leave.
    std::optional<std::uint32_t> violated(const BundleRule& rule, std::uint64_t time_ns);
    void sent(const BundleRule& rule);

    // What may still leave, as the fabric's registers and records say it; nothing: any number.
    std::optional<std::int64_t> orders_left() const;
    std::optional<std::array<std::int64_t, 2>> quantities_left(const std::string& symbol) const;

  private:
    using Quantities = std::array<std::int64_t, 2>;  // bought, sold

    LimitTerms terms_{};
    std::int64_t orders_ = 0;
    std::map<std::string, Quantities> quantities_{};  // by symbol
    std::optional<std::int64_t> credits_{};
    std::uint64_t latest_ns_ = 0;
};

// Whether the outcome is that of such a limit.
bool is_limit(std::uint32_t outcome);

}  // namespace fixaccel::hostile
