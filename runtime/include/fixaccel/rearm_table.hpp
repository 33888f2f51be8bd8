// SPDX-License-Identifier: Apache-2.0
// What of the rules of a bundle a bank of the board is told to arm: when they are due again (`rearm:
// {after}`), and those that fills have armed.
//
// When a rule is due behind its order the board knows by itself, and arms it: it is told what was so before
// it was armed, and no more. What fills have armed is due at once. Told twice it changes nothing, for the
// board arms what waits for that, once.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fixaccel/board.hpp"
#include "fixaccel/bundle.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/links.hpp"

namespace fixaccel {

class RearmTable {
  public:
    RearmTable() = default;
    explicit RearmTable(const Bundle& bundle);
    // There is no such rule.
    bool empty() const { return slots_.empty(); }

    using ToldOf = std::function<Told(const Watch& watch)>;

    // Tells a bank what it has not been told before and does not know by itself. Throws BoardError.
    void follow(Board& board, const ToldOf& told_of, unsigned bank);
    // The bank has something else now: all is told again, but for what fills have armed, which its triggers
    // are to say with what is known by then. Only of a bank that is not evaluated.
    void forget();
    // When rules are due again is told again.
    void forget_times();

  private:
    struct Slot {
        Watch watch;
        hwmap::rearm_record record;
        bool known = false;  // to the board
        Told told;           // last
    };

    std::vector<Slot> slots_;
};

}  // namespace fixaccel
