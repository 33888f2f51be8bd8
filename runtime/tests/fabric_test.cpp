// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/fabric.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace fixaccel
