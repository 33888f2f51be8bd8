// SPDX-License-Identifier: Apache-2.0
#include "packet.hpp"

#include <algorithm>
#include <span>

#include "fixaccel/crc32.hpp"

namespace fixaccel::hostile {
namespace {

constexpr std::size_t kEthernet = 14, kIp = 20, kTcp = 20, kFcs = 4;
constexpr std::size_t kShortest = 60, kLongest = 1514;  // without FCS

std::uint32_t sum(const Bytes& bytes, std::size_t at, std::size_t size) {
    std::uint32_t total = 0;
    for (std::size_t i = 0; i < size; ++i) total += i % 2 == 0 ? bytes[at + i] * 256U : bytes[at + i];
    return total;
}

std::uint16_t folded(std::uint32_t total) {
    while (total > 0xFFFFU) total = (total & 0xFFFFU) + (total >> 16U);
    return static_cast<std::uint16_t>(~total);
}

// Over pseudo header, TCP header and payload; zero if the checksum in them is right.
std::uint16_t tcp_sum(const Bytes& frame, std::size_t ip_header, std::size_t ip_length) {
    const std::size_t size = ip_length - ip_header;
    return folded(sum(frame, kEthernet + 12, 8) + 6 + static_cast<std::uint32_t>(size) +
                  sum(frame, kEthernet + ip_header, size));
}

}  // namespace

std::uint16_t get16(const Bytes& bytes, std::size_t at) {
    return static_cast<std::uint16_t>(bytes[at] << 8U | bytes[at + 1]);
}
std::uint32_t get32(const Bytes& bytes, std::size_t at) {
    return static_cast<std::uint32_t>(get16(bytes, at)) << 16U | get16(bytes, at + 2);
}
void put16(Bytes& bytes, std::size_t at, std::uint32_t value) {
    bytes[at] = static_cast<std::uint8_t>(value >> 8U);
    bytes[at + 1] = static_cast<std::uint8_t>(value);
}
void put32(Bytes& bytes, std::size_t at, std::uint32_t value) {
    put16(bytes, at, value >> 16U);
    put16(bytes, at + 2, value);
}

std::uint16_t ip_checksum(const Bytes& frame) { return folded(sum(frame, kEthernet, kIp)); }

std::uint16_t tcp_checksum(const Bytes& frame, std::size_t ip_header, std::size_t ip_length) {
    Bytes copy = frame;
    put16(copy, kEthernet + ip_header + 16, 0);
    return tcp_sum(copy, ip_header, ip_length);
}

Bytes Packet::frame() const {
    const std::size_t ip_header = kIp + ip_options.size();
    const std::size_t tcp_header = kTcp + tcp_options.size();
    const std::size_t ip_length = ip_header + tcp_header + payload.size();
    Bytes out(kEthernet + ip_length);
    std::copy(to.mac.begin(), to.mac.end(), out.begin());
    std::copy(from.mac.begin(), from.mac.end(), out.begin() + 6);
    put16(out, 12, 0x0800);
    const std::size_t ip = kEthernet;
    out[ip] = static_cast<std::uint8_t>(version << 4U | ip_header / 4);
    put16(out, ip + 2, static_cast<std::uint32_t>(static_cast<int>(ip_length) + length_error));
    put16(out, ip + 4, id);
    put16(out, ip + 6, fragment);
    out[ip + 8] = 64;
    out[ip + 9] = protocol;
    put32(out, ip + 12, from.ip);
    put32(out, ip + 16, to.ip);
    std::copy(ip_options.begin(), ip_options.end(), out.begin() + static_cast<std::ptrdiff_t>(ip + kIp));
    put16(out, ip + 10, folded(sum(out, ip, ip_header)) ^ ip_sum_error);
    const std::size_t tcp = ip + ip_header;
    put16(out, tcp, from.port);
    put16(out, tcp + 2, to.port);
    put32(out, tcp + 4, seq);
    put32(out, tcp + 8, ack);
    out[tcp + 12] = static_cast<std::uint8_t>(data_offset.value_or(tcp_header / 4) << 4U);
    out[tcp + 13] = flags;
    put16(out, tcp + 14, window);
    put16(out, tcp + 18, urgent);
    std::copy(tcp_options.begin(), tcp_options.end(), out.begin() + static_cast<std::ptrdiff_t>(tcp + kTcp));
    std::copy(payload.begin(), payload.end(), out.begin() + static_cast<std::ptrdiff_t>(tcp + tcp_header));
    put16(out, tcp + 16, tcp_sum(out, ip_header, ip_length) ^ tcp_sum_error);
    return out;
}

std::uint32_t fcs_of(const Bytes& bytes, std::size_t size) { return crc32(std::span(bytes).first(size)); }

Bytes finished(Bytes frame, bool pad) {
    if (pad && frame.size() < kShortest) frame.resize(kShortest);
    const std::uint32_t fcs = fcs_of(frame, frame.size());
    for (unsigned i = 0; i < kFcs; ++i) frame.push_back(static_cast<std::uint8_t>(fcs >> (8 * i)));
    return frame;
}

bool fcs_right(const Bytes& with_fcs) {
    if (with_fcs.size() <= kFcs) return false;
    const std::size_t size = with_fcs.size() - kFcs;
    std::uint32_t fcs = 0;
    for (unsigned i = 0; i < kFcs; ++i) fcs |= static_cast<std::uint32_t>(with_fcs[size + i]) << (8 * i);
    return fcs == fcs_of(with_fcs, size);
}

bool mac_takes(const Bytes& with_fcs) {
    return with_fcs.size() >= kShortest + kFcs && with_fcs.size() <= kLongest + kFcs && fcs_right(with_fcs);
}

namespace {

// Where things are in an IPv4 packet whose header can be trusted.
struct Ip {
    std::size_t header = 0;
    std::size_t length = 0;
    bool fragment = false;
    std::uint8_t protocol = 0;
};

std::optional<Ip> ip_of(const Bytes& f) {
    const std::size_t packet = f.size() - kFcs - kEthernet;
    const Ip ip{.header = std::size_t{4} * (f[kEthernet] & 0xFU),
                .length = get16(f, kEthernet + 2),
                .fragment = (get16(f, kEthernet + 6) & 0x3FFFU) != 0,
                .protocol = f[kEthernet + 9]};
    if (f[kEthernet] >> 4U != 4 || ip.header < kIp || ip.length < ip.header || ip.length > packet) return {};
    if (folded(sum(f, kEthernet, ip.header)) != 0) return {};
    return ip;
}

bool tcp_right(const Bytes& f, const Ip& ip) {
    if (ip.length < ip.header + kTcp) return false;
    const std::size_t tcp_header = std::size_t{4} * (f[kEthernet + ip.header + 12] >> 4U);
    return tcp_header >= kTcp && ip.header + tcp_header <= ip.length && tcp_sum(f, ip.header, ip.length) == 0;
}

bool of_flow(const Bytes& f, std::size_t tcp, const Endpoint& from, const Endpoint& to) {
    return get32(f, kEthernet + 12) == from.ip && get32(f, kEthernet + 16) == to.ip &&
           get16(f, tcp) == from.port && get16(f, tcp + 2) == to.port;
}

// Its TCP header begins at `tcp`, and its payload goes up to `end`.
Segment segment_at(const Bytes& f, std::size_t tcp, std::size_t end) {
    const std::size_t at = tcp + std::size_t{4} * (f[tcp + 12] >> 4U);
    return {.seq = get32(f, tcp + 4),
            .ack = get32(f, tcp + 8),
            .flags = f[tcp + 13],
            .window = get16(f, tcp + 14),
            .payload_at = at,
            .payload = {f.begin() + static_cast<std::ptrdiff_t>(at),
                        f.begin() + static_cast<std::ptrdiff_t>(end)}};
}

}  // namespace

bool well_formed(const Bytes& f) {
    if (f.size() < kEthernet + kIp + kFcs || get16(f, 12) != 0x0800) return true;
    const auto ip = ip_of(f);
    return ip && (ip->protocol != 6 || ip->fragment || tcp_right(f, *ip));
}

std::optional<Segment> delivered(const Bytes& with_fcs, const Endpoint& from, const Endpoint& to) {
    const Bytes& f = with_fcs;
    if (!mac_takes(f) || !std::equal(to.mac.begin(), to.mac.end(), f.begin()) || get16(f, 12) != 0x0800)
        return {};
    const auto ip = ip_of(f);
    if (!ip || ip->fragment || ip->protocol != 6 || !tcp_right(f, *ip)) return {};
    const std::size_t tcp = kEthernet + ip->header;
    if (!of_flow(f, tcp, from, to)) return {};
    return segment_at(f, tcp, kEthernet + ip->length);
}

std::optional<Segment> claimed(const Bytes& f, const Endpoint& from, const Endpoint& to) {
    if (f.size() < kEthernet + kIp + kTcp || !std::equal(to.mac.begin(), to.mac.end(), f.begin())) return {};
    const std::size_t header = std::size_t{4} * (f[kEthernet] & 0xFU), tcp = kEthernet + header;
    if (get16(f, 12) != 0x0800 || f[kEthernet] >> 4U != 4 || header < kIp || f[kEthernet + 9] != 6) return {};
    if (f.size() < tcp + kTcp || !of_flow(f, tcp, from, to)) return {};
    const std::size_t end = std::min<std::size_t>(f.size(), kEthernet + get16(f, kEthernet + 2));
    if (tcp + std::size_t{4} * (f[tcp + 12] >> 4U) > end) return {};
    return segment_at(f, tcp, end);
}

}  // namespace fixaccel::hostile
