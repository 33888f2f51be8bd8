// SPDX-License-Identifier: Apache-2.0
// The board in this machine's memory over the real fabric: word by word, error answers to writes unseen.
#include <gtest/gtest.h>

#include <array>

#include "board_mapped.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "verilated_core.hpp"

namespace fixaccel::board {
namespace {

class MappedCore : public MappedBoard {
  public:
    VerilatedCore core;

  protected:
    std::uint32_t load(std::uint32_t addr) override { return core.read(addr); }
    // The interconnect answers the CPU ahead of the fabric.
    void store(std::uint32_t addr, std::uint32_t word) override {
        try {
            core.write(addr, word);
        } catch (const BoardRefused&) {
            return;
        }
    }
};

TEST(MappedCore, IsTheBoardThatThisProgramKnows) {
    MappedCore board;
    EXPECT_NO_THROW(check_hwmap(board));
}

// Without the latch the halves would be of two times: that of the read before and that of the wrap.
TEST(MappedCore, TheHalvesOfTheClockAreOfOneTime) {
    MappedCore board;
    constexpr std::uint32_t kAhead = 2000;  // ns to the lower half's wrap
    bool wrapped = false;
    for (std::uint32_t late = 0; late < 3000 && !wrapped; late += 8) {
        // date, seconds of the day and so on are not read here: zero
        std::array<std::uint32_t, 5> date{};
        board.write(hwmap::reg::clock_date, date);
        board.write(hwmap::reg::clock_ns_lo, ~0U - kAhead);
        board.write(hwmap::reg::clock_ns_hi, 7);
        board.write(hwmap::reg::clock_set, 1);
        board.core.step(late / 8);
        const std::uint32_t low = board.read(hwmap::reg::clock_ns_lo);
        const std::uint32_t high = board.read(hwmap::reg::clock_ns_hi);
        ASSERT_EQ(high, low > ~0U - kAhead - 1 ? 7U : 8U) << low;
        wrapped = high == 8;
    }
    EXPECT_TRUE(wrapped) << "the reads have met the wrap";
}

TEST(MappedCore, AWriteToLockedTablesIsAnErrorAndTheNextOneIsNot) {
    MappedCore board;
    const std::uint32_t addr = hwmap::memory::fire_count.base;
    const std::array<std::uint32_t, 3> words{1, 2, 3};
    board.write(addr, words);
    board.write(hwmap::reg::arm, 1);
    try {
        board.write(addr, std::array<std::uint32_t, 3>{});
        FAIL() << "it was taken";
    } catch (const BoardRefused& error) {
        EXPECT_NE(std::string(error.what()).find("refused 3 of 3 words"), std::string::npos) << error.what();
    }
    // Wherever in their turn the counters are.
    for (unsigned i = 0; i < 40; ++i) {
        board.core.step(i);
        EXPECT_THROW(board.write(addr, std::array<std::uint32_t, 1>{}), BoardRefused) << i;
    }
    board.write(hwmap::reg::arm, 0);
    std::array<std::uint32_t, 3> back{};
    board.read(addr, back);
    EXPECT_EQ(back, words);
}

}  // namespace
}  // namespace fixaccel::board
