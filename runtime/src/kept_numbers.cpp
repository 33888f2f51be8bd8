// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "fixaccel/as_index.hpp"
#include "fixaccel/bundle.hpp"
#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {
namespace {

constexpr std::uint32_t kChains = 8;  // records of the chain memory that an instrument has
static_assert(hwmap::depth::chain({1, 0, 0, 0, 0}) == kChains, "chains of an instrument");

// Row i of a memory, of so many words, becomes row numbers[i].
void move_rows(BundleMemory& memory, std::size_t row_words, std::uint32_t record_bytes,
               const std::vector<std::uint32_t>& numbers) {
    std::vector<std::uint32_t> moved;
    for (std::size_t row = 0; row < numbers.size(); ++row) {
        const std::size_t begin = std::min(row * row_words, memory.words.size());
        const std::size_t end = std::min(begin + row_words, memory.words.size());
        if (begin == end) continue;
        const std::size_t to = numbers[row] * row_words;
        moved.resize(std::max(moved.size(), to + (end - begin)));
        std::copy(memory.words.begin() + static_cast<std::ptrdiff_t>(begin),
                  memory.words.begin() + static_cast<std::ptrdiff_t>(end),
                  moved.begin() + static_cast<std::ptrdiff_t>(to));
    }
    memory.words = std::move(moved);
    memory.records = static_cast<std::uint32_t>(memory.words.size() * sizeof(std::uint32_t) / record_bytes);
}

void renumber(BundleMemory& directory, const std::vector<std::uint32_t>& numbers) {
    for (std::uint32_t& word : directory.words) {
        hwmap::directory_record record;
        record.words[0] = word;
        if (record.valid() == 0) continue;
        record.set_instrument(numbers.at(as_index(record.instrument())));
        word = record.words[0];
    }
}
static_assert(hwmap::directory_record::kStride == 1, "a slot is a word");

// Chains name these windows of time instead.
void name_windows(BundleMemory& chains, const std::vector<std::uint32_t>& numbers) {
    constexpr std::size_t kWords = hwmap::chain_record::kStride;
    for (std::size_t at = 0; at + kWords <= chains.words.size(); at += kWords) {
        hwmap::chain_record record;
        std::copy_n(chains.words.begin() + static_cast<std::ptrdiff_t>(at), kWords, record.words.begin());
        if (record.window() == 0) continue;
        record.set_window(numbers.at(as_index(record.window())));
        std::copy_n(record.words.begin(), kWords, chains.words.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

// The numbers of a bundle's windows of time in `former`, by theirs; none: it has one that `former` has not.
std::optional<std::vector<std::uint32_t>> window_numbers(const Bundle& former, const Bundle& bundle) {
    std::vector<std::uint32_t> numbers(1);
    for (const auto& window : bundle.windows) {
        const auto found = std::find(former.windows.begin(), former.windows.end(), window);
        if (found == former.windows.end() || !(former.zone == bundle.zone)) return std::nullopt;
        numbers.push_back(static_cast<std::uint32_t>(found - former.windows.begin()) + 1);
    }
    return numbers;
}

struct Numbers {
    std::vector<std::uint32_t> kept;     // by the number in the bundle
    std::vector<std::uint32_t> retired;  // that the fabric knows former instruments by
};

// None: there are not enough that the fabric does not know others by.
std::optional<Numbers> instrument_numbers(const Bundle& former, const Bundle& bundle) {
    std::map<std::string, std::uint32_t> known;
    for (const BundleInstrument& instrument : former.instruments)
        if (instrument.index) known.emplace(instrument.symbol, *instrument.index);
    std::uint32_t count = 0;
    for (const BundleInstrument& instrument : bundle.instruments)
        if (instrument.index) count = std::max(count, *instrument.index + 1);
    const auto capacity = bundle.capacity.find("instruments");
    const std::uint64_t room =
        capacity == bundle.capacity.end() ? count : capacity->second / (bundle.banked ? 2 : 1);

    // What is known of an instrument that is gone grows old: nobody gets its number, itself neither.
    std::vector<bool> taken(as_index(room));
    for (const auto& [symbol, number] : known) taken.at(number) = true;
    for (const std::uint32_t number : former.retired) taken.at(number) = true;
    Numbers numbers{.kept = std::vector<std::uint32_t>(count), .retired = former.retired};
    std::uint32_t free = 0;
    for (const BundleInstrument& instrument : bundle.instruments) {
        if (!instrument.index) continue;
        if (const auto found = known.find(instrument.symbol); found != known.end()) {
            numbers.kept[*instrument.index] = found->second;
            known.erase(found);
            continue;
        }
        while (free < room && taken[free]) ++free;
        if (free == room) return std::nullopt;
        numbers.kept[*instrument.index] = free++;
    }
    for (const auto& [symbol, number] : known) numbers.retired.push_back(number);
    return numbers;
}

}  // namespace

bool keeps_windows(const Bundle& former, const Bundle& bundle) {
    return window_numbers(former, bundle) &&
           (former.windows.empty() || bundle.zone.start_s.empty() || former.zone == bundle.zone);
}

bool keep_windows(const Bundle& former, Bundle& bundle) {
    if (!keeps_windows(former, bundle)) return false;
    const auto numbers = window_numbers(former, bundle);
    for (BundleMemory& memory : bundle.memories)
        if (memory.base == hwmap::memory::chain.base) name_windows(memory, *numbers);
    // Windows that go on are counted in the zone that they were.
    if (bundle.zone.start_s.empty()) bundle.zone = former.zone;
    bundle.windows = former.windows;
    return true;
}

bool keeps_numbers(const Bundle& former, const Bundle& bundle) {
    return instrument_numbers(former, bundle).has_value();
}

bool keep_numbers(const Bundle& former, Bundle& bundle) {
    auto numbers = instrument_numbers(former, bundle);
    if (!numbers) return false;
    bundle.retired = std::move(numbers->retired);
    for (BundleInstrument& instrument : bundle.instruments)
        if (instrument.index) instrument.index = numbers->kept[*instrument.index];
    for (BundleMemory& memory : bundle.memories) {
        if (memory.base == hwmap::memory::directory.base) renumber(memory, numbers->kept);
        for (const auto& [window, records] : {std::pair{hwmap::memory::symbol, 1U},
                                              {hwmap::memory::instrument, 1U},
                                              {hwmap::memory::quantity_left, 1U},
                                              {hwmap::memory::chain, kChains}})
            if (memory.base == window.base)
                move_rows(memory, std::size_t{records} * window.stride_bytes / sizeof(std::uint32_t),
                          window.stride_bytes, numbers->kept);
    }
    return true;
}

}  // namespace fixaccel
