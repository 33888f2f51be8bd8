// SPDX-License-Identifier: Apache-2.0
// What orders have filled, for the rules that go by it.
#include <utility>

#include "engine.hpp"
#include "fixaccel/utc_clock.hpp"
#include "log.hpp"

namespace fixaccel {

// Disarmed, all is taken from the ledger when it is armed again. What is uncovered is so all the while.
void Engine::follow_fills() {
    if (std::exchange(fills_seen_, ledger_.fills_changes()) == ledger_.fills_changes()) return;
    if (armed_ && software_) software_->follow_fills(utc_ns());
    if (armed_ && standby_) standby_->follow_fills(utc_ns());
    if (armed_)
        follow_rearms();
    else
        triggers_stale_ = true;
    std::map<std::string, std::int64_t> now;
    for (const auto& [rule, qty] : ledger_.uncovered()) {
        const LoadedRule& loaded = ledger_.load().rules.at(rule);
        const std::string& id = loaded.id;
        now[loaded.key()] = qty;
        const auto before = uncovered_.find(loaded.key());
        if (before != uncovered_.end() && before->second >= qty) continue;
        const std::string text = std::to_string(qty) + " of what rule " + id +
                                 " goes by were filled beyond what it has sent: nothing covers them";
        ledger_.record_note(text);
        log_line(text, {LogLevel::warning, "uncovered", {{"rule", id}, {"qty", std::to_string(qty)}}});
    }
    uncovered_ = std::move(now);
}

std::optional<std::int64_t> Engine::next_moment() const {
    return armed_ && software_ ? software_->next_moment() : std::nullopt;
}

}  // namespace fixaccel
