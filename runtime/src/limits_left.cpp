// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/limits_left.hpp"

#include <algorithm>
#include <limits>

#include "fixaccel/gen/hwmap.hpp"
#include "quantity_digits.hpp"

namespace fixaccel {
namespace {

namespace reg = hwmap::reg;

constexpr std::uint32_t kAnyNumber = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kCost = hwmap::bucket_cost;

std::uint64_t less(std::uint64_t limit, std::int64_t sent) {
    return limit - std::min(limit, static_cast<std::uint64_t>(std::max<std::int64_t>(sent, 0)));
}

std::uint64_t left(std::uint64_t total, std::int64_t sent) {
    return total == kAnyQuantity ? kAnyQuantity : bcd(less(number(total), sent));
}

}  // namespace

void write_quantities_left(Board& board, const Bundle& bundle, const SentOrders& sent, unsigned bank,
                           Quantities which) {
    const hwmap::Window& window = hwmap::memory::quantity_left;
    const std::uint32_t first =
        bank * hwmap::depth::quantity_left({board.read(reg::cap_instruments), 0, 0, 0, 0}) / 2;
    const auto memory = std::find_if(bundle.memories.begin(), bundle.memories.end(),
                                     [&](const BundleMemory& each) { return each.base == window.base; });
    if (memory == bundle.memories.end()) return;
    for (const BundleInstrument& instrument : bundle.instruments) {
        if (!instrument.index || *instrument.index >= memory->records) continue;
        const auto done = sent.quantities.find(instrument.symbol);
        if (which == Quantities::sent && done == sent.quantities.end()) continue;
        const SentQuantity gone = done == sent.quantities.end() ? SentQuantity{} : done->second;
        hwmap::quantity_left_record record;
        for (std::size_t word = 0; word < record.words.size(); ++word)
            record.words[word] = memory->words[*instrument.index * record.words.size() + word];
        record.set_buy(left(record.buy(), gone.bought));
        record.set_sell(left(record.sell(), gone.sold));
        board.write(window.base + (first + *instrument.index) * window.stride_bytes, record.words);
    }
}

void write_collar(Board& board, const Bundle& bundle) {
    board.write(reg::collar_lo, static_cast<std::uint32_t>(bundle.collar));
    board.write(reg::collar_hi, static_cast<std::uint32_t>(bundle.collar >> 32U));
}

namespace {

// The moment at which the bucket is full again: nanoseconds, and parts of one of which the rate make a whole.
// Full from the beginning of time on, unless something else is said.
struct Full {
    std::uint64_t ns = 0;
    std::uint64_t part = 0;
};

Full read_full(Board& board) {
    const std::uint64_t low = board.read(reg::bucket_full_lo);
    const std::uint64_t high = board.read(reg::bucket_full_hi);
    return {high << 32 | low, board.read(reg::bucket_full_part)};
}

// Empty for long until all of it is written.
void write_full(Board& board, const Full& full) {
    board.write(reg::bucket_full_hi, kAnyNumber);
    board.write(reg::bucket_full_part, static_cast<std::uint32_t>(full.part));
    board.write(reg::bucket_full_lo, static_cast<std::uint32_t>(full.ns));
    board.write(reg::bucket_full_hi, static_cast<std::uint32_t>(full.ns >> 32));
}

// Whether a bucket that is full at that moment holds something and is not full at `now`. Otherwise it is
// full, or the clock was set back, or a load broke off: then it is taken as empty.
bool is_sound(const Full& full, std::uint64_t now) { return full.ns < now || full.ns - now <= kCost; }

// A bucket of `rate` that holds what one of `old_rate` does at `now`, up to its size.
Full carried(const Full& full, std::uint64_t old_rate, std::uint64_t rate, std::uint64_t now) {
    if (full.ns < now && rate <= old_rate) return {};
    const std::uint64_t ahead = full.ns < now ? 0 : std::min(full.ns - now, kCost);
    const std::uint64_t gone = full.ns < now ? 0 : ahead * old_rate + full.part;
    const std::uint64_t credits = kCost * old_rate - std::min(kCost * old_rate, gone);
    const std::uint64_t missing = kCost * rate - std::min(kCost * rate, credits);
    if (missing == 0) return {};
    return {now + missing / rate, missing % rate};
}

void write_bucket(Board& board, std::uint64_t rate, std::uint64_t now) {
    const std::uint64_t old_rate = board.read(reg::order_rate);
    const Full old = read_full(board);
    if (rate != 0 && rate == old_rate && is_sound(old, now)) return;
    const Full full = rate == 0 || old_rate == 0 ? Full{} : carried(old, old_rate, rate, now);
    board.write(reg::bucket_full_hi, kAnyNumber);  // empty until the new rate has its bucket
    board.write(reg::order_rate, static_cast<std::uint32_t>(rate));
    board.write(reg::order_gap_ns, static_cast<std::uint32_t>(rate == 0 ? 0 : kCost / rate));
    board.write(reg::order_gap_part, static_cast<std::uint32_t>(rate == 0 ? 0 : kCost % rate));
    write_full(board, full);
}

}  // namespace

void take_from_bucket(Board& board, std::uint64_t now_ns) {
    const std::uint64_t rate = board.read(reg::order_rate);
    if (rate == 0) return;
    Full full = read_full(board);
    if (full.ns < now_ns) full = {now_ns, 0};
    const std::uint64_t part = full.part + kCost % rate;
    write_full(board, {full.ns + kCost / rate + part / rate, part % rate});
}

std::optional<std::int64_t> bucket_full(Board& board) {
    if (board.read(reg::order_rate) == 0) return std::nullopt;
    const Full full = read_full(board);
    return static_cast<std::int64_t>(full.ns + (full.part == 0 ? 0 : 1));
}

void set_bucket_full(Board& board, std::optional<std::int64_t> moment_ns) {
    if (board.read(reg::order_rate) != 0)
        write_full(board, {static_cast<std::uint64_t>(moment_ns.value_or(0)), 0});
}

void write_limits(Board& board, const Bundle& bundle, const SentOrders& sent, unsigned bank,
                  std::uint64_t now_ns) {
    const BundleLimits& limits = bundle.limits;
    write_quantities_left(board, bundle, sent, bank);
    write_bucket(board, limits.orders_per_second.value_or(0), now_ns);
    board.write(reg::unlimited_orders, limits.unlimited_orders ? 1 : 0);
    board.write(reg::commit_ahead, bundle.commit.ahead);
    write_orders_left(board, limits, sent);  // last, for as long as it is zero nothing leaves
}

void write_left(Board& board, const Bundle& bundle, const SentOrders& sent, unsigned bank) {
    write_quantities_left(board, bundle, sent, bank, Quantities::all);
    write_orders_left(board, bundle.limits, sent);
}

void write_orders_left(Board& board, const BundleLimits& limits, const SentOrders& sent) {
    // More orders than MsgSeqNum can count are any number.
    std::uint32_t orders = kAnyNumber;
    if (limits.total_orders)
        orders = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(less(*limits.total_orders, sent.orders), kAnyNumber - 1));
    board.write(reg::orders_left, orders);
}

}  // namespace fixaccel
