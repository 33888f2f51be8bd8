// SPDX-License-Identifier: Apache-2.0
// What a kernel ignores the fabric ignores; what closes a kernel's connection silences the fabric.
#include "stage.hpp"

namespace fixaccel::hostile {
namespace {

constexpr std::uint32_t kFar = 1U << 30U;

// The frame must have no effect at all: the next stop fires.
void without_effect(Stage& stage, const std::string& payload, const std::function<void(Packet&)>& edit) {
    stage.slip_in(payload, edit);
    stage.check_orders(0);
    const std::string message = stage.stop();
    stage.say(message);
    stage.check_orders(stage.episode().rules().fires(message).size());
}

void ignored_flags(Stage& stage, std::uint8_t flags, std::uint32_t distance) {
    without_effect(stage, "", [&](Packet& packet) {
        packet.flags = flags;
        packet.seq += distance;
    });
}

void far_rst(Stage& stage) { ignored_flags(stage, flag::rst, kFar); }
void near_rst(Stage& stage) { ignored_flags(stage, flag::rst | flag::ack, 1000); }
void far_fin(Stage& stage) { ignored_flags(stage, flag::fin | flag::ack, kFar); }
void far_syn(Stage& stage) { ignored_flags(stage, flag::syn, kFar); }
void near_syn(Stage& stage) { ignored_flags(stage, flag::syn, 0); }
void stray_syn_ack(Stage& stage) { ignored_flags(stage, flag::syn | flag::ack, 0U - 1U); }

void far_data(Stage& stage) {
    without_effect(stage, stage.bait(), [](Packet& packet) { packet.seq += kFar; });
}
void old_data(Stage& stage) {
    without_effect(stage, stage.bait(), [](Packet& packet) { packet.seq -= kFar; });
}
void data_without_ack(Stage& stage) {
    without_effect(stage, stage.bait(), [](Packet& packet) { packet.flags = flag::psh; });
}
void ack_of_unsent(Stage& stage) {
    without_effect(stage, stage.bait(), [](Packet& packet) { packet.ack += 100'000; });
}
void bare_ack_of_unsent(Stage& stage) {
    without_effect(stage, "", [](Packet& packet) { packet.ack += 100'000; });
}
void ancient_ack(Stage& stage) {
    without_effect(stage, stage.bait(), [](Packet& packet) { packet.ack -= kFar; });
}

void exact_rst(Stage& stage) {
    stage.slip_in("", [](Packet& packet) { packet.flags = flag::rst; });
    stage.check_orders(0);
    stage.slip_in(stage.bait(), [](Packet&) {});
    stage.check_orders(0);
}
void exact_fin(Stage& stage) {
    stage.slip_in("", [](Packet& packet) { packet.flags = flag::fin | flag::ack; });
    stage.check_orders(0);
}
void rst_with_ip_options(Stage& stage) {
    stage.slip_in("", [](Packet& packet) {
        packet.flags = flag::rst;
        packet.ip_options = {1, 1, 1, 0};
    });
    stage.check_orders(0);
}

// The daemon's socket has SO_OOBINLINE.
void urgent(Stage& stage) {
    Venue& venue = stage.episode().venue();
    const std::string message = stage.stop();
    Packet packet = venue.segment(message, venue.snd_nxt());
    packet.flags |= flag::urg;
    packet.urgent = 40;
    venue.say(message);
    venue.replace_last(packet);
    stage.check_stops();
}

void old_window(Stage& stage) {
    Venue& venue = stage.episode().venue();
    const Packet open = venue.segment(stage.calm(), venue.snd_nxt());
    stage.say(open.payload);
    stage.check_orders(0);
    venue.set_window(0);
    stage.say(stage.calm());
    stage.check_orders(0);
    stage.slip_in(open.frame());
    stage.check_orders(0);
    stage.say(stage.stop());
    stage.check_orders(0);
    venue.set_window(0xFFFF);
    stage.say(stage.calm());
    stage.check_orders(0);
}

void old_ack(Stage& stage) {
    Venue& venue = stage.episode().venue();
    const Packet early = venue.segment("", venue.snd_nxt());
    for (unsigned i = 0; i < 3; ++i) {
        stage.say(stage.stop());
        stage.check_stops();
    }
    stage.slip_in(early.frame());
    stage.check_stops();
    stage.say(stage.stop());
    stage.check_stops();
}

// 50,000 messages a second, a runtime that answers after 300 us.
void busy_resync(Stage& stage) {
    constexpr std::uint64_t kBetween = 2500, kAnswer = 37'500;
    Episode& episode = stage.episode();
    Venue& venue = episode.venue();
    std::uint64_t next = episode.cycle();
    const auto live = [&](std::uint64_t cycles) {
        for (const std::uint64_t end = episode.cycle() + cycles; episode.cycle() < end; episode.idle(100))
            if (episode.cycle() >= next) {
                next = episode.cycle() + kBetween;
                stage.say(stage.calm());
            }
    };
    const std::string lost = stage.calm();
    const std::uint32_t at = venue.snd_nxt();
    venue.say(lost);
    venue.drop_last();
    stage.say(stage.calm());
    live(10'000);
    stage.slip_in(lost, [&](Packet& packet) { packet.seq = at; });
    live(kAnswer);
    constexpr unsigned kTries = 3;
    for (unsigned tries = 0; tries < kTries; ++tries) {
        const Boundaries read = episode.cpu().boundaries();
        live(kAnswer);
        if (!episode.confirm(read)) continue;
        live(2 * kBetween);
        stage.say(stage.stop());
        live(2 * kBetween);
        stage.check_stops();
        return;
    }
    throw Failure("resync-refused", "several times, on a stream of 50,000 messages a second");
}

constexpr Scenario kScenarios[]{
    {"far-rst", "RST far outside the window", far_rst},
    {"near-rst", "RST inside the window, not at the expected number", near_rst},
    {"far-fin", "FIN far outside the window", far_fin},
    {"far-syn", "SYN far outside the window", far_syn},
    {"near-syn", "SYN at the expected number", near_syn},
    {"stray-syn-ack", "the handshake's SYN-ACK again", stray_syn_ack},
    {"far-data", "data 2^30 ahead", far_data},
    {"old-data", "data 2^30 behind", old_data},
    {"no-ack-flag", "data in a segment without ACK", data_without_ack},
    {"ack-of-unsent", "data in a segment that acknowledges what was never sent", ack_of_unsent},
    {"bare-ack-of-unsent", "a pure ACK of what was never sent", bare_ack_of_unsent},
    {"ancient-ack", "data in a segment whose acknowledgement is too old", ancient_ack},
    {"exact-rst", "RST at the expected number disarms", exact_rst},
    {"exact-fin", "FIN in order disarms", exact_fin},
    {"rst-ip-options", "RST at the expected number, behind IP options", rst_with_ip_options},
    {"urgent", "urgent data is data", urgent},
    {"old-window", "an old duplicate does not open a zero window", old_window},
    {"old-ack", "an old duplicate does not take back an acknowledgement", old_ack},
    {"busy-resync", "the parser comes back on a busy stream", busy_resync},
};

}  // namespace

std::span<const Scenario> tcp_scenarios() { return kScenarios; }

}  // namespace fixaccel::hostile
