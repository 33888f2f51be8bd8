// SPDX-License-Identifier: Apache-2.0
// What turning the kill switch on and off takes: the flag, the board's register, the word that outlives a
// crash. All of it with a board connection of its own, used by one thread at a time.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "fixaccel/board.hpp"
#include "kill_flag.hpp"

namespace fixaccel {

// Not all of what was asked for came about; the text says what did and what did not.
class KillError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class KillSwitch {
  public:
    using OpenBoard = std::function<std::unique_ptr<Board>()>;

    // `journal`: the folder that keeps the last word. `file`: whose appearance kills, none if empty.
    KillSwitch(std::filesystem::path journal, OpenBoard open, std::filesystem::path file = {});

    // Before anything else is done with the board: kills it if the last word says so, or the file is there;
    // and takes over a board that is killed already. Throws BoardError, KillError.
    void start();
    // Whether nobody had ever said anything at start.
    bool unspoken() const { return unspoken_; }

    // In this order: the flag, the board's register, the word on disk. The board is disarmed as well, so that
    // what was armed does not come back with undo(). Throws KillError; the flag is on then all the same.
    void kill(const std::string& by);
    // In this order: the word on disk, the board's register, the flag. Throws KillError; it is on then still.
    void undo(const std::string& by);
    // Call every few milliseconds: looks for the file, and tells a board again that may have been lost.
    void look();

    const KillFlag& flag() const { return flag_; }
    // See KillFlag; for another thread.
    std::vector<KillWord> take_said() { return flag_.take_said(); }
    // What keeps the register from being what the flag is; empty if nothing does.
    const std::string& board_problem() const { return board_problem_; }
    bool watches_file() const { return !file_.empty(); }

  private:
    bool file_is_there() const;
    void tell_board(bool on);
    void write_register(bool on);

    std::filesystem::path journal_;
    OpenBoard open_;
    std::filesystem::path file_;
    KillFlag flag_;
    std::unique_ptr<Board> board_;
    std::string board_problem_;
    bool unspoken_ = false;
    std::chrono::steady_clock::time_point next_tell_{};
};

}  // namespace fixaccel
