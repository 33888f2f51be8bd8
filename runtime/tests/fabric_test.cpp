// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/fabric.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "fake_board.hpp"

namespace fixaccel {
namespace {

namespace bits = hwmap::status_bits;

std::string why_not(std::initializer_list<unsigned> set) {
    FabricStatus status{1U << bits::flow | 1U << bits::clock_valid};
    for (const unsigned bit : set) status.bits |= 1U << bit;
    return status.not_armed();
}

TEST(Fabric, SaysWhyItIsNotArmed) {
    EXPECT_EQ(why_not({bits::armed}), "");
    EXPECT_EQ(why_not({bits::closed}), "the connection has ended: a FIN or RST was seen");
    EXPECT_EQ(why_not({bits::closed, bits::session_lost}), "session lost") << "the sticky reason goes first";
    EXPECT_EQ(why_not({bits::closed, bits::gap}), "the connection has ended: a FIN or RST was seen")
        << "a gap would pass, this does not";
}

TEST(Fabric, ANewFlowForgetsTheWindowScalesOfTheLast) {
    FakeBoard board;
    Fabric fabric(board);
    fabric.set_window_scales(7, 9);
    EXPECT_EQ(board.memory[hwmap::reg::peer_wscale], 7U);
    EXPECT_EQ(board.memory[hwmap::reg::local_wscale], 9U);
    fabric.set_flow({});
    EXPECT_EQ(board.memory[hwmap::reg::peer_wscale], 0U);
    EXPECT_EQ(board.memory[hwmap::reg::local_wscale], 0U);
}

TEST(Fabric, TheMarketFlowIsValidOnlyAsAWhole) {
    FakeBoard board;
    Fabric fabric(board);
    namespace reg = hwmap::reg;
    fabric.set_market_window_scale(9);
    EXPECT_EQ(board.memory[reg::market_local_wscale], 9U);
    board.memory[reg::market_valid] = 1;
    board.on_write = [&](std::uint32_t address, std::uint32_t value) {
        if (address == reg::market_valid) return;
        EXPECT_EQ(board.memory[reg::market_valid], 0U) << address << " = " << value;
    };
    const Flow flow{
        .local_ip = 0x0A000001, .remote_ip = 0x0A000002, .local_port = 41000, .remote_port = 9001};
    fabric.set_market_flow(flow);
    EXPECT_EQ(board.memory[reg::market_local_ip], flow.local_ip);
    EXPECT_EQ(board.memory[reg::market_remote_ip], flow.remote_ip);
    EXPECT_EQ(board.memory[reg::market_ports] >> hwmap::market_ports_bits::remote_port & 0xFFFF, 9001U);
    EXPECT_EQ(board.memory[reg::market_ports] >> hwmap::market_ports_bits::local_port & 0xFFFF, 41000U);
    EXPECT_EQ(board.memory[reg::market_local_wscale], 0U);
    EXPECT_EQ(board.memory[reg::market_valid], 1U);
    EXPECT_EQ(board.memory[reg::flow_valid], 0U) << "the session's flow is as it was";
    fabric.forget_market_flow();
    EXPECT_EQ(board.memory[reg::market_valid], 0U);
}

TEST(Fabric, NoTriggerIsLiveAndDormantWhileTheyAreRestored) {
    FakeBoard board;
    Fabric fabric(board);
    constexpr std::uint32_t live = hwmap::memory::live.base;
    constexpr std::uint32_t dormant = hwmap::memory::dormant.base;
    // As the image has them; since then the order of 0 has armed 1 and 33 and cancelled 32.
    board.memory[live] = 0b1;
    board.memory[dormant] = 0b110;
    board.memory[live + 4] = 0b1;
    board.memory[dormant + 4] = 0b10;
    board.on_write = [&](std::uint32_t, std::uint32_t) {
        for (const std::uint32_t word : {0U, 4U})
            EXPECT_EQ(board.memory[live + word] & board.memory[dormant + word], 0U);
    };
    std::vector<TriggerState> triggers(34);
    triggers[0].fires = 1;
    triggers[1].live = triggers[33].live = true;
    triggers[2].dormant = true;
    fabric.set_triggers(triggers);
    EXPECT_EQ(board.memory[live], 0b10U);
    EXPECT_EQ(board.memory[dormant], 0b100U);
    EXPECT_EQ(board.memory[live + 4], 0b10U);
    EXPECT_EQ(board.memory[dormant + 4], 0U);
    EXPECT_EQ(board.memory[hwmap::memory::fire_count.base], 1U);
}

}  // namespace
}  // namespace fixaccel
