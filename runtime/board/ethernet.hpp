// SPDX-License-Identifier: Apache-2.0
// Ethernet frames as the core's streams carry them, and what the drivers must see inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fixaccel::board {

// Destination MAC to the last payload byte; without preamble and, unless said otherwise, without FCS.
using Frame = std::vector<std::uint8_t>;
using FrameView = std::span<const std::uint8_t>;

inline constexpr std::size_t kMinFrame = 60;    // bytes without FCS
inline constexpr std::size_t kMaxFrame = 1514;  // bytes without FCS
inline constexpr std::size_t kFcsBytes = 4;

// The frame padded to the shortest legal length, with its FCS.
Frame with_fcs(FrameView frame);

// Removes the FCS; false if it was wrong or the frame is too short to have one.
bool strip_fcs(Frame& frame);

// A TCP segment over IPv4 inside a frame. Offsets count from the start of the frame.
struct TcpSegment {
    std::uint32_t source_ip = 0;
    std::uint32_t destination_ip = 0;
    std::uint16_t source_port = 0;
    std::uint16_t destination_port = 0;
    std::uint32_t seq = 0;
    std::uint32_t ack = 0;
    std::uint8_t flags = 0;
    FrameView payload;
};

namespace tcp_flag {
inline constexpr std::uint8_t fin = 0x01;
inline constexpr std::uint8_t syn = 0x02;
inline constexpr std::uint8_t ack = 0x10;
}  // namespace tcp_flag

// The segment in `frame`, by its IP length; nothing if the frame holds no whole TCP segment. Checksums are
// not looked at.
std::optional<TcpSegment> parse_tcp(FrameView frame);

// The IPv4 header's and the TCP checksum of a frame that parse_tcp understands are right.
bool checksums_good(FrameView frame);

struct MacPair {
    std::uint8_t destination[6];
    std::uint8_t source[6];
};

// A whole frame with right checksums around `segment`; window is the header's 16-bit value.
Frame make_tcp(const MacPair& macs, const TcpSegment& segment, std::uint16_t window);

}  // namespace fixaccel::board
