// SPDX-License-Identifier: Apache-2.0
#include "load_record.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fixaccel/journal.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

using Rules = SharedList<LoadedRule>;

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

json to_json(const Watch& watch) {
    json entry{{"trigger", watch.trigger},
               {"rule", watch.rule},
               {"role", static_cast<unsigned>(watch.role)},
               {"fires", watch.fires}};
    if (watch.told()) entry["slot"] = watch.slot;
    if (watch.role == WatchRole::after) entry["after_ns"] = watch.after_ns;
    return entry;
}

Watch watch_from(const json& from) {
    return {from.at("trigger").get<std::uint32_t>(),
            from.at("rule").get<std::uint32_t>(),
            static_cast<WatchRole>(from.at("role").get<unsigned>()),
            from.at("fires").get<std::uint32_t>(),
            from.value("after_ns", std::uint64_t{0}),
            from.value("slot", std::uint32_t{0})};
}

json to_json(const Links& links) {
    json entry{{"senders", links.senders}, {"cancels", links.cancels}, {"arms", links.arms}};
    if (links.on != ArmedOn::sent) entry["on"] = static_cast<unsigned>(links.on);
    if (links.sizes) entry["sizes"] = true;
    if (!links.ends.empty()) entry["ends"] = links.ends;
    return entry;
}

Links links_from(const json& from) {
    const auto on = from.value("on", 0U);
    if (on > static_cast<unsigned>(ArmedOn::filled))
        throw JournalError("a load arms rules by something unknown");
    return {.senders = from.at("senders").get<RuleRanges>(),
            .cancels = from.at("cancels").get<RuleRanges>(),
            .arms = from.at("arms").get<RuleRanges>(),
            .on = static_cast<ArmedOn>(on),
            .sizes = from.value("sizes", false),
            .ends = from.value("ends", RuleRanges())};
}

// Rules from `at` on are those from `first` on of the load before.
struct Kept {
    std::size_t at;
    std::size_t first;
    std::size_t count;
};

// Pieces that both have at the same place are not looked at: no other rule has such a name.
std::vector<Kept> kept_rules(const Rules& rules, const Rules& former) {
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < former.size(); ++i) {
        if (i % Rules::kPiece == 0 && rules.shares_piece(former, i / Rules::kPiece))
            i += former.piece(i / Rules::kPiece)->size() - 1;
        else
            places.emplace(former[i].id, i);
    }
    std::vector<Kept> kept;
    const auto keep = [&](std::size_t at, std::size_t first, std::size_t count) {
        Kept* const last = kept.empty() ? nullptr : &kept.back();
        if (last != nullptr && last->at + last->count == at && last->first + last->count == first)
            last->count += count;
        else
            kept.push_back({at, first, count});
    };
    for (std::size_t at = 0; at < rules.size(); ++at) {
        if (at % Rules::kPiece == 0 && rules.shares_piece(former, at / Rules::kPiece)) {
            const std::size_t count = rules.piece(at / Rules::kPiece)->size();
            keep(at, at, count);
            at += count - 1;
            continue;
        }
        const auto found = places.find(rules[at].id);
        if (found != places.end() && rules[at] == former[found->second]) keep(at, found->second, 1);
    }
    return kept;
}

}  // namespace

Record load_record(const Load& load, const char* how, const Load* former) {
    Record record{
        {"type", "load"},        {"how", how},        {"generation", load.generation}, {"epoch", load.epoch},
        {"bundle", load.bundle}, {"path", load.path}, {"strategy", load.strategy}};
    if (!load.signed_by.empty()) record["signed_by"] = load.signed_by;
    record["commit"] = load.commit;
    static const Load none;
    const Load& before = former != nullptr ? *former : none;
    const std::vector<Kept> kept = kept_rules(load.rules, before.rules);
    json rules = json::array();
    std::size_t at = 0;
    for (const Kept& run : kept) {
        for (; at < run.at; ++at) rules.push_back(to_json(load.rules[at]));
        at += run.count;
    }
    for (; at < load.rules.size(); ++at) rules.push_back(to_json(load.rules[at]));
    record["rules"] = std::move(rules);
    if (!kept.empty()) {
        json places = json::array();
        for (const Kept& run : kept) places.push_back({run.at, run.first, run.count});
        record["kept_of"] = before.generation;
        record["kept"] = std::move(places);
    }
    const auto add = [&](const char* key, const auto& list, const auto& was) {
        if (!kept.empty() && !list.empty() && list == was) return;
        json entries = json::array();
        for (const auto& each : list) entries.push_back(to_json(each));
        record[key] = std::move(entries);
    };
    add("links", load.links, before.links);
    add("watches", load.watches, before.watches);
    return record;
}

namespace {

Rules rules_from(const Record& record, const Load& former) {
    Rules rules;
    const json& written = record.at("rules").parts();
    auto other = written.begin();
    const auto others = written.end();
    const auto take = [&] {
        if (other == others) throw JournalError("a load lacks rules that it names a place for");
        rules.push_back(rule_from(*other++));
    };
    for (const json& run : record.value("kept", json::array())) {
        const auto at = run.at(0).get<std::size_t>();
        const auto first = run.at(1).get<std::size_t>();
        const auto count = run.at(2).get<std::size_t>();
        if (at < rules.size() || first > former.rules.size() || count > former.rules.size() - first)
            throw JournalError("a load keeps rules that the one before it does not have");
        while (rules.size() < at) take();
        rules.append(former.rules, first, count);
    }
    while (other != others) take();
    return rules;
}

// That links and watches are of rules that are there.
void check(const Load& load) {
    const auto is_there = [&](const RuleRanges& ranges) {
        return std::all_of(ranges.begin(), ranges.end(), [&](const auto& range) {
            return range.first <= range.second && range.second < load.rules.size();
        });
    };
    const bool sound = std::all_of(load.links.begin(), load.links.end(),
                                   [&](const Links& links) {
                                       return is_there(links.senders) && is_there(links.cancels) &&
                                              is_there(links.arms) && is_there(links.ends);
                                   }) &&
                       std::all_of(load.watches.begin(), load.watches.end(),
                                   [&](const Watch& watch) { return watch.rule < load.rules.size(); });
    if (!sound) throw JournalError("a load links rules that it does not have");
}

}  // namespace

Load load_from(const Record& record, const Load& former) {
    Load load;
    load.generation = record.at("generation").get<std::uint32_t>();
    load.epoch = record.value("epoch", std::string());
    load.bundle = record.at("bundle").get<std::string>();
    load.path = record.at("path").get<std::string>();
    load.strategy = record.at("strategy").get<std::string>();
    load.signed_by = record.value("signed_by", std::vector<std::string>());
    load.commit = record.value("commit", std::string("frame"));
    const bool keeps = record.contains("kept");
    if (keeps && record.at("kept_of").get<std::uint32_t>() != former.generation)
        throw JournalError("a load keeps rules of another one than that before it");
    load.rules = rules_from(record, former);
    // Journals of older versions have no such keys where there is nothing, and keep nothing either.
    const auto add = [&](const char* key, auto& list, const auto& before, const auto& from) {
        if (keeps && !record.contains(key)) list = before;
        for (const json& each : record.value(key, json::array())) list.push_back(from(each));
    };
    add("links", load.links, former.links, links_from);
    add("watches", load.watches, former.watches, watch_from);
    check(load);
    return load;
}

}  // namespace fixaccel
