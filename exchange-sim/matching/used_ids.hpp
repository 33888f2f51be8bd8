// SPDX-License-Identifier: Apache-2.0
// The ClOrdIDs of a day, as hashes: 16 bytes for each, whatever becomes of its order.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "matching/region.hpp"
#include "matching/types.hpp"

namespace fixaccel::exchange {

// An owner's ClOrdID in 64 bits. That one of ten million in a day is taken for another that is not it happens
// once in some 300,000 days; it is rejected as used, then.
std::uint64_t hash_of(std::uint32_t owner, std::string_view cl_ord_id);

class UsedIds {
  public:
    struct Entry {
        std::uint64_t hash = 0;  // 0: none
        OrderId order = 0;
    };

    UsedIds() { reset(kSmallest); }
    // False if the hash is there.
    bool insert(std::uint64_t hash, OrderId order);
    // 0 if it is not there, or names no order.
    OrderId find(std::uint64_t hash) const {
        const Entry* entry = look_up(hash);
        return entry == nullptr ? 0 : entry->order;
    }
    bool contains(std::uint64_t hash) const { return look_up(hash) != nullptr; }
    std::size_t size() const { return size_; }
    void prefetch(std::uint64_t hash) const { __builtin_prefetch(&table()[hash & mask_], 1); }

    template <typename Visit>
    void each(Visit&& visit) const {
        for (std::size_t at = 0; at <= mask_; ++at) {
            if (table()[at].hash != 0) visit(table()[at]);
        }
    }
    // Keeps those whose order passes the test, and gives back what memory the others took.
    template <typename Test>
    void keep_if(Test&& test) {
        const Region old = std::move(table_);
        const std::size_t count = mask_ + 1;
        reset(kSmallest);
        const auto* entries = static_cast<const Entry*>(old.start());
        for (std::size_t at = 0; at < count; ++at) {
            if (entries[at].hash != 0 && test(entries[at].order)) insert(entries[at].hash, entries[at].order);
        }
    }

  private:
    static constexpr std::size_t kSmallest = 1024;

    const Entry* look_up(std::uint64_t hash) const;
    Entry* table() const { return static_cast<Entry*>(table_.start()); }
    void reset(std::size_t entries) {
        table_ = Region(entries * sizeof(Entry));
        mask_ = entries - 1;
        size_ = 0;
    }
    void grow();

    Region table_{kSmallest * sizeof(Entry)};  // open addressing, a power of two
    std::size_t mask_ = 0;
    std::size_t size_ = 0;
};

}  // namespace fixaccel::exchange
