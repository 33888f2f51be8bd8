// SPDX-License-Identifier: Apache-2.0
#include "matching/book_update.hpp"

#include <algorithm>

namespace fixaccel::exchange {
namespace {

// How many orders make up a level is not published.
bool shows_the_same(const Level& one, const Level& other) {
    return one.price == other.price && one.quantity == other.quantity;
}

}  // namespace

std::vector<LevelChange> level_changes(const std::vector<Level>& before, const std::vector<Level>& now,
                                       std::size_t depth) {
    const auto shown = [depth](const std::vector<Level>& levels) {
        return depth == 0 ? levels.size() : std::min(depth, levels.size());
    };
    std::vector<LevelChange> changes;
    for (std::size_t at = 0; at < shown(now); ++at) {
        if (at >= shown(before)) {
            changes.push_back({UpdateAction::kNew, at + 1, now[at]});
        } else if (!shows_the_same(before[at], now[at])) {
            changes.push_back({UpdateAction::kChange, at + 1, now[at]});
        }
    }
    // From the far end, so that nothing moves up: it means the same to those who close gaps as to those who
    // do not.
    for (std::size_t at = shown(before); at > shown(now); --at)
        changes.push_back({UpdateAction::kDelete, at, {}});
    return changes;
}

}  // namespace fixaccel::exchange
