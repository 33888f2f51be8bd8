// SPDX-License-Identifier: Apache-2.0
#include "ethernet.hpp"

#include <gtest/gtest.h>

#include <string_view>

#include "fixaccel/crc32.hpp"

namespace fixaccel::board {
namespace {

constexpr MacPair kMacs{{2, 0, 0, 0, 0, 1}, {2, 0, 0, 0, 0, 2}};

Frame frame_with(const Frame& payload) {
    return make_tcp(kMacs,
                    {.source_ip = 0x0A4D0001,
                     .destination_ip = 0x0A4D0002,
                     .source_port = 9878,
                     .destination_port = 40000,
                     .seq = 0xFFFFFFF0,
                     .ack = 7,
                     .flags = tcp_flag::ack,
                     .payload = payload},
                    1000);
}

TEST(Crc32, CheckValue) {
    const std::string_view digits = "123456789";
    EXPECT_EQ(crc32(FrameView(reinterpret_cast<const std::uint8_t*>(digits.data()), digits.size())),
              0xCBF43926U);
}

TEST(Fcs, PadsShortFramesAndKeepsLongOnes) {
    EXPECT_EQ(with_fcs(Frame(14, 1)).size(), kMinFrame + kFcsBytes);
    EXPECT_EQ(with_fcs(Frame(100, 1)).size(), 100 + kFcsBytes);
}

TEST(Fcs, GoesBackAndSeesEveryDamagedByte) {
    const Frame original(70, 0x5A);
    const Frame whole = with_fcs(original);
    Frame back = whole;
    EXPECT_TRUE(strip_fcs(back));
    EXPECT_EQ(back, original);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        Frame damaged = whole;
        damaged[i] ^= 1U;
        EXPECT_FALSE(strip_fcs(damaged)) << i;
    }
    Frame nothing(3);
    EXPECT_FALSE(strip_fcs(nothing));
}

TEST(Tcp, SegmentsGoBackByTheirIpLengthDespitePadding) {
    const Frame payload{'8', '=', 'F', 'I', 'X'};
    Frame frame = frame_with(payload);
    frame.resize(kMinFrame + 20, 0xEE);
    const auto segment = parse_tcp(frame);
    ASSERT_TRUE(segment);
    EXPECT_EQ(segment->source_ip, 0x0A4D0001U);
    EXPECT_EQ(segment->destination_port, 40000);
    EXPECT_EQ(segment->seq, 0xFFFFFFF0U);
    EXPECT_EQ(segment->ack, 7U);
    EXPECT_EQ(Frame(segment->payload.begin(), segment->payload.end()), payload);
    EXPECT_TRUE(checksums_good(frame));
}

TEST(Tcp, ChecksumsSeeEveryBitOfThePacket) {
    const Frame frame = frame_with({1, 2, 3});
    for (std::size_t i = 14; i < frame.size(); ++i) {
        Frame damaged = frame;
        damaged[i] ^= 0x10U;
        EXPECT_FALSE(checksums_good(damaged)) << i;
    }
}

TEST(Tcp, WhatIsNoWholeSegmentIsNone) {
    const Frame frame = frame_with({1, 2, 3});
    for (std::size_t size = 0; size < frame.size(); ++size)
        EXPECT_FALSE(parse_tcp(FrameView(frame).first(size))) << size;
    const auto changed = [&](std::size_t at, std::uint8_t value) {
        Frame other = frame;
        other[at] = value;
        return parse_tcp(other).has_value();
    };
    EXPECT_FALSE(changed(12, 0x86));            // another EtherType
    EXPECT_FALSE(changed(14, 0x65));            // IPv6
    EXPECT_FALSE(changed(14, 0x44));            // header shorter than a header
    EXPECT_FALSE(changed(14 + 6, 0x20));        // a fragment
    EXPECT_FALSE(changed(14 + 9, 17));          // UDP
    EXPECT_FALSE(changed(14 + 20 + 12, 0x40));  // TCP header too short
    EXPECT_FALSE(changed(14 + 20 + 12, 0xF0));  // TCP header beyond the packet
}

}  // namespace
}  // namespace fixaccel::board
