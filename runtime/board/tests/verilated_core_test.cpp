// SPDX-License-Identifier: Apache-2.0
// The real fabric behind its streams and its register port.
#include "verilated_core.hpp"

#include <gtest/gtest.h>
#include <bit>

#include <algorithm>
#include <array>
#include <random>
#include <string_view>
#include <vector>

#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel::board {
namespace {

constexpr unsigned kSettle = 4000;  // cycles, enough for any frame to pass

Frame random_frame(std::mt19937& random, std::size_t size) {
    Frame frame(size);
    for (auto& byte : frame) byte = static_cast<std::uint8_t>(random());
    // Not IP, so of no flow.
    frame[12] = 0x88;
    frame[13] = 0xB5;
    return frame;
}

hwmap::Capacity capacity_of(Board& board) {
    return {board.read(hwmap::reg::cap_instruments), board.read(hwmap::reg::cap_triggers),
            board.read(hwmap::reg::cap_orders), board.read(hwmap::reg::cap_templates),
            board.read(hwmap::reg::cap_groups)};
}

TEST(VerilatedCore, IsTheBoardThatThisProgramKnows) {
    VerilatedCore core;
    EXPECT_NO_THROW(check_hwmap(core));
    EXPECT_EQ(core.read(hwmap::reg::status) & (1U << hwmap::status_bits::armed), 0U);
}

TEST(VerilatedCore, RegistersKeepWhatIsWrittenAndForgetItInReset) {
    VerilatedCore core;
    core.write(hwmap::reg::generation, 0xCAFE1234);
    EXPECT_EQ(core.read(hwmap::reg::generation), 0xCAFE1234U);
    core.reset();
    EXPECT_EQ(core.read(hwmap::reg::generation), 0U);
}

TEST(VerilatedCore, CountsItsCycles) {
    VerilatedCore core;
    const std::uint64_t before = core.cycles();
    const std::uint32_t first = core.read(hwmap::reg::cycle);
    core.step(1000);
    const std::uint32_t second = core.read(hwmap::reg::cycle);
    EXPECT_GE(second - first, 1000U);
    EXPECT_LE(second - first, core.cycles() - before);
}

TEST(VerilatedCore, NothingComesOfAReadOrAKick) {
    VerilatedCore core;
    core.write(hwmap::reg::generation, 1);
    const std::uint64_t written = core.last_activity();
    EXPECT_EQ(written, core.cycles());
    core.write(hwmap::reg::watchdog_kick, 1);
    core.read(hwmap::reg::status);
    EXPECT_EQ(core.last_activity(), written);
    EXPECT_GT(core.cycles(), written);
}

// What this board keeps of a value: of an index, only the bits that its capacity needs.
std::uint32_t kept(const hwmap::Capacity& capacity, std::string_view record, std::string_view field,
                   std::uint32_t value) {
    for (const hwmap::Index& index : hwmap::indices)
        if (index.record == record && index.field == field)
            return value & (std::bit_ceil(capacity.*index.counts) - 1);
    return value;
}

// Random bits into the first, the last and a middle record of every table; all must be zero before.
TEST(VerilatedCore, EveryTableHoldsItsRecords) {
    VerilatedCore core;
    const hwmap::Capacity capacity = capacity_of(core);
    std::mt19937 random(7);
    hwmap::each_record([&](std::string_view name, auto record) {
        for (const hwmap::Memory& memory : hwmap::memories) {
            if (memory.name != name || !memory.writable) continue;
            if (memory.window.base == hwmap::memory::rearm.base) continue;  // reads as zero
            const std::uint32_t depth = memory.depth(capacity);
            // Of an instrument's eight chains the last two are not there: the fabric has no `mid`.
            const std::uint32_t last =
                memory.window.base == hwmap::memory::chain.base ? depth - 3 : depth - 1;
            for (const std::uint32_t index : {0U, depth / 2, last}) {
                const std::uint32_t addr = memory.window.base + index * memory.window.stride_bytes;
                auto back = record;
                core.read(addr, back.words);
                EXPECT_EQ(back.words, decltype(record){}.words) << name << " " << index;
                record.visit([&](std::string_view field, auto) {
                    for (unsigned i = 0; i < 16; ++i)
                        record.set(field, kept(capacity, name, field, static_cast<std::uint32_t>(random())),
                                   i);
                });
                // Bits between fields and beyond the last do not exist in the fabric; no record has the
                // former.
                for (std::size_t word = decltype(record)::kWords; word < record.words.size(); ++word)
                    record.words[word] = 0;
                core.write(addr, record.words);
                core.read(addr, back.words);
                EXPECT_EQ(back.words, record.words) << name << " " << index;
                core.write(addr, decltype(record){}.words);
            }
        }
    });
}

TEST(VerilatedCore, TablesAreLockedWhileArmed) {
    VerilatedCore core;
    const std::uint32_t addr = hwmap::memory::fire_count.base;
    core.write(addr, 1);
    core.write(hwmap::reg::arm, 1);
    EXPECT_THROW(core.write(addr, 0), BoardRefused);
    EXPECT_EQ(core.read(addr), 1U);
    EXPECT_EQ(core.read(hwmap::reg::count_writes_refused), 1U);
    core.write(hwmap::reg::arm, 0);
    core.write(addr, 0);
    EXPECT_EQ(core.read(addr), 0U);
}

TEST(VerilatedCore, FramesOfNoFlowPassBothWaysUntouched) {
    VerilatedCore core;
    std::mt19937 random(3);
    std::vector<Frame> frames;
    for (const std::size_t size : {60, 61, 64, 333, 1514}) frames.push_back(random_frame(random, size));
    for (const Frame& frame : frames) {
        core.push(Side::net, frame);
        core.push(Side::cpu, frame);
    }
    while (!core.quiet()) core.step(16);
    core.step(kSettle);
    for (const Side side : {Side::net, Side::cpu}) {
        SCOPED_TRACE(side == Side::net ? "to the exchange" : "to the CPU");
        ASSERT_EQ(core.sent(side).size(), frames.size());
        for (std::size_t i = 0; i < frames.size(); ++i) {
            EXPECT_TRUE(core.sent(side)[i].fcs_good);
            EXPECT_FALSE(core.sent(side)[i].aborted);
            EXPECT_EQ(core.sent(side)[i].bytes, frames[i]);
        }
    }
    EXPECT_EQ(core.read(hwmap::reg::count_frames), frames.size());
    EXPECT_EQ(core.read(hwmap::reg::count_frames_bad), 0U);
}

TEST(VerilatedCore, TheWireMayStandStillInTheMiddleOfAFrame) {
    std::mt19937 random(7);
    VerilatedCore core;
    core.stall_behind("MIDDLE");
    Frame first = random_frame(random, 200);
    const std::string_view text = "MIDDLE";
    std::copy(text.begin(), text.end(), first.begin() + 100);
    const std::vector<Frame> frames{first, random_frame(random, 90), first};
    for (const Frame& frame : frames) core.push(Side::cpu, frame);
    core.step(kSettle);
    EXPECT_TRUE(core.sent(Side::net).empty());
    core.stall(false);
    core.step(kSettle);
    ASSERT_EQ(core.sent(Side::net).size(), frames.size()) << "once";
    for (std::size_t i = 0; i < frames.size(); ++i) {
        EXPECT_EQ(core.sent(Side::net)[i].bytes, frames[i]);
        EXPECT_TRUE(core.sent(Side::net)[i].fcs_good);
        EXPECT_FALSE(core.sent(Side::net)[i].aborted);
    }
}

TEST(VerilatedCore, AFrameWithABadFcsIsCountedAndGoesNoFurther) {
    VerilatedCore core;
    std::mt19937 random(4);
    core.push(Side::net, random_frame(random, 100), true);
    core.step(kSettle);
    EXPECT_TRUE(core.sent(Side::cpu).empty());
    EXPECT_EQ(core.read(hwmap::reg::count_frames_bad), 1U);
}

TEST(VerilatedCore, ElapsedTimeMovesTheClockNotTheCycles) {
    VerilatedCore core;
    std::uint32_t next = 0;
    core.set_elapsed([&] { return std::exchange(next, 0U); });
    core.write(hwmap::reg::clock_ns_lo, 1000);
    core.write(hwmap::reg::clock_ns_hi, 5);
    core.write(hwmap::reg::clock_set, 1);
    next = 123'456;
    core.step();
    EXPECT_EQ(core.read(hwmap::reg::clock_ns_lo), 124'456U);
    EXPECT_EQ(core.read(hwmap::reg::clock_ns_hi), 5U);
}

TEST(VerilatedCore, TracingMustHaveBeenBuiltIn) {
    try {
        VerilatedCore core("trace.vcd");
        std::remove("trace.vcd");
    } catch (const BoardError& error) {
        EXPECT_NE(std::string(error.what()).find("FIXACCEL_TRACE"), std::string::npos);
    }
}

}  // namespace
}  // namespace fixaccel::board
