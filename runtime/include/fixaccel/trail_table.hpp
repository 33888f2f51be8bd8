// SPDX-License-Identifier: Apache-2.0
// The stops of a bundle's trails on the board. The board moves them; what they have come to is read there,
// and written there when the board was disarmed, or has not seen the market.
//
// A stop is of no bank: over a load while armed a trail that goes on keeps its own (keep_stops).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "fixaccel/board.hpp"
#include "fixaccel/bundle.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/trail_state.hpp"

namespace fixaccel {

class TrailTable {
  public:
    TrailTable() = default;
    explicit TrailTable(const Bundle& bundle);
    // There is no such rule.
    bool empty() const { return trails_.empty(); }

    // How far the trail of a rule has come; none: as at load.
    using StateOf = std::function<std::optional<TrailState>(std::uint32_t rule)>;
    // Makes all stops what the states say. Only while disarmed, or while the board sees nothing of the
    // market. Throws BoardError.
    void write(Board& board, const StateOf& state_of);

    using Moved = std::vector<std::pair<std::uint32_t, TrailState>>;  // by rule
    // The states of those that have moved since they were last read or written. A trail that has fired has
    // none. Throws BoardError.
    Moved moved(Board& board);
    // Where the stop of a rule's trail was when it was hit; none: it has no trail, or follows again since.
    std::optional<std::int64_t> hit_at(Board& board, std::uint32_t rule) const;
    // Whether the board has not come as far as one of these.
    bool behind(Board& board, const Moved& others) const;

  private:
    struct Trail {
        std::uint32_t rule = 0;
        std::uint32_t number = 0;  // of its stop
        std::int64_t distance = 0;
        bool sells = false;
        hwmap::stop_record fresh;  // at load
        hwmap::stop_record known;  // as it was last read or written
    };

    std::vector<Trail> trails_;
};

}  // namespace fixaccel
