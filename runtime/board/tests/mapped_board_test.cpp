// SPDX-License-Identifier: Apache-2.0
// The board in this machine's memory, over a file; over the fabric it is mapped_core_test.cpp.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <vector>

#include "board_mapped.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "uio_files.hpp"

namespace fixaccel {
namespace {

constexpr std::size_t kBytes = std::size_t{1} << hwmap::address_bits;

std::string refused(auto action) {
    try {
        action();
    } catch (const BoardError& error) {
        return error.what();
    }
    return "nothing thrown";
}

struct UioBoardTest : testing::Test {
    void SetUp() override { files.add("uio2", "0x80000000", kBytes); }
    const test::UioFiles files;
};

TEST_F(UioBoardTest, ReadsWhatItWroteByNumberAndByName) {
    UioBoard board(files.root, "uio2");
    const std::array<std::uint32_t, 2> words{0x11223344, 0x55667788};
    board.write(hwmap::reg::collar_lo, words);
    UioBoard again(files.root, "registers");
    EXPECT_EQ(again.read(hwmap::reg::collar_hi), words[1]);
    EXPECT_EQ(again.read(hwmap::reg::collar_lo), words[0]);
}

TEST_F(UioBoardTest, WhatIsNoWordOfItIsRefusedAndNothingElseIsTouched) {
    UioBoard board(files.root, "uio2");
    EXPECT_EQ(refused([&] { board.read(kBytes); }),
              "an access at byte 268435456, where the board has no word");
    EXPECT_EQ(refused([&] { board.write(2, 1); }), "an access at byte 2, where the board has no word");
}

TEST_F(UioBoardTest, AnotherBoardIsSaidByTheChecksThatAllBoardsPass) {
    UioBoard board(files.root, "uio2");
    EXPECT_NE(refused([&] { check_hwmap(board); }).find("its magic register reads 0x00000000"),
              std::string::npos);
    board.write(hwmap::reg::magic, hwmap::reg_reset::magic);
    EXPECT_NE(refused([&] { check_hwmap(board); }).find("hwmap mismatch"), std::string::npos);
    board.write(hwmap::reg::hwmap_hash, hwmap::kHwmapHash);
    EXPECT_NO_THROW(check_hwmap(board));
}

TEST(OpenBoard, KnowsItsEndpoints) {
    EXPECT_NE(refused([] { open_board("uio:nowhere"); }).find("no UIO device nowhere"), std::string::npos);
    EXPECT_NE(refused([] { open_board("tcp:1"); }).find("use uio:DEVICE, unix:PATH, or none"),
              std::string::npos);
}

// What passes, in its order.
class RememberingBoard : public MappedBoard {
  public:
    std::vector<std::pair<char, std::uint32_t>> passed;
    std::map<std::uint32_t, std::uint32_t> words;

  protected:
    std::uint32_t load(std::uint32_t addr) override {
        passed.emplace_back('r', addr);
        return words[addr];
    }
    void store(std::uint32_t addr, std::uint32_t word) override {
        passed.emplace_back('w', addr);
        words[addr] = word;
    }
};

TEST(MappedBoard, EachWordPassesOnceInOrderAndAWriteEndsWithARead) {
    using namespace hwmap;
    RememberingBoard board;
    std::array<std::uint32_t, 2> halves{};
    board.read(reg::clock_ns_lo, halves);
    board.write(reg::windows_at_lo, halves);
    const std::vector<std::pair<char, std::uint32_t>> expected{{'r', reg::clock_ns_lo},
                                                               {'r', reg::clock_ns_hi},
                                                               {'w', reg::windows_at_lo},
                                                               {'w', reg::windows_at_hi},
                                                               {'r', reg::cycle}};
    EXPECT_EQ(board.passed, expected);
}

TEST(MappedBoard, ARefusedWriteIsAnErrorOnce) {
    RememberingBoard board;
    board.words[hwmap::reg::count_writes_refused] = 2;
    EXPECT_EQ(refused([&] { board.write(hwmap::tables_base, 1); }),
              "the board refused 2 of 1 words at byte " + std::to_string(hwmap::tables_base) +
                  ": its tables are locked while it is armed");
    EXPECT_NO_THROW(board.write(hwmap::tables_base, 1));
    board.words[hwmap::reg::count_writes_refused] = 0;
    EXPECT_NO_THROW(board.write(hwmap::tables_base, 1)) << "a board that was reset counts from none";
}

}  // namespace
}  // namespace fixaccel
