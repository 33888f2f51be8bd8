// SPDX-License-Identifier: Apache-2.0
// Orders, switches, clock, ring and lease.
#include <algorithm>

#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/seq.hpp"
#include "stage.hpp"

namespace fixaccel::hostile {
namespace {

namespace reg = hwmap::reg;

constexpr std::uint64_t kMinute = 60'000'000'000;
constexpr std::uint64_t kDay = 1440 * kMinute;
const std::uint64_t kHeld = static_cast<std::uint64_t>(FabricLimits{}.hold.count());  // ns

std::uint64_t next_midnight(const Episode& episode) { return (episode.now_ns() / kDay + 1) * kDay; }

void after_midnight(Stage& stage) {
    Episode& episode = stage.episode();
    episode.set_clock(next_midnight(episode) - 20'000);
    episode.idle(10'000);
    stage.say(stage.stop());
    stage.check_stops();
}

// An order in each microsecond around midnight carries the right date.
void at_midnight(Stage& stage) {
    Episode& episode = stage.episode();
    for (unsigned i = 0; i < 40; ++i) {
        const std::string message = stage.stop();
        episode.set_clock(next_midnight(episode) - 8 * (message.size() + 54) - 8 * 100 + i * 8 * 2 - 8 * 20);
        stage.say(message);
        stage.check_stops();
    }
}

void stall_then_silence(Stage& stage, const std::function<void(Episode&)>& silence) {
    Episode& episode = stage.episode();
    episode.hold_line(true);
    stage.say(stage.stop());
    episode.idle(3000);
    episode.step_time(kMinute);
    episode.idle(1000);
    silence(episode);
    episode.idle(1000);
    episode.hold_line(false);
    episode.idle(3000);
    if (stage.orders() != 0)
        throw Failure("not-silent", "an order that waited for the line left after it was silenced");
}

void stalled_kill(Stage& stage) {
    stall_then_silence(stage, [](Episode& episode) { episode.kill(true); });
}
void stalled_disarm(Stage& stage) {
    stall_then_silence(stage, [](Episode& episode) { episode.disarm(); });
}
void stalled_rst(Stage& stage) {
    stall_then_silence(stage, [](Episode& episode) {
        Packet packet = episode.venue().segment("", episode.venue().snd_nxt());
        packet.flags = flag::rst;
        episode.venue().inject({.bytes = finished(packet.frame())});
    });
}

// The line stands for a while: the order that leaves then says when it left.
void stalled_time(Stage& stage) {
    Episode& episode = stage.episode();
    episode.hold_line(true);
    stage.say(stage.stop());
    episode.idle(3000);
    episode.step_time(kHeld / 2);
    episode.idle(1000);
    episode.hold_line(false);
    stage.check_stops();
}

// Held for longer than the limit it is not sent and not spent, and the fabric is disarmed.
void held_too_long(Stage& stage) {
    Episode& episode = stage.episode();
    const std::string message = stage.stop();
    episode.hold_line(true);
    stage.say(message);
    episode.idle(3000);
    episode.step_time(2 * kHeld);
    episode.idle(1000);
    episode.referee().silencing();
    episode.referee().silenced(episode.cycle());
    episode.hold_line(false);
    episode.idle(3000);
    if (!episode.fabric().status().has(hwmap::status_bits::held) || episode.fabric().status().armed())
        throw Failure("not-silent", "a fire was held too long, and the fabric is armed");
    stage.check_orders(0);
    // The same prices again, in a message of its own.
    episode.arm();
    Fields again = fix_fields(message).value();
    again.erase(again.begin(), again.begin() + 2);
    again.pop_back();
    std::find_if(again.begin(), again.end(), [](const Field& field) { return field.tag == 34; })->value =
        std::to_string(episode.venue().quotes().seq_num());
    episode.venue().quotes().skip_numbers(1);
    stage.say(fix_message(again));
    stage.check_stops();
}

void unwritten_order(Stage& stage) {
    Episode& episode = stage.episode();
    episode.disarm();
    const auto depth = hwmap::depth::order({.instruments = episode.board().read(reg::cap_instruments),
                                            .triggers = episode.board().read(reg::cap_triggers),
                                            .orders = episode.board().read(reg::cap_orders),
                                            .templates = episode.board().read(reg::cap_templates),
                                            .groups = episode.board().read(reg::cap_groups)});
    const std::vector<std::uint32_t> zeros(hwmap::memory::order.stride_bytes / 4 * depth);
    episode.board().write(hwmap::memory::order.base, zeros);
    episode.arm();
    stage.say(stage.stop());
    episode.idle(5000);
    if (stage.orders() != 0)
        throw Failure("wrong-order", "an order record that nobody wrote left as an order");
}

void last_seq_num(Stage& stage) {
    Episode& episode = stage.episode();
    episode.disarm();
    episode.fabric().set_next_seq_num(kMaxSeqNum);
    episode.referee().sent_by_cpu(kMaxSeqNum - episode.referee().seq_num());
    episode.arm();
    for (unsigned i = 0; i < 3; ++i) stage.say(stage.stop());
    episode.idle(5000);
    if (stage.orders() > 1) throw Failure("order-text", "MsgSeqNum went on from 99999999");
}

void last_fire_count(Stage& stage) {
    Episode& episode = stage.episode();
    episode.disarm();
    const std::uint32_t last = (1U << 15U) - 1;
    episode.fabric().set_triggers(std::vector<TriggerState>(episode.rules().bundle().used.at("triggers"),
                                                            {.live = true, .fires = last}));
    episode.arm();
    stage.say(stage.stop());
    episode.idle(5000);
    const std::uint32_t head = episode.fabric().ring_head();
    for (std::uint32_t entry = 1; entry != head + 1; ++entry)
        if (const auto fire = episode.fabric().read_fire(entry); fire.sent() && fire.fires == 0)
            throw Failure("order-text", "the fire count went from its end to zero");
}

// More fires than the ring has records, and nobody takes them for a while.
void full_ring(Stage& stage) {
    Episode& episode = stage.episode();
    while (stage.promised() < hwmap::ring_entries + 20) stage.say(stage.stop(2));
    episode.idle(60'000);
    stage.check_stops();
}

// A thousand stops at one price, quotes back to back while their orders leave, fifty of which fire too.
// `behind`: so many that say nothing stand behind each in its frame.
void play_burst(Stage& stage, unsigned behind) {
    Episode& episode = stage.episode();
    Quotes& quotes = episode.venue().quotes();
    const Instrument& instrument = episode.rules().burst();
    const auto at = [&](int ticks) {
        return quotes.snapshot(instrument.symbol,
                               {{'2', decimal_text(instrument.middle + ticks * instrument.tick)}});
    };
    const auto say = [&](std::string message) {
        for (unsigned i = 0; i < behind; ++i) message += stage.calm();
        stage.say(message);
    };
    const std::string message = at(-1);
    const std::size_t stops = episode.rules().fires(message).size();
    say(message);
    constexpr std::size_t kOthers = 50, kEvery = 8;
    for (std::size_t quiet = 0; stage.orders() < stops; ++quiet) {
        while (episode.venue().queued() < 4)
            say(quiet % kEvery == 0 && stage.promised() < kOthers ? stage.stop_alone()
                : quiet % 2 == 0                                  ? stage.calm()
                                                                  : at(-2));
        episode.idle(200);
        episode.drain(1);
    }
    if (stage.promised() < kOthers) throw Failure("scenario", "the burst was over too early");
    stage.check_orders(stops + stage.promised());
}

void burst(Stage& stage) { play_burst(stage, 0); }

// Nothing is given up where every frame is good.
void burst_ahead(Stage& stage) {
    constexpr unsigned kBehind = 2;  // more than an order is long
    stage.episode().begin_ahead(stage.episode().rules().bundle().commit.ahead);
    play_burst(stage, kBehind);
    if (stage.episode().referee().aborted() != 0)
        throw Failure("aborted", "an order of a good frame was given up");
}

// The line stands while rules fire that arm others, and some hundred messages come behind: none is lost.
void held_parents(Stage& stage) {
    Episode& episode = stage.episode();
    constexpr unsigned kPairs = 12, kBetween = 30;
    episode.hold_line(true);
    for (unsigned i = 0; i < kPairs; ++i) {
        stage.say(stage.parent());
        stage.say(stage.child());
        for (unsigned quote = 0; quote < kBetween; ++quote) stage.say(stage.calm());
    }
    episode.idle(100'000);
    episode.hold_line(false);
    stage.check_stops();
}

// Messages that fire come while the lease is held, and when it is asked for.
void fires_under_lease(Stage& stage) {
    Episode& episode = stage.episode();
    for (unsigned i = 0; i < 12; ++i) {
        stage.say(stage.stop(2));
        episode.idle(40 * i);
        episode.heartbeat();
        stage.episode().audit();
    }
}

void busy_host(Stage& stage) {
    Episode& episode = stage.episode();
    stage.say(stage.calm());
    // The kernel's ACK must get through although the host writes without a pause.
    const std::uint64_t end = episode.cycle() + 60'000;
    while (episode.cycle() < end) episode.fabric().kick();
    if (!episode.venue().acknowledged())
        throw Failure("cpu-frame", "a frame of the CPU waits for 60,000 cycles while the host writes");
}

void killed(Stage& stage) {
    stage.episode().kill(true);
    for (unsigned i = 0; i < 3; ++i) stage.say(stage.stop());
    stage.episode().idle(5000);
    stage.episode().drain();
    if (stage.orders() != 0) throw Failure("not-silent", "an order left under the kill switch");
}

// The egress guard: what the CPU sends where it must not is stopped, and disarms.
void guarded(Stage& stage, unsigned bit) {
    Episode& episode = stage.episode();
    const std::uint32_t before = episode.board().read(reg::count_guard_stops);
    episode.cpu().send(fix_message({{35, "0"}, {34, "1"}}));
    episode.idle(5000);
    if (episode.board().read(reg::count_guard_stops) != before + 1 || !episode.fabric().status().has(bit) ||
        episode.fabric().status().armed())
        throw Failure("guard", "data of the CPU left, or left the fabric armed");
}
void unleased_data(Stage& stage) { guarded(stage, hwmap::status_bits::fault_unleased); }
void uncommitted_data(Stage& stage) {
    stage.say(stage.stop());
    stage.episode().idle(5000);
    guarded(stage, hwmap::status_bits::fault_uncommitted);
}

void watchdog(Stage& stage) {
    Episode& episode = stage.episode();
    episode.step_time(2'500'000'000);
    episode.idle(100);
    episode.referee().silencing();
    episode.referee().silenced(episode.cycle());
    episode.referee().excuse(hwmap::outcome_watchdog);
    stage.say(stage.stop());
    episode.idle(5000);
    if (stage.orders() != 0 || !episode.fabric().status().has(hwmap::status_bits::watchdog_expired))
        throw Failure("not-silent", "nobody kicks the watchdog, and orders leave");
}

constexpr Scenario kScenarios[]{
    {"after-midnight", "a stop just after UTC midnight", after_midnight},
    {"at-midnight", "the date of orders around UTC midnight", at_midnight},
    {"stalled-kill", "an order that waits for the line is stopped by the kill switch", stalled_kill},
    {"stalled-disarm", "an order that waits for the line is stopped by disarming", stalled_disarm},
    {"stalled-rst", "an order that waits for the line is stopped by the end of the session", stalled_rst},
    {"stalled-time", "an order that waited for the line says when it left", stalled_time},
    {"held-too-long", "a fire that waits too long disarms and is not spent", held_too_long},
    {"unwritten-order", "an order record that nobody wrote", unwritten_order},
    {"last-seq-num", "MsgSeqNum at its end", last_seq_num},
    {"last-fire-count", "the fire count at its end", last_fire_count},
    {"full-ring", "fires wait for the ring", full_ring},
    {"burst", "a thousand stops at one price, fifty fires between quotes at line rate", burst},
    {"burst-ahead", "the same where orders begin ahead of their frames' verdicts", burst_ahead},
    {"parents", "rules that arm others fire while quotes come at line rate", held_parents},
    {"fires-under-lease", "fires wait for the lease", fires_under_lease},
    {"busy-host", "register writes do not keep the CPU's frames back", busy_host},
    {"killed", "the kill switch", killed},
    {"unleased-data", "data of the CPU without the lease is stopped and disarms", unleased_data},
    {"uncommitted-data", "data of the CPU over uncommitted bytes is stopped and disarms", uncommitted_data},
    {"watchdog", "a runtime that is gone", watchdog},
};

}  // namespace

std::span<const Scenario> order_scenarios() { return kScenarios; }

}  // namespace fixaccel::hostile
