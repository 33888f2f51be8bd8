// SPDX-License-Identifier: Apache-2.0
// Frames and headers.
#include <algorithm>

#include "stage.hpp"

namespace fixaccel::hostile {
namespace {

void plain_stop(Stage& stage) {
    stage.say(stage.stop());
    stage.check_stops();
}

// A UDP datagram of the session's two stations; its bytes may look like any header.
Bytes datagram(Stage& stage, std::size_t size, char fill) {
    const Venue& venue = stage.episode().venue();
    Packet packet = venue.segment(std::string(size, fill), venue.snd_nxt());
    packet.protocol = 17;
    Bytes frame = packet.frame();
    std::fill(frame.begin() + 34, frame.end(), static_cast<std::uint8_t>(fill));
    frame.resize(42 + size);
    put16(frame, 16, static_cast<std::uint32_t>(28 + size));
    put16(frame, 24, 0);
    put16(frame, 24, ip_checksum(frame));
    put16(frame, 38, static_cast<std::uint32_t>(8 + size));
    put16(frame, 40, 0);
    return frame;
}

// Each length from the shortest to some above, then a stop.
void foreign_lengths(Stage& stage) {
    for (std::size_t size = 0; size < 60; ++size)
        for (const char fill : {'\0', '8', '\xFF'}) {
            stage.slip_in(datagram(stage, size, fill));
            stage.say(stage.calm());
            stage.episode().audit();
        }
    stage.say(stage.stop());
    stage.check_stops();
}

void small_datagram(Stage& stage) {
    for (int high = 0; high < 16; ++high) {
        stage.say(stage.stop());
        stage.slip_in(datagram(stage, 19, static_cast<char>(high * 16)));
        stage.say(stage.stop());
        stage.check_stops();
    }
}

void ethernet_trailer(Stage& stage) {
    Bytes frame = stage.episode().venue().segment("", stage.episode().venue().snd_nxt()).frame();
    frame.resize(frame.size() + 200, '8');
    stage.slip_in(frame);
    stage.say(stage.stop());
    stage.check_stops();
}

void other_station(Stage& stage) {
    stage.slip_in(stage.stop(), [](Packet& packet) { packet.to.mac[5] ^= 0x7F; });
    stage.check_orders(0);
}

void phy_error_reaches_nobody(Stage& stage) {
    Bytes frame(80, 0x11);
    stage.episode().venue().inject({.bytes = finished(frame), .phy_error = true});
    stage.say(stage.stop());
    stage.check_stops();
}

void oversize(Stage& stage) {
    const std::string bait = stage.stop();
    for (const std::size_t size : {1600U, 2050U, 3000U, 4090U}) {
        std::string payload = bait;
        payload.resize(size, ' ');
        stage.slip_in(payload, [](Packet&) {});
    }
    stage.check_orders(0);
    stage.say(bait);
    stage.check_stops();
}

// A header that ends in the middle of the frame, then a frame that begins with what was missing.
void cut_headers(Stage& stage) {
    const std::string bait = stage.stop();
    const Bytes whole = stage.episode().venue().segment(bait, stage.episode().venue().snd_nxt()).frame();
    for (std::size_t size = 1; size < 60; ++size) {
        const Bytes head(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        stage.episode().venue().inject({.bytes = finished(head, false)});
        stage.episode().venue().inject({.bytes = finished(head, false), .phy_error = true, .gap = 0});
    }
    stage.say(bait);
    stage.check_stops();
}

void tcp_header_beyond_the_packet(Stage& stage) {
    const std::string bait = stage.stop();
    for (unsigned words = 0; words < 16; ++words)
        if (words != 5)
            stage.slip_in(bait, [&](Packet& packet) { packet.data_offset = words < 5 ? words : 15; });
    stage.check_orders(0);
}

void ip_options(Stage& stage) {
    const std::string message = stage.stop();
    Packet packet = stage.episode().venue().segment(message, stage.episode().venue().snd_nxt());
    packet.ip_options = {1, 1, 1, 0};
    // A kernel takes it: the fabric fires on it or says at once that it has lost the stream.
    stage.episode().venue().say(message);
    stage.episode().venue().replace_last(packet);
    stage.episode().idle(5000);
    stage.episode().drain();
    if (stage.orders() == 0 && !stage.episode().fabric().status().gap())
        throw Failure("lost-stop", "data behind IP options was passed over, and the parser goes on");
}

constexpr Scenario kScenarios[]{
    {"plain-stop", "one message, one order", plain_stop},
    {"foreign-lengths", "a foreign frame of any length leaves nothing behind", foreign_lengths},
    {"small-datagram", "a 19-byte datagram between two stops", small_datagram},
    {"ethernet-trailer", "bytes behind the IP packet are not its payload", ethernet_trailer},
    {"other-station", "a frame for another station is nobody's market data", other_station},
    {"phy-error", "a frame with a PHY error does not come to the CPU as a good one",
     phy_error_reaches_nobody},
    {"oversize", "a frame that no kernel takes does not fire", oversize},
    {"cut-headers", "frames cut inside their headers leave nothing behind", cut_headers},
    {"tcp-offset", "a TCP header longer than its packet, or shorter than a header",
     tcp_header_beyond_the_packet},
    {"ip-options", "data behind IP options fires, or the parser says that it has lost the stream",
     ip_options},
};

}  // namespace

std::span<const Scenario> frame_scenarios() { return kScenarios; }

}  // namespace fixaccel::hostile
