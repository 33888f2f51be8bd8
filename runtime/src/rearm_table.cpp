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

void RearmTable::follow(Board& board, const ToldOf& told_of, unsigned bank) {
    for (Slot& slot : slots_) {
        const bool fills = slot.watch.role == WatchRole::fills;
        if (slot.known && !fills) continue;
        const Told now = told_of(slot.watch);
        if (slot.known && now == slot.told) continue;
        hwmap::rearm_record record = slot.record;
        const bool said = fills && !slot.known;  // by the triggers
        record.set_due(now.due_ns.value_or(0));
        record.set_pending(now.due_ns && !said ? 1 : 0);
        if (!fills) record.set_last(record.last() + now.other_fires);
        const std::uint32_t number = bank * hwmap::depth::rearm({}) / 2 + slot.watch.slot;
        board.write(hwmap::memory::rearm.base + number * hwmap::memory::rearm.stride_bytes,
                    std::span(record.words).first(hwmap::rearm_record::kWords));
        slot.known = true;
        slot.told = now;
    }
}

void RearmTable::forget() {
    for (Slot& slot : slots_) slot.known = false;
}

void RearmTable::forget_times() {
    for (Slot& slot : slots_) slot.known = slot.known && slot.watch.role == WatchRole::fills;
}

}  // namespace fixaccel
