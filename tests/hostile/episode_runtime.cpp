// SPDX-License-Identifier: Apache-2.0
// The runtime's part of an episode: ring, commit, lease, switches, resync.
#include <algorithm>
#include <array>
#include <string>

#include "episode.hpp"
#include "fix_text.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/limits_left.hpp"
#include "fixaccel/links.hpp"
#include "fixaccel/seq.hpp"

namespace fixaccel::hostile {
namespace {

namespace reg = hwmap::reg;

constexpr unsigned kLeavePolls = 4000;

// Memories that the fabric never writes: once loaded they stay.
constexpr std::array<std::string_view, 4> kConstant{"template_shape", "template_byte", "instrument",
                                                    "symbol"};

}  // namespace

void Episode::drain(std::uint32_t most) {
    const std::uint32_t head = fabric_.ring_head();
    for (; tail_ != head && most != 0; --most) {
        const std::uint32_t entry = tail_ + 1;
        fixaccel::Fire fire = fabric_.read_fire(entry);
        for (unsigned polls = 0; fire.sent() && !fire.left && polls < kLeavePolls; ++polls) {
            idle(64);
            fire = fabric_.read_fire(entry);
        }
        if (fire.entry != entry)
            throw Failure("record", "record " + std::to_string(entry) + " is not in its place");
        referee_.record(fire, cycle_offset_);
        // Behind the kernel's FIN nothing can be committed any more, also while that waits to leave.
        if (fire.sent() && !referee_.closed() && !cpu_.fin_sent()) {
            if (cpu_.snd_nxt() != fire.tcp_seq) throw Failure("commit", "kernel and fabric have parted");
            cpu_.commit(fire.payload);
            referee_.committed(cpu_.snd_nxt());
            fabric_.set_committed(cpu_.snd_nxt());
        }
        tail_ = entry;
        fabric_.set_ring_tail(tail_);
    }
}

bool Episode::settled() {
    const auto rests = [](const Venue& venue) { return venue.idle() && venue.acknowledged(); };
    return rests(venue_) && (!desk_ || rests(*desk_)) && cpu_.idle() && (!reader_ || reader_->idle()) &&
           !bench_.busy() && bench_.cycle() > last_move_ + 3000;
}

// What keeps it from coming to rest.
std::string Episode::unrest() const {
    const auto behind = [&](std::uint32_t seq) { return std::to_string(ahead(seq, venue_.snd_nxt())); };
    const Venue& desk = desk_ ? *desk_ : venue_;
    return "not acknowledged: " + behind(venue_.snd_una()) + " bytes of the venue, " +
           (desk_ ? std::to_string(ahead(desk.snd_una(), desk.snd_nxt())) + " beside the orders, " : "") +
           std::to_string(ahead(desk.rcv_nxt(), referee_.wire_snd_nxt())) + " of ours; the kernel lacks " +
           behind(reader_ ? reader_->rcv_nxt() : cpu_.rcv_nxt()) + ", the reference " +
           behind(referee_.stream().kernel().rcv_nxt) + (venue_.idle() ? "" : "; frames of the venue wait") +
           (!desk_ || desk_->idle() ? "" : "; frames beside the orders wait") +
           (cpu_.idle() && (!reader_ || reader_->idle()) ? "" : "; frames of the CPU wait") +
           (bench_.busy() ? "; frames move" : "");
}

std::vector<std::uint32_t> Episode::trigger_bits(const hwmap::Window& memory) {
    std::vector<std::uint32_t> words((bench_.read(reg::cap_triggers) + 31) / 32);
    bench_.read(memory.base, words);
    return words;
}

void Episode::audit() {
    const bool was_quiet = quiet_;
    set_quiet(true);
    constexpr unsigned kRounds = 600;
    unsigned round = 0;
    Audit seen;
    do {
        do {
            idle(1000);
            drain();
            if (++round == kRounds) throw Failure("no-rest", unrest());
        } while (!settled() || fabric_.status().order_busy());
        drain();
        seen = {.status = fabric_.status().bits,
                .rcv_nxt = bench_.read(reg::rcv_nxt),
                .snd_nxt = bench_.read(reg::snd_nxt),
                .peer_ack = bench_.read(reg::peer_ack),
                .peer_window = bench_.read(reg::peer_window),
                .gate_drops = bench_.read(reg::count_gate_drops),
                .gate_lowered = bench_.read(reg::count_gate_lowered) + bench_.read(reg::count_gate_timeouts),
                .aborted = bench_.read(reg::orders_aborted),
                .live = trigger_bits(hwmap::memory::live),
                .dormant = trigger_bits(hwmap::memory::dormant)};
    } while (!settled());  // the kernel has repeated a segment meanwhile
    ++counts_.audits;
    referee_.audit(seen);
    check_limits();
    if (referee_.stream().state() == StreamReference::State::lost && !referee_.closed()) resync();
    if (!was_quiet) set_quiet(false);
}

void Episode::resync() {
    constexpr unsigned kTries = 20;
    for (unsigned i = 0; i < kTries; ++i) {
        const std::uint32_t at = reader().boundary();
        if (at == bench_.read(reg::rcv_nxt) && at == venue_.snd_nxt()) {
            if (!fabric_.resync({at, reader().next_number()}))
                throw Failure("resync-refused", "at the end of a stream that stands still");
            referee_.resumed({at, reader().next_number()}, bench_.cycle(), now_ns_);
            ++counts_.resyncs;
            audit();
            return;
        }
        // The end of a broken message may have to be told from the next one.
        venue_.say(fix_message(venue_.quotes().header("0")));
        idle(20'000);
        drain();
    }
    throw Failure("resync-refused", "the fabric stands at " + std::to_string(bench_.read(reg::rcv_nxt)) +
                                        ", the venue at " + std::to_string(venue_.snd_nxt()) +
                                        ", the kernel at " + std::to_string(reader().boundary()));
}

bool Episode::confirm(const Boundaries& read) {
    const FabricStatus now = fabric_.status();
    if (!now.gap() || !referee_.stream().may_stop()) return false;
    const auto point = fabric_.resync_point(now, read);
    const std::uint64_t since = bench_.cycle();
    if (!point || !fabric_.resync(*point)) return false;
    referee_.resumed(*point, since, now_ns_);
    ++counts_.resyncs;
    return true;
}

void Episode::arm() {
    if (generation_ == 0) fabric_.set_generation(++generation_);
    referee_.arming(bench_.cycle());
    fabric_.arm();
    referee_.armed(bench_.cycle(), generation_);
}

void Episode::disarm() {
    referee_.silencing();
    fabric_.disarm();
    referee_.silenced(bench_.cycle());
}

void Episode::kill(bool on) {
    if (on) {
        referee_.silencing();
        referee_.killed(true);
        fabric_.kill(true);
        referee_.silenced(bench_.cycle());
    } else {
        disarm();
        fabric_.kill(false);
        referee_.killed(false);
    }
}

// None of the rules is spent, and none has fired before.
void Episode::load(const Bundle& bundle) {
    load_bundle(bench_, bundle);
    fabric_.set_triggers(fresh_triggers(bundle));
    limit();
}

// As a bundle with other limits would say it; what was sent before counts for the bucket alone.
void Episode::limit() {
    LimitTerms terms;
    Bundle limits;
    const std::vector<BundleInstrument>& instruments = rules_.bundle().instruments;
    hwmap::quantity_left_record any;
    any.words.fill(~0U);
    std::vector<hwmap::quantity_left_record> left(bench_.read(reg::cap_instruments), any);
    if (limited_) {
        terms.orders_per_second = limits.limits.orders_per_second = rate_;
        if (random_.coin()) terms.total_orders = limits.limits.total_orders = random_.below(400);
        for (const BundleInstrument& instrument : instruments) {
            if (!instrument.index || random_.coin()) continue;
            const std::uint32_t total = random_.below(random_.coin() ? 100 : 200'000);
            terms.total_qty[instrument.symbol] = total;
            left.at(*instrument.index).set_buy(to_bcd(total, 8));
            left.at(*instrument.index).set_sell(to_bcd(total, 8));
        }
    }
    for (std::uint32_t index = 0; index < left.size(); ++index)
        bench_.write(hwmap::memory::quantity_left.base + index * hwmap::memory::quantity_left.stride_bytes,
                     left[index].words);
    limits.limits.unlimited_orders = terms.total_qty.empty() && random_.coin();
    limits.commit.ahead = ahead_;
    write_limits(bench_, limits, {}, 0, now_ns_);
    referee_.limits(terms);
}

void Episode::check_limits() {
    const RiskLimits& limits = referee_.limits();
    const std::uint32_t orders = bench_.read(reg::orders_left);
    if (orders != limits.orders_left().value_or(~0U))
        throw Failure("limit-state", std::to_string(orders) + " orders are left");
    for (const BundleInstrument& instrument : rules_.bundle().instruments) {
        const auto expected = limits.quantities_left(instrument.symbol);
        if (!instrument.index || !expected) continue;
        hwmap::quantity_left_record record;
        bench_.read(
            hwmap::memory::quantity_left.base + *instrument.index * hwmap::memory::quantity_left.stride_bytes,
            record.words);
        if (record.buy() != to_bcd(static_cast<std::uint64_t>((*expected)[0]), 8) ||
            record.sell() != to_bcd(static_cast<std::uint64_t>((*expected)[1]), 8))
            throw Failure("limit-state", "another quantity of " + instrument.symbol + " is left");
    }
}

void Episode::reload() {
    disarm();
    for (unsigned i = 0; i < 200; ++i) {
        idle(500);
        drain();
        if (!fabric_.status().order_busy()) break;
    }
    Bundle changing = rules_.bundle();
    std::erase_if(changing.memories, [](const BundleMemory& memory) {
        return std::find(kConstant.begin(), kConstant.end(), memory.name) != kConstant.end();
    });
    drain();
    load(changing);
    fabric_.set_generation(++generation_);
    drain();
    arm();
}

void Episode::heartbeat() {
    fabric_.request_lease();
    unsigned polls = 0;
    while (!fabric_.status().lease_held()) {
        if (++polls > kLeavePolls) throw Failure("lease", "not granted");
        idle(random_.below(100));
        drain();
    }
    referee_.lease(true);
    drain();
    const BundleSession& names = rules_.bundle().session;
    cpu_.send(fix_message({{35, "0"},
                           {49, names.sender_comp_id},
                           {56, names.target_comp_id},
                           {34, std::to_string(referee_.seq_num())},
                           {52, "20260102-03:04:05.678"}}));
    referee_.committed(cpu_.snd_nxt());
    referee_.sent_by_cpu(1);
    for (polls = 0; fabric_.snd_nxt() != cpu_.snd_nxt(); ++polls) {
        if (polls > kLeavePolls) throw Failure("lease", "the CPU's message did not leave");
        idle(random_.below(200));
    }
    referee_.lease(false);
    if (!fabric_.release_lease(referee_.seq_num(), cpu_.snd_nxt()))
        throw Failure("lease", "its return was refused");
}

void Episode::market_heartbeat() {
    const BundleSession& names = rules_.bundle().session;
    reader_->send(fix_message({{35, "0"},
                               {49, names.sender_comp_id},
                               {56, names.target_comp_id},
                               {34, std::to_string(random_.below(1000))},
                               {52, "20260102-03:04:05.678"}}));
}

// Read while orders change them. Live comes first: nothing goes from there to dormant.
void Episode::status() {
    const auto live = trigger_bits(hwmap::memory::live), dormant = trigger_bits(hwmap::memory::dormant);
    for (std::size_t i = 0; i < live.size(); ++i)
        if ((live[i] & dormant[i]) != 0) throw Failure("trigger-state", "a trigger is live and dormant");
}

void Episode::act() {
    if (!random_.per_mille(200)) drain();
    const std::uint32_t choice = random_.below(1000);
    if (choice < 500) {
        drain();
    } else if (choice < 600) {
        fabric_.kick();
    } else if (choice < 640) {
        set_clock(now_ns_);
    } else if (choice < 670) {
        if (kinds_.has(Kind::lease) && !referee_.closed()) {
            if (reader_ && random_.coin())
                market_heartbeat();
            else
                heartbeat();
        }
    } else if (choice < 680) {
        if (kinds_.has(Kind::kill)) {
            kill(true);
            idle(random_.below(4000));
            drain();
            kill(false);
            arm();
        }
    } else if (choice < 690) {
        if (kinds_.has(Kind::kill)) {
            disarm();
            idle(random_.below(4000));
            arm();
        }
    } else if (choice < 700) {
        if (kinds_.has(Kind::rearm)) {
            if (random_.coin()) audit();
            reload();
        }
    } else if (choice < 725) {
        audit();
    } else if (choice < 735) {
        status();
    } else {
        confirm(reader().boundaries());
    }
}

void Episode::run(std::uint64_t frames) {
    while (venue_frames() < frames && !referee_.closed()) {
        idle(random_.below(random_.coin() ? 100 : 2500));
        act();
    }
    audit();
    if (kinds_.has(Kind::close) && !referee_.closed()) close();
}

// Either side ends the session while messages that fire are on their way.
void Episode::close() {
    set_quiet(false);
    idle(random_.below(8000));
    const auto flags = random_.coin() ? flag::rst : static_cast<std::uint8_t>(flag::fin | flag::ack);
    const bool of_market = !desk_ || random_.coin();
    if (random_.coin()) {
        referee_.silencing();
        (of_market ? reader() : cpu_).close(flags);
    } else {
        Venue& venue = of_market ? venue_ : *desk_;
        venue.pause(true);
        Packet packet = venue.segment("", venue.snd_nxt());
        packet.flags = flags;
        venue.inject({.bytes = finished(packet.frame())});
    }
    idle(20'000);
    drain();
    if (!referee_.closed()) return;  // a hole lies before it
    const FabricStatus status = fabric_.status();
    if (of_market && status.gap() && referee_.stream().may_stop())
        return;  // nobody knows whether it was next
    if (!status.has(hwmap::status_bits::session_lost))
        throw Failure("missed-close", "the session was closed and the fabric goes on");
}

}  // namespace fixaccel::hostile
