// SPDX-License-Identifier: Apache-2.0
#include "matching/used_ids.hpp"

#include <cstring>

namespace fixaccel::exchange {
namespace {

constexpr std::size_t kSmallest = 1024;

// The finisher of splitmix64: each bit in moves half of those that come out.
std::uint64_t mix(std::uint64_t value) {
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
    return value ^ (value >> 31U);
}

}  // namespace

std::uint64_t hash_of(std::uint32_t owner, std::string_view cl_ord_id) {
    std::uint64_t hash = mix((std::uint64_t{owner} << 32U) + cl_ord_id.size() + 0x9e3779b97f4a7c15ULL);
    while (!cl_ord_id.empty()) {
        const std::size_t length = cl_ord_id.size() < 8 ? cl_ord_id.size() : 8;
        std::uint64_t word = 0;
        std::memcpy(&word, cl_ord_id.data(), length);
        hash = mix(hash + word + 0x9e3779b97f4a7c15ULL);
        cl_ord_id.remove_prefix(length);
    }
    return hash == 0 ? 1 : hash;
}

UsedIds::UsedIds() { reset(); }

void UsedIds::reset() {
    table_.assign(kSmallest, {});
    size_ = 0;
}

bool UsedIds::insert(std::uint64_t hash, OrderId order) {
    if (size_ * 2 >= table_.size()) grow();
    const std::size_t mask = table_.size() - 1;
    std::size_t at = hash & mask;
    while (table_[at].hash != 0) {
        if (table_[at].hash == hash) return false;
        at = (at + 1) & mask;
    }
    table_[at] = {hash, order};
    ++size_;
    return true;
}

const UsedIds::Entry* UsedIds::look_up(std::uint64_t hash) const {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t at = hash & mask; table_[at].hash != 0; at = (at + 1) & mask) {
        if (table_[at].hash == hash) return &table_[at];
    }
    return nullptr;
}

void UsedIds::grow() {
    std::vector<Entry> old(table_.size() * 2);
    old.swap(table_);
    size_ = 0;
    for (const Entry& entry : old) {
        if (entry.hash != 0) insert(entry.hash, entry.order);
    }
}

}  // namespace fixaccel::exchange
