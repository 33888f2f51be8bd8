// SPDX-License-Identifier: Apache-2.0
// What of the rules of a bundle a bank of the board is told to arm: when they are due again (`rearm:
// {after}`), and those that fills have armed.
//
// The board arms a rule by itself with the first message of its instrument from then on, and forgets the
// time. A time is told once: the rule may have fired again before the journal knows that it was armed. What
// fills have armed is due at once. Told twice it changes nothing, for the board arms what waits for that,
// once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "fixaccel/board.hpp"
#include "fixaccel/bundle.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/links.hpp"

namespace fixaccel {

class RearmTable {
  public:
    // A rule, and the message time from which on it is due.
    struct Due {
        std::uint32_t rule = 0;
        std::uint64_t time_ns = 0;
    };

    RearmTable() = default;
    explicit RearmTable(const Bundle& bundle);
    // There is no such rule.
    bool empty() const { return slots_.empty(); }

    // When the rule of a watch is due; none: it does not wait for that.
    using DueOf = std::function<std::optional<std::uint64_t>(const Watch& watch)>;

    // Tells a bank what it has not been told before, and returns when rules of it are due again. Throws
    // BoardError.
    std::vector<Due> follow(Board& board, const DueOf& due_of, unsigned bank);
    // The bank has something else now: all is told again, but for what fills have armed, which its triggers
    // are to say with what is known by then. Only of a bank that is not evaluated.
    void forget();

  private:
    struct Slot {
        Watch watch;
        hwmap::rearm_record record;
        bool known = false;                 // to the board
        std::optional<std::uint64_t> told;  // as the board had it last
    };

    std::vector<Slot> slots_;
};

}  // namespace fixaccel
