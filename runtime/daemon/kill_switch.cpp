// SPDX-License-Identifier: Apache-2.0
#include "kill_switch.hpp"

#include <system_error>
#include <utility>

#include "fixaccel/fabric.hpp"
#include "fixaccel/journal.hpp"
#include "fixaccel/utc_clock.hpp"
#include "log.hpp"

namespace fixaccel {
namespace {

using std::chrono::steady_clock;

constexpr auto kTellAgain = std::chrono::seconds(1);

}  // namespace

KillSwitch::KillSwitch(std::filesystem::path journal, OpenBoard open, std::filesystem::path file)
    : journal_(std::move(journal)), open_(std::move(open)), file_(std::move(file)) {}

void KillSwitch::start() {
    std::error_code error;
    std::filesystem::create_directories(journal_, error);  // what fails is told with the first word
    const auto word = read_kill_word(journal_);
    unspoken_ = !word;
    if (word) flag_.set(*word);
    board_ = open_();
    check_hwmap(*board_);
    if (flag_.on()) write_register(true);
    if (!flag_.on() && Fabric(*board_).status().killed()) kill("the board, which was killed already");
    if (!flag_.on() && file_is_there()) kill("the file " + file_.string());
}

// What cannot be looked for may be there.
bool KillSwitch::file_is_there() const {
    std::error_code error;
    return !file_.empty() &&
           std::filesystem::symlink_status(file_, error).type() != std::filesystem::file_type::not_found;
}

void KillSwitch::write_register(bool on) {
    Fabric fabric(*board_);
    fabric.kill(on);
    // What was armed before must not be armed after.
    if (on) fabric.disarm();
}

// A connection that was lost is made anew, once.
void KillSwitch::tell_board(bool on) {
    const auto again = [this] { next_tell_ = steady_clock::now() + kTellAgain; };
    try {
        if (board_ != nullptr) {
            write_register(on);
            board_problem_.clear();
            return again();
        }
    } catch (const BoardError&) {
        board_.reset();
    }
    try {
        board_ = open_();
        check_hwmap(*board_);
        write_register(on);
        board_problem_.clear();
    } catch (const BoardError& error) {
        board_.reset();
        board_problem_ = error.what();
    }
    again();
}

void KillSwitch::kill(const std::string& by) {
    KillWord word = flag_.word();
    if (!word.on) word = {true, word.kills + 1, by, 0};
    flag_.raise(word.kills);
    tell_board(true);
    std::string problem = board_problem_;
    if (!problem.empty())
        problem =
            "the board could not be told, and sends what it is armed for until its watchdog or a later try "
            "stops it; the runtime's orders are stopped: " +
            problem;
    if (word.time_ns == 0) word.time_ns = utc_ns();
    flag_.set(word);
    try {
        write_kill_word(journal_, word);
    } catch (const JournalError& error) {
        problem +=
            (problem.empty() ? "" : "; ") + std::string("it would not outlive a crash: ") + error.what();
    }
    if (!problem.empty()) throw KillError("the kill switch is on, but " + problem);
}

void KillSwitch::undo(const std::string& by) {
    if (file_is_there())
        throw KillError("the kill switch stays on: " + file_.string() + " is there, remove it first");
    const KillWord killed = flag_.word();
    try {
        write_kill_word(journal_, {false, killed.kills, by, utc_ns()});
    } catch (const JournalError& error) {
        throw KillError(std::string("the kill switch stays on: ") + error.what());
    }
    tell_board(false);
    if (board_problem_.empty()) return flag_.set({false, killed.kills, by, utc_ns()});
    const std::string problem = board_problem_;
    try {
        write_kill_word(journal_, killed);
    } catch (const JournalError& error) {
        log_line(std::string("the kill switch would not outlive a crash: ") + error.what(),
                 {LogLevel::error, "kill-switch"});
    }
    throw KillError("the kill switch stays on: the board could not be told: " + problem);
}

void KillSwitch::look() {
    if (!flag_.on() && file_is_there()) {
        try {
            kill("the file " + file_.string());
        } catch (const KillError& error) {
            log_line(error.what(), {LogLevel::error, "kill-switch"});
        }
    }
    if (flag_.on() && steady_clock::now() >= next_tell_) tell_board(true);
}

}  // namespace fixaccel
