// SPDX-License-Identifier: Apache-2.0
// Parts of the status that are asked for by themselves.
#include <algorithm>

#include "answers.hpp"
#include "daemon.hpp"
#include "limit_terms.hpp"
#include "rule_fills.hpp"
#include "rule_states.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

bool wanted(const std::vector<std::string>& names, const std::string& id, const std::string& rule) {
    return names.empty() || std::any_of(names.begin(), names.end(),
                                        [&](const std::string& name) { return name == id || name == rule; });
}

std::size_t most(const json& request) {
    const auto last = request.find("last");
    if (last == request.end()) return std::numeric_limits<std::size_t>::max();
    if (!last->is_number_unsigned() || *last == 0U)
        throw Refused("\"last\" must be a whole number above zero");
    return last->get<std::size_t>();
}

}  // namespace

// A name is that of a rule as it was written, or of a part of it.
json Daemon::rules(const json& request) const {
    const std::vector<std::string> asked = names(request, "rules");
    json found = json::array();
    if (engine_.bundle()) {
        const std::vector<const char*> states = rule_states(engine_, ledger_);
        const RuleFills fills(ledger_);
        for (std::uint32_t i = 0; i < states.size(); ++i) {
            const LoadedRule& rule = ledger_.load().rules[i];
            if (!wanted(asked, rule.id, rule.rule)) continue;
            found.push_back(rule_answer(engine_, ledger_, states[i], i));
            fills.add_to(found.back(), i);
        }
    }
    for (const std::string& name : asked)
        if (std::none_of(ledger_.load().rules.begin(), ledger_.load().rules.end(),
                         [&](const LoadedRule& rule) { return wanted({name}, rule.id, rule.rule); }))
            throw Refused("no rule " + name + " is loaded");
    return {{"ok", true},
            {"strategy", engine_.bundle() ? engine_.bundle()->strategy : ""},
            {"rules", std::move(found)}};
}

// The last of them, the oldest first.
json Daemon::fires(const json& request) const {
    const std::vector<std::string> asked = names(request, "rules");
    const std::size_t last = most(request);
    std::vector<json> found;
    for (auto fire = ledger_.fires().rbegin(); fire != ledger_.fires().rend() && found.size() < last; ++fire)
        if (wanted(asked, fire->value("rule", ""), fire->value("of_rule", "")))
            found.push_back(fire_answer(*fire, ledger_));
    std::reverse(found.begin(), found.end());
    return {{"ok", true}, {"fires", found}};
}

json Daemon::limits_changed() const {
    json out = json::array();
    for (const auto& [key, change] : ledger_.limit_changes())
        out.push_back({{"limit", change.limit},
                       {"instrument", change.instrument},
                       {"rule", change.rule},
                       {"value", limit_value_text(change.limit, change.value)},
                       {"by", change.by},
                       {"reason", change.reason},
                       {"until_ns", change.until_ns}});
    return out;
}

json Daemon::limits() const {
    return {{"ok", true},
            {"strategy", engine_.bundle() ? engine_.bundle()->strategy : ""},
            {"limits", by_hand_.limits()}};
}

}  // namespace fixaccel
