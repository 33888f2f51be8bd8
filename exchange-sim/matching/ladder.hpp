// SPDX-License-Identifier: Apache-2.0
// The queues of one side of a book by price. Near the market a price is an index and a bitmap finds the next
// one; prices far from it are kept in a tree.
//
// A key is a price seen from the side: smaller is better. Asks and triggers on a rise use the price, bids and
// triggers on a fall its negative.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory_resource>

#include "matching/region.hpp"
#include "matching/types.hpp"

namespace fixaccel::exchange {

using Slot = std::uint32_t;  // number of an order's record, 0 is none
using Key = std::int64_t;

inline constexpr Key kNoKey = std::numeric_limits<Key>::max();

// Orders at one price, oldest first, linked through their records.
struct Queue {
    Slot head = 0;
    Slot tail = 0;
    std::uint32_t orders = 0;
    std::uint32_t spare = 0;
    Quantity visible = 0;
    Quantity total = 0;  // with what icebergs hide
};

struct LadderPage {
    std::array<Queue, 64> queues;
};
using LadderPages = Slab<LadderPage>;

class alignas(64) Ladder {
  public:
    explicit Ladder(std::pmr::memory_resource* memory) : far_(memory) {}

    // Of the best price; kNoKey if there is none.
    Key best() const { return best_; }
    bool empty() const { return best_ == kNoKey; }
    // The next worse key that has a queue.
    Key after(Key key) const;

    // The queue at a key; it must have orders.
    Queue& at(Key key, LadderPages& pages) {
        const std::uint64_t offset = offset_of(key);
        if (offset < kWindow) return pages[shelves_[offset / 64].page].queues[offset % 64];
        return far_.find(key)->second;
    }
    const Queue& at(Key key, const LadderPages& pages) const {
        const std::uint64_t offset = offset_of(key);
        if (offset < kWindow) return pages[shelves_[offset / 64].page].queues[offset % 64];
        return far_.find(key)->second;
    }
    // The queue at a key, to which an order is added at once.
    Queue& open(Key key, LadderPages& pages) {
        const std::uint64_t offset = offset_of(key);
        if (offset >= kWindow) return open_far(key, pages);
        if (key < best_) best_ = key;
        return open_near(offset, pages);
    }
    // Takes away the queue of a key, which has lost its last order.
    void close(Key key, LadderPages& pages);

    // Asks the cache for what a message at that key will touch.
    void prefetch(Key key, const LadderPages& pages) const {
        const std::uint64_t offset = offset_of(key);
        if (offset >= kWindow) return;
        const Shelf& shelf = shelves_[offset / 64];
        if (shelf.page != 0) __builtin_prefetch(&pages[shelf.page].queues[offset % 64], 1);
    }
    // The youngest order at a key near the market, 0 if there is none.
    Slot tail(Key key, const LadderPages& pages) const {
        const std::uint64_t offset = offset_of(key);
        if (offset >= kWindow || shelves_[offset / 64].page == 0) return 0;
        return pages[shelves_[offset / 64].page].queues[offset % 64].tail;
    }
    void prefetch_shelf(Key key) const {
        const std::uint64_t offset = offset_of(key);
        if (offset < kWindow) __builtin_prefetch(&shelves_[offset / 64], 1);
    }

  private:
    // 64 neighbouring keys.
    struct Shelf {
        std::uint64_t occupied = 0;
        std::uint32_t page = 0;
        std::uint32_t spare = 0;
    };
    static constexpr std::uint64_t kWindow = 4096;
    // Keys opened outside the window before it moves to them: moving it costs as much as its orders are many.
    static constexpr std::uint32_t kPatience = 256;

    std::uint64_t offset_of(Key key) const {
        return static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(base_);
    }
    Queue& open_near(std::uint64_t offset, LadderPages& pages) {
        Shelf& shelf = shelves_[offset / 64];
        if (shelf.occupied == 0) {
            shelf.page = pages.take();
            used_ |= std::uint64_t{1} << (offset / 64);
        }
        shelf.occupied |= std::uint64_t{1} << (offset % 64);
        return pages[shelf.page].queues[offset % 64];
    }
    Queue& open_far(Key key, LadderPages& pages);
    void close_near(std::uint64_t offset, LadderPages& pages);
    void move_window(Key key, LadderPages& pages);

    Key best_ = kNoKey;
    Key base_ = 0;            // the key that is first in the window
    std::uint64_t used_ = 0;  // a bit for each shelf that has queues
    std::uint32_t outside_ = 0;
    std::array<Shelf, kWindow / 64> shelves_{};
    std::pmr::map<Key, Queue> far_;
};

}  // namespace fixaccel::exchange
