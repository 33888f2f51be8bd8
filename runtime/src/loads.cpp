// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/loads.hpp"

#include <map>
#include <utility>

namespace fixaccel {

Load describe_load(const Bundle& bundle, std::uint32_t generation, const std::string& epoch) {
    PieceMemo<BundleRule, LoadedRule> none;
    Load load = describe_load(bundle, none);
    load.generation = generation;
    load.epoch = epoch;
    return load;
}

Load describe_load(const Bundle& bundle, PieceMemo<BundleRule, LoadedRule>& before) {
    Load load;
    load.bundle = bundle.manifest_sha256;
    load.path = bundle.path.string();
    load.strategy = bundle.strategy;
    load.signed_by = bundle.signed_by;
    load.commit = bundle.commit.mode;
    std::map<std::string, std::string> units;
    for (const BundleInstrument& instrument : bundle.instruments) units[instrument.symbol] = instrument.unit;
    load.rules = before.map(bundle.rules, [&](const BundleRule& rule) {
        return LoadedRule{rule.id,
                          rule.hash,
                          rule.instrument,
                          rule.source,
                          rule.direction,
                          rule.threshold,
                          units[rule.instrument],
                          rule.order.side,
                          rule.order.qty,
                          rule.order.type,
                          rule.order.price,
                          rule.rule == rule.id ? "" : rule.rule,
                          rule.trigger.has_value()};
    });
    load.links = fabric_links(bundle);
    load.watches = fabric_watches(bundle);
    return load;
}

std::vector<TriggerState> trigger_states(const Bundle& bundle, const Load& load, const Ledger& ledger) {
    const std::vector<TriggerState> fresh = fresh_triggers(bundle);
    std::vector<TriggerState> triggers(fresh.size());
    for (const BundleRule& rule : bundle.rules) {
        if (!rule.trigger) continue;
        const LoadedRule& loaded = load.rules.at(rule.index);
        TriggerState& state = triggers.at(*rule.trigger);
        if (!ledger.has_state(loaded)) {
            state = fresh[*rule.trigger];
            state.fires = 0;
            state.dormant = state.dormant && !state.live;
            continue;
        }
        state.fires = ledger.fires_of(loaded);
        if (ledger.spent(loaded) || ledger.cancelled(loaded) || ledger.refused(loaded)) continue;
        state.live = fresh[*rule.trigger].live || ledger.armed_by_order(loaded);
        state.dormant = !state.live && fresh[*rule.trigger].dormant;
    }
    for (const Watch& watch : load.watches) {
        const LoadedRule& loaded = load.rules.at(watch.rule);
        const TriggerState& rule = triggers.at(*bundle.rules.at(watch.rule).trigger);
        TriggerState& state = triggers.at(watch.trigger);
        state.fires = fresh[watch.trigger].fires;
        if (watch.told()) continue;  // its hit is looked for by what the board was told
        if (watch.role == WatchRole::reset) {
            state.fires += ledger.rearmed(loaded);
            state.live = ledger.awaits_rearm(loaded);
        } else {
            state.live = rule.dormant;
        }
    }
    return triggers;
}

}  // namespace fixaccel
