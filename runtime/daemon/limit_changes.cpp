// SPDX-License-Identifier: Apache-2.0
// Limits that the risk desk changes for a time: until then they are in force, over restarts and loads, and
// what ends them is in the journal.
#include <algorithm>
#include <limits>
#include <utility>

#include "daemon.hpp"
#include "fixaccel/limits_left.hpp"
#include "fixaccel/utc_clock.hpp"
#include "hand_gate.hpp"
#include "limit_terms.hpp"
#include "log.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;

constexpr std::size_t kMostReason = 200;
constexpr std::int64_t kNsOfS = 1'000'000'000;

std::string text(const json& request, const char* key) {
    const auto found = request.find(key);
    if (found == request.end() || found->is_null()) return {};
    if (!found->is_string()) throw Refused(std::string("\"") + key + "\" must be text");
    return found->get<std::string>();
}

std::string reason_of(const json& request) {
    std::string reason = text(request, "reason");
    const bool blank = reason.find_first_not_of(' ') == std::string::npos;
    const bool controls = std::any_of(reason.begin(), reason.end(), [](char c) {
        return static_cast<unsigned char>(c) < ' ' || c == 0x7F;
    });
    if (blank || controls || reason.size() > kMostReason)
        throw Refused("a change of limits needs a reason: a line of text, " + std::to_string(kMostReason) +
                      " bytes at most");
    return reason;
}

// UTC.
std::int64_t end_of(const json& request, std::int64_t now_ns, std::chrono::nanoseconds longest) {
    const auto given = [&](const char* key) { return request.contains(key) && !request[key].is_null(); };
    if (given("for_ms") == given("until_ns"))
        throw Refused(R"(a change of a limit needs a time at which it ends: "for_ms" or "until_ns")");
    const json& time = request[given("for_ms") ? "for_ms" : "until_ns"];
    const bool whole =
        time.is_number_unsigned() && time.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max();
    const std::int64_t most = longest.count();
    std::int64_t left = 0;
    if (whole && given("for_ms"))
        left = time.get<std::int64_t>() > most / kNsOfMs ? most + 1 : time.get<std::int64_t>() * kNsOfMs;
    else if (whole)
        left = time.get<std::int64_t>() - now_ns;
    if (left <= 0) throw Refused("a change of a limit ends in the future");
    if (left > most)
        throw Refused("a change of a limit ends within " + std::to_string(most / kNsOfS) +
                      " seconds (limits.longest_change_s); for longer change it in the strategy, compile and "
                      "deploy");
    return now_ns + left;
}

// Of another bundle only what is tighter than its own stays: a load takes nothing away from what the risk
// desk has said, and what it has let pass it has let pass for the bundle that it knew.
// That of a rule goes with the rule.
bool stays(const LimitChange& change, const Bundle& bundle, const LimitValues& own) {
    if (change.bundle == bundle.manifest_sha256) return true;
    if (!change.rule.empty() && !has_rule(bundle, change.rule)) return false;
    const auto value = own.find(change.key());
    return value == own.end() || tighter(change.limit, change.value, value->second);
}

LimitValues in_force(const Ledger& ledger, const Bundle& bundle, const LimitValues& own) {
    LimitValues values;
    for (const auto& [key, change] : ledger.limit_changes())
        if (change.until_ns > utc_ns() && stays(change, bundle, own)) values.emplace(key, change.value);
    return values;
}

// Rules that have a limit of their own run in the runtime.
bool on_board(const LimitChange& change) { return change.rule.empty(); }

}  // namespace

// What is about to be loaded, and orders by hand under it, are held to the changes, too.
void Daemon::hold_to_changes(Prepared& next) const {
    Bundle& bundle = next.rules.bundle;
    const LimitValues own = next.gate->own_limits();
    const LimitValues changes = in_force(ledger_, bundle, own);
    for (const auto& [key, change] : ledger_.limit_changes()) {
        if (changes.count(key) == 0) continue;
        const std::string why =
            not_held(bundle, own, change.limit, change.instrument, change.value, change.rule);
        if (why.empty()) continue;
        std::string refusal = "the limit ";
        refusal.append(key).append(", which ").append(change.by).append(" has changed to ");
        refusal.append(limit_value_text(change.limit, change.value));
        refusal.append(" for a time, cannot be held under this bundle: ").append(why);
        throw Refused(refusal + "; or have it reverted: `fixaccel limits revert`");
    }
    fixaccel::hold_limits(bundle, changes);
    for (SoftwareRules* rules : {next.rules.software.get(), next.rules.standby.get()})
        if (rules != nullptr) rules->change_limits(changes, utc_ns());
    next.gate->change_limits(changes, utc_ns());
}

