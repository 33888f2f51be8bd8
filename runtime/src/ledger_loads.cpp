// SPDX-License-Identifier: Apache-2.0
// Loads and what their links did: which rules there are, by which generation, and what a load keeps of them.
#include <algorithm>
#include <type_traits>
#include <utility>

#include "fixaccel/ledger.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

json to_json(const LoadedRule& rule) {
    json entry{{"id", rule.id},         {"hash", rule.hash},           {"instrument", rule.instrument},
               {"source", rule.source}, {"direction", rule.direction}, {"threshold", rule.threshold},
               {"unit", rule.unit},     {"side", rule.side},           {"qty", rule.qty},
               {"type", rule.type},     {"price", rule.price}};
    if (!rule.rule.empty()) entry["rule"] = rule.rule;
    return entry;
}

LoadedRule rule_from(const json& from) {
    const auto text = [&](const char* key) { return from.value(key, std::string()); };
    return {text("id"),        text("hash"),      text("instrument"), text("source"),
            text("direction"), text("threshold"), text("unit"),       text("side"),
            text("qty"),       text("type"),      text("price"),      text("rule")};
}

// `how`: hot or disarmed.
json to_json(const Load& load, const char* how) {
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
    return {{"type", "load"},
            {"how", how},
            {"generation", load.generation},
            {"epoch", load.epoch},
            {"bundle", load.bundle},
            {"path", load.path},
            {"strategy", load.strategy},
            {"rules", std::move(rules)},
            {"links", std::move(links)},
            {"watches", std::move(watches)}};
}

Load load_from(const json& record) {
    Load load;
    load.generation = record.at("generation").get<std::uint32_t>();
    load.epoch = record.value("epoch", std::string());
    load.bundle = record.at("bundle").get<std::string>();
    load.path = record.at("path").get<std::string>();
    load.strategy = record.at("strategy").get<std::string>();
    for (const json& rule : record.at("rules")) load.rules.push_back(rule_from(rule));
    for (const json& links : record.value("links", json::array()))
        load.links.push_back({links.at("senders").get<RuleRanges>(), links.at("cancels").get<RuleRanges>(),
                              links.at("arms").get<RuleRanges>()});
    for (const json& watch : record.value("watches", json::array()))
        load.watches.push_back(
            {watch.at("trigger").get<std::uint32_t>(), watch.at("rule").get<std::uint32_t>(),
             static_cast<WatchRole>(watch.at("role").get<unsigned>()), watch.at("fires").get<std::uint32_t>(),
             watch.value("after_ns", std::uint64_t{0}), watch.value("slot", std::uint32_t{0})});
    return load;
}

}  // namespace

void Ledger::record_load(const Load& load, const std::string& reason) {
    json record = to_json(load, "disarmed");
    if (!reason.empty()) record["reason"] = reason;
    write(std::move(record), Journal::Sync::now);
}

void Ledger::record_next_load(const Load& load) { write(to_json(load, "hot"), Journal::Sync::now); }

void Ledger::record_flipped(std::uint32_t first_seq_num, std::uint32_t cycles) {
    if (!next_load_) return;
    write({{"type", "flipped"},
           {"generation", next_load_->generation},
           {"first_seq_num", first_seq_num},
           {"cycles", cycles}},
          Journal::Sync::now);
}

void Ledger::record_load_dropped(const std::string& reason) {
    if (!next_load_) return;
    write({{"type", "load_dropped"}, {"generation", next_load_->generation}, {"reason", reason}},
          Journal::Sync::now);
}

void Ledger::record_board_lost() {
    json rules = json::array();
    const auto doubt = [&](const Load& load) {
        for (const LoadedRule& rule : load.rules)
            if (effects_.spent.count(rule.key()) == 0 || awaits_rearm(rule)) rules.push_back(rule.key());
    };
    doubt(load_);
    if (next_load_) doubt(*next_load_);
    write({{"type", "board_lost"}, {"in_doubt", std::move(rules)}}, Journal::Sync::now);
}

const Load* Ledger::load_of(std::uint32_t generation) const {
    if (generation == load_.generation) return &load_;
    if (next_load_ && generation == next_load_->generation) return &*next_load_;
    return generation == former_load_.generation ? &former_load_ : nullptr;
}

