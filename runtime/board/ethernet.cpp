// SPDX-License-Identifier: Apache-2.0
#include "ethernet.hpp"

#include <algorithm>

#include "fixaccel/crc32.hpp"

namespace fixaccel::board {
namespace {

// Header layout, bytes.
constexpr std::size_t kEthernet = 14;
constexpr std::size_t kEtherType = 12;
constexpr std::size_t kIpv4 = 20;
constexpr std::size_t kTcp = 20;
constexpr std::uint16_t kTypeIpv4 = 0x0800;
constexpr std::uint8_t kProtocolTcp = 6;

std::uint16_t get16(FrameView bytes, std::size_t at) {
    return static_cast<std::uint16_t>((bytes[at] << 8U) | bytes[at + 1]);
}

std::uint32_t get32(FrameView bytes, std::size_t at) {
    return (static_cast<std::uint32_t>(get16(bytes, at)) << 16U) | get16(bytes, at + 2);
}

void put16(Frame& bytes, std::size_t at, std::uint32_t value) {
    bytes[at] = static_cast<std::uint8_t>(value >> 8U);
    bytes[at + 1] = static_cast<std::uint8_t>(value);
}

void put32(Frame& bytes, std::size_t at, std::uint32_t value) {
    put16(bytes, at, value >> 16U);
    put16(bytes, at + 2, value & 0xFFFFU);
}

std::uint32_t sum16(FrameView bytes) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) sum += i % 2 == 0 ? bytes[i] << 8U : bytes[i];
    return sum;
}

std::uint16_t fold(std::uint32_t sum) {
    while (sum > 0xFFFFU) sum = (sum & 0xFFFFU) + (sum >> 16U);
    return static_cast<std::uint16_t>(~sum);
}

// The pseudo header of TCP: addresses, protocol and length.
std::uint32_t pseudo_sum(FrameView packet, std::size_t tcp_length) {
    return sum16(packet.subspan(12, 8)) + kProtocolTcp + static_cast<std::uint32_t>(tcp_length);
}

}  // namespace

Frame with_fcs(FrameView frame) {
    Frame result(frame.begin(), frame.end());
    result.resize(std::max(result.size(), kMinFrame));
    const std::uint32_t fcs = crc32(result);
    for (unsigned i = 0; i < kFcsBytes; ++i) result.push_back(static_cast<std::uint8_t>(fcs >> (8 * i)));
    return result;
}

bool strip_fcs(Frame& frame) {
    if (frame.size() < kFcsBytes) return false;
    const std::size_t length = frame.size() - kFcsBytes;
    std::uint32_t fcs = 0;
    for (unsigned i = 0; i < kFcsBytes; ++i) fcs |= static_cast<std::uint32_t>(frame[length + i]) << (8 * i);
    frame.resize(length);
    return crc32(frame) == fcs;
}

std::optional<TcpSegment> parse_tcp(FrameView frame) {
    if (frame.size() < kEthernet + kIpv4 + kTcp || get16(frame, kEtherType) != kTypeIpv4) return {};
    const FrameView packet = frame.subspan(kEthernet);
    const std::size_t ip_header = std::size_t{4} * (packet[0] & 0xFU);
    const std::size_t ip_length = get16(packet, 2);
    const bool fragment = (get16(packet, 6) & 0x3FFFU) != 0;
    if (packet[0] >> 4U != 4 || ip_header < kIpv4 || packet[9] != kProtocolTcp || fragment) return {};
    if (ip_length > packet.size() || ip_length < ip_header + kTcp) return {};
    const FrameView tcp = packet.subspan(ip_header, ip_length - ip_header);
    const std::size_t tcp_header = std::size_t{4} * (tcp[12] >> 4U);
    if (tcp_header < kTcp || tcp_header > tcp.size()) return {};
    return TcpSegment{.source_ip = get32(packet, 12),
                      .destination_ip = get32(packet, 16),
                      .source_port = get16(tcp, 0),
                      .destination_port = get16(tcp, 2),
                      .seq = get32(tcp, 4),
                      .ack = get32(tcp, 8),
                      .flags = tcp[13],
                      .payload = tcp.subspan(tcp_header)};
}

bool checksums_good(FrameView frame) {
    if (!parse_tcp(frame)) return false;
    const FrameView packet = frame.subspan(kEthernet);
    const std::size_t ip_header = std::size_t{4} * (packet[0] & 0xFU);
    const FrameView tcp = packet.subspan(ip_header, get16(packet, 2) - ip_header);
    return fold(sum16(packet.first(ip_header))) == 0 &&
           fold(pseudo_sum(packet, tcp.size()) + sum16(tcp)) == 0;
}

Frame make_tcp(const MacPair& macs, const TcpSegment& segment, std::uint16_t window) {
    const std::size_t tcp_length = kTcp + segment.payload.size();
    Frame packet(kIpv4 + tcp_length);
    packet[0] = 0x45;
    put16(packet, 2, static_cast<std::uint32_t>(packet.size()));
    put16(packet, 6, 0x4000);  // do not fragment
    packet[8] = 64;
    packet[9] = kProtocolTcp;
    put32(packet, 12, segment.source_ip);
    put32(packet, 16, segment.destination_ip);
    put16(packet, 10, fold(sum16(FrameView(packet).first(kIpv4))));
    put16(packet, kIpv4, segment.source_port);
    put16(packet, kIpv4 + 2, segment.destination_port);
    put32(packet, kIpv4 + 4, segment.seq);
    put32(packet, kIpv4 + 8, segment.ack);
    packet[kIpv4 + 12] = (kTcp / 4) << 4U;
    packet[kIpv4 + 13] = segment.flags;
    put16(packet, kIpv4 + 14, window);
    std::copy(segment.payload.begin(), segment.payload.end(), packet.begin() + kIpv4 + kTcp);
    put16(packet, kIpv4 + 16, fold(pseudo_sum(packet, tcp_length) + sum16(FrameView(packet).subspan(kIpv4))));

    Frame frame;
    frame.reserve(kEthernet + packet.size());
    frame.insert(frame.end(), std::begin(macs.destination), std::end(macs.destination));
    frame.insert(frame.end(), std::begin(macs.source), std::end(macs.source));
    frame.push_back(kTypeIpv4 >> 8U);
    frame.push_back(kTypeIpv4 & 0xFFU);
    frame.insert(frame.end(), packet.begin(), packet.end());
    return frame;
}

}  // namespace fixaccel::board
