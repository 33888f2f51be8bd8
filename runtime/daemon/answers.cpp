// SPDX-License-Identifier: Apache-2.0
#include "answers.hpp"

#include <algorithm>

#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {

using nlohmann::json;

json rule_answer(const Engine& engine, const Ledger& ledger, const char* state, std::uint32_t index) {
    const LoadedRule& rule = ledger.load().rules[index];
    const BundleRule& of_bundle = engine.bundle()->rules[index];
    const bool fabric = of_bundle.trigger.has_value();
    json out{{"id", rule.id},
             {"index", index},
             {"instrument", rule.instrument},
             {"source", rule.source},
             {"direction", rule.direction},
             {"threshold", rule.threshold},
             {"order", {{"side", rule.side}, {"qty", rule.qty}, {"type", rule.type}, {"price", rule.price}}},
             {"where", fabric ? "fabric" : "runtime"},
             {"state", state},
             {"fires", ledger.fires_of(rule)}};
    if (!of_bundle.at.empty()) out["at"] = of_bundle.at;
    // As of the last tenth of a second.
    if (const auto trail = ledger.trail(rule); trail && trail->has_extreme)
        out["stop"] = price_text(trail->stop, rule.unit, rule.source == source_text(hwmap::source_mid));
    if (const Record* rejected = ledger.rejection(rule))
        out["rejected"] = {{"outcome", rejected->at("outcome")},
                           {"time_ns", rejected->at("trigger_time_ns")},
                           {"observed", rejected->at("observed")}};
    return out;
}

json fire_answer(const Record& fire, const Ledger& ledger) {
    json out;
    for (const char* key : {"rule", "where", "instrument", "source", "direction", "threshold", "observed",
                            "outcome", "cycles", "took_ns", "msg_seq_num", "cl_ord_id", "tcp_seq",
                            "trigger_time_ns", "committed", "entry", "dry", "found", "of_rule"})
        if (fire.contains(key)) out[key] = fire[key];
    if (!fire.contains("cl_ord_id")) return out;
    const auto order = ledger.orders().find(fire["cl_ord_id"].get<std::string>());
    if (order == ledger.orders().end()) return out;
    out["order"] = {{"status", order->second.status},   {"order_id", order->second.order_id},
                    {"cum_qty", order->second.cum_qty}, {"leaves_qty", order->second.leaves_qty},
                    {"avg_px", order->second.avg_px},   {"text", order->second.text}};
    return out;
}

std::vector<std::string> names(const json& request, const char* key) {
    const json given = request.value(key, json::array());
    const auto is_text = [](const json& each) { return each.is_string(); };
    if (!given.is_array() || !std::all_of(given.begin(), given.end(), is_text))
        throw Refused(std::string("\"") + key + "\" must be a list of names");
    return given.get<std::vector<std::string>>();
}

}  // namespace fixaccel
