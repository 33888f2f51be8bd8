// SPDX-License-Identifier: Apache-2.0
// What the runtime does for `rearm: {after}`, without a journal: tells the fabric when rules are due that
// have sent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "fixaccel/board.hpp"
#include "fixaccel/bundle.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/links.hpp"
#include "fixaccel/rearm_table.hpp"

namespace fixaccel::board {

class SimRearms {
  public:
    SimRearms(Board& board, const Bundle& bundle);
    // A record has come off the ring. Throws BoardError.
    void fired(const hwmap::ring_record& fire);

  private:
    struct Rule {
        std::uint32_t times = 0;  // that it was armed again
        std::optional<std::uint64_t> due_ns{};
    };

    Board& board_;
    RearmTable table_;
    std::vector<Watch> watches_;
    std::map<std::uint32_t, Rule> rules_;  // by number
};

}  // namespace fixaccel::board
