// SPDX-License-Identifier: Apache-2.0
// The ClOrdIDs of a day, as hashes: 16 bytes for each, whatever becomes of its order.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

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

    UsedIds();
    // False if the hash is there.
    bool insert(std::uint64_t hash, OrderId order);
    // 0 if it is not there, or names no order.
    OrderId find(std::uint64_t hash) const {
        const Entry* entry = look_up(hash);
        return entry == nullptr ? 0 : entry->order;
    }
    bool contains(std::uint64_t hash) const { return look_up(hash) != nullptr; }
    std::size_t size() const { return size_; }
    void prefetch(std::uint64_t hash) const { __builtin_prefetch(&table_[hash & (table_.size() - 1)]); }

    template <typename Visit>
    void each(Visit&& visit) const {
        for (const Entry& entry : table_) {
            if (entry.hash != 0) visit(entry);
        }
    }
    // Keeps those whose order passes the test, and gives back what memory the others took.
    template <typename Test>
    void keep_if(Test&& test) {
        std::vector<Entry> old;
        old.swap(table_);
        reset();
        for (const Entry& entry : old) {
            if (entry.hash != 0 && test(entry.order)) insert(entry.hash, entry.order);
        }
    }

  private:
    const Entry* look_up(std::uint64_t hash) const;
    void reset();
    void grow();

    std::vector<Entry> table_;  // open addressing, a power of two
    std::size_t size_ = 0;
};

}  // namespace fixaccel::exchange
