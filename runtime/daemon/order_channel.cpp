// SPDX-License-Identifier: Apache-2.0
#include "order_channel.hpp"

#include <algorithm>
#include <chrono>

#include "log.hpp"

namespace fixaccel {
namespace {

constexpr std::size_t kLeasedBytes = 16U * 1024;  // that one lease is for: they are through before it ends
constexpr unsigned kReportOn = 11;
constexpr unsigned kReportStatus = 39;
constexpr std::size_t kMostNamed = 20;  // of orders in a note

}  // namespace

OrderChannel::OrderChannel(const FixFile& settings, const DaemonConfig& config, Engine& engine,
                           Ledger& ledger, OrderTimes& times)
    : FixChannel("session", settings, config, ledger, times), engine_(engine), ledger_(ledger) {}

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
    times_.no_more_departs();
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

std::chrono::steady_clock::time_point OrderChannel::send_order(const OrderText& order) {
    ordering_ = true;
    fix().send_order(order);
    ordering_ = false;
    settle();
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
    settle();
    return held_back_by_hand_;
}

bool OrderChannel::before_send(const std::string& type) noexcept {
    try {
        if (!connected()) return false;
        times_.mark(OrderStage::engine);
        // Whoever asked for it, behind a Logout no order may leave. The engine sends one before a sequence
        // reset too.
        if (type == "5")
            engine_.disarm("the session is being logged out",
                           logged_out() ? DisarmCause::session : DisarmCause::other);
        // Resends come in one call, and the lease is not for all of them at once.
        if (engine_.lease_held() && (leased_bytes_ >= kLeasedBytes || engine_.lease_worn())) give_lease();
        const bool granted = engine_.take_lease();
        times_.mark(OrderStage::lease);
        if (!granted) engine_.disarm("the egress lease was not granted in time");
        if (last_look_) {
            held_back_by_hand_ = last_look_(granted);
            times_.mark(OrderStage::decide);
            return ended().empty() && held_back_by_hand_.empty();
        }
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

void OrderChannel::on_passed_over(const std::string& order) noexcept {
    if (ledger_.orders().count(order) == 0) passed_over_.push_back(order);
}

// They have fired and are spent, and the venue has never had them, as it seems.
void OrderChannel::note_passed_over() {
    if (passed_over_.empty()) return;
    std::string text =
        "not sent again but gap-filled, as resend_orders has it, though the venue has reported nothing of:";
    for (std::size_t i = 0; i < std::min(passed_over_.size(), kMostNamed); ++i)
        text += (i == 0 ? " " : ", ") + passed_over_[i];
    if (passed_over_.size() > kMostNamed)
        text += " and " + std::to_string(passed_over_.size() - kMostNamed) + " more";
    passed_over_.clear();
    log_line(text, {LogLevel::warning, "note"});
    ledger_.record_note(text);
}

// The fabric is told of an order that may rest before the lease is returned: it has to be in the ledger.
void OrderChannel::after_outer_call() noexcept {
    try {
        ledger_.take_effect();
        give_lease();
        note_passed_over();
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
    const bool rejected = fix_field(report, kReportStatus) == "8";
    times_.answered(fix_field(report, kReportOn), arrival(), rejected);
    const std::string wrong = ledger_.record_execution(report);
    times_.journalled();
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

void OrderChannel::take_reject(const std::string& reject) {
    times_.answered(ledger_.rejected_order(reject), arrival(), true);
    ledger_.record_reject(reject);
    times_.journalled();
}

void OrderChannel::heard(const std::string& type, const std::string& message) {
    if (reconciliation_ != nullptr && type == "2") reconciliation_->asked_again(message);
    const bool of_none = reconciliation_ != nullptr && type == "8" &&
                         reconciliation_->heard(message, std::chrono::steady_clock::now());
    if (type == "8" && !of_none) take_report(message);
    if (type != "3" && type != "j" && type != "9") return;
    log_line("the venue rejected a message: " + printable(message));
    if (type != "9") ledger_.record_note("rejected by the venue: " + message);
    type == "9" ? ledger_.record_cancel_reject(message) : take_reject(message);
    engine_.follow_fills();
    if (reconciliation_ != nullptr) reconciliation_->refused(message);
}

}  // namespace fixaccel
