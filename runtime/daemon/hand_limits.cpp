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
    const auto add = [&](const char* name, const std::string& instrument, std::int64_t value,
                         const std::string& rule = {}) {
        if (value < 0) return false;
        json& entry = out.emplace_back(limit(name, limit_value_text(name, value)));
        if (!instrument.empty()) entry["instrument"] = instrument;
        if (!rule.empty()) entry["rule"] = rule;
        const std::string key = limit_key(name, instrument, rule);
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
    const auto add_sent = [&](const std::map<std::string, SentQuantity>& all, const std::string& symbol) {
        const auto done = all.find(symbol);
        const SentQuantity quantity = done == all.end() ? SentQuantity{} : done->second;
        out.back()["bought"] = std::to_string(quantity.bought);
        out.back()["sold"] = std::to_string(quantity.sold);
    };
    for (std::size_t row = 0; row < columns.instruments(); ++row) {
        const std::string symbol(table_.symbol(row));
        if (add(kTotalQty, symbol, columns.instrument.total_qty[row])) add_sent(sent.quantities, symbol);
    }
    const auto sent_by = [&](const std::string& rule) {
        const auto found = sent.rules.find(rule);
        return found == sent.rules.end() ? SentOfRule{} : found->second;
    };
    const auto& limits_of = columns.rule_limits;
    for (std::size_t own_row = 0; own_row < limits_of.rule.size(); ++own_row) {
        const std::string rule(table_.limited_rule(own_row));
        add(kCollar, {}, limits_of.collar[own_row], rule);
        add(kRepeat, {}, limits_of.repeat_ns[own_row], rule);
        add(kOrdersPerSecond, {}, limits_of.orders_per_second[own_row], rule);
        if (add(kTotalOrders, {}, limits_of.total_orders[own_row], rule))
            out.back()["used"] = std::to_string(sent_by(rule).orders);
    }
    const auto& of_instrument = columns.rule_instrument;
    for (std::size_t row = 0; row < of_instrument.limits.size(); ++row) {
        const std::string rule(table_.limited_rule(static_cast<std::size_t>(of_instrument.limits[row])));
        const std::string symbol(table_.symbol(static_cast<std::size_t>(of_instrument.instrument[row])));
        if (add(kTotalQty, symbol, of_instrument.total_qty[row], rule))
            add_sent(sent_by(rule).quantities, symbol);
    }
    return out;
}

}  // namespace fixaccel
