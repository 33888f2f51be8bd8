// SPDX-License-Identifier: Apache-2.0
// Figures for whoever watches the daemon, without the lists that `status` has.
#include <limits>

#include "daemon.hpp"
#include "fixaccel/board.hpp"
#include "fixaccel/utc_clock.hpp"
#include "request_flag.hpp"

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
            {"clock_apart_ns", utc_clock().apart().count()},
            {"clock_synchronised", clock_sync_.synchronised},
            {"clock_max_error_us", clock_sync_.max_error.count()},
            {"host_verified", machine_.verdict().state == HostVerdict::State::verified},
            {"host_drifted", machine_.verdict().drifted},
            {"counters", std::move(counters)},
            {"tally", ledger_.tally().report()},
            {"order_times", times_.histograms()}};
}

// What the thread that trades writes down in one go.
json Daemon::latency(const json& request) {
    constexpr std::uint64_t kMostWorst = 1000, kMostOrders = 200;
    feed_.take_told();
    const auto number = [&](const char* key, std::uint64_t most) -> std::optional<std::uint64_t> {
        const auto found = request.find(key);
        if (found == request.end()) return std::nullopt;
        if (!found->is_number_unsigned() || *found > most)
            throw Refused(std::string("\"") + key + "\" must be a number of orders, at most " +
                          std::to_string(most));
        return found->get<std::uint64_t>();
    };
    json answer = times_.report(number("worst", kMostWorst).value_or(0), request_flag(request, "buckets"));
    if (const auto after = number("after", std::numeric_limits<std::uint64_t>::max()))
        answer["orders"] = times_.orders(*after, kMostOrders);
    // Whoever listens at a Unix socket in the place of a board is a virtual one.
    const std::uint64_t clock_hz = engine_.bundle() ? engine_.bundle()->clock_hz : 0;
    answer["fabric"] = {{"clock_hz", engine_.has_board() ? clock_hz : 0},
                        {"simulated", config_.board.starts_with(kUnixScheme)}};
    return answer;
}

}  // namespace fixaccel
