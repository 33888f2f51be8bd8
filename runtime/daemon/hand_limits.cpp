// SPDX-License-Identifier: Apache-2.0
// The limits of a bundle as people read them, and what of them is used.
#include <nlohmann/json.hpp>

#include "fixaccel/fire.hpp"
#include "hand_gate.hpp"
#include "limit_terms.hpp"
#include "table_columns.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

json limit(const char* name, const std::string& value) { return {{"limit", name}, {"value", value}}; }

json described(const LimitChange& change) {
    return {{"by", change.by},
            {"reason", change.reason},
            {"set_ns", change.set_ns},
            {"until_ns", change.until_ns}};
}

}  // namespace

json HandGate::limits(const Ledger& ledger) const {
    const TableColumns& columns = table_.columns();
    const SentOrders& sent = ledger.sent_orders();
    const LimitValues own = table_.own_limits();
    const LimitValues& changed = table_.changed_limits();
    json out = json::array();
    const auto add = [&](const char* name, const std::string& instrument, std::int64_t value) {
        if (value < 0) return false;
        json& entry = out.emplace_back(limit(name, limit_value_text(name, value)));
        if (!instrument.empty()) entry["instrument"] = instrument;
        const std::string key = limit_key(name, instrument);
        const auto change = ledger.limit_changes().find(key);
        if (changed.count(key) == 0 || change == ledger.limit_changes().end()) return true;
        const auto before = own.find(key);
        entry["bundle"] = before == own.end() ? json() : json(limit_value_text(name, before->second));
        entry["change"] = described(change->second);
        return true;
    };
    if (order_qty_) out.push_back(limit("order_qty", std::to_string(*order_qty_)));
    if (!order_notional_.empty()) out.push_back(limit("order_notional", order_notional_));
    if (limit_collar_) out.push_back(limit("limit_collar", limit_value_text(kCollar, *limit_collar_)));
    add(kCollar, {}, columns.limits.collar[0]);
    if (columns.limits.self_trade[0] != 0) out.push_back(limit("self_trade", "reject"));
    add(kRepeat, {}, columns.limits.repeat_ns[0]);
    add(kOrdersPerSecond, {}, columns.limits.orders_per_second[0]);
    if (add(kTotalOrders, {}, columns.limits.total_orders[0]))
        out.back()["used"] = std::to_string(sent.orders);
    for (std::size_t row = 0; row < columns.instruments(); ++row) {
        const std::string symbol(table_.symbol(row));
        if (!add(kTotalQty, symbol, columns.instrument.total_qty[row])) continue;
        const auto done = sent.quantities.find(symbol);
        const SentQuantity quantity = done == sent.quantities.end() ? SentQuantity{} : done->second;
        out.back()["bought"] = std::to_string(quantity.bought);
        out.back()["sold"] = std::to_string(quantity.sold);
    }
    return out;
}

}  // namespace fixaccel
