// SPDX-License-Identifier: Apache-2.0
// The limits of a bundle as people read them, and what of them is used.
#include <nlohmann/json.hpp>

#include "fixaccel/fire.hpp"
#include "hand_gate.hpp"
#include "table_columns.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::int64_t kNsOfMs = 1'000'000;

// Of hundredths of a percent.
std::string percent(std::int64_t basis_points) { return price_text(basis_points, "0.01") + "%"; }

json limit(const char* name, const std::string& value) { return {{"limit", name}, {"value", value}}; }

}  // namespace

json HandGate::limits(const SentOrders& sent) const {
    const TableColumns& columns = table_.columns();
    json out = json::array();
    if (order_qty_) out.push_back(limit("order_qty", std::to_string(*order_qty_)));
    if (!order_notional_.empty()) out.push_back(limit("order_notional", order_notional_));
    if (limit_collar_) out.push_back(limit("limit_collar", percent(*limit_collar_)));
    if (const auto value = columns.limits.collar[0]; value >= 0)
        out.push_back(limit("collar", percent(value)));
    if (columns.limits.self_trade[0] != 0) out.push_back(limit("self_trade", "reject"));
    if (const auto value = columns.limits.repeat_ns[0]; value >= 0)
        out.push_back(limit("repeat", std::to_string(value / kNsOfMs) + "ms"));
    if (const auto value = columns.limits.orders_per_second[0]; value >= 0)
        out.push_back(limit("orders_per_second", std::to_string(value)));
    if (const auto value = columns.limits.total_orders[0]; value >= 0) {
        out.push_back(limit("total_orders", std::to_string(value)));
        out.back()["used"] = std::to_string(sent.orders);
    }
    for (std::size_t row = 0; row < columns.instruments(); ++row) {
        const std::int64_t value = columns.instrument.total_qty[row];
        if (value < 0) continue;
        const std::string symbol(table_.symbol(row));
        const auto done = sent.quantities.find(symbol);
        const SentQuantity quantity = done == sent.quantities.end() ? SentQuantity{} : done->second;
        json of_instrument = limit("total_qty", std::to_string(value));
        of_instrument["instrument"] = symbol;
        of_instrument["bought"] = std::to_string(quantity.bought);
        of_instrument["sold"] = std::to_string(quantity.sold);
        out.push_back(std::move(of_instrument));
    }
    return out;
}

}  // namespace fixaccel
