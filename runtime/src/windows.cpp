// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/windows.hpp"

#include <array>
#include <string>

#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {
namespace {

namespace reg = hwmap::reg;

constexpr std::int64_t kDay = 86'400'000'000'000;
constexpr std::int32_t kMinutesOfDay = 24 * 60;
constexpr unsigned kPolls = 1000;  // the fabric needs a few cycles

static_assert(reg::windows_at_lo == reg::windows_next + sizeof(std::uint32_t) &&
                  reg::windows_at_hi == reg::windows_next + 2 * sizeof(std::uint32_t),
              "a change is written as one block that ends with windows_at_hi");

bool pending(Board& board) { return ((board.read(reg::windows) >> hwmap::windows_bits::pending) & 1U) != 0; }

}  // namespace

void check_windows(const Bundle& bundle) {
    const auto refuse = [&](const std::string& what) {
        throw BundleError("bundle " + bundle.path.string() + ": " + what);
    };
    for (const auto& windows : bundle.windows)
        for (const DayWindow& window : windows)
            if (window.start < 0 || window.start >= kMinutesOfDay || window.end < 0 ||
                window.end > kMinutesOfDay)
                refuse("a window from minute " + std::to_string(window.start) + " to " +
                       std::to_string(window.end) + " is no time of day");
    const Zone& zone = bundle.zone;
    if (!bundle.windows.empty() && (zone.start_s.empty() || zone.start_s.size() != zone.offset_s.size()))
        refuse("there are windows of time and no zone that they are counted in");
    for (const BundleMemory& memory : bundle.memories) {
        if (memory.base != hwmap::memory::chain.base) continue;
        for (std::size_t at = 0; at < memory.words.size(); at += hwmap::chain_record::kStride) {
            hwmap::chain_record chain;
            for (std::size_t word = 0; word < chain.words.size(); ++word)
                chain.words[word] = memory.words[at + word];
            if (chain.window() > bundle.windows.size())
                refuse("chain " + std::to_string(at / hwmap::chain_record::kStride) +
                       " fires in a window that is not there");
        }
    }
}

std::uint32_t Windows::open(std::int64_t ts_ns) {
    schedules_.advance(ts_ns);
    std::uint32_t bits = 1;
    for (std::size_t schedule = 0; schedule < schedules_.size(); ++schedule)
        if (schedules_.on(static_cast<std::int32_t>(schedule))) bits |= 2U << schedule;
    return bits;
}

Windows::Change Windows::next(std::int64_t ts_ns) {
    const std::uint32_t now = open(ts_ns);
    Change change{.at_ns = ts_ns, .open = now};
    while (change.open == now && change.at_ns < ts_ns + kDay) {
        change.at_ns = schedules_.until_ns();
        change.open = open(change.at_ns);
    }
    return change;
}

void Windows::start(Board& board, std::int64_t now_ns) {
    tell(board, {.at_ns = 0, .open = open(now_ns)});
    for (unsigned poll = 0; pending(board); ++poll)
        if (poll == kPolls) throw BoardError("the board does not open its windows of time");
    told_ = {};
    if (schedules_.size() == 0) return;
    told_ = next(now_ns);
    tell(board, told_);
}

void Windows::follow(Board& board, std::int64_t now_ns) {
    if (schedules_.size() == 0 || now_ns < told_.at_ns || pending(board)) return;
    told_ = next(now_ns);
    tell(board, told_);
}

void Windows::tell(Board& board, const Change& change) {
    const auto at = static_cast<std::uint64_t>(change.at_ns);
    board.write(reg::windows_next, std::array{change.open, static_cast<std::uint32_t>(at),
                                              static_cast<std::uint32_t>(at >> 32)});
}

}  // namespace fixaccel
