// SPDX-License-Identifier: Apache-2.0
// Bundles that are loaded into a board, or into a bank of one.
#include <algorithm>

#include "bundle_fixture.hpp"
#include "fake_board.hpp"

namespace fixaccel::test {
namespace {

// Bytes of a memory that has `size` in which the bundle, of one instrument, must leave nothing of a former
// one.
std::uint32_t reachable(const hwmap::Memory& memory, std::uint32_t size) {
    const auto is = [&](std::string_view name) { return memory.name == name; };
    if (is("directory") || is("displacement") || is("live") || is("dormant") || is("rearm")) return size;
    if (is("chain")) return 8 * memory.window.stride_bytes;
    if (is("resting")) return size;
    return is("quantity_left") ? memory.window.stride_bytes : 0;
}

TEST_F(BundleTest, LoadWritesEveryTableAndTheSeedDirectoryLast) {
    FakeBoard board;
    const Bundle bundle = read();
    load_bundle(board, bundle);
    for (const auto& memory : bundle.memories)
        for (std::size_t i = 0; i < memory.words.size(); ++i)
            EXPECT_EQ(board.words[memory.base + 4 * static_cast<std::uint32_t>(i)], memory.words[i])
                << memory.name;
    EXPECT_EQ(board.words[hwmap::reg::hash_seed], bundle.hash_seed);
    EXPECT_EQ(board.words.count(hwmap::reg::known_forget), 1U) << "instruments may have other numbers";
    EXPECT_EQ(board.words[hwmap::reg::collar_lo], 0x89ABCDEFU);
    EXPECT_EQ(board.words[hwmap::reg::collar_hi], 0x1234567U);
    EXPECT_EQ(board.writes[1], (std::pair<std::uint32_t, std::uint32_t>{hwmap::reg::orders_left, 0}))
        << "nothing may leave until limits are written";
    EXPECT_EQ(board.writes[2], (std::pair<std::uint32_t, std::uint32_t>{hwmap::memory::live.base, 0}))
        << "nothing is live while the tables change";
    EXPECT_EQ(board.writes[4], (std::pair<std::uint32_t, std::uint32_t>{hwmap::memory::dormant.base, 0}))
        << "and no link makes it so";
    const auto& window = hwmap::memory::directory;
    EXPECT_EQ(board.writes.back().first, hwmap::memory::live.base);
    EXPECT_EQ((board.writes.end() - 2)->first, hwmap::memory::dormant.base);
    EXPECT_EQ((board.writes.end() - 3)->first, window.base + window.stride_bytes - 4);
}

// What a former bundle left where this one has nothing: other slots, other chains, other buckets, other
// orders.
TEST_F(BundleTest, NothingOfAFormerBundleStaysReachable) {
    FakeBoard board;
    const hwmap::Capacity capacity{8, 64, 16, 4, 2};
    for (const auto& memory : hwmap::memories)
        for (std::uint32_t i = 0; i < memory.depth(capacity) * memory.window.stride_bytes; i += 4)
            board.words[memory.window.base + i] = 0xDEADBEEF;
    load_bundle(board, read());
    for (const auto& memory : hwmap::memories) {
        const std::uint32_t end = memory.depth(capacity) * memory.window.stride_bytes;
        const std::uint32_t reached = reachable(memory, end);
        for (std::uint32_t i = memory.window.stride_bytes; i < end; i += 4)
            ASSERT_EQ(board.words[memory.window.base + i], i < reached ? 0U : 0xDEADBEEFU)
                << memory.name << " at " << i;
    }
    const Bundle bundle = read();
    for (const BundleMemory& memory : bundle.memories)
        if (memory.name == "fire_count") {
            EXPECT_EQ(board.words[memory.base], memory.words.at(0)) << "preset";
        }
}

TEST_F(BundleTest, UnloadLeavesZeroesAndNoCount) {
    FakeBoard board;
    const Bundle bundle = read();
    load_bundle(board, bundle);
    board.words[hwmap::memory::fire_count.base] = 3;
    unload_bundle(board, bundle);
    for (const auto& [addr, word] : board.words) {
        if (addr >= hwmap::memory::directory.base) {
            EXPECT_EQ(word, 0U) << std::hex << addr;
        }
    }
}

TEST_F(BundleTest, ClearTablesZeroesAllThatCanBeWritten) {
    FakeBoard board;
    const hwmap::Capacity capacity{8, 64, 16, 4, 2};
    for (const auto& memory : hwmap::memories)
        for (std::uint32_t i = 0; i < memory.depth(capacity) * memory.window.stride_bytes; i += 4)
            board.words[memory.window.base + i] = 1;
    clear_tables(board);
    for (const auto& memory : hwmap::memories)
        for (std::uint32_t i = 0; i < memory.depth(capacity) * memory.window.stride_bytes; i += 4)
            ASSERT_EQ(board.words[memory.window.base + i],
                      memory.writable || memory.name == "resting" ? 0U : 1U)
                << memory.name;
}

TEST_F(BundleTest, AnArmedBoardIsLeftAlone) {
    FakeBoard board;
    board.words[hwmap::reg::status] = 1U << hwmap::status_bits::armed;
    EXPECT_THROW(load_bundle(board, read()), BoardError);
    EXPECT_THROW(unload_bundle(board, read()), BoardError);
    EXPECT_THROW(clear_tables(board), BoardError);
    EXPECT_TRUE(board.writes.empty());
}

TEST_F(BundleTest, LoadDisarmsWhatIsBlockedButEnabled) {
    FakeBoard board;
    load_bundle(board, read());
    EXPECT_EQ(board.writes.front(), (std::pair<std::uint32_t, std::uint32_t>{hwmap::reg::arm, 0}));
}

TEST_F(BundleTest, ABundleForAnotherNumberOfInstrumentsIsRefused) {
    FakeBoard board({16, 64, 16, 4, 2});
    try {
        load_bundle(board, read());
        FAIL();
    } catch (const BundleError& error) {
        EXPECT_REFUSED(std::string(error.what()), "with 8 instruments, this board has 16");
    }
    EXPECT_TRUE(board.writes.empty());
}

TEST_F(BundleTest, MoreLinksThanTheGroupsOfTheBoardHave) {
    add_memory("link", 9, std::string(9 * hwmap::memory::link.stride_bytes, '\0'));
    save();
    FakeBoard board;
    try {
        load_bundle(board, read());
        FAIL();
    } catch (const BundleError& error) {
        EXPECT_REFUSED(std::string(error.what()), "9 records of memory link, this board has 8");
    }
}

TEST_F(BundleTest, ABundleBiggerThanTheBoardNamesTheMemory) {
    add_memory("trigger", 65, std::string(65 * hwmap::memory::trigger.stride_bytes, '\0'));
    save();
    FakeBoard board({8, 64, 16, 4, 2});
    try {
        load_bundle(board, read());
        FAIL();
    } catch (const BundleError& error) {
        EXPECT_REFUSED(std::string(error.what()), "65 records of memory trigger, this board has 64");
    }
    EXPECT_TRUE(board.writes.empty());
}

// Of two banks the image is the lower one's, or goes into the one that is not evaluated.
TEST_F(BundleTest, ABankIsAHalfOfEveryTable) {
    manifest["banked"] = true;
    save();
    const Bundle bundle = read();
    const hwmap::Capacity capacity{8, 64, 16, 4, 2};
    FakeBoard board;
    load_bundle(board, bundle);
    EXPECT_EQ(board.words[hwmap::reg::banked], 1U);
    for (const unsigned bank : {0U, 1U}) {
        FakeBoard other;
        for (const auto& memory : hwmap::memories)
            for (std::uint32_t i = 0; i < memory.depth(capacity) * memory.window.stride_bytes; i += 4)
                other.words[memory.window.base + i] = 0xDEADBEEF;
        for (const TableWrite& write : bank_writes(other, bundle, bank, 3)) {
            EXPECT_LE(write.words.size(), hwmap::memory::ring.stride_bytes / 4)
                << "a record, where it is longer";
            other.write(write.address, write.words);
        }
        EXPECT_EQ(other.words[bank != 0 ? hwmap::reg::hash_seed_upper : hwmap::reg::hash_seed],
                  bundle.hash_seed);
        for (const auto& memory : hwmap::memories) {
            const std::uint32_t half = memory.depth(capacity) / 2 * memory.window.stride_bytes;
            const auto in = std::find_if(bundle.memories.begin(), bundle.memories.end(),
                                         [&](const auto& m) { return m.base == memory.window.base; });
            const bool bits = memory.name == "live" || memory.name == "dormant";
            const bool state = bits || memory.name == "fire_count";
            const std::uint32_t cleared = memory.writable ? reachable(memory, half) : 0;
            for (std::uint32_t i = 0; i < 2 * half; i += 4) {
                const bool here = (i >= half) == (bank == 1) && in != bundle.memories.end();
                const std::uint32_t at = (i % half) / 4;
                const std::uint32_t told = here && !state && at < in->words.size() ? in->words[at]
                                           : here && i % half < cleared            ? 0U
                                                                                   : 0xDEADBEEF;
                ASSERT_EQ(other.words[memory.window.base + i], told) << memory.name << " at " << i;
            }
        }
    }
}

TEST_F(BundleTest, WhatTakesMoreThanABankIsNoBanks) {
    FakeBoard board;
    EXPECT_THROW(bank_writes(board, read(), 1, 64), BundleError);
    manifest["banked"] = true;
    add_memory("order", 9, std::string(9 * hwmap::memory::order.stride_bytes, '\0'));
    save();
    try {
        bank_writes(board, read(), 1, 64);
        FAIL();
    } catch (const BundleError& error) {
        EXPECT_REFUSED(std::string(error.what()), "9 records of memory order, this board has 8 in a bank");
    }
}

}  // namespace
}  // namespace fixaccel::test
