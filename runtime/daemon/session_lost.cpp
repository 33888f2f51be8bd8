// SPDX-License-Identifier: Apache-2.0
// The session is lost: what was sent is kept, then it is tried again, and armed again where that may be.
#include <cstdio>

#include "daemon.hpp"
#include "fixaccel/utc_clock.hpp"
#include "log.hpp"

namespace fixaccel {
namespace {

using nlohmann::json;
using std::chrono::steady_clock;

constexpr auto kConnectPatience = std::chrono::seconds(5);  // three SYNs
constexpr auto kKnownPatience = std::chrono::seconds(10);   // behind the logon

std::string seconds(std::chrono::nanoseconds time) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", std::chrono::duration<double>(time).count());
    return text;
}

}  // namespace

// The connection is gone or of no more use. Whatever the fabric sent on it is taken into journal and store
// before the socket closes.
void Daemon::lost(DisarmCause cause) {
    const std::string reason = link_->ended().empty() ? problem_ : link_->ended();
    const bool asked = phase_ == Phase::logging_out;
    const bool orderly = asked || link_->logged_out();
    if (link_->parted()) cause = DisarmCause::other;
    if (engine_.fabric().status().lost()) cause = DisarmCause::session;
    try {
        engine_.disarm("the session was lost: " + reason, cause);
    } catch (const CommitError& error) {
        log_line(error.what());
    }
    const bool was_up = phase_ != Phase::connecting && phase_ != Phase::lost;
    const bool was_armed = phase_ == Phase::armed && engine_.lost_armed();
    const bool orders_were_up = was_up || without_market_;
    without_market_ = orders_were_up && !engine_.parted() && link_->only_market_ended();
    without_market_ ? link_->close_market() : link_->close();
    if (without_market_)
        ledger_.record_note(reason);
    else if (orders_were_up)
        ledger_.record_session(orderly ? "logout" : "disconnect", asked ? "" : reason);
    if (rolling_) return day_rolled();
    if (asked) {
        enter(Phase::logged_out);
        announce("logged out");
        return;
    }
    if (was_armed) comeback_.was_armed(engine_.lost_dry(), false);
    comeback_.gone();
    // A session that was armed is armed again on request, or by arm_again().
    if (phase_ == Phase::armed || phase_ == Phase::ready) want_armed_ = false;
    // A venue that logged us out did so on purpose; coming back is for the operator to decide.
    if (orderly && !config_.back_after_logout && !catch_up(reason)) {
        want_session_ = want_armed_ = false;
        if (without_market_) {
            problem_ = reason;
            return begin_logout(reason);
        }
    }
    problem_ = reason;
    if (was_up && comeback_.tries() == 0) comeback_.lost(reason, utc_ns());
    if (want_session_) return try_later(reason);
    comeback_.overrule();
    log_line(reason);
    enter(Phase::logged_out);
}

void Daemon::try_later(const std::string& why) {
    const auto now = steady_clock::now();
    comeback_.pause(now, config_);
    log_line(why + "; try " + std::to_string(comeback_.tries() + 1) + " in " + seconds(comeback_.wait(now)));
    enter(Phase::lost);
}

void Daemon::connect() {
    const auto now = steady_clock::now();
    if (link_->connected()) return enter(Phase::logging_on);
    if (link_->connecting()) {
        if (now < connect_until_) return;
        link_->give_up();
        problem_ = "the venue does not answer";
        return try_later(problem_);
    }
    comeback_.try_now();
    connect_until_ = now + kConnectPatience;
    try {
        link_->connect();
    } catch (const ConnectionError& error) {
        problem_ = error.what();
        try_later(problem_);
    }
}

// Why it is not armed again whatever may still come; empty if nothing speaks against it.
std::string Daemon::not_again() const {
    if (config_.rearm == RearmAfterLoss::never) return "rearm_after_loss is \"never\"";
    if (engine_.killed()) return kKillIsOn;
    if (ledger_.asked() != (comeback_.dry() ? Arming::dry : Arming::armed))
        return "something else was asked for since it was armed";
    if (!ledger_.in_doubt().empty() && !ledger_.doubts_judged()) return "rules are in doubt";
    if (clock_was_set_) return "the system's clock was set";
    if (!link_->market_data().refused().empty()) return link_->market_data().refused();
    return {};
}

// What has to be known before it is armed again; empty if all is.
std::string Daemon::not_known() {
    if (engine_.fabric().status().closed() || !link_->flows()) return "whether the connection goes on";
    if (!link_->complete()) return "what the venue has sent meanwhile";
    if (const auto& awaited = link_->market_data().awaited(); !awaited.empty())
        return "market data of " + *awaited.begin();
    if (const std::string order = first_unreported(ledger_, armed_at_ns_); !order.empty())
        return "what became of order " + order;
    return {};
}

// The session stands again, and it was armed when it was lost.
void Daemon::arm_again() {
    const auto refuse = [this](const std::string& why) {
        comeback_.refuse(why);
        problem_ = "not armed again after the session was lost: " + why;
        log_line(problem_);
    };
    if (const std::string why = not_again(); !why.empty()) return refuse(why);
    const auto now = steady_clock::now();
    if (const std::string what = not_known(); !what.empty()) {
        if (!link_->flows()) known_until_ = now + kKnownPatience;
        if (now >= known_until_) return refuse("it is not known " + what);
        return comeback_.await(what);
    }
    if (!comeback_.once_more(now, config_.rearms_per_minute))
        return refuse("it was armed again " + std::to_string(config_.rearms_per_minute) +
                      " times within a minute");
    ledger_.record_note("armed again by itself: the session was lost while it was armed, " +
                        comeback_.loss()->reason);
    want_armed_ = true;
    want_dry_ = comeback_.dry();
    arm_until_ = now + kArmPatience;
}

// Disarmed since the session has ended or stands still; lost() may follow, or it goes on.
void Daemon::disarmed_by_session() {
    const bool stands = !engine_.fabric().status().lost() && !link_->logged_out() && link_->ended().empty();
    comeback_.was_armed(engine_.lost_dry(), stands);
    if (stands) comeback_.lost(engine_.disarm_reason(), utc_ns());
    known_until_ = steady_clock::now() + kKnownPatience;
}

// The venue has said who we are; what is known of the market comes next.
void Daemon::logged_on_again() {
    comeback_.logged_on();
    known_until_ = steady_clock::now() + config_.snapshot_wait + kKnownPatience;
}

json Daemon::comeback_status() const {
    json out{{"rearm_after_loss", config_.rearm == RearmAfterLoss::never ? "never" : "when-known"},
             {"tries", comeback_.tries()},
             {"awaits", comeback_.awaited()},
             {"refused", comeback_.refused()}};
    if (comeback_.loss())
        out["loss"] = {{"reason", comeback_.loss()->reason}, {"time_ns", comeback_.loss()->time_ns}};
    if (phase_ == Phase::lost)
        out["next_try_ms"] =
            std::chrono::duration_cast<std::chrono::milliseconds>(comeback_.wait(steady_clock::now()))
                .count();
    return out;
}

}  // namespace fixaccel
