// SPDX-License-Identifier: Apache-2.0
// TCP segments as Ethernet frames, right or wrong on purpose, and what a kernel's lower layers make of a
// frame.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fixaccel::hostile {

using Bytes = std::vector<std::uint8_t>;

namespace flag {
inline constexpr std::uint8_t fin = 0x01, syn = 0x02, rst = 0x04, psh = 0x08, ack = 0x10, urg = 0x20;
}  // namespace flag

struct Endpoint {
    std::uint32_t ip = 0;
    std::uint16_t port = 0;
    std::array<std::uint8_t, 6> mac{};
};

// A segment to send. What it says of itself may be wrong.
struct Packet {
    Endpoint from{};
    Endpoint to{};
    std::uint32_t seq = 0;
    std::uint32_t ack = 0;
    std::uint8_t flags = flag::ack;
    std::uint16_t window = 0xFFFF;
    std::uint16_t urgent = 0;
    std::string payload{};
    Bytes tcp_options{};  // a multiple of four
    Bytes ip_options{};   // likewise
    std::uint16_t fragment = 0x4000;
    std::uint16_t id = 0;
    std::uint8_t version = 4;
    std::uint8_t protocol = 6;
    int length_error = 0;            // added to the IP total length
    std::uint16_t ip_sum_error = 0;  // flips bits of the checksum
    std::uint16_t tcp_sum_error = 0;
    std::optional<unsigned> data_offset{};  // words, when it is not the right one

    // Destination MAC to payload: no padding, no FCS.
    Bytes frame() const;
};

// The frame with its FCS, padded to the shortest legal length before.
Bytes finished(Bytes frame, bool pad = true);
std::uint32_t fcs_of(const Bytes& bytes, std::size_t size);
// Size and FCS are those of a frame that a MAC takes.
bool mac_takes(const Bytes& with_fcs);

// The FCS is right, whatever the size.
bool fcs_right(const Bytes& with_fcs);
// Not an IPv4 packet, or one whose lengths and checksums (IP's, and TCP's if it is TCP and whole) are right.
bool well_formed(const Bytes& with_fcs);

// A TCP segment that the kernel's IP and TCP layers would hand to the connection.
struct Segment {
    std::uint32_t seq = 0;
    std::uint32_t ack = 0;
    std::uint8_t flags = 0;
    std::uint16_t window = 0;
    std::size_t payload_at = 0;  // in the frame
    std::string payload{};
    std::uint32_t end() const {
        return seq + static_cast<std::uint32_t>(payload.size()) + ((flags & flag::syn) != 0 ? 1U : 0U) +
               ((flags & flag::fin) != 0 ? 1U : 0U);
    }
};

// Nothing if MAC, IP or TCP drop the frame, or it is of another connection. Fragments count as dropped: what
// their reassembly yields is not in this frame.
std::optional<Segment> delivered(const Bytes& with_fcs, const Endpoint& from, const Endpoint& to);

// The segment that such a frame says it is, whatever is wrong with it, up to the frame's last byte: what can
// be read of it while it comes.
std::optional<Segment> claimed(const Bytes& with_fcs, const Endpoint& from, const Endpoint& to);

std::uint16_t get16(const Bytes& bytes, std::size_t at);
std::uint32_t get32(const Bytes& bytes, std::size_t at);
void put16(Bytes& bytes, std::size_t at, std::uint32_t value);
void put32(Bytes& bytes, std::size_t at, std::uint32_t value);
// The header checksum that belongs into an IPv4 frame without options whose checksum is zero.
std::uint16_t ip_checksum(const Bytes& frame);
// The TCP checksum that belongs into an IPv4 frame without options.
std::uint16_t tcp_checksum(const Bytes& frame, std::size_t ip_header, std::size_t ip_length);

// Signed distance from a to b modulo 2^32.
constexpr std::int32_t ahead(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(b - a); }

}  // namespace fixaccel::hostile
