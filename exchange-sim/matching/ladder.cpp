// SPDX-License-Identifier: Apache-2.0
#include "matching/ladder.hpp"

#include <algorithm>
#include <bit>

namespace fixaccel::exchange {
namespace {

// Room before the key that the window is moved to: better prices come there as the market moves.
constexpr Key kRoomAhead = 1024;

std::uint64_t bits_from(std::uint64_t bit) { return bit > 63 ? 0 : ~std::uint64_t{0} << bit; }

}  // namespace

Key Ladder::after(Key key) const {
    Key near = kNoKey;
    if (used_ != 0) {
        // From the window's start if the key lies before it.
        const std::uint64_t first = key < base_ ? 0 : offset_of(key) + 1;
        if (first < kWindow) {
            const std::uint64_t shelf = first / 64;
            if (const std::uint64_t rest = shelves_[shelf].occupied & bits_from(first % 64); rest != 0) {
                near = base_ + static_cast<Key>(shelf * 64) + std::countr_zero(rest);
            } else if (const std::uint64_t more = used_ & bits_from(shelf + 1); more != 0) {
                const int next = std::countr_zero(more);
                near = base_ + Key{next} * 64 +
                       std::countr_zero(shelves_[static_cast<std::size_t>(next)].occupied);
            }
        }
    }
    if (far_.empty()) return near;
    const auto far = far_.upper_bound(key);
    return far == far_.end() ? near : std::min(near, far->first);
}

void Ladder::close_near(std::uint64_t offset, LadderPages& pages) {
    Shelf& shelf = shelves_[offset / 64];
    shelf.occupied &= ~(std::uint64_t{1} << (offset % 64));
    if (shelf.occupied != 0) return;
    pages.give_back(shelf.page);
    shelf.page = 0;
    used_ &= ~(std::uint64_t{1} << (offset / 64));
}

void Ladder::close(Key key, LadderPages& pages) {
    const std::uint64_t offset = offset_of(key);
    offset < kWindow ? close_near(offset, pages) : void(far_.erase(key));
    if (key == best_) best_ = after(key);
}

Queue& Ladder::open_far(Key key, LadderPages& pages) {
    best_ = std::min(best_, key);
    const bool best_outside = offset_of(best_) >= kWindow;
    if (used_ == 0 || (best_outside && ++outside_ >= kPatience)) {
        move_window(best_, pages);
        if (const std::uint64_t offset = offset_of(key); offset < kWindow) return open_near(offset, pages);
    }
    return far_[key];
}

void Ladder::move_window(Key key, LadderPages& pages) {
    outside_ = 0;
    for (std::uint64_t left = used_; left != 0; left &= left - 1) {
        const auto shelf = static_cast<std::uint64_t>(std::countr_zero(left));
        for (std::uint64_t keys = shelves_[shelf].occupied; keys != 0; keys &= keys - 1) {
            const std::uint64_t offset = shelf * 64 + static_cast<std::uint64_t>(std::countr_zero(keys));
            Queue& queue = pages[shelves_[shelf].page].queues[offset % 64];
            far_.emplace(base_ + static_cast<Key>(offset), queue);
            queue = {};
            close_near(offset, pages);
        }
    }
    base_ = key - kRoomAhead;
    auto next = far_.lower_bound(base_);
    while (next != far_.end() && offset_of(next->first) < kWindow) {
        open_near(offset_of(next->first), pages) = next->second;
        next = far_.erase(next);
    }
}

}  // namespace fixaccel::exchange
