// SPDX-License-Identifier: Apache-2.0
// How far trails have come.
#include "fixaccel/ledger.hpp"

namespace fixaccel {

using nlohmann::json;

void Ledger::record_trails(std::uint32_t generation, const Trails& trails) {
    record_trails_ahead(generation, trails);
    take_effect();
}

std::optional<TrailState> LedgerState::trail(const LoadedRule& rule) const {
    const auto found = effects_.trails.find(rule.key());
    if (found == effects_.trails.end()) return std::nullopt;
    return found->second;
}

void LedgerState::apply_trails(const Record& record) {
    const Load* load = load_of(record.at("generation").get<std::uint32_t>());
    if (load == nullptr) return;
    for (const json& entry : record.at("trails").parts()) {
        const std::string key = load->rules.at(entry.at(0).get<std::size_t>()).key();
        // What is gone has no state to change.
        if (load != &former_load_ || is_loaded(key))
            effects_.trails[key] = {entry.at(1).get<bool>(), entry.at(2).get<bool>(),
                                    entry.at(3).get<std::int64_t>(), entry.at(4).get<std::int64_t>()};
    }
}

}  // namespace fixaccel
