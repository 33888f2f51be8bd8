// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/table_cache.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {
namespace {

// The fabric changes these, or the runtime by what has fired.
constexpr std::array kState{hwmap::memory::live.base, hwmap::memory::dormant.base,
                            hwmap::memory::quantity_left.base, hwmap::memory::rearm.base};

// The table that an address is in; null: it is none that stays as it was written.
const hwmap::Memory* table_at(std::uint32_t addr) {
    if (addr < hwmap::tables_base) return nullptr;
    for (const hwmap::Memory& memory : hwmap::memories) {
        const hwmap::Window& window = memory.window;
        const bool inside = addr >= window.base && addr - window.base < window.room * window.stride_bytes;
        if (!inside || !memory.writable) continue;
        return std::find(kState.begin(), kState.end(), window.base) == kState.end() ? &memory : nullptr;
    }
    return nullptr;
}

}  // namespace

void TableCache::pass_on(std::uint32_t addr, std::span<const std::uint32_t> words) {
    board_.write(addr, words);
    written_ += words.size();
}

void TableCache::changed(std::uint32_t addr) {
    const hwmap::Memory* const memory = table_at(addr);
    if (memory == nullptr) return;
    const auto table = tables_.find(memory->window.base);
    const std::size_t record = (addr - memory->window.base) / memory->window.stride_bytes;
    if (table != tables_.end() && record < table->second.known.size()) table->second.known[record] = false;
}

void TableCache::write(std::uint32_t addr, std::span<const std::uint32_t> words) {
    const hwmap::Memory* const memory = table_at(addr);
    if (memory == nullptr) return pass_on(addr, words);
    const hwmap::Window& window = memory->window;
    const std::size_t stride = window.stride_bytes / sizeof(std::uint32_t);
    const std::size_t first = (addr - window.base) / window.stride_bytes;
    const std::size_t records = words.size() / stride;
    if ((addr - window.base) % window.stride_bytes != 0 || words.size() % stride != 0)
        throw BoardError("half a record of memory " + std::string(memory->name) + " is written");
    Table& table = tables_[window.base];
    if (table.known.size() < first + records) {
        table.known.resize(first + records);
        table.words.resize((first + records) * stride);
    }
    const auto held = [&](std::size_t record) {
        return table.words.begin() + static_cast<std::ptrdiff_t>((first + record) * stride);
    };
    const auto is_so = [&](std::size_t record) {
        const auto told = words.subspan(record * stride, stride);
        return table.known[first + record] && std::equal(told.begin(), told.end(), held(record));
    };
    for (std::size_t record = 0; record < records;) {
        if (is_so(record)) {
            ++record;
            continue;
        }
        std::size_t end = record + 1;
        while (end < records && !is_so(end)) ++end;
        const auto told = words.subspan(record * stride, (end - record) * stride);
        // Half of them may be there if it fails.
        std::fill_n(table.known.begin() + static_cast<std::ptrdiff_t>(first + record), end - record, false);
        pass_on(addr + static_cast<std::uint32_t>(record * window.stride_bytes), told);
        std::copy(told.begin(), told.end(), held(record));
        std::fill_n(table.known.begin() + static_cast<std::ptrdiff_t>(first + record), end - record, true);
        record = end;
    }
}

}  // namespace fixaccel
