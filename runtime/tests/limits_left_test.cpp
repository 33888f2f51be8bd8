// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/limits_left.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "fake_board.hpp"

namespace fixaccel {
namespace {

namespace reg = hwmap::reg;

constexpr std::uint64_t kBucketSecond = 1'000'000'000;
constexpr std::uint64_t kNow = 1'700'000'000 * kBucketSecond;
constexpr std::uint32_t kAny = 0xFFFF'FFFF;

class LimitsLeft : public testing::Test {
  protected:
    LimitsLeft() {
        bundle_.instruments = {{"MSFT", 0, "0.01"}, {"ES", 1, "0.25"}, {"CL", {}, "0.01"}};
        hwmap::quantity_left_record limited;
        limited.set_buy(0x1000);
        limited.set_sell(0x1000);
        hwmap::quantity_left_record any;
        any.words.fill(kAny);
        BundleMemory& memory = bundle_.memories.emplace_back();
        memory.base = hwmap::memory::quantity_left.base;
        memory.records = 2;
        for (const auto& record : {limited, any})
            memory.words.insert(memory.words.end(), record.words.begin(), record.words.end());
        load_quantities();
    }

    void load_quantities() { board_.write(bundle_.memories[0].base, bundle_.memories[0].words); }

    void write(std::uint64_t now = kNow) { write_limits(board_, bundle_, sent_, bank_, now); }

    hwmap::quantity_left_record left(std::uint32_t index) {
        hwmap::quantity_left_record record;
        board_.read(hwmap::memory::quantity_left.base + index * hwmap::memory::quantity_left.stride_bytes,
                    record.words);
        return record;
    }

    std::uint64_t full_ns() {
        return std::uint64_t{board_.memory[reg::bucket_full_hi]} << 32 | board_.memory[reg::bucket_full_lo];
    }

    void set_full(std::uint64_t ns, std::uint32_t part) {
        board_.memory[reg::bucket_full_lo] = static_cast<std::uint32_t>(ns);
        board_.memory[reg::bucket_full_hi] = static_cast<std::uint32_t>(ns >> 32);
        board_.memory[reg::bucket_full_part] = part;
    }

    // Credits that the board's bucket holds.
    std::uint64_t credits(std::uint64_t now) {
        const std::uint64_t rate = board_.memory[reg::order_rate];
        if (full_ns() < now) return rate * kBucketSecond;
        return rate * kBucketSecond - (rate * (full_ns() - now) + board_.memory[reg::bucket_full_part]);
    }