void Daemon::set_limit(const json& request, const std::string& by) {
    if (!engine_.bundle()) throw Refused("nothing is loaded, so there are no limits: deploy a bundle first");
    LimitChange change;
    change.limit = text(request, "limit");
    change.instrument = text(request, "instrument");
    change.rule = text(request, "rule");
    change.by = by;
    change.bundle = engine_.bundle()->manifest_sha256;
    change.value = limit_value(change.limit, text(request, "value"));
    if ((change.limit == kTotalQty) != !change.instrument.empty())
        throw Refused(change.limit == kTotalQty ? "total_qty is a limit of an instrument: say of which"
                                                : change.limit + " is a limit of all instruments together");
    if (!change.instrument.empty()) by_hand_.check_instruments({change.instrument});
    change.reason = reason_of(request);
    change.until_ns = end_of(request, utc_ns(), longest_change_);
    const std::string why = not_held(*engine_.bundle(), by_hand_.own_limits(), change.limit,
                                     change.instrument, change.value, change.rule);
    if (!why.empty()) throw Refused(why);
    hold_limits(
        "a limit is changed", [&] { ledger_.record_limit_set(change); }, on_board(change));
    log_line("limit " + change.key() + " is " + limit_value_text(change.limit, change.value) + ", by " + by +
             ": " + change.reason);
}

void Daemon::revert_limit(const json& request, const std::string& by) {
    const std::string key =
        limit_key(text(request, "limit"), text(request, "instrument"), text(request, "rule"));
    const auto change = ledger_.limit_changes().find(key);
    if (change == ledger_.limit_changes().end())
        throw Refused("nobody has changed " + key + "; `fixaccel limits` lists what was");
    hold_limits(
        "a limit is reverted", [&] { ledger_.record_limit_reverted(key, "asked", by); },
        on_board(change->second));
    log_line("limit " + key + " is the bundle's again, by " + by);
}

// What was sent has been sent all the same: orders in all and quantities are counted from zero.
void Daemon::reset_limits(const json& request, const std::string& by) {
    if (!engine_.bundle()) throw Refused("nothing is loaded, so there are no limits: deploy a bundle first");
    const std::string reason = reason_of(request);
    hold_limits("what limits count begins anew", [&] { ledger_.record_limits_reset(reason, by); });
    log_line("what limits count of orders and quantities begins anew, by " + by + ": " + reason);
}

// Those of which the time is over.
void Daemon::end_changes() {
    plan_end_of_change();
    if (engine_.loading()) return;  // with what has come about
    std::vector<std::string> over;
    bool board = false;
    for (const auto& [key, change] : ledger_.limit_changes()) {
        if (change.until_ns > utc_ns()) continue;
        over.push_back(key);
        board = board || on_board(change);
    }
    if (over.empty()) return;
    const auto record = [&] {
        for (const std::string& key : over) ledger_.record_limit_reverted(key, "expired");
    };
    hold_limits("a limit is reverted", record, board);
    for (const std::string& key : over) log_line("limit " + key + " is the bundle's again: its time is over");
}

// Another bundle is loaded: what does not stay with it is over.
void Daemon::end_other_changes() {
    const LimitValues own = by_hand_.own_limits();
    std::vector<std::string> over;
    for (const auto& [key, change] : ledger_.limit_changes())
        if (!stays(change, *engine_.bundle(), own)) over.push_back(key);
    for (const std::string& key : over) {
        ledger_.record_limit_reverted(key, "another bundle is loaded");
        log_line("limit " + key + " is the bundle's: what it was changed to was no tighter");
    }
    plan_end_of_change();
}

// Between two orders: the board is disarmed for it, as for whatever else changes what it keeps. Should
// anything fail it stays so. `board`: it keeps something of it.
void Daemon::hold_limits(const std::string& reason, const std::function<void()>& record, bool board) {
    if (engine_.loading()) throw Refused("a load is under way; wait until it has come about");
    const bool pauses = board && engine_.armed() && engine_.has_board();
    const bool dry = engine_.dry();
    bool stands = true;
    if (pauses) {
        try {
            engine_.disarm(reason);
            enter(Phase::ready);
        } catch (const CommitError& error) {
            problem_ = error.what();
            stands = false;
        }
    }
    record();
    plan_end_of_change();
    if (engine_.bundle()) {
        const LimitValues changes = in_force(ledger_, *engine_.bundle(), by_hand_.own_limits());
        engine_.change_limits(changes);
        by_hand_.change_limits(changes);
    }
    if (!stands) return lost();
    if (pauses) go_on_armed(dry);
}

void Daemon::plan_end_of_change() {
    change_ends_ns_ = std::numeric_limits<std::int64_t>::max();
    for (const auto& [key, change] : ledger_.limit_changes())
        change_ends_ns_ = std::min(change_ends_ns_, change.until_ns);
}

}  // namespace fixaccel
