// SPDX-License-Identifier: Apache-2.0
#include "sim_rearms.hpp"

namespace fixaccel::board {

SimRearms::SimRearms(Board& board, const Bundle& bundle) : board_(board), table_(bundle) {
    for (const Watch& watch : fabric_watches(bundle))
        if (watch.role == WatchRole::after) watches_.push_back(watch);
}

void SimRearms::fired(const hwmap::ring_record& fire) {
    const bool sent = fire.outcome() == hwmap::outcome_sent;
    for (const Watch& watch : watches_) {
        Rule& rule = rules_[watch.rule];
        if (fire.trigger() == watch.trigger) {
            ++rule.times;
            rule.due_ns.reset();
        } else if (sent && fire.rule() == watch.rule && rule.times < watch.times()) {
            rule.due_ns = fire.time_ns() + watch.after_ns;
        }
    }
    table_.follow(
        board_, [&](const Watch& watch) { return rules_[watch.rule].due_ns; }, 0);
}

}  // namespace fixaccel::board
