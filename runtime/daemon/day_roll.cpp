// SPDX-License-Identifier: Apache-2.0
// The venue's day ends: disarm, log out, begin both numbers anew, log on, and arm as it was.
#include "daemon.hpp"
#include "fixaccel/schedules.hpp"
#include "fixaccel/utc_clock.hpp"
#include "log.hpp"

namespace fixaccel {

// One that nobody was there for is due at once: the venue's day has rolled all the same.
void Daemon::plan_roll() {
    roll_at_ns_ = std::numeric_limits<std::int64_t>::max();
    if (config_.day_roll && engine_.bundle())
        roll_at_ns_ = next_time_of_day(engine_.bundle()->zone, *config_.day_roll, ledger_.day_began_ns());
    engine_.plan_roll();
}

void Daemon::roll_day() {
    rolling_ = true;
    roll_at_ns_ = std::numeric_limits<std::int64_t>::max();
    log_line("the venue's day ends");
    if (engine_.armed()) {
        want_armed_ = true;
        want_dry_ = engine_.dry();
    }
    try {
        engine_.disarm("the venue's day has ended");
    } catch (const CommitError& error) {
        problem_ = error.what();
        return lost();
    }
    if (!link_ || !link_->orders().logged_on()) {
        if (link_) link_->close();
        return day_rolled();
    }
    enter(Phase::logging_out);
    link_->logout("the venue's day has ended");
}

// Whatever was sent in the day that has ended is in the journal, and nothing connects to the venue.
void Daemon::day_rolled() {
    rolling_ = false;
    ledger_.record_day_roll();
    engine_.count_anew();
    plan_roll();
    if (link_ && want_session_)
        enter(Phase::connecting);
    else if (phase_ != Phase::idle)
        enter(Phase::logged_out);
}

// Without an end of the session's day what is counted rolls alone: at once in the ledger and the runtime, and
// on a board that is disarmed for it for a moment. One that does not see the market gets it when it does.
void Daemon::heed_roll() {
    try {
        engine_.come_to(utc_ns());
    } catch (const CommitError& error) {
        problem_ = error.what();
        return lost();
    }
    if (!engine_.board_behind() || engine_.loading() || engine_.blind()) return;
    hold_limits("the venue's day has rolled", [] {});
    log_line("the venue's day has rolled: what limits count of orders and quantities begins anew");
}

}  // namespace fixaccel
