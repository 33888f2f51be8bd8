// SPDX-License-Identifier: Apache-2.0
// What each phase waits for, and where it leads. What may come at any time (a loss, a deploy, a logout) is
// elsewhere; see phase.hpp for all that may follow what.
#include "daemon.hpp"
#include "log.hpp"

namespace fixaccel {
namespace {

using std::chrono::steady_clock;

constexpr auto kStepPatience = std::chrono::seconds(5);

}  // namespace

void Daemon::enter(Phase phase) {
    if (phase == phase_) return;
    const bool foreseen = may_follow(phase_, phase);
    log_line(std::string("phase: ") + phase_text(phase) +
                 (foreseen ? "" : std::string(", which was not foreseen after ") + phase_text(phase_)),
             {.event = "phase", .fields = {{"phase", phase_text(phase)}}});
    phase_ = phase;
    in_step_until_.reset();
}

void Daemon::go_on(steady_clock::time_point now) {
    switch (phase_) {
        case Phase::lost:
            if (want_session_ && comeback_.due(now)) enter(Phase::connecting);
            break;
        case Phase::connecting:
            connect();
            break;
        case Phase::logging_on:
            logging_on(now);
            break;
        case Phase::reconciling:
            reconcile(now);
            break;
        case Phase::subscribing:
            subscribing(now);
            break;
        case Phase::ready:
            if (comeback_.due_to_arm() && !want_armed_) arm_again();
            if (want_armed_) try_arm();
            break;
        case Phase::idle:
        case Phase::armed:
        case Phase::logging_out:
        case Phase::logged_out:
            break;
    }
}

void Daemon::logging_on(steady_clock::time_point now) {
    if (!link_->logged_on()) return;
    if (!in_step_until_) in_step_until_ = now + kStepPatience;
    // Snapshots that come while the parser is in a gap tell the fabric nothing, and after a resend it is in
    // one until the FIX engine has all that was missing.
    if ((!link_->complete() || fabric_status_.gap()) && now < *in_step_until_) return;
    announce("logged on");
    if (!without_market_) ledger_.record_session("logon", "");
    without_market_ = false;
    logged_on_again();
    if (!reconciliation_) return subscribe(now);
    reconciliation_->begin(now);
    enter(Phase::reconciling);
}

void Daemon::subscribe(steady_clock::time_point now) {
    link_->market_data().subscribe(instruments());
    snapshots_until_ = now + config_.snapshot_wait;
    enter(Phase::subscribing);
}

void Daemon::subscribing(steady_clock::time_point now) {
    const MarketFeed& market = link_->market_data();
    if (!market.refused().empty()) {
        problem_ = market.refused();
        want_armed_ = false;
        enter(Phase::ready);
    } else if (market.awaited().empty() || now >= snapshots_until_) {
        arm_until_ = now + kArmPatience;
        enter(Phase::ready);
    }
}

}  // namespace fixaccel
