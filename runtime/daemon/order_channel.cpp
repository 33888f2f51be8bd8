// SPDX-License-Identifier: Apache-2.0
#include "order_channel.hpp"

#include <chrono>

#include "log.hpp"

namespace fixaccel {
namespace {

constexpr std::size_t kLeasedBytes = 16U * 1024;  // that one lease is for: they are through before it ends

}  // namespace

OrderChannel::OrderChannel(const FixFile& settings, const DaemonConfig& config, Engine& engine,
                           Ledger& ledger)
    : FixChannel("session", settings, config, ledger), engine_(engine), ledger_(ledger) {}

OrderChannel::~OrderChannel() { engine_.attach(nullptr); }

void OrderChannel::begins(const Flow& flow) { engine_.set_flow(flow); }

void OrderChannel::established(Connection& connection) {
    engine_.take_left();
    engine_.set_window_scales(connection.peer_wscale(), connection.local_wscale());
    engine_.attach(&connection.stream());
}

// The fabric looks at the next connection then. What the kernel has in its place of this one would pass.
void OrderChannel::closing(Connection& connection) {
    if (engine_.parted()) connection.abandon();
    engine_.attach(nullptr);
}

bool OrderChannel::StandIn::admits(const LoadedRule& rule) {
    try {
        return channel_.engine_.takes_over(rule);
    } catch (const CommitError& error) {
        channel_.end(error);
        return false;
    }
}

std::string OrderChannel::held_back() {
    if (!ended().empty() || !logged_on()) return "session";
    try {
        // Many orders may come of one message: the ring and the watchdog must not wait for the last.
        const FabricStatus status = engine_.watch();
        if (engine_.killed() || status.killed()) return "kill";
        return engine_.armed() ? "" : "disarmed";
    } catch (const CommitError& error) {
        end(error);
        return "session";
    }
}

std::chrono::steady_clock::time_point OrderChannel::send_order(const FixFields& body) {
    ordering_ = true;
    fix().send_order(body);
    ordering_ = false;
    return written_at();
}

bool OrderChannel::catch_up() {
    try {
        engine_.watch();
    } catch (const CommitError& error) {
        end(error);
    }
    return ended().empty();
}

std::string OrderChannel::send_by_hand(HandRequest::What what, const FixFields& body,
                                       const std::function<std::string()>& judge) {
    using What = HandRequest::What;
    held_back_by_hand_.clear();
    last_look_ = [&](bool granted) -> std::string {
        if (what == What::cancel) return {};
        if (!granted) return "lease: the egress lease was not granted in time";
        if (!engine_.may_send_by_hand()) return std::string("kill: ") + kKillIsOn;
        return judge();
    };
    fix().send_order(body, what == What::order ? "D" : what == What::cancel ? "F" : "G");
    last_look_ = nullptr;
    return held_back_by_hand_;
}

bool OrderChannel::before_send(const std::string& type) noexcept {
    try {
        if (!connected()) return false;
        // Whoever asked for it, behind a Logout no order may leave. The engine sends one before a sequence
        // reset too.
        if (type == "5")
            engine_.disarm("the session is being logged out",
                           logged_out() ? DisarmCause::session : DisarmCause::other);
        // Resends come in one call, and the lease is not for all of them at once.
        if (engine_.lease_held() && (leased_bytes_ >= kLeasedBytes || engine_.lease_worn())) give_lease();
        const bool granted = engine_.take_lease();
        if (!granted) engine_.disarm("the egress lease was not granted in time");
        if (last_look_) held_back_by_hand_ = last_look_(granted);
        if (last_look_) return ended().empty() && held_back_by_hand_.empty();
        return !ordering_ || (ended().empty() && engine_.may_send());
    } catch (const std::exception& error) {
        end(error);
        return false;
    }
}

// An order that left before may reach the venue only now: it waits like any other.
bool OrderChannel::may_resend_orders() noexcept {
    return !engine_.killed() && ledger_.asked() != Arming::disarmed;
}

void OrderChannel::after_outer_call() noexcept {
    try {
        give_lease();
    } catch (const std::exception& error) {
        end(error);
    }
}

void OrderChannel::give_lease() {
    engine_.give_lease();
    leased_bytes_ = 0;
}

// What the fabric has sent by the old numbers is counted by them, too.
void OrderChannel::numbers_begin_anew() { engine_.disarm("the venue has begun the sequence numbers anew"); }

// What rules send and when goes by what is filled: where that is in doubt none of them may.
void OrderChannel::take_report(const std::string& report) {
    const std::string wrong = ledger_.record_execution(report);
    if (!wrong.empty()) {
        contradiction_ = wrong;
        engine_.disarm(wrong);
    }
    engine_.follow_fills();
}

// As by hand, neither the kill switch nor a board that is disarmed keeps them back: to cancel is to take risk
// away.
void OrderChannel::send_due_cancels() {
    if (!logged_on() || !ended().empty() || !complete()) return;
    for (const auto& [order, rule] : ledger_.cancels_to_send()) {
        HandRequest request = ledger_.next_by_hand();
        request.what = HandRequest::What::cancel;
        request.by = "rule " + rule;
        request.order = order;
        request.terms = ledger_.placed().at(order).terms;
        ledger_.record_by_hand(request);
        send_by_hand(request.what, cancel_fields(request, ledger_), {});
        if (ledger_.settle_by_hand("session") == 0) return;
        log_line(request.by + " cancels what rests of order " + order);
    }
}

void OrderChannel::heard(const std::string& type, const std::string& message) {
    if (reconciliation_ != nullptr && type == "2") reconciliation_->asked_again(message);
    const bool of_none = reconciliation_ != nullptr && type == "8" &&
                         reconciliation_->heard(message, std::chrono::steady_clock::now());
    if (type == "8" && !of_none) take_report(message);
    if (type != "3" && type != "j" && type != "9") return;
    log_line("the venue rejected a message: " + printable(message));
    if (type != "9") ledger_.record_note("rejected by the venue: " + message);
    type == "9" ? ledger_.record_cancel_reject(message) : ledger_.record_reject(message);
    engine_.follow_fills();
    if (reconciliation_ != nullptr) reconciliation_->refused(message);
}

}  // namespace fixaccel
