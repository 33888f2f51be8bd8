// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/rearm_table.hpp"

#include <algorithm>
#include <span>

namespace fixaccel {

RearmTable::RearmTable(const Bundle& bundle) {
    for (const Watch& watch : fabric_watches(bundle)) {
        if (!watch.told()) continue;
        Slot slot;
        slot.watch = watch;
        for (const BundleMemory& memory : bundle.memories) {
            if (memory.base != hwmap::memory::rearm.base) continue;
            constexpr std::size_t kWords = hwmap::rearm_record::kStride;
            std::ranges::copy(std::span(memory.words).subspan(watch.slot * kWords, kWords),
                              slot.record.words.begin());
        }
        slots_.push_back(slot);
    }
}

std::vector<RearmTable::Due> RearmTable::follow(Board& board, const DueOf& due_of, unsigned bank) {
    std::vector<Due> told;
    for (Slot& slot : slots_) {
        const std::optional<std::uint64_t> now = due_of(slot.watch);
        if (slot.known && now == slot.told) continue;
        hwmap::rearm_record record = slot.record;
        const bool fills = slot.watch.role == WatchRole::fills;
        const bool said = fills && !slot.known;  // by the triggers
        record.set_due(now.value_or(0));
        record.set_pending(now && !said ? 1 : 0);
        const std::uint32_t number = bank * hwmap::depth::rearm({}) / 2 + slot.watch.slot;
        board.write(hwmap::memory::rearm.base + number * hwmap::memory::rearm.stride_bytes,
                    std::span(record.words).first(hwmap::rearm_record::kWords));
        slot.known = true;
        slot.told = now;
        if (now && !fills) told.push_back({.rule = slot.watch.rule, .time_ns = *now});
    }
    return told;
}

void RearmTable::forget() {
    for (Slot& slot : slots_) slot.known = false;
}

}  // namespace fixaccel
