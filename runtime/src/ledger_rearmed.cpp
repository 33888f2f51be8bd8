// SPDX-License-Identifier: Apache-2.0
// Rules that may fire once more because somebody has said so.
#include <algorithm>

#include "fixaccel/ledger.hpp"

namespace fixaccel {

using nlohmann::json;

void Ledger::record_rearmed() { write({{"type", "rearmed"}}, Journal::Sync::now); }

void Ledger::record_rearmed(const std::vector<std::string>& keys) {
    write({{"type", "rearmed"}, {"rules", keys}}, Journal::Sync::now);
}

const json* LedgerState::rejection(const LoadedRule& rule) const {
    if (!fired(rule)) return nullptr;
    const auto last = std::find_if(fires_.rbegin(), fires_.rend(), [&](const json& fire) {
        return !fire.contains("dry") && fire.value("rule", "") == rule.id &&
               fire.value("hash", "") == rule.hash;
    });
    const bool rejected =
        last != fires_.rend() && last->at("outcome").get_ref<const std::string&>().starts_with("rejected");
    return rejected ? &*last : nullptr;
}

void LedgerState::apply_rearmed(const json& record) {
    const auto rules = record.find("rules");
    if (rules == record.end()) {
        effects_.spent.clear();
        effects_.linked.clear();
        effects_.rearms.clear();
        effects_.judged.clear();
        return;
    }
    for (const json& rule : *rules) {
        const std::string key = rule.get<std::string>();
        effects_.spent.erase(key);
        effects_.rearms.erase(key);
        effects_.judged.erase(key);
    }
}

}  // namespace fixaccel
