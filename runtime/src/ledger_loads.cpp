// SPDX-License-Identifier: Apache-2.0
// Loads and what their links did: which rules there are, by which generation, and what a load keeps of them.
#include <algorithm>
#include <utility>

#include "fixaccel/ledger.hpp"
#include "load_record.hpp"

namespace fixaccel {

using nlohmann::json;

void Ledger::record_load(const Load& load, const std::string& reason) {
    Record record = load_record(load, "disarmed", &load_);
    if (!reason.empty()) record["reason"] = reason;
    write(std::move(record), Journal::Sync::now);
    share_rules(load);
}

void Ledger::record_next_load(const Load& load) {
    write(load_record(load, "hot", &load_), Journal::Sync::now);
    share_rules(load);
}

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

const Load* LedgerState::load_of(std::uint32_t generation) const {
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

Judged LedgerState::judged(const LoadedRule& rule) const {
    const auto found = effects_.judged.find(rule.key());
    return found == effects_.judged.end() ? Judged::not_yet : found->second;
}

bool LedgerState::awaits_rearm(const LoadedRule& rule) const {
    const auto found = effects_.rearms.find(rule.key());
    return found != effects_.rearms.end() && found->second.awaits && in_doubt_.count(rule.key()) == 0;
}

std::optional<std::uint64_t> LedgerState::rearm_due(const LoadedRule& rule) const {
    if (!awaits_rearm(rule)) return std::nullopt;
    return effects_.rearms.at(rule.key()).due_ns;
}

Told LedgerState::told(const LoadedRule& rule, const Watch& watch) const {
    if (watch.role == WatchRole::fills) {
        if (!linked(rule).armed) return {};
        return {.due_ns = 0};
    }
    return {.due_ns = rearm_due(rule),
            .other_fires = fires_of(rule) - rearmed(rule) - (awaits_rearm(rule) ? 1 : 0)};
}

std::uint32_t LedgerState::rearmed(const LoadedRule& rule) const {
    const auto found = effects_.rearms.find(rule.key());
    return found == effects_.rearms.end() ? 0 : found->second.times;
}

LedgerState::Linked LedgerState::linked(const LoadedRule& rule) const {
    const auto found = effects_.linked.find(rule.key());
    return found == effects_.linked.end() ? Linked{} : found->second;
}

void LedgerState::apply_load(const Record& record) {
    const std::string& type = record.at("type").text();
    if (type == "flipped") {
        if (next_load_ && next_load_->generation == record.at("generation").get<std::uint32_t>()) {
            former_load_ = load_;
            enter(*std::exchange(next_load_, std::nullopt));
        }
        return;
    }
    next_load_.reset();
    if (type == "load_dropped") return;
    Load load = load_from(record, load_);
    generations_.insert(load.generation);
    if (record.value("how", "disarmed") == "hot") {
        next_load_ = std::move(load);
    } else {
        former_load_ = {};
        enter(std::move(load));
    }
}

bool LedgerState::has_state(const LoadedRule& rule) const {
    // Most rules have none: their keys are not made for nothing.
    const bool none = effects_.fires.empty() && effects_.spent.empty() && effects_.linked.empty() &&
                      effects_.rearms.empty() && effects_.judged.empty() && in_doubt_.empty();
    if (none) return false;
    const std::string key = rule.key();
    return effects_.fires.count(key) + effects_.spent.count(key) + effects_.linked.count(key) +
               effects_.rearms.count(key) + effects_.judged.count(key) + in_doubt_.count(key) !=
           0;
}

void LedgerState::share_rules(const Load& load) {
    for (Load* mine : {&load_, next_load_ ? &*next_load_ : nullptr})
        if (mine != nullptr && mine->generation == load.generation) mine->rules.share_with(load.rules);
}

// A rule that is gone starts afresh when it comes back.
void LedgerState::enter(Load load) {
    const Load former = std::exchange(load_, std::move(load));
    know_rules(former);
    const auto keep_loaded = [&](auto& states) {
        std::erase_if(states, [&](const auto& state) { return !is_loaded(state.first); });
    };
    for (Effects* effects : {&effects_, before_dry_run_ ? &*before_dry_run_ : nullptr}) {
        if (effects == nullptr) continue;
        keep_loaded(effects->linked);
        keep_loaded(effects->rearms);
        keep_loaded(effects->judged);
        keep_loaded(effects->trails);
    }
    keep_loaded(fills_);
    ++fills_changes_;
}

// Those that the two loads share are known.
void LedgerState::know_rules(const Load& former) {
    const auto each_other = [](const Load& load, const Load& than, auto visit) {
        for (std::size_t piece = 0; piece < load.rules.pieces(); ++piece)
            if (!load.rules.shares_piece(than.rules, piece))
                for (const LoadedRule& rule : *load.rules.piece(piece)) visit(rule.key());
    };
    each_other(former, load_, [this](const std::string& key) { keys_.erase(key); });
    each_other(load_, former, [this](std::string key) { keys_.insert(std::move(key)); });
}

bool LedgerState::is_loaded(const std::string& key) const { return keys_.count(key) != 0; }

void LedgerState::carry_out_links(const Record& fire) {
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
        if (links.on == ArmedOn::sent) mark(links.arms, &Linked::armed);
        if (!links.ends.empty() && fire.at("outcome") == "sent")
            note_due_cancels(*load, links.ends, fire.at("rule").text());
    }
}

}  // namespace fixaccel
