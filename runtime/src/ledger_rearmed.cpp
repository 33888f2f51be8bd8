// SPDX-License-Identifier: Apache-2.0
// Rules that may fire once more because somebody has said so.
#include "fixaccel/ledger.hpp"

namespace fixaccel {

using nlohmann::json;

void Ledger::record_rearmed() { write({{"type", "rearmed"}}, Journal::Sync::now); }

void Ledger::record_rearmed(const std::vector<std::string>& keys) {
    write({{"type", "rearmed"}, {"rules", keys}}, Journal::Sync::now);
}

const Record* LedgerState::rejection(const LoadedRule& rule) const {
    if (!fired(rule)) return nullptr;
    const auto found = rejections_.find(rule.key());
    return found == rejections_.end() ? nullptr : &found->second;
}

void LedgerState::apply_rearmed(const Record& record) {
    const RecordValue* const rules = record.find("rules");
    if (rules == nullptr) {
        effects_.spent.clear();
        effects_.linked.clear();
        effects_.rearms.clear();
        effects_.judged.clear();
        fills_.clear();
        ++fills_changes_;
        return;
    }
    for (const json& rule : rules->parts()) {
        const std::string key = rule.get<std::string>();
        effects_.spent.erase(key);
        effects_.rearms.erase(key);
        effects_.judged.erase(key);
    }
}

}  // namespace fixaccel
