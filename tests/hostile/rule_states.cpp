// SPDX-License-Identifier: Apache-2.0
#include "rule_states.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace fixaccel::hostile {

RuleLinks read_links(const std::filesystem::path& path, const Bundle& bundle) {
    std::map<std::string, std::uint32_t> index_of;
    for (const BundleRule& rule : bundle.rules) index_of[rule.id] = rule.index;
    RuleLinks out;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string what;
        words >> what;
        std::vector<std::uint32_t> rules;
        for (std::string id; words >> id;) {
            const auto at = index_of.find(id);
            if (at == index_of.end()) throw std::runtime_error(path.string() + ": the bundle has no " + id);
            rules.push_back(at->second);
        }
        if (what == "oco") {
            for (const std::uint32_t rule : rules)
                out.siblings[rule] = std::set<std::uint32_t>(rules.begin(), rules.end());
        } else if (what == "armed_by" && rules.size() > 1) {
            out.disarmed.insert(rules[0]);
            for (std::size_t i = 1; i < rules.size(); ++i) out.children[rules[i]].insert(rules[0]);
        } else {
            throw std::runtime_error(path.string() + ": " + line);
        }
    }
    if (out.siblings.empty() || out.children.empty())
        throw std::runtime_error(path.string() + " has no links");
    return out;
}

RuleStates::RuleStates(const RuleLinks& links) : links_(&links) {
    for (const std::uint32_t rule : links.disarmed) states_[rule] = State::disarmed;
}

RuleStates::State RuleStates::state(std::uint32_t rule) const {
    const auto at = states_.find(rule);
    return at == states_.end() ? State::armed : at->second;
}

void RuleStates::fired(std::uint32_t rule, bool sent) {
    states_[rule] = State::fired;
    if (!sent) return;
    if (const auto group = links_->siblings.find(rule); group != links_->siblings.end())
        for (const std::uint32_t sibling : group->second) {
            const State now = state(sibling);
            if (now != State::armed && now != State::disarmed) continue;
            states_[sibling] = State::cancelled;
            ++cancelled_;
        }
    if (const auto found = links_->children.find(rule); found != links_->children.end())
        due_.insert(found->second.begin(), found->second.end());
}

void RuleStates::message_over() {
    for (const std::uint32_t rule : due_) {
        if (state(rule) != State::disarmed) continue;
        states_.erase(rule);
        ++newly_armed_;
    }
    due_.clear();
}

std::string state_text(RuleStates::State state) {
    switch (state) {
        case RuleStates::State::armed:
            return "armed";
        case RuleStates::State::disarmed:
            return "disarmed";
        case RuleStates::State::fired:
            return "fired";
        case RuleStates::State::cancelled:
            return "cancelled";
    }
    return "";
}

std::string trigger_fault(const Bundle& bundle, const RuleStates& states, std::vector<std::uint32_t> live,
                          std::vector<std::uint32_t> dormant) {
    constexpr std::uint32_t kWord = 32;
    const auto take = [](std::vector<std::uint32_t>& words, std::uint32_t trigger) {
        const std::uint32_t bit = 1U << trigger % kWord;
        const bool set = (words.at(trigger / kWord) & bit) != 0;
        words[trigger / kWord] &= ~bit;
        return set;
    };
    for (const BundleRule& rule : bundle.rules) {
        if (!rule.trigger) continue;
        const auto state = states.state(rule.index);
        const bool is_live = take(live, *rule.trigger), is_dormant = take(dormant, *rule.trigger);
        if (is_live != (state == RuleStates::State::armed) ||
            is_dormant != (state == RuleStates::State::disarmed))
            return "rule " + rule.id + " is " + state_text(state) + ", its trigger " +
                   (is_live ? "live" : "not live") + (is_dormant ? ", dormant" : ", not dormant");
    }
    for (const auto& words : {live, dormant})
        for (const std::uint32_t word : words)
            if (word != 0) return "a trigger that is no rule's is live or dormant";
    return {};
}

}  // namespace fixaccel::hostile
