// SPDX-License-Identifier: Apache-2.0
#include "wire_faults.hpp"

#include <gtest/gtest.h>

namespace fixaccel::board {
namespace {

Frame data(std::uint8_t mark) {
    const Frame payload(10, mark);
    return make_tcp({}, {.flags = tcp_flag::ack, .payload = payload}, 0);
}

const Frame kAck = make_tcp({}, {.flags = tcp_flag::ack, .payload = {}}, 0);

TEST(WireFaults, OrdersAreWhatTheCpuDidNotSend) {
    WireFaults faults({});
    faults.from_cpu(data(1));
    faults.from_cpu(kAck);
    EXPECT_EQ(faults.to_exchange(data(2)), Fate::pass);  // an order overtakes
    EXPECT_EQ(faults.to_exchange(data(1)), Fate::pass);
    EXPECT_EQ(faults.to_exchange(kAck), Fate::pass);
    EXPECT_EQ(faults.orders(), 1U);
}

TEST(WireFaults, TheNthOrderIsLostOnceAndItsRetransmissionPasses) {
    WireFaults faults({.drop_order = 2});
    EXPECT_EQ(faults.to_exchange(data(1)), Fate::pass);
    faults.from_cpu(data(9));
    EXPECT_EQ(faults.to_exchange(data(9)), Fate::pass);
    EXPECT_EQ(faults.to_exchange(data(2)), Fate::lost);
    faults.from_cpu(data(2));  // the kernel's retransmission
    EXPECT_EQ(faults.to_exchange(data(2)), Fate::pass);
    EXPECT_EQ(faults.to_exchange(data(3)), Fate::pass);
    EXPECT_EQ(faults.orders(), 3U);
}

TEST(WireFaults, FramesWithoutPayloadDoNotCount) {
    WireFaults faults({.drop_net = 1, .corrupt_net = 2});
    EXPECT_EQ(faults.from_exchange(kAck), Fate::pass);
    EXPECT_EQ(faults.from_exchange(Frame(60, 0)), Fate::pass);
    EXPECT_EQ(faults.from_exchange(data(1)), Fate::lost);
    EXPECT_EQ(faults.from_exchange(data(1)), Fate::damaged);
    EXPECT_EQ(faults.from_exchange(data(1)), Fate::pass);
}

TEST(WireFaults, TheFirstFrameThatHoldsATextIsDamaged) {
    WireFaults faults({.corrupt_holding = "\x02\x02"});
    EXPECT_EQ(faults.from_exchange(data(1)), Fate::pass);
    EXPECT_EQ(faults.from_exchange(data(2)), Fate::damaged);
    EXPECT_EQ(faults.from_exchange(data(2)), Fate::pass);
}

}  // namespace
}  // namespace fixaccel::board
