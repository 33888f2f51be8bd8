// SPDX-License-Identifier: Apache-2.0
// Figures for whoever watches the daemon, without the lists that `status` has.
#include "daemon.hpp"
#include "fixaccel/utc_clock.hpp"

namespace fixaccel {

using nlohmann::json;

json Daemon::metrics() {
    const FabricStatus bits = engine_.fabric().status();
    const LoadReport& load = engine_.load_report();
    json counters = json::object();
    for (const auto& [name, value] : engine_.fabric().counters()) counters[name] = value;
    return {{"ok", true},
            {"phase", phase_text(phase_)},
            {"logged_on", link_ && link_->logged_on()},
            {"armed", engine_.live(bits)},
            {"dry_run", engine_.dry()},
            {"waiting", want_armed_},
            {"problem", problem_},
            {"killed", guard_.flag().word().on},
            {"rules", engine_.bundle() ? engine_.bundle()->rules.size() : 0},
            {"in_doubt", ledger_.in_doubt().size()},
            {"limits_changed", ledger_.limit_changes().size()},
            {"resting", ledger_.resting().all().size()},
            {"cancels_due", ledger_.cancels_due().size()},
            {"uncovered", ledger_.uncovered().size()},
            {"next_sender", ledger_.next_sender()},
            {"next_target", ledger_.next_target()},
            {"generation", load.generation},
            {"hold_cycles", load.hold_cycles},
            {"load_state", load.state},
            {"load_words", load.words},
            {"load_ms", std::chrono::duration<double, std::milli>(load.took).count()},
            {"parser_lost", engine_.armed() && bits.gap()},
            {"parser_gaps", gaps_},
            {"standing_in", engine_.silent()},
            {"stand_ins", engine_.stood_in()},
            {"late_rearms", engine_.late_rearms()},
            {"clock_apart_ns", utc_clock().apart().count()},
            {"clock_synchronised", clock_sync_.synchronised},
            {"clock_max_error_us", clock_sync_.max_error.count()},
            {"counters", std::move(counters)},
            {"tally", ledger_.tally().report()}};
}

}  // namespace fixaccel
