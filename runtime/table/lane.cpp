// SPDX-License-Identifier: Apache-2.0
#include "lane.hpp"

#include <algorithm>

namespace fixaccel {
namespace {

bool later(const Resets::Entry& a, const Resets::Entry& b) { return a.key > b.key; }

}  // namespace

void Resets::push(std::int64_t threshold, std::uint32_t row) {
    heap.push_back({at_or_above ? threshold : -threshold, row});
    std::push_heap(heap.begin(), heap.end(), later);
}

bool Resets::pop(std::int64_t price, std::uint32_t& row) {
    if (heap.empty() || (at_or_above ? price : -price) < heap.front().key) return false;
    row = heap.front().row;
    std::pop_heap(heap.begin(), heap.end(), later);
    heap.pop_back();
    return true;
}

}  // namespace fixaccel
