// SPDX-License-Identifier: Apache-2.0
#include "board_mapped.hpp"

#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {
namespace {

constexpr std::uint32_t kWordBytes = sizeof(std::uint32_t);
// Cycles until a refusal is counted: counters are added to in turn, one a cycle (rtl/host/counters.sv).
constexpr std::uint32_t kCounted = 128;
static_assert((hwmap::reg::count_writes_refused - hwmap::reg::count_frames) / kWordBytes + 16 < kCounted);

}  // namespace

void MappedBoard::read(std::uint32_t addr, std::span<std::uint32_t> words) {
    for (std::uint32_t& word : words) {
        word = load(addr);
        addr += kWordBytes;
    }
}

void MappedBoard::write(std::uint32_t addr, std::span<const std::uint32_t> words) {
    const std::uint32_t first = addr;
    for (const std::uint32_t word : words) {
        store(addr, word);
        addr += kWordBytes;
    }
    const std::uint32_t taken = load(hwmap::reg::cycle);
    if (first < hwmap::tables_base) return;  // whole words to registers are never refused
    for (std::uint32_t looks = 0; looks < kCounted; ++looks)
        if (load(hwmap::reg::cycle) - taken >= kCounted) break;
    const std::uint32_t before = refused_;
    refused_ = load(hwmap::reg::count_writes_refused);
    if (refused_ <= before) return;  // fewer: it was cleared
    throw BoardRefused("the board refused " + std::to_string(refused_ - before) + " of " +
                       std::to_string(words.size()) + " words at byte " + std::to_string(first) +
                       ": its tables are locked while it is armed");
}

UioBoard::UioBoard(const std::string& root, const std::string& device)
    : map_(root, device, std::size_t{1} << hwmap::address_bits) {
    refused_ = load(hwmap::reg::count_writes_refused);
}

volatile std::uint32_t* UioBoard::at(std::uint32_t addr) {
    if (addr % kWordBytes != 0 || addr >= map_.bytes())
        throw BoardError("an access at byte " + std::to_string(addr) + ", where the board has no word");
    return map_.words() + addr / kWordBytes;
}

}  // namespace fixaccel