const Watch* Load::watch_of(std::uint32_t trigger) const {
    const auto found =
        std::lower_bound(watches.begin(), watches.end(), trigger,
                         [](const Watch& watch, std::uint32_t t) { return watch.trigger < t; });
    return found != watches.end() && found->trigger == trigger ? &*found : nullptr;
}

Ledger::Judged Ledger::judged(const LoadedRule& rule) const {
    const auto found = effects_.judged.find(rule.key());
    return found == effects_.judged.end() ? Judged::not_yet : found->second;
}

bool Ledger::awaits_rearm(const LoadedRule& rule) const {
    const auto found = effects_.rearms.find(rule.key());
    return found != effects_.rearms.end() && found->second.awaits && in_doubt_.count(rule.key()) == 0;
}

std::optional<std::uint64_t> Ledger::rearm_due(const LoadedRule& rule) const {
    if (!awaits_rearm(rule)) return std::nullopt;
    return effects_.rearms.at(rule.key()).due_ns;
}

std::uint32_t Ledger::rearmed(const LoadedRule& rule) const {
    const auto found = effects_.rearms.find(rule.key());
    return found == effects_.rearms.end() ? 0 : found->second.times;
}

Ledger::Linked Ledger::linked(const LoadedRule& rule) const {
    const auto found = effects_.linked.find(rule.key());
    return found == effects_.linked.end() ? Linked{} : found->second;
}

void Ledger::apply_load(const json& record) {
    const std::string type = record.at("type").get<std::string>();
    if (type == "flipped") {
        if (next_load_ && next_load_->generation == record.at("generation")) {
            former_load_ = load_;
            enter(*std::exchange(next_load_, std::nullopt));
        }
        return;
    }
    next_load_.reset();
    if (type == "load_dropped") return;
    Load load = load_from(record);
    generations_.insert(load.generation);
    if (record.value("how", "disarmed") == "hot") {
        next_load_ = std::move(load);
    } else {
        former_load_ = {};
        enter(std::move(load));
    }
}

// A rule that is gone starts afresh when it comes back.
void Ledger::enter(Load load) {
    load_ = std::move(load);
    const auto keep_loaded = [&](auto& states) {
        std::remove_reference_t<decltype(states)> kept;
        for (const LoadedRule& rule : load_.rules)
            if (const auto found = states.find(rule.key()); found != states.end()) kept.insert(*found);
        states = std::move(kept);
    };
    for (Effects* effects : {&effects_, before_dry_run_ ? &*before_dry_run_ : nullptr}) {
        if (effects == nullptr) continue;
        keep_loaded(effects->linked);
        keep_loaded(effects->rearms);
        keep_loaded(effects->judged);
        keep_loaded(effects->trails);
    }
}

bool Ledger::is_loaded(const std::string& key) const {
    return std::any_of(load_.rules.begin(), load_.rules.end(),
                       [&](const LoadedRule& rule) { return rule.key() == key; });
}

void Ledger::carry_out_links(const json& fire) {
    const Load* load = load_of(fire.at("generation").get<std::uint32_t>());
    if (load == nullptr) return;
    const auto sender = fire.at("rule_index").get<std::uint32_t>();
    const auto mark = [&](const RuleRanges& ranges, bool Linked::*what) {
        for (const auto& [first, last] : ranges) {
            for (std::size_t rule = first; rule <= last; ++rule) {
                const std::string key = load->rules.at(rule).key();
                // What is gone has no state to change.
                if (load == &former_load_ && !is_loaded(key)) continue;
                effects_.linked[key].*what = true;
                if (effects_.linked[key].cancelled) effects_.trails.erase(key);
            }
        }
    };
    for (const Links& links : load->links) {
        const bool sends = std::any_of(links.senders.begin(), links.senders.end(), [&](const auto& range) {
            return range.first <= sender && sender <= range.second;
        });
        if (!sends) continue;
        mark(links.cancels, &Linked::cancelled);
        mark(links.arms, &Linked::armed);
    }
}

}  // namespace fixaccel
