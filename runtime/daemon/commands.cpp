// SPDX-License-Identifier: Apache-2.0
// The commands of the control socket.
#include <algorithm>

#include "answers.hpp"
#include "daemon.hpp"
#include "fixaccel/no_board.hpp"
#include "fixaccel/utc_clock.hpp"
#include "log.hpp"
#include "request_flag.hpp"
#include "roles.hpp"
#include "rule_fills.hpp"
#include "rule_states.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

json ok() { return {{"ok", true}}; }

json entry_of(const FixChannel& channel) {
    const FixSettings& settings = channel.settings();
    return {{"begin_string", settings.begin_string},
            {"sender_comp_id", settings.sender_comp_id},
            {"target_comp_id", settings.target_comp_id},
            {"host", settings.host},
            {"port", settings.port},
            {"logged_on", channel.logged_on()}};
}

Arming asked_arming(const json& request) {
    return request_flag(request, "dry_run") ? Arming::dry : Arming::armed;
}

}  // namespace

// None: the answer comes later.
std::optional<json> Daemon::handle(const ControlRequest& asked) {
    const json& request = asked.body;
    const std::string& by = asked.by;
    const std::string command = request["cmd"].get<std::string>();
    if (command == "status") return status();
    if (command == "metrics") return metrics();
    if (command == "latency") return latency(request);
    if (command == "rules") return rules(request);
    if (command == "fires") return fires(request);
    if (command == "limits") return limits();
    if (command == "watch") {
        feed_.begin();
        return ok();
    }
    if (command == "subscribe") {
        follow(names(request, "instruments"));
        return ok();
    }
    if (command == "orders") return by_hand_.orders(request_flag(request, "open"));
    if (command == "order" || command == "cancel" || command == "replace") return by_hand(command, asked);
    if (command == "deploy") {
        const auto bundle = request.find("bundle");
        if (bundle == request.end() || !bundle->is_string()) throw Refused("deploy needs \"bundle\", a path");
        const auto& path = bundle->get_ref<const std::string&>();
        if (path.empty() || path.find('\0') != std::string::npos)
            throw Refused("deploy needs \"bundle\", a path: that is none");
        begin_deploy({.request = asked,
                      .reconciled = request_flag(request, "reconciled"),
                      .rearm = request_flag(request, "rearm"),
                      .arming = asked_arming(request)},
                     bundle->get<std::string>());
        return std::nullopt;
    } else if (command == "arm") {
        const std::vector<std::string> rules = names(request, "rules");
        if (engine_.killed()) throw Refused(kKillIsOn);
        if (rules.empty())
            ask_to_arm(request_flag(request, "dry_run"));
        else
            arm_rejected(rules, request_flag(request, "dry_run"));
        ledger_.record_asked(asked_arming(request));
    } else if (command == "disarm") {
        ask_to_disarm();
    } else if (command == "reconcile") {
        told_of_doubts(names(request, "rules"), request_flag(request, "sent"), by);
    } else if (command == "set_limit") {
        set_limit(request, by);
    } else if (command == "reset_limits") {
        reset_limits(request, by);
    } else if (command == "revert_limit") {
        revert_limit(request, by);
    } else if (command == "unkill") {
        // The guard does it now that the kill has been taken note of.
    } else if (command == "logout") {
        begin_logout("asked to log out");
    } else if (command == "shutdown") {
        stop_ = true;
        begin_logout("asked to shut down");
    } else {
        throw Refused("unknown command \"" + command + "\"; known are " + known_commands());
    }
    return ok();
}

// All but questions, and those that were not allowed, too.
void Daemon::record(const ControlRequest& request, const json& reply) {
    if (request.refused.empty() && is_question(request.body.at("cmd").get<std::string>())) return;
    ledger_.record_command(request.by, std::string(role_text(request.role)), request.body, reply,
                           request.refused_before);
}

void Daemon::ask_to_disarm() {
    want_armed_ = false;
    if (deployment_) deployment_->disarmed = true;
    try {
        engine_.fabric().disarm();  // nothing comes before that
    } catch (const BoardError&) {
        ledger_.record_asked(Arming::disarmed);
        throw;
    }
    ledger_.record_asked(Arming::disarmed);
    comeback_.overrule();
    engine_.disarm("asked to disarm");
}

// While the kill switch is on, all is got ready but nothing armed.
Arming Daemon::allowed(Arming arming) const { return engine_.killed() ? Arming::disarmed : arming; }

void Daemon::ask_to_arm(bool dry) {
    if (engine_.killed()) throw Refused(kKillIsOn);
    if (phase_ == Phase::armed && engine_.dry() == dry) return;
    if (phase_ == Phase::armed)
        throw Refused(std::string(dry ? "the board is armed" : "a dry run is on") +
                      ": `fixaccel disarm` first");
    if (phase_ != Phase::ready)
        throw Refused(std::string("cannot arm while the session is ") + phase_text(phase_) +
                      (problem_.empty() ? "" : ": " + problem_));
    problem_.clear();
    comeback_.overrule();
    want_armed_ = true;
    want_dry_ = dry;
    arm_until_ = std::chrono::steady_clock::now() + kArmPatience;
}

