// SPDX-License-Identifier: Apache-2.0
#include "matching/used_ids.hpp"

#include <cstring>

namespace fixaccel::exchange {
namespace {

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

bool UsedIds::insert(std::uint64_t hash, OrderId order) {
    if (size_ * 2 > mask_) grow();
    std::size_t at = hash & mask_;
    while (table()[at].hash != 0) {
        if (table()[at].hash == hash) return false;
        at = (at + 1) & mask_;
    }
    table()[at] = {hash, order};
    ++size_;
    return true;
}

const UsedIds::Entry* UsedIds::look_up(std::uint64_t hash) const {
    for (std::size_t at = hash & mask_; table()[at].hash != 0; at = (at + 1) & mask_) {
        if (table()[at].hash == hash) return &table()[at];
    }
    return nullptr;
}

void UsedIds::grow() {
    const Region old = std::move(table_);
    const std::size_t count = mask_ + 1;
    reset(count * 2);
    const auto* entries = static_cast<const Entry*>(old.start());
    for (std::size_t at = 0; at < count; ++at) {
        if (entries[at].hash != 0) insert(entries[at].hash, entries[at].order);
    }
}

}  // namespace fixaccel::exchange
