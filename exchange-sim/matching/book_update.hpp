// SPDX-License-Identifier: Apache-2.0
// What a step of the exchange changed in one book.
#pragma once

#include <cstddef>
#include <vector>

#include "matching/exchange.hpp"

namespace fixaccel::exchange {

struct BookUpdate {
    const Instrument* instrument = nullptr;
    MarketSnapshot before;
    MarketSnapshot now;
    std::vector<Print> prints;  // trades in between, oldest first
};

enum class UpdateAction { kNew, kChange, kDelete };

struct LevelChange {
    UpdateAction action = UpdateAction::kNew;
    std::size_t position = 0;  // 1 is the best
    Level level;               // what stands there now; nothing after kDelete
};

// From `before` to `now`, both best price first, each up to `depth` levels (0: all). A position is a place,
// not a price: a level that comes or goes changes every position from its own on, and only the far end of the
// side grows and shrinks. So position 1 is deleted only where the side becomes empty.
std::vector<LevelChange> level_changes(const std::vector<Level>& before, const std::vector<Level>& now,
                                       std::size_t depth);

}  // namespace fixaccel::exchange