json Daemon::status() {
    json out = ok();
    out["phase"] = phase_text(phase_);
    out["waiting"] = want_armed_;
    out["problem"] = problem_;
    out["comeback"] = comeback_status();
    out["clock"] = {{"apart_ns", utc_clock().apart().count()},
                    {"was_set", clock_was_set_},
                    {"synchronised", clock_sync_.known ? json(clock_sync_.synchronised) : json()},
                    {"max_error_us", clock_sync_.max_error.count()},
                    {"estimated_error_us", clock_sync_.estimated_error.count()}};
    out["host"] = machine_.host();
    out["cpu"] = machine_.cpu();
    out["epoch"] = ledger_.epoch();
    out["journal"] = {{"record", ledger_.journal().last_record()}, {"sha256", ledger_.journal().last_hash()}};
    out["next_sender"] = ledger_.next_sender();
    out["next_target"] = ledger_.next_target();
    if (roll_at_ns_ != std::numeric_limits<std::int64_t>::max()) out["day_rolls_ns"] = roll_at_ns_;
    if (engine_.rolls_ns() != std::numeric_limits<std::int64_t>::max())
        out["limits_roll_ns"] = engine_.rolls_ns();
    if (link_) out["session"] = entry_of(link_->orders());
    if (link_ && link_->market()) {
        out["market_session"] = entry_of(*link_->market());
        out["market_session"]["next_target"] = link_->next_number();
    }
    const FabricStatus bits = engine_.fabric().status();
    out["armed"] = engine_.live(bits);
    out["board"] = engine_.has_board() ? config_.board : kNoBoard;
    out["stand_in"] = {
        {"blind", engine_.blind()}, {"active", engine_.silent()}, {"times", engine_.stood_in()}};
    out["dry_run"] = engine_.dry();
    out["fabric"] = {{"kill", bits.killed()},
                     {"synced", bits.synced()},
                     {"gap", bits.gap()},
                     {"lease_held", bits.lease_held()},
                     {"clock_valid", bits.clock_valid()},
                     {"blocking", bits.blocking()},
                     {"disarm_reason", engine_.disarm_reason()}};
    out["parser"] = {{"lost", engine_.armed() && bits.gap()}, {"gaps", gaps_}};
    if (gap_since_) {
        out["parser"]["lost_ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(
                                       std::chrono::steady_clock::now() - *gap_since_)
                                       .count();
        out["parser"]["from_message"] = gap_from_;
    }
    const KillWord word = guard_.flag().word();
    out["kill"] = {{"on", word.on}, {"by", word.by}, {"time_ns", word.time_ns}};
    const LoadReport& load = engine_.load_report();
    out["load"] = {{"how", load.how},
                   {"reason", load.reason},
                   {"state", load.state},
                   {"written", load.written},
                   {"words", load.words},
                   {"generation", load.generation},
                   {"first_seq_num", load.first_seq_num},
                   {"hold_cycles", load.hold_cycles},
                   {"ms", std::chrono::duration<double, std::milli>(load.took).count()}};
    if (engine_.bundle())
        out["commit"] = {{"mode", engine_.bundle()->commit.mode},
                         {"ahead", engine_.fabric().commit_ahead()},
                         {"aborted", engine_.fabric().orders_aborted()}};
    json counters = json::object();
    for (const auto& [name, value] : engine_.fabric().counters()) counters[name] = value;
    out["fabric"]["counters"] = std::move(counters);
    if (engine_.bundle()) {
        out["bundle"] = {{"path", engine_.bundle()->path.string()},
                         {"strategy", engine_.bundle()->strategy},
                         {"manifest", engine_.bundle()->manifest_sha256},
                         {"signed_by", engine_.bundle()->signed_by}};
        const std::vector<const char*> states = rule_states(engine_, ledger_);
        const RuleFills fills(ledger_);
        json rules = json::array();
        for (std::uint32_t i = 0; i < states.size(); ++i) {
            rules.push_back(rule_answer(engine_, ledger_, states[i], i));
            fills.add_to(rules.back(), i);
        }
        out["rules"] = std::move(rules);
    }
    json fires = json::array();
    for (const Record& fire : ledger_.fires()) fires.push_back(fire_answer(fire, ledger_));
    out["fires"] = std::move(fires);
    json resting = json::array();
    for (const RestingOrder& order : ledger_.resting().all())
        resting.push_back({{"cl_ord_id", order.cl_ord_id},
                           {"instrument", order.symbol},
                           {"side", order.side},
                           {"price", order.price}});
    out["resting"] = std::move(resting);
    out["cancels_due"] = cancels_due(ledger_);
    out["in_doubt"] = doubts();
    out["limits_changed"] = limits_changed();
    return out;
}

}  // namespace fixaccel
