// SPDX-License-Identifier: Apache-2.0
// The orders that the venue remembers, by OrderID and by place. Places are used again, OrderIDs never.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "matching/order.hpp"
#include "matching/region.hpp"

namespace fixaccel::exchange {

class OrderStore {
  public:
    // Takes a place under the next OrderID. The order stays where it is until it is forgotten. Its numbers
    // are those of a new one; its texts are still another's, to be overwritten.
    Order& add();
    // As add(), under an OrderID of before; in ascending order, before any add(). The next one follows it.
    Order& restore(OrderId id);
    // Takes back the youngest order, as if it had never been.
    void undo(Order& order);

    // Null where there is no such order, or no more.
    Order* find(OrderId id);
    const Order* find(OrderId id) const { return const_cast<OrderStore*>(this)->find(id); }
    Order& in(std::uint32_t slot) const {
        return static_cast<Order*>(chunks_[slot / kChunk].start())[slot % kChunk];
    }
    // Asks the cache for what a message about that order will touch.
    void prefetch(OrderId id) const {
        const std::uint32_t slot = slot_of(id);
        if (slot == 0) return;
        const char* line = reinterpret_cast<const char*>(&in(slot));
        for (std::size_t offset = 0; offset < sizeof(Order); offset += 64)
            __builtin_prefetch(line + offset, 1);
    }
    ~OrderStore();
    OrderStore() = default;
    OrderStore(const OrderStore&) = delete;
    OrderStore& operator=(const OrderStore&) = delete;

    // It is over: the oldest of those may be forgotten. The house's are apart: it replaces its quotes all
    // day.
    void finish(const Order& order) { (order.house ? finished_house_ : finished_).push_back(order.id); }
    // Forgets the oldest of those that are over until `kept` of the clients are left, and a few of the house.
    void forget(std::size_t kept);

    // Oldest first.
    template <typename Visit>
    void each(Visit&& visit) const {
        for (const auto& page : pages_) {
            if (!page) continue;
            for (const std::uint32_t slot : page->slots) {
                if (slot != 0) visit(in(slot));
            }
        }
    }

    // Those that are over, in the order of their end.
    template <typename Visit>
    void each_finished(Visit&& visit) const {
        for (const OrderId id : finished_) visit(id);
        for (const OrderId id : finished_house_) visit(id);
    }

    std::size_t size() const { return size_; }
    std::size_t finished() const { return finished_.size() + finished_house_.size(); }
    OrderId next_id() const { return next_; }
    void set_next_id(OrderId id);
    // Places that were ever taken at a time, and pages of OrderIDs: what the memory goes by.
    std::size_t places() const { return used_; }
    std::size_t pages() const { return pages_.size(); }

  private:
    // Large, so that its pages may be: it is taken from the system as it is touched.
    static constexpr std::uint32_t kChunk = 1U << 16U;
    // A page of OrderIDs in a row goes with the last of its orders.
    static constexpr std::uint64_t kPage = 1024;
    static constexpr std::size_t kKeptOfHouse = 1024;
    struct Page {
        std::array<std::uint32_t, kPage> slots{};
        std::uint32_t taken = 0;
    };

    Order& place(OrderId id);
    std::uint32_t slot_of(OrderId id) const {
        const std::uint64_t page = id / kPage;
        if (page < first_page_ || page - first_page_ >= pages_.size()) return 0;
        const auto& held = pages_[page - first_page_];
        return held ? held->slots[id % kPage] : 0;
    }
    void release(OrderId id);
    void drop_empty();

    std::vector<Region> chunks_;
    std::vector<std::uint32_t> free_;
    std::uint32_t used_ = 0;  // place 0 is none
    std::deque<std::unique_ptr<Page>> pages_;
    std::uint64_t first_page_ = 0;
    std::deque<OrderId> finished_;
    std::deque<OrderId> finished_house_;
    std::size_t size_ = 0;
    OrderId next_ = 1;
};

}  // namespace fixaccel::exchange
