// SPDX-License-Identifier: Apache-2.0
// Frames that must have no effect: a kernel drops them, or they are none of the session's.
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "venue.hpp"

namespace fixaccel::hostile {
namespace {

struct Maker {
    Random& random;
    const Packet& right;      // the session's next segment, without payload
    std::uint32_t sent;       // what our side has sent, as far as the venue knows
    const std::string& bait;  // a message that would fire

    Packet with_bait() const {
        Packet packet = right;
        packet.payload = bait;
        return packet;
    }
    std::uint32_t far() const {
        // Outside any window, on either side.
        const std::uint32_t distance = (1U << 20U) + random.below(0x7FF0'0000U - (1U << 20U));
        return random.coin() ? distance : 0U - distance;
    }

    RawFrame foreign() const {
        Packet packet = with_bait();
        switch (random.below(9)) {
            case 0:
                packet.from.port ^= static_cast<std::uint16_t>(1U << random.below(16));
                break;
            case 1:
                packet.to.port ^= static_cast<std::uint16_t>(1U << random.below(16));
                break;
            case 2:
                packet.from.ip ^= 1U << random.below(32);
                break;
            case 3:
                packet.to.ip ^= 1U << random.below(32);
                break;
            case 4:
                packet.protocol = random.coin() ? 17 : static_cast<std::uint8_t>(random.below(6));
                break;
            case 5:
                packet.version = random.coin() ? 6 : static_cast<std::uint8_t>(random.below(4));
                break;
            case 6: {  // VLAN
                Bytes frame = packet.frame();
                const Bytes tag{0x81, 0x00, static_cast<std::uint8_t>(random.below(256)), 0x07};
                frame.insert(frame.begin() + 12, tag.begin(), tag.end());
                return {.bytes = finished(frame)};
            }
            case 7: {  // any protocol, any length
                Bytes frame(14 + random.below(random.per_mille(100) ? 1501 : 100));
                for (auto& byte : frame) byte = static_cast<std::uint8_t>(random.word());
                const std::vector<std::pair<int, int>> types{
                    {0x08, 0x06}, {0x86, 0xDD}, {0x88, 0xCC}, {0x00, 0x26}};
                const auto& [high, low] = random.pick(types);
                frame[12] = static_cast<std::uint8_t>(high);
                frame[13] = static_cast<std::uint8_t>(low);
                return {.bytes = finished(frame)};
            }
            default: {  // UDP between the same two, of any length
                packet.protocol = 17;
                packet.payload = bait.substr(0, random.below(static_cast<std::uint32_t>(bait.size())));
                Bytes frame = packet.frame();
                frame.resize(std::max<std::size_t>(34, frame.size() - random.below(40)));
                put16(frame, 16, static_cast<std::uint32_t>(frame.size() - 14));
                return {.bytes = finished(frame)};
            }
        }
        return {.bytes = finished(packet.frame())};
    }

    RawFrame runt() const {
        Bytes frame = with_bait().frame();
        frame.resize(1 + random.below(59));
        Bytes bytes = finished(frame, false);
        if (random.coin()) bytes.back() ^= 0x55;
        if (random.per_mille(200)) bytes.resize(1 + random.below(static_cast<std::uint32_t>(bytes.size())));
        return {.bytes = std::move(bytes), .phy_error = random.per_mille(200)};
    }

    RawFrame bad_fcs() const {
        RawFrame out{.bytes = finished(with_bait().frame())};
        switch (random.below(4)) {
            case 0:
                out.phy_error = true;
                break;
            case 1:
                out.bytes.resize(20 + random.below(static_cast<std::uint32_t>(out.bytes.size()) - 21));
                break;
            default:
                out.bytes[random.below(static_cast<std::uint32_t>(out.bytes.size()))] ^=
                    static_cast<std::uint8_t>(1U << random.below(8));
        }
        return out;
    }

    RawFrame bad_checksum() const {
        Packet packet = with_bait();
        const auto error = static_cast<std::uint16_t>(1U << random.below(16));
        switch (random.below(6)) {
            case 0:
                packet.ip_sum_error = error;
                break;
            case 1:
            case 2:
                packet.tcp_sum_error = error;
                break;
            case 3:
                packet.length_error = 1 + static_cast<int>(random.below(2000));
                break;
            case 4:
                packet.length_error =
                    -static_cast<int>(packet.payload.size()) - 1 - static_cast<int>(random.below(40));
                break;
            default:
                packet.data_offset = random.below(5);
        }
        return {.bytes = finished(packet.frame())};
    }

    RawFrame stray() const {
        Packet packet = random.coin() ? with_bait() : right;
        packet.seq += far();
        const std::vector<std::uint8_t> choice{flag::ack,
                                               flag::rst,
                                               flag::rst | flag::ack,
                                               flag::fin | flag::ack,
                                               flag::syn,
                                               flag::syn | flag::ack};
        packet.flags = random.pick(choice);
        if (random.per_mille(200)) packet.tcp_options.assign(4 * (1 + random.below(10)), 1);
        return {.bytes = finished(packet.frame())};
    }

    RawFrame bad_flags() const {
        Packet packet = with_bait();
        switch (random.below(4)) {
            case 0:  // inside the window, not at the expected number: a challenge ACK
                packet.seq += 1 + random.below(20'000);
                packet.flags = flag::rst | flag::ack;
                packet.payload.clear();
                break;
            case 1:
                packet.flags = flag::syn;
                packet.payload.clear();
                break;
            case 2:
                packet.flags = 0;
                break;
            default:
                packet.flags = flag::psh;
        }
        return {.bytes = finished(packet.frame())};
    }

    RawFrame bad_ack() const {
        Packet packet = random.coin() ? with_bait() : right;
        packet.ack = random.coin() ? sent + (1U << 16U) + random.below(0x7000'0000U)
                                   : sent - (1U << 20U) - random.below(0x7000'0000U);
        return {.bytes = finished(packet.frame())};
    }

    RawFrame fragment() const {
        Packet packet = with_bait();
        packet.fragment = random.coin() ? 0x2000 : static_cast<std::uint16_t>(1 + random.below(0x1FFF));
        return {.bytes = finished(packet.frame())};
    }

    RawFrame oversize() const {
        Packet packet = with_bait();
        packet.payload.resize(1537 + random.below(2500), 'o');
        return {.bytes = finished(packet.frame())};
    }
};

}  // namespace

RawFrame damaged(Random& random, Packet packet) {
    const std::uint32_t what = random.below(3);
    if (what == 0) packet.tcp_sum_error = static_cast<std::uint16_t>(1U << random.below(16));
    RawFrame out{.bytes = finished(packet.frame()), .phy_error = what == 1};
    if (what == 2)
        out.bytes[out.bytes.size() - 1 - random.below(4)] ^= static_cast<std::uint8_t>(1U << random.below(8));
    return out;
}

std::optional<RawFrame> stranger(Random& random, const Kinds& kinds, const Packet& next, std::uint32_t sent,
                                 const std::string& temptation) {
    using Make = RawFrame (Maker::*)() const;
    constexpr std::array<std::pair<Kind, Make>, 9> kMakers{{{Kind::foreign, &Maker::foreign},
                                                            {Kind::runts, &Maker::runt},
                                                            {Kind::fcs, &Maker::bad_fcs},
                                                            {Kind::checksums, &Maker::bad_checksum},
                                                            {Kind::stray, &Maker::stray},
                                                            {Kind::flags, &Maker::bad_flags},
                                                            {Kind::acks, &Maker::bad_ack},
                                                            {Kind::fragments, &Maker::fragment},
                                                            {Kind::oversize, &Maker::oversize}}};
    std::vector<Make> usable;
    for (const auto& [kind, make] : kMakers)
        if (kinds.has(kind)) usable.push_back(make);
    if (usable.empty()) return {};
    const Maker maker{random, next, sent, temptation};
    RawFrame out = (maker.*random.pick(usable))();
    out.gap = kinds.has(Kind::burst) && random.coin() ? random.below(4) : 20 + random.below(30);
    return out;
}

}  // namespace fixaccel::hostile
