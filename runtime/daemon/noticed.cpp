// SPDX-License-Identifier: Apache-2.0
// What goes on by itself and has to be said: a clock that was set, a parser that has lost the stream.
#include "daemon.hpp"
#include "fixaccel/utc_clock.hpp"
#include "log.hpp"

namespace fixaccel {

using std::chrono::steady_clock;

namespace {

constexpr auto kClockLook = std::chrono::seconds(1);

}  // namespace

// A clock that has been set leaves open which of the two times is right. The session and what is armed go on
// by the one that the venue has taken so far.
void Daemon::watch_clock() {
    utc_clock().follow(config_.clock_step);
    if (utc_clock().was_set() == clock_was_set_) return;
    clock_was_set_ = !clock_was_set_;
    const std::int64_t apart_ms = utc_clock().apart().count() / 1'000'000;
    const std::string text =
        !clock_was_set_ ? "the system's clock is back: it is followed again"
                        : "the system's clock was set by " + std::to_string(apart_ms) +
                              " ms: it is not followed until it is back or the daemon is started anew";
    log_line(text);
    ledger_.record_note(text);
}

// Whoever has to prove what happened when needs to know how good the times are.
void Daemon::watch_clock_sync() {
    const auto now = steady_clock::now();
    if (now < next_clock_look_) return;
    const bool first = next_clock_look_ == steady_clock::time_point{};
    next_clock_look_ = now + kClockLook;
    const bool before = clock_sync_.synchronised;
    clock_sync_ = clock_sync();
    if (!first && clock_sync_.synchronised == before) return;
    log_line(clock_sync_.text());
    ledger_.record_note(clock_sync_.text());
}

void Daemon::watch_machine() {
    machine_.stay_awake(engine_.armed());
    if (!machine_.look(steady_clock::now())) return;
    const std::string text = "the machine is " + machine_.verdict().text();
    log_line(text, {.event = "machine", .fields = {{"verdict", machine_.verdict().text()}}});
    ledger_.record_note(text);
}

// Armed, but nothing is evaluated by the fabric: whoever relies on it has to know.
void Daemon::watch_parser() {
    const bool gap = engine_.armed() && fabric_status_.gap();
    if (gap == gap_since_.has_value()) return;
    const auto now = steady_clock::now();
    std::string text;
    if (gap) {
        gap_since_ = now;
        gap_from_ = link_->next_number();
        ++gaps_;
        text = "the parser lost the stream near message " + std::to_string(gap_from_) +
               ": rules of the fabric see nothing until it has found it again";
    } else {
        const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now - *gap_since_).count();
        gap_since_.reset();
        text = (engine_.armed() ? "the parser found the stream again near message "
                                : "disarmed while the parser had lost the stream, near message ") +
               std::to_string(link_ ? link_->next_number() : gap_from_) + ", after " + std::to_string(ms) +
               " ms";
    }
    log_line(text);
    ledger_.record_note(text);
}

}  // namespace fixaccel
