// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <numeric>

#include "fixaccel/bundle.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/limits_left.hpp"

namespace fixaccel {
namespace {

using hwmap::Window;

hwmap::Capacity read_capacity(Board& board) {
    return {.instruments = board.read(hwmap::reg::cap_instruments),
            .triggers = board.read(hwmap::reg::cap_triggers),
            .orders = board.read(hwmap::reg::cap_orders),
            .templates = board.read(hwmap::reg::cap_templates),
            .groups = board.read(hwmap::reg::cap_groups)};
}

// Zeroes `count` records of `window` from record `first` on.
void zero(Board& board, const Window& window, std::uint32_t first, std::uint32_t count) {
    const std::vector<std::uint32_t> zeros(std::size_t{count} * window.stride_bytes / sizeof(std::uint32_t));
    if (!zeros.empty()) board.write(window.base + first * window.stride_bytes, zeros);
}

// `armed` in the status register is off too while something blocks an armed fabric, so the order to disarm
// comes in any case; an armed board is somebody's running strategy and is left alone.
void require_disarmed(Board& board) {
    const std::uint32_t status = board.read(hwmap::reg::status);
    if (((status >> hwmap::status_bits::armed) & 1U) != 0U)
        throw BoardError("the board is armed: disarm it before its tables are changed");
    if (((status >> hwmap::status_bits::order_busy) & 1U) != 0U) throw BoardError(kOrderOnTheWire);
    board.write(hwmap::reg::arm, 0);
    board.write(hwmap::reg::orders_left, 0);
}

void check_fits(const Bundle& bundle, const hwmap::Capacity& capacity) {
    // The perfect hash is made for a number of slots, so here more is as wrong as less.
    const auto compiled = bundle.capacity.find("instruments");
    if (compiled == bundle.capacity.end() || compiled->second != capacity.instruments)
        throw BundleError("bundle " + bundle.path.string() + " was compiled for the board " + bundle.board +
                          " with " +
                          (compiled == bundle.capacity.end() ? "no" : std::to_string(compiled->second)) +
                          " instruments, this board has " + std::to_string(capacity.instruments) +
                          "; compile it for this board");
    for (const BundleMemory& memory : bundle.memories) {
        const auto* const known = std::find_if(hwmap::memories.begin(), hwmap::memories.end(),
                                               [&](const auto& m) { return m.name == memory.name; });
        if (known == hwmap::memories.end()) throw BundleError("no board has a memory " + memory.name);
        const bool halved = bundle.banked && memory.base != hwmap::memory::stop.base;
        const std::uint32_t depth = known->depth(capacity) / (halved ? 2 : 1);
        if (memory.records > depth)
            throw BundleError("bundle " + bundle.path.string() + " needs " + std::to_string(memory.records) +
                              " records of memory " + memory.name + ", this board has " +
                              std::to_string(depth) + (bundle.banked ? " in a bank" : ""));
    }
}

// Counts, dormant and live bits follow when it is known what has fired; until then nothing is live or waits.
bool is_state(const hwmap::Memory& memory) {
    return memory.window.base == hwmap::memory::live.base ||
           memory.window.base == hwmap::memory::dormant.base ||
           memory.window.base == hwmap::memory::fire_count.base;
}

// So many records of a memory, or of a bank with that `depth` of it, could hold something of a former bundle
// that is reached: by any symbol, by its bucket, by an instrument of this bundle whose chains are empty, by
// what is left of it, by a link to dormant triggers, by a rule that is to be armed again. All others are
// reached only through these, and none of the bundle's leads to one that it does not have (check_tables).
std::uint32_t reachable(const hwmap::Memory& memory, std::uint32_t depth, const Bundle& bundle,
                        const hwmap::Capacity& capacity) {
    constexpr std::array whole{hwmap::memory::live.base, hwmap::memory::dormant.base,
                               hwmap::memory::directory.base, hwmap::memory::displacement.base,
                               hwmap::memory::rearm.base};
    constexpr std::array by_instrument{hwmap::memory::chain.base, hwmap::memory::quantity_left.base,
                                       hwmap::memory::trail_list.base};
    const std::uint32_t base = memory.window.base;
    if (std::find(whole.begin(), whole.end(), base) != whole.end()) return depth;
    if (std::find(by_instrument.begin(), by_instrument.end(), base) == by_instrument.end()) return 0;
    const auto instruments =
        std::find_if(bundle.memories.begin(), bundle.memories.end(),
                     [](const BundleMemory& each) { return each.base == hwmap::memory::instrument.base; });
    const std::uint32_t each = memory.depth(capacity) / capacity.instruments;
    return instruments == bundle.memories.end() ? 0 : std::min(depth, each * instruments->records);
}

// Nothing is live from the first write on.
void zero_reachable(Board& board, const Bundle& bundle, const hwmap::Capacity& capacity) {
    const auto zero_all = [&](const hwmap::Memory& memory) {
        zero(board, memory.window, 0, reachable(memory, memory.depth(capacity), bundle, capacity));
    };
    constexpr std::array first{hwmap::memory::live.base, hwmap::memory::dormant.base,
                               hwmap::memory::directory.base};
    for (const std::uint32_t base : first)
        for (const hwmap::Memory& memory : hwmap::memories)
            if (memory.window.base == base) zero_all(memory);
    for (const hwmap::Memory& memory : hwmap::memories)
        if (std::find(first.begin(), first.end(), memory.window.base) == first.end()) zero_all(memory);
    zero(board, hwmap::memory::resting, 0, hwmap::depth::resting(capacity));
}

// Stops are of no bank: those of trails that go on stay as they are.
void write_stops(const Bundle& bundle, const BundleMemory& stops, std::vector<TableWrite>& writes) {
    constexpr std::size_t kWords = hwmap::stop_record::kStride;
    std::vector<std::uint32_t> numbers(stops.records);
    std::iota(numbers.begin(), numbers.end(), 0);
    for (const std::uint32_t number : bundle.fresh_stops.value_or(numbers)) {
        const auto begin = stops.words.begin() + static_cast<std::ptrdiff_t>(number * kWords);
        writes.push_back({hwmap::memory::stop.base + number * hwmap::memory::stop.stride_bytes,
                          {begin, begin + static_cast<std::ptrdiff_t>(kWords)}});
    }
}

}  // namespace

void check_fits(Board& board, const Bundle& bundle) { check_fits(bundle, read_capacity(board)); }

void write_tables(Board& board, const Bundle& bundle) {
    check_fits(board, bundle);
    // No symbol leads anywhere yet: what comes from here on is of the new numbers.
    board.write(hwmap::reg::known_forget, 1);
    board.write(hwmap::reg::banked, bundle.banked ? 1 : 0);
    board.write(hwmap::reg::hash_seed, bundle.hash_seed);
    write_collar(board, bundle);
    // Last the directory, and behind it the dormant and the live bits: until then no symbol leads anywhere,
    // no link arms and nothing may fire, so half a load cannot.
    constexpr std::array last{hwmap::memory::directory.base, hwmap::memory::dormant.base,
                              hwmap::memory::live.base};
    const auto write = [&](const BundleMemory& memory) {
        if (!memory.words.empty()) board.write(memory.base, memory.words);
    };
    for (const BundleMemory& memory : bundle.memories)
        if (std::find(last.begin(), last.end(), memory.base) == last.end()) write(memory);
    for (const std::uint32_t base : last)
        for (const BundleMemory& memory : bundle.memories)
            if (memory.base == base) write(memory);
}

void load_bundle(Board& board, const Bundle& bundle) {
    const hwmap::Capacity capacity = read_capacity(board);
    check_fits(bundle, capacity);
    require_disarmed(board);
    zero_reachable(board, bundle, capacity);
    write_tables(board, bundle);
}

std::vector<TableWrite> bank_writes(Board& board, const Bundle& bundle, unsigned bank,
                                    std::size_t most_words) {
    const hwmap::Capacity capacity = read_capacity(board);
    check_fits(bundle, capacity);
    if (!bundle.banked) throw BundleError("bundle " + bundle.path.string() + " takes more than a bank");
    std::vector<TableWrite> writes{
        {bank != 0 ? hwmap::reg::hash_seed_upper : hwmap::reg::hash_seed, {bundle.hash_seed}}};
    for (const hwmap::Memory& memory : hwmap::memories) {
        const auto in = std::find_if(bundle.memories.begin(), bundle.memories.end(),
                                     [&](const BundleMemory& m) { return m.base == memory.window.base; });
        if (memory.window.base == hwmap::memory::stop.base) {
            if (in != bundle.memories.end()) write_stops(bundle, *in, writes);
            continue;
        }
        std::vector<std::uint32_t> words;
        if (in != bundle.memories.end() && !is_state(memory)) words = in->words;
        const std::uint32_t stride = memory.window.stride_bytes / sizeof(std::uint32_t);
        const std::uint32_t depth = memory.depth(capacity) / 2;
        const std::size_t cleared = std::size_t{reachable(memory, depth, bundle, capacity)} * stride;
        words.resize(std::max(words.size(), cleared));
        const std::size_t most = std::max<std::size_t>(most_words / stride, 1) * stride;  // whole records
        for (std::size_t at = 0; at < words.size(); at += most) {
            const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at);
            const auto end = words.begin() + static_cast<std::ptrdiff_t>(std::min(at + most, words.size()));
            const std::size_t before = std::size_t{bank} * depth * stride + at;
            writes.push_back({memory.window.base + static_cast<std::uint32_t>(before * sizeof(std::uint32_t)),
                              {begin, end}});
        }
    }
    return writes;
}

void unload_bundle(Board& board, const Bundle& bundle, unsigned bank) {
    require_disarmed(board);
    const hwmap::Capacity capacity = read_capacity(board);
    for (const hwmap::Memory& memory : hwmap::memories) {
        const std::uint32_t first = bank * memory.depth(capacity) / 2;
        for (const BundleMemory& used : bundle.memories) {
            const bool counts = memory.window.base == hwmap::memory::fire_count.base &&
                                used.base == hwmap::memory::trigger.base;
            if (used.base == memory.window.base || counts) zero(board, memory.window, first, used.records);
            const bool rests = memory.window.base == hwmap::memory::resting.base &&
                               used.base == hwmap::memory::instrument.base;
            if (rests) zero(board, memory.window, first, 2 * used.records);
        }
    }
}

void clear_tables(Board& board) {
    require_disarmed(board);
    const hwmap::Capacity capacity = read_capacity(board);
    for (const hwmap::Memory& memory : hwmap::memories)
        if (memory.writable || memory.window.base == hwmap::memory::resting.base)
            zero(board, memory.window, 0, memory.depth(capacity));
}

}  // namespace fixaccel
