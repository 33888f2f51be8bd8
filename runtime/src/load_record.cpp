// SPDX-License-Identifier: Apache-2.0
#include "load_record.hpp"

#include <algorithm>
#include <utility>

#include "fixaccel/journal.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

json to_json(const LoadedRule& rule) {
    json entry{{"id", rule.id},         {"hash", rule.hash},           {"instrument", rule.instrument},
               {"source", rule.source}, {"direction", rule.direction}, {"threshold", rule.threshold},
               {"unit", rule.unit},     {"side", rule.side},           {"qty", rule.qty},
               {"type", rule.type},     {"price", rule.price}};
    if (!rule.rule.empty()) entry["rule"] = rule.rule;
    if (!rule.in_fabric) entry["where"] = "runtime";
    return entry;
}

LoadedRule rule_from(const json& from) {
    const auto text = [&](const char* key) { return from.value(key, std::string()); };
    return {text("id"),
            text("hash"),
            text("instrument"),
            text("source"),
            text("direction"),
            text("threshold"),
            text("unit"),
            text("side"),
            text("qty"),
            text("type"),
            text("price"),
            text("rule"),
            text("where") != "runtime"};
}

}  // namespace

json load_record(const Load& load, const char* how) {
    json rules = json::array();
    for (const LoadedRule& rule : load.rules) rules.push_back(to_json(rule));
    json links = json::array();
    for (const Links& each : load.links)
        links.push_back({{"senders", each.senders}, {"cancels", each.cancels}, {"arms", each.arms}});
    json watches = json::array();
    for (const Watch& each : load.watches) {
        watches.push_back({{"trigger", each.trigger},
                           {"rule", each.rule},
                           {"role", static_cast<unsigned>(each.role)},
                           {"fires", each.fires}});
        if (each.role != WatchRole::after) continue;
        watches.back()["after_ns"] = each.after_ns;
        watches.back()["slot"] = each.slot;
    }
    json record{{"type", "load"},
                {"how", how},
                {"generation", load.generation},
                {"epoch", load.epoch},
                {"bundle", load.bundle},
                {"path", load.path},
                {"strategy", load.strategy},
                {"rules", std::move(rules)},
                {"links", std::move(links)},
                {"watches", std::move(watches)}};
    if (!load.signed_by.empty()) record["signed_by"] = load.signed_by;
    return record;
}

namespace {

// That links and watches are of rules that are there.
void check(const Load& load) {
    const auto is_there = [&](const RuleRanges& ranges) {
        return std::all_of(ranges.begin(), ranges.end(), [&](const auto& range) {
            return range.first <= range.second && range.second < load.rules.size();
        });
    };
    const bool sound =
        std::all_of(load.links.begin(), load.links.end(),
                    [&](const Links& links) {
                        return is_there(links.senders) && is_there(links.cancels) && is_there(links.arms);
                    }) &&
        std::all_of(load.watches.begin(), load.watches.end(),
                    [&](const Watch& watch) { return watch.rule < load.rules.size(); });
    if (!sound) throw JournalError("a load links rules that it does not have");
}

}  // namespace

Load load_from(const json& record) {
    Load load;
    load.generation = record.at("generation").get<std::uint32_t>();
    load.epoch = record.value("epoch", std::string());
    load.bundle = record.at("bundle").get<std::string>();
    load.path = record.at("path").get<std::string>();
    load.strategy = record.at("strategy").get<std::string>();
    load.signed_by = record.value("signed_by", std::vector<std::string>());
    for (const json& rule : record.at("rules")) load.rules.push_back(rule_from(rule));
    for (const json& links : record.value("links", json::array()))
        load.links.push_back({links.at("senders").get<RuleRanges>(), links.at("cancels").get<RuleRanges>(),
                              links.at("arms").get<RuleRanges>()});
    for (const json& watch : record.value("watches", json::array()))
        load.watches.push_back(
            {watch.at("trigger").get<std::uint32_t>(), watch.at("rule").get<std::uint32_t>(),
             static_cast<WatchRole>(watch.at("role").get<unsigned>()), watch.at("fires").get<std::uint32_t>(),
             watch.value("after_ns", std::uint64_t{0}), watch.value("slot", std::uint32_t{0})});
    check(load);
    return load;
}

}  // namespace fixaccel
