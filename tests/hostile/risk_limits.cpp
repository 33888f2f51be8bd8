// SPDX-License-Identifier: Apache-2.0
#include "risk_limits.hpp"

#include <algorithm>

#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel::hostile {
namespace {

constexpr std::int64_t kOrder = 1'000'000'000;  // credits that an order costs

std::size_t side(const BundleRule& rule) { return rule.order.side == "sell" ? 1 : 0; }

}  // namespace

void RiskLimits::load(const LimitTerms& terms) {
    terms_ = terms;
    orders_ = 0;
    quantities_.clear();
    if (terms.orders_per_second && !credits_) credits_ = *terms.orders_per_second * kOrder;
}

std::optional<std::uint32_t> RiskLimits::violated(const BundleRule& rule, std::uint64_t time_ns) {
    if (terms_.orders_per_second) {
        const std::int64_t rate = *terms_.orders_per_second;
        const std::uint64_t passed = time_ns - std::min(time_ns, latest_ns_);
        // A second fills it; longer ones might not fit.
        const auto gained = static_cast<std::int64_t>(std::min<std::uint64_t>(passed, kOrder)) * rate;
        credits_ = std::min(*credits_ + gained, rate * kOrder);
        latest_ns_ = std::max(latest_ns_, time_ns);
        if (*credits_ < kOrder) return hwmap::outcome_orders_per_second;
    }
    if (terms_.total_orders && orders_ + 1 > *terms_.total_orders) return hwmap::outcome_total_orders;
    if (const auto total = terms_.total_qty.find(rule.instrument); total != terms_.total_qty.end())
        if (quantities_[rule.instrument][side(rule)] + std::stoll(rule.order.qty) > total->second)
            return hwmap::outcome_total_qty;
    return {};
}

void RiskLimits::sent(const BundleRule& rule) {
    if (credits_) *credits_ -= kOrder;
    ++orders_;
    quantities_[rule.instrument][side(rule)] += std::stoll(rule.order.qty);
}

std::optional<std::int64_t> RiskLimits::orders_left() const {
    if (!terms_.total_orders) return {};
    return *terms_.total_orders - orders_;
}

std::optional<std::array<std::int64_t, 2>> RiskLimits::quantities_left(const std::string& symbol) const {
    const auto total = terms_.total_qty.find(symbol);
    if (total == terms_.total_qty.end()) return {};
    const auto done = quantities_.find(symbol);
    const Quantities sent = done == quantities_.end() ? Quantities{} : done->second;
    return Quantities{total->second - sent[0], total->second - sent[1]};
}

bool is_limit(std::uint32_t outcome) {
    return outcome == hwmap::outcome_order_notional ||
           (outcome >= hwmap::outcome_orders_per_second && outcome <= hwmap::outcome_total_qty);
}

}  // namespace fixaccel::hostile