    FakeBoard board_;
    Bundle bundle_;
    SentOrders sent_;
    unsigned bank_ = 0;
};

TEST_F(LimitsLeft, WithoutLimitsAnythingMayLeave) {
    bundle_.limits.unlimited_orders = true;
    sent_.orders = 7;
    write();
    EXPECT_EQ(board_.memory[reg::orders_left], kAny);
    EXPECT_EQ(board_.memory[reg::unlimited_orders], 1U);
    EXPECT_EQ(board_.memory[reg::order_rate], 0U);
}

TEST_F(LimitsLeft, OrdersAreThoseThatWereNotSentYet) {
    const std::vector<std::array<std::uint64_t, 3>> cases{
        {10, 0, 10}, {10, 3, 7}, {10, 10, 0}, {10, 11, 0}, {1'000'000'000'000'000, 5, kAny - 1}};
    for (const auto& [limit, sent, left] : cases) {
        bundle_.limits.total_orders = limit;
        sent_.orders = static_cast<std::int64_t>(sent);
        write();
        EXPECT_EQ(board_.memory[reg::orders_left], left) << limit;
    }
}

TEST_F(LimitsLeft, QuantitiesAreBySide) {
    sent_.quantities["MSFT"] = {1, 999};
    sent_.quantities["ES"] = {5, 5};
    sent_.quantities["CL"] = {5, 5};
    write();
    EXPECT_EQ(left(0).buy(), 0x999U);
    EXPECT_EQ(left(0).sell(), 0x1U);
    EXPECT_EQ(left(1).buy(), (std::uint64_t{1} << 36) - 1);
    sent_.quantities["MSFT"] = {1000, 1'000'000'000'000};
    write();
    EXPECT_EQ(left(0).buy(), 0U);
    EXPECT_EQ(left(0).sell(), 0U);
}

TEST_F(LimitsLeft, TheUpperBankIsTheUpperHalf) {
    board_.memory[reg::cap_instruments] = 8;
    sent_.quantities["MSFT"] = {1, 999};
    bank_ = 1;
    write();
    EXPECT_EQ(left(4).buy(), 0x999U);
    EXPECT_EQ(left(4).sell(), 0x1U);
    EXPECT_EQ(left(0).buy(), 0x1000U);
}

TEST_F(LimitsLeft, OtherValuesAreHeldAndTheBundlesOwnComeBack) {
    bundle_.limits = {.orders_per_second = 5, .total_orders = {}, .unlimited_orders = true};
    bundle_.collar = 77;
    const std::vector<std::uint32_t> words = bundle_.memories[0].words;
    const BundleLimits limits = bundle_.limits;
    hold_limits(bundle_, {{"orders_per_second", 3},
                          {"total_orders", 9},
                          {"collar", 10'000},
                          {"total_qty ES", 123},
                          {"total_qty CL", 1},
                          {"repeat", 1}});
    EXPECT_EQ(bundle_.limits, (BundleLimits{3, 9, false, false}));
    EXPECT_EQ(bundle_.collar, std::uint64_t{1} << 62);
    sent_.quantities["ES"] = {100, 0};
    write_quantities_left(board_, bundle_, sent_, bank_, Quantities::all);
    EXPECT_EQ(left(0).buy(), 0x1000U);
    EXPECT_EQ(left(1).buy(), 0x23U);
    EXPECT_EQ(left(1).sell(), 0x123U);
    // One ends, another is different.
    hold_limits(bundle_, {{"collar", 3}, {"total_qty MSFT", 0}});
    EXPECT_EQ(bundle_.limits, (BundleLimits{5, {}, false, false}));
    EXPECT_EQ(bundle_.collar, (3 * (std::uint64_t{1} << 62) + 9'999) / 10'000);
    write_quantities_left(board_, bundle_, {}, bank_, Quantities::all);
    EXPECT_EQ(left(0).sell(), 0U);
    EXPECT_EQ(left(1).buy(), (std::uint64_t{1} << 36) - 1);
    hold_limits(bundle_, {});
    EXPECT_EQ(bundle_.limits, limits);
    EXPECT_EQ(bundle_.collar, 77U);
    write_quantities_left(board_, bundle_, {}, bank_, Quantities::all);
    EXPECT_EQ(left(0).sell(), 0x1000U);
    write_collar(board_, bundle_);
    EXPECT_EQ(board_.memory[reg::collar_lo], 77U);
    const auto same = [](std::uint32_t one, std::uint32_t other) { return one == other; };
    EXPECT_TRUE(std::equal(words.begin(), words.begin() + 2, bundle_.memories[0].words.begin(), same));
}

TEST_F(LimitsLeft, NothingLeavesBeforeAllIsWritten) {
    std::vector<std::uint32_t> order;
    board_.on_write = [&](std::uint32_t addr, std::uint32_t) { order.push_back(addr); };
    bundle_.limits = {.orders_per_second = 5, .total_orders = 5, .unlimited_orders = false};
    write();
    EXPECT_EQ(order.back(), reg::orders_left);
    EXPECT_EQ(order.front(), reg::bucket_full_hi);
}

TEST_F(LimitsLeft, ANewBucketIsFull) {
    bundle_.limits.orders_per_second = 7;
    set_full(kNow + 5, 3);
    write();
    EXPECT_EQ(full_ns(), 0U);
    EXPECT_EQ(board_.memory[reg::order_gap_ns], 142'857'142U);
    EXPECT_EQ(board_.memory[reg::order_gap_part], 6U);
}

TEST_F(LimitsLeft, ABucketKeepsWhatItHoldsOverALoad) {
    bundle_.limits.orders_per_second = 7;
    write();
    set_full(kNow + kBucketSecond, 0);
    write();
    EXPECT_EQ(full_ns(), kNow + kBucketSecond);
    // Another size: what it holds, up to that.
    std::mt19937_64 random(1);
    for (unsigned i = 0; i < 2000; ++i) {
        const std::uint64_t old_rate = 1 + random() % 1000, rate = 1 + random() % 1000;
        board_.memory[reg::order_rate] = static_cast<std::uint32_t>(old_rate);
        const std::uint64_t gone = random() % (old_rate * kBucketSecond + 1);
        set_full(kNow + gone / old_rate, static_cast<std::uint32_t>(gone % old_rate));
        const std::uint64_t held = credits(kNow);
        bundle_.limits.orders_per_second = rate;
        write();
        EXPECT_EQ(credits(kNow), std::min(held, rate * kBucketSecond)) << old_rate << " to " << rate;
    }
}

TEST_F(LimitsLeft, ALoadThatBrokeOffLeavesItEmpty) {
    bundle_.limits.orders_per_second = 1000;
    write();
    for (const std::uint64_t rate : {1000U, 3U}) {
        board_.memory[reg::bucket_full_hi] = kAny;
        bundle_.limits.orders_per_second = rate;
        write();
        EXPECT_EQ(credits(kNow), 0U);
    }
}

TEST_F(LimitsLeft, WithoutALimitThereIsNoBucket) {
    bundle_.limits.orders_per_second = 3;
    write();
    set_full(kNow + kBucketSecond, 0);
    bundle_.limits.orders_per_second.reset();
    write();
    EXPECT_EQ(board_.memory[reg::order_rate], 0U);
    bundle_.limits.orders_per_second = 3;
    write();
    EXPECT_EQ(credits(kNow), 3 * kBucketSecond);
}

TEST_F(LimitsLeft, AnOrderOfSomebodyElseTakesItsPlaceInTheBucket) {
    take_from_bucket(board_, kNow);
    EXPECT_EQ(full_ns(), 0U) << "there is no bucket";
    bundle_.limits.orders_per_second = 3;
    write();
    for (std::uint64_t taken = 1; taken <= 3; ++taken) {
        take_from_bucket(board_, kNow);
        EXPECT_EQ(credits(kNow), (3 - taken) * kBucketSecond);
    }
    write();
    EXPECT_EQ(credits(kNow), 0U) << "it is kept over the next arming";
    take_from_bucket(board_, kNow + kBucketSecond);
    EXPECT_EQ(credits(kNow + kBucketSecond), 2 * kBucketSecond);
}

}  // namespace
}  // namespace fixaccel
