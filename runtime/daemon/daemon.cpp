// SPDX-License-Identifier: Apache-2.0
#include "daemon.hpp"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <vector>

#include "fixaccel/utc_clock.hpp"
#include "log.hpp"

namespace fixaccel {
namespace {

using std::chrono::steady_clock;

constexpr auto kTick = std::chrono::milliseconds(100);
constexpr auto kIdlePoll = std::chrono::milliseconds(50);
constexpr auto kBusyPoll = std::chrono::milliseconds(1);

}  // namespace

Daemon::Daemon(Board& board, Ledger& ledger, KillGuard& guard, Machine& machine, ConfigLayers layers)
    : config_(layers(nullptr)),
      board_(board),
      ledger_(ledger),
      layers_(std::move(layers)),
      reader_(trust_of(config_)),
      longest_change_(config_.longest_change),
      guard_(guard),
      machine_(machine),
      engine_(board, ledger, config_, guard.flag()),
      times_(config_.cpu.stamps),
      by_hand_(ledger),
      feed_(guard, engine_, ledger, by_hand_, times_) {}

bool Daemon::busy() const {
    return engine_.armed() || phase_ == Phase::connecting || phase_ == Phase::logging_on || want_armed_;
}

// Without a board there is no ring to look at: what comes from the venue wakes the daemon, and so does the
// time of a rule.
std::chrono::nanoseconds Daemon::armed_rest() const {
    const bool never_rests = config_.poll == std::chrono::nanoseconds(0);
    if (never_rests || engine_.loading()) return config_.poll;
    if (!engine_.has_board()) return std::max(config_.poll, RingWatch::kRest);
    return ring_watch_.rest(steady_clock::now(), fabric_status_, config_);
}

void Daemon::run(int signal_fd) {
    machine_.take();
    watch_machine();
    heed_kill();
    engine_.recover();
    end_changes();
    announce("ready");
    if (!config_.bundle.empty()) {
        try {
            deploy(prepare(config_.bundle, Looks::all), config_.reconciled, false, allowed(ledger_.asked()));
        } catch (const BoardError&) {
            throw;
        } catch (const JournalError&) {
            throw;
        } catch (const std::exception& error) {
            problem_ = error.what();
            log_line(problem_);
        }
    }
    try {
        while (!stop_ || (link_ && link_->any_connected())) {
            wait_and_dispatch(signal_fd);
            step();
            ledger_.flush();
            if (observer_ != nullptr) tell_observer();
        }
        if (deployment_) finish_deploy();
    } catch (...) {
        // Without journal or board there is nothing to go on with; the fabric must not go on alone.
        try {
            engine_.fabric().disarm();
        } catch (const BoardError&) {  // then its watchdog does it
        }
        throw;
    }
}

void Daemon::wait_and_dispatch(int signal_fd) {
    watched_.clear();
    for (const int fd : {signal_fd, guard_.requests_fd(), preparation_.fd()})
        watched_.push_back({fd, POLLIN, 0});
    if (link_) link_->watch(watched_);

    const bool more = link_ && link_->more();
    std::chrono::nanoseconds wait = more              ? std::chrono::nanoseconds(0)
                                    : engine_.armed() ? armed_rest()
                                    : busy()          ? kBusyPoll
                                                      : kIdlePoll;
    // The lowest number: its clock is not known yet.
    const std::int64_t moment =
        std::min(engine_.next_moment().value_or(engine_.rolls_ns()), engine_.rolls_ns());
    wait = std::clamp(std::chrono::nanoseconds(moment - std::min(moment, utc_ns())),
                      std::chrono::nanoseconds(0), wait);
    const timespec timeout{static_cast<std::time_t>(wait.count() / 1'000'000'000),
                           static_cast<decltype(timespec::tv_nsec)>(wait.count() % 1'000'000'000)};
    if (::ppoll(watched_.data(), watched_.size(), &timeout, nullptr) <= 0 && !more) return;
    for (pollfd& event : watched_)
        if (more && link_->more(event.fd)) event.revents |= POLLIN;
    const auto woken = steady_clock::now();
    ring_watch_.woken(woken);
    times_.woken(woken);

    // The ring first: what the venue answers to a fire must find the kernel informed. Without a board there
    // is none, and what has come does not wait.
    if (engine_.armed() && engine_.has_board()) step();
    for (const pollfd& event : watched_) {
        if (event.revents == 0) continue;
        if (event.fd == signal_fd) {
            signalfd_siginfo info{};
            if (::read(signal_fd, &info, sizeof info) == sizeof info) {
                stop_ = true;
                begin_logout("the daemon was asked to stop");
            }
        } else if (event.fd == guard_.requests_fd()) {
            answer_requests();
        } else if (event.fd == preparation_.fd()) {
            finish_deploy();
        } else if (link_) {
            link_->ready(event.fd);
        }
    }
}

void Daemon::tell_observer() {
    static const std::string kFire = "fire", kReport = "execution";
    observer_->turn({.phase = phase_text(phase_),
                     .durable = ledger_.journal().durable_record(),
                     .fires = ledger_.tally().records(kFire),
                     .reports = ledger_.tally().records(kReport),
                     .armed = engine_.live(fabric_status_),
                     .dry = engine_.dry(),
                     .killed = guard_.flag().on(),
                     .connected = link_ && link_->logged_on()},
                    utc_ns(), link_ && link_->more());
}

void Daemon::answer_requests() {
    for (const ControlRequest& request : guard_.take_requests()) {
        heed_kill();
        heed_roll();
        answer(request, [&]() -> std::optional<nlohmann::json> {
            if (!request.refused.empty()) throw Refused(request.refused);
            return handle(request);
        });
    }
}

void Daemon::answer(const ControlRequest& request,
                    const std::function<std::optional<nlohmann::json>()>& carry_out) {
    std::optional<nlohmann::json> reply;
    try {
        reply = carry_out();
    } catch (const std::exception& error) {
        reply = {{"ok", false}, {"error", error.what()}};
    }
    if (!reply) return;
    record(request, *reply);
    guard_.answer(request.ticket, std::move(*reply));
}

// The guard has told board and disk; what is left is the session's part.
void Daemon::heed_kill() {
    for (const KillWord& word : guard_.take_said()) {
        const bool anew = word.kills != ledger_.kills();
        if (!anew && word.on == ledger_.killed()) continue;
        if (anew) disarm_killed();
        ledger_.record_kill(word);
        log_line(std::string("kill switch ") + (word.on ? "on" : "off") + ", by " + word.by,
                 {LogLevel::warning, word.on ? "killed" : "unkilled", {{"by", word.by}}});
        if (!word.on && problem_ == kKillIsOn) problem_.clear();
    }
}

void Daemon::disarm_killed() {
    want_armed_ = false;
    if (deployment_) deployment_->disarmed = true;
    comeback_.overrule();
    problem_ = kKillIsOn;
    try {
        engine_.disarm("the kill switch was turned on");
    } catch (const CommitError& error) {
        problem_ = error.what();
        lost();
    }
}

void Daemon::begin_logout(const std::string& reason) {
    want_session_ = want_armed_ = false;
    if (deployment_) deployment_->ended_by = reason;
    comeback_.overrule();
    if (!link_ || !link_->any_connected()) {
        if (link_) link_->close();
        if (phase_ != Phase::idle) enter(Phase::logged_out);
        return;
    }
    try {
        engine_.disarm(reason);
    } catch (const CommitError& error) {
        problem_ = error.what();
        lost();
        return;
    }
    enter(Phase::logging_out);
    link_->logout(reason);
}

void Daemon::step() {
    const auto now = steady_clock::now();
    guard_.turn();
    feed_.take_told();
    heed_kill();
    if (!look_at_board()) return lost(DisarmCause::other);
    heed_time(now);
    heed_disarmed(now);
    if (link_ && !link_->ended().empty()) return lost();
    keep_in_step(now);
    go_on(now);
}

// False: the connection is of no more use.
bool Daemon::look_at_board() {
    watch_clock();
    watch_clock_sync();
    watch_machine();
    try {
        fabric_status_ = engine_.watch();
    } catch (const CommitError& error) {
        problem_ = error.what();
        return false;
    }
    watch_parser();
    by_hand_.follow();
    if (next_config_ && !engine_.loading()) loaded_while_armed();
    watch_unread();
    return true;
}

// What is due whatever the session is at.
void Daemon::heed_time(steady_clock::time_point now) {
    if (feed_.due(now)) feed_.turn(now, session_state());
    engine_.follow_fills();  // a report may have come ahead of the fire that it is about
    if (engine_.armed() && link_) link_->market_data().keep_time();
    if (utc_ns() >= change_ends_ns_) end_changes();
    if (!stop_ && !rolling_ && utc_ns() >= roll_at_ns_) roll_day();
    heed_roll();
}

// The board, or whatever came from the venue, has disarmed.
void Daemon::heed_disarmed(steady_clock::time_point now) {
    const bool reset = link_ && link_->take_reset();
    if (link_) heed_contradiction();
    if (phase_ != Phase::armed || engine_.armed()) return;
    log_line("disarmed: " + engine_.disarm_reason(),
             {LogLevel::warning, "disarmed", {{"reason", engine_.disarm_reason()}}});
    problem_ = engine_.disarm_reason();
    if (engine_.lost_armed()) disarmed_by_session();
    enter(Phase::ready);
    // Nothing is amiss: what both sides count by has changed, and it is armed by that as it was.
    if (reset && !engine_.killed()) {
        want_armed_ = true;
        arm_until_ = now + kArmPatience;
    }
    // Bytes were stopped that the kernel believes sent: its sequence numbers lead nowhere.
    if (fabric_status_.has(hwmap::status_bits::fault_uncommitted)) link_->orders().end(problem_);
}

// Whatever was about to be armed waits until somebody has looked at it.
void Daemon::heed_contradiction() {
    const std::string wrong = link_->orders().take_contradiction();
    if (wrong.empty()) return;
    want_armed_ = false;
    if (deployment_) deployment_->disarmed = true;
    comeback_.overrule();
    problem_ = wrong;
    log_line(wrong, {LogLevel::warning, "contradiction"});
}

void Daemon::keep_in_step(steady_clock::time_point now) {
    // On a busy stream every turn counts: what the fabric has found is confirmed as soon as it has been read.
    // And ahead of the subscription, whose first snapshots then tell the fabric what they tell the runtime.
    const bool logged_on = link_ && link_->logged_on();
    if (logged_on && fabric_status_.gap()) engine_.resync(link_->market_data().boundaries());
    if (logged_on && engine_.silent()) give_back();
    if (now < next_tick_) return;
    next_tick_ = now + kTick;
    if (link_) link_->tick();
    if (link_ && (is_up(phase_) || without_market_)) link_->orders().send_due_cancels();
}

// The runtime has stood in for the fabric: its parser may be in step again.
void Daemon::give_back() {
    try {
        engine_.give_back(link_->market_data().boundaries());
    } catch (const Refused& refusal) {
        problem_ = refusal.what();
        log_line(problem_);
        try {
            engine_.disarm(problem_);
        } catch (const CommitError& error) {
            problem_ = error.what();
            lost();
        }
    } catch (const CommitError& error) {
        problem_ = error.what();
        lost();
    }
}

std::string Daemon::clock_too_far() const {
    const auto us = std::chrono::duration_cast<std::chrono::microseconds>(config_.clock_max_error).count();
    return clock_sync_.text() + ", and clock_max_error_us asks for " + std::to_string(us) +
           ": see to chronyd, or ptp4l with phc2sys";
}

void Daemon::try_arm() {
    try {
        if (engine_.has_board() && link_->timestamps())
            throw Refused(
                "TCP timestamps are on for this session and the fabric does not speak them; switch them off "
                "in the daemon's network namespace: sysctl net.ipv4.tcp_timestamps=0, then log on again");
        if (config_.clock_max_error.count() != 0 && !clock_sync_.within(config_.clock_max_error))
            throw Refused(clock_too_far());
        if (const std::string why = machine_.refusal(); !why.empty()) throw Refused(why);
        const std::int64_t now_ns = utc_ns();
        if (engine_.arm(link_->market_data().boundaries(), want_dry_)) {
            armed_at_ns_ = now_ns;
            comeback_.armed();
            want_armed_ = false;
            problem_.clear();
            enter(Phase::armed);
            announce(want_dry_ ? "armed for a dry run" : "armed");
        } else if (steady_clock::now() >= arm_until_) {
            throw Refused("the fabric's parser did not come into step with the stream");
        }
    } catch (const Refused& refusal) {
        want_armed_ = false;
        problem_ = refusal.what();
        if (comeback_.due_to_arm()) comeback_.refuse(problem_);
        log_line(problem_);
    } catch (const CommitError& error) {
        problem_ = error.what();
        lost();
    }
}

}  // namespace fixaccel
