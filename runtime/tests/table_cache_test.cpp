// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/table_cache.hpp"

#include <gtest/gtest.h>

#include <random>

#include "fake_board.hpp"

namespace fixaccel {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr const hwmap::Window& kTriggers = hwmap::memory::trigger;
constexpr std::size_t kStride = kTriggers.stride_bytes / sizeof(std::uint32_t);

std::uint32_t at(const hwmap::Window& window, std::size_t record) {
    return window.base + static_cast<std::uint32_t>(record) * window.stride_bytes;
}

class TableCacheTest : public ::testing::Test {
  protected:
    Words read(const hwmap::Window& window, std::size_t record, std::size_t words) {
        Words found(words);
        board_.read(at(window, record), found);
        return found;
    }
    // Words that take their way for a write.
    std::size_t cost(std::uint32_t addr, const Words& words) {
        const std::size_t before = cache_.written();
        cache_.write(addr, words);
        return cache_.written() - before;
    }

    FakeBoard board_;
    TableCache cache_{board_};
};

TEST_F(TableCacheTest, WritesRecordsThatDiffer) {
    Words words(10 * kStride, 7);
    EXPECT_EQ(cost(at(kTriggers, 5), words), words.size()) << "nothing is known of them";
    EXPECT_EQ(cost(at(kTriggers, 5), words), 0U);
    words[3 * kStride] = 8;
    words[9 * kStride + 1] = 8;
    EXPECT_EQ(cost(at(kTriggers, 5), words), 2 * kStride);
    EXPECT_EQ(read(kTriggers, 5, words.size()), words);
    EXPECT_EQ(cost(at(kTriggers, 14), Words(2 * kStride, 8)), 2 * kStride) << "one beyond what is known";
    cache_.forget();
    EXPECT_EQ(cost(at(kTriggers, 5), words), words.size());
}

TEST_F(TableCacheTest, ZeroesAreWrittenWhereNothingIsKnown) {
    board_.write(at(kTriggers, 0), Words(4 * kStride, 5));
    EXPECT_EQ(cost(at(kTriggers, 3), Words(kStride, 0)), kStride);
    EXPECT_EQ(cost(at(kTriggers, 0), Words(4 * kStride, 0)), 3 * kStride);
    EXPECT_EQ(read(kTriggers, 0, 4 * kStride), Words(4 * kStride, 0));
}

TEST_F(TableCacheTest, StateAndRegistersAreWrittenAsTold) {
    for (const hwmap::Window& window :
         {hwmap::memory::live, hwmap::memory::dormant, hwmap::memory::quantity_left, hwmap::memory::rearm,
          hwmap::memory::resting}) {
        const Words record(window.stride_bytes / sizeof(std::uint32_t), 1);
        for (int time = 0; time < 2; ++time) EXPECT_EQ(cost(window.base, record), record.size());
    }
    for (int time = 0; time < 2; ++time) EXPECT_EQ(cost(hwmap::reg::arm, {1}), 1U);
}

TEST_F(TableCacheTest, WhatTheBoardHasCountedIsWrittenAgain) {
    const hwmap::Window& counts = hwmap::memory::fire_count;
    EXPECT_EQ(cost(at(counts, 0), Words(10, 0)), 10U);
    EXPECT_EQ(cost(at(counts, 0), Words(10, 0)), 0U);
    board_.write(at(counts, 4), Words(1, 1));
    cache_.changed(at(counts, 4));
    EXPECT_EQ(cost(at(counts, 0), Words(10, 0)), 1U);
    EXPECT_EQ(read(counts, 0, 10), Words(10, 0));
    cache_.changed(at(counts, 99));  // nothing was written there
    cache_.changed(hwmap::reg::arm);
}

TEST_F(TableCacheTest, HalfARecordIsAFault) {
    EXPECT_THROW(cache_.write(at(kTriggers, 0), Words(1)), BoardError);
    EXPECT_THROW(cache_.write(at(kTriggers, 0) + 4, Words(kStride)), BoardError);
}

TEST_F(TableCacheTest, WhatFailedIsWrittenAgain) {
    class Failing final : public Board {
      public:
        void read(std::uint32_t, std::span<std::uint32_t>) override {}
        void write(std::uint32_t, std::span<const std::uint32_t>) override {
            if (fails) throw BoardError("no");
        }
        bool fails = false;
    };
    Failing board;
    TableCache cache(board);
    cache.write(at(kTriggers, 0), Words(kStride, 1));
    board.fails = true;
    EXPECT_THROW(cache.write(at(kTriggers, 0), Words(kStride, 2)), BoardError);
    board.fails = false;
    const std::size_t before = cache.written();
    cache.write(at(kTriggers, 0), Words(kStride, 1));
    EXPECT_EQ(cache.written() - before, kStride) << "the second may have come";
}

// Whatever is written in whatever pieces, the board has what it had without the cache.
TEST_F(TableCacheTest, IsNotSeenInTheTables) {
    std::mt19937 source(7);
    const auto below = [&](std::uint32_t bound) {
        return std::uniform_int_distribution<std::uint32_t>(0, bound - 1)(source);
    };
    FakeBoard plain;
    std::size_t told = 0;
    for (int i = 0; i < 2000; ++i) {
        const hwmap::Window& window = i % 3 == 0 ? hwmap::memory::order : kTriggers;
        const std::size_t stride = window.stride_bytes / sizeof(std::uint32_t);
        Words words(stride * (1 + below(20)));
        for (std::uint32_t& word : words) word = below(8) == 0 ? below(3) : 1;
        const std::uint32_t addr = at(window, below(40));
        plain.write(addr, words);
        cache_.write(addr, words);
        told += words.size();
    }
    EXPECT_EQ(board_.memory, plain.memory);
    EXPECT_LT(cache_.written(), told);
}

}  // namespace
}  // namespace fixaccel
