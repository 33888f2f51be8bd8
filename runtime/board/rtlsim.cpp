// SPDX-License-Identifier: Apache-2.0
#include "rtlsim.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "fixaccel/crc32.hpp"
#include "fixaccel/limits_left.hpp"
#include "fixaccel/resting_table.hpp"
#include "gem_side.hpp"
#include "sim_load.hpp"
#include "streams.hpp"

namespace fixaccel::board {
namespace {

namespace reg = hwmap::reg;

constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
constexpr std::uint64_t kNsPerMs = 1'000'000;
constexpr std::uint64_t kLongestStep = kNsPerSecond;     // elapsed time of one cycle
constexpr std::uint64_t kLongestGap = 8 * kNsPerSecond;  // longer ones set the clock instead of running it
constexpr unsigned kClockCycles = 96;         // in which the clock's digits catch up with such a gap
constexpr unsigned kPollCycles = 64;          // between two looks at the ring
constexpr unsigned kHandshakeCycles = 128;    // after which a frame without payload has had its effect
constexpr unsigned kSettleLimit = 4'000'000;  // cycles; more than any frame's fires can take
constexpr std::uint16_t kWindow = 65535;
constexpr std::uint32_t kWindowScale = 14;
constexpr std::uint32_t kNoLimit = 0x7FFFFFFF;

std::uint32_t bcd(std::uint64_t value) {
    std::uint32_t digits = 0;
    for (unsigned shift = 0; value != 0 && shift < 32; shift += 4, value /= 10)
        digits |= static_cast<std::uint32_t>(value % 10) << shift;
    return digits;
}

bool status_bit(Board& board, unsigned bit) { return ((board.read(reg::status) >> bit) & 1U) != 0U; }

// A setting of the FIX session that the bundle configures, as the client names it.
std::string client_setting(const Bundle& bundle, const std::string& name) {
    const std::filesystem::path file = bundle.path / "client" / "quickfix.cfg";
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
        if (line.starts_with(name + "=")) return line.substr(name.size() + 1);
    throw SimError(file.string() + ": no " + name);
}

}  // namespace

struct RtlSim::Flow {
    std::uint32_t local_ip, remote_ip;
    std::uint16_t local_port, remote_port;
    std::uint32_t isn_local, isn_remote;
    MacPair outwards;  // of frames from the CPU

    Frame from_cpu(std::uint8_t flags, std::uint32_t seq, std::uint32_t ack) const {
        return make_tcp(outwards,
                        {.source_ip = local_ip,
                         .destination_ip = remote_ip,
                         .source_port = local_port,
                         .destination_port = remote_port,
                         .seq = seq,
                         .ack = ack,
                         .flags = flags,
                         .payload = {}},
                        kWindow);
    }
    Frame from_exchange(std::uint8_t flags, std::uint32_t seq, std::uint32_t ack) const {
        MacPair inwards = outwards;
        std::swap(inwards.source, inwards.destination);
        return make_tcp(inwards,
                        {.source_ip = remote_ip,
                         .destination_ip = local_ip,
                         .source_port = remote_port,
                         .destination_port = local_port,
                         .seq = seq,
                         .ack = ack,
                         .flags = flags,
                         .payload = {}},
                        kWindow);
    }

    static Flow of(const SimSession& session, const std::vector<CapturedFrame>& frames,
                   const std::string& file) {
        for (const CapturedFrame& frame : frames) {
            const auto segment = parse_tcp(frame.bytes);
            if (!segment || segment->payload.empty()) continue;
            Flow flow{.local_ip = session.local_ip.value_or(segment->destination_ip),
                      .remote_ip = session.remote_ip.value_or(segment->source_ip),
                      .local_port = session.local_port.value_or(segment->destination_port),
                      .remote_port = session.remote_port.value_or(segment->source_port),
                      .isn_local = session.isn_local.value_or(segment->ack),
                      .isn_remote = session.isn_remote.value_or(segment->seq),
                      .outwards = {}};
            std::copy_n(frame.bytes.begin(), 6, std::begin(flow.outwards.source));
            std::copy_n(frame.bytes.begin() + 6, 6, std::begin(flow.outwards.destination));
            return flow;
        }
        throw SimError(file + ": no frame with TCP payload");
    }
};

struct RtlSim::Run {
    const SimJob& job;
    const Flow& flow;
    RingReader ring;
    std::ofstream lines;
    std::ofstream figures{};
    std::optional<PcapWriter> capture;
    std::vector<CapturedFrame> wire{};  // with FCS, while frames come at line rate
    std::vector<std::string> order_payloads{};
    std::uint64_t fires = 0;
    std::uint64_t sent = 0;
    std::uint64_t aborted = 0;   // orders that began ahead of their frame's verdict, and were not sent
    std::uint64_t spoiled = 0;   // rules that were spent so
    std::uint64_t measured = 0;  // of those sent
    std::unique_ptr<SimFills> fills{};
    std::unique_ptr<SimLoad> load{};
    bool flipping = false;  // it has been asked for
};

RtlSim::RtlSim(const std::string& trace, const GemTiming* gem) : core_(trace, gem) {
    if (gem != nullptr) core_.drive_mailboxes();
    // Time stands still but for what is handed over: each frame's effects have the frame's time.
    core_.set_elapsed([this] {
        if (running_) return VerilatedCore::kCycleNs;
        const std::uint64_t step = std::min(pending_ns_, kLongestStep);
        pending_ns_ -= step;
        return static_cast<std::uint32_t>(step);
    });
}

std::string RtlSim::run(const SimJob& job) {
    const Bundle bundle = read_bundle(job.bundle);
    const std::vector<CapturedFrame> frames = read_pcap(job.in);
    const Flow flow = Flow::of(job.session, frames, job.in);
    const std::uint64_t first_cycle = core_.cycles();
    const bool at_line_rate = !job.wire.empty();
    if (at_line_rate && !job.ring.empty())
        throw SimError("at line rate the ring is read without the bytes that its records tell of");
    if (at_line_rate && job.load) throw SimError("at line rate nothing is loaded");
    if (at_line_rate && !job.bad_fcs.empty()) throw SimError("at line rate no frame is damaged");
    if (!job.executions.empty() && (at_line_rate || job.load))
        throw SimError("executions go neither with frames at line rate nor with a load");
    if (!job.figures.empty() && (!core_.has_gem() || at_line_rate))
        throw SimError("figures are of the gem-bram interface, frame by frame");
    running_ = false;
    clean(bundle);
    set_clock(job.session.clock_ns.value_or(frames.front().time_ns));
    set_up(bundle, flow, job.session);
    windows_ = Windows(bundle);
    open_windows();
    zone_ = bundle.zone;
    day_roll_ = bundle.day_roll;
    if (day_roll_ && job.load) throw SimError("a day that rolls goes with no load");
    plan_roll(now_ns_);
    handshake(flow);
    arm(flow);

    Run run{.job = job, .flow = flow, .ring = RingReader(core_, !at_line_rate), .lines = {}, .capture = {}};
    if (!job.ring.empty()) {
        run.lines.open(job.ring, std::ios::binary);
        if (!run.lines) throw SimError(job.ring + ": cannot be written");
    }
    if (!job.figures.empty()) {
        run.figures.open(job.figures, std::ios::binary);
        if (!run.figures) throw SimError(job.figures + ": cannot be written");
    }
    if (!job.orders.empty()) run.capture.emplace(job.orders);
    if (job.load)
        run.load = std::make_unique<SimLoad>(core_, bundle, read_bundle(job.load->bundle), job.load->journal,
                                             job.session.generation, job.session.epoch);
    else if (!job.executions.empty())
        run.fills = std::make_unique<SimFills>(core_, bundle, job.session.generation, job.session.epoch,
                                               job.executions);
    if (run.load && zone_.start_s.empty()) zone_ = run.load->bundle().zone;
    if (at_line_rate)
        play_at_line_rate(run, frames);
    else
        play_each(run, frames);
    if (run.fires != core_.read(reg::ring_head) || run.sent != run.order_payloads.size())
        throw SimError("orders left without a ring record, or the reverse");
    // The line never stands, so a verdict is never late.
    if (run.aborted != core_.read(reg::orders_aborted) || run.aborted != run.spoiled)
        throw SimError(std::to_string(run.aborted) + " aborted orders left, and " +
                       std::to_string(run.spoiled) + " rules were spent by bad frames");
    if (run.capture) run.capture->flush();
    if (!job.ring.empty() && !run.lines.flush()) throw SimError(job.ring + ": cannot be written");
    return summary(run, frames.size(), first_cycle);
}

// A reset clears registers and streams; memories are cleared of what the former job used.
void RtlSim::clean(const Bundle& next) {
    core_.reset();
    core_.sent(Side::net).clear();
    core_.sent(Side::cpu).clear();
    for (const auto& [bundle, bank] : std::exchange(loaded_, {})) unload_bundle(core_, bundle, bank);
    loaded_.emplace_back(next, 0);
    write_tables(core_, next);
    write_limits(core_, next, {}, 0, 0);
}

void RtlSim::set_up(const Bundle& bundle, const Flow& flow, const SimSession& session) {
    std::uint32_t epoch = 0;
    if (session.epoch.size() != sizeof(epoch)) throw SimError("the epoch must have four characters");
    for (unsigned i = 0; i < sizeof(epoch); ++i)
        epoch |= static_cast<std::uint32_t>(static_cast<unsigned char>(session.epoch[i])) << (8 * i);
    const std::array<std::pair<std::uint32_t, std::uint32_t>, 18> settings{{
        {reg::watchdog_ns, 0},
        {reg::clock_max_age_ns, 0},
        {reg::generation, session.generation},
        {reg::epoch, epoch},
        {reg::flow_local_ip, flow.local_ip},
        {reg::flow_remote_ip, flow.remote_ip},
        {reg::flow_ports,
         (static_cast<std::uint32_t>(flow.remote_port) << hwmap::flow_ports_bits::remote_port) |
             (static_cast<std::uint32_t>(flow.local_port) << hwmap::flow_ports_bits::local_port)},
        {reg::peer_wscale, kWindowScale},
        {reg::local_wscale, kWindowScale},
        {reg::sender_comp_crc, crc32(client_setting(bundle, "TargetCompID"))},
        {reg::target_comp_crc, crc32(client_setting(bundle, "SenderCompID"))},
        {reg::rx_seq_num, bcd(1)},
        {reg::max_unacked, kNoLimit},
        {reg::rx_gate_ns, kNoLimit},
        {reg::hold_ns, kNoLimit},
        {reg::lease_ns, kNoLimit},
        {reg::next_seq_num, bcd(session.next_seq_num)},
        {reg::flow_valid, 1},
    }};
    for (const auto& [addr, value] : settings) core_.write(addr, value);
}

// The connection comes about as on a wire; the fabric learns its addresses and numbers from it.
void RtlSim::handshake(const Flow& flow) {
    core_.push(Side::cpu, flow.from_cpu(tcp_flag::syn, flow.isn_local - 1, 0));
    settle(nullptr, kHandshakeCycles);
    core_.push(Side::net,
               flow.from_exchange(tcp_flag::syn | tcp_flag::ack, flow.isn_remote - 1, flow.isn_local));
    settle(nullptr, kHandshakeCycles);
    core_.push(Side::cpu, flow.from_cpu(tcp_flag::ack, flow.isn_local, flow.isn_remote));
    settle(nullptr, kHandshakeCycles);
    if (core_.read(reg::rcv_nxt) != flow.isn_remote || core_.read(reg::snd_nxt) != flow.isn_local)
        throw SimError("the fabric did not follow the handshake");
    core_.sent(Side::net).clear();
    core_.sent(Side::cpu).clear();
}

void RtlSim::arm(const Flow& flow) {
    core_.write(reg::resync_seq, flow.isn_remote);
    if (!status_bit(core_, hwmap::status_bits::synced))
        throw SimError("the fabric refuses to synchronise at isn_remote");
    core_.write(reg::arm, 1);
    if (!status_bit(core_, hwmap::status_bits::armed))
        throw SimError("the fabric refuses to arm, status " + std::to_string(core_.read(reg::status)));
}

void RtlSim::set_clock(std::uint64_t time_ns) {
    const auto seconds = static_cast<std::time_t>(time_ns / kNsPerSecond);
    std::tm utc{};
    ::gmtime_r(&seconds, &utc);
    const auto year = static_cast<unsigned>(utc.tm_year + 1900);
    const auto date =
        (year * 100 + static_cast<unsigned>(utc.tm_mon + 1)) * 100 + static_cast<unsigned>(utc.tm_mday);
    const auto hms = static_cast<unsigned>((utc.tm_hour * 100 + utc.tm_min) * 100 + utc.tm_sec);
    core_.write(reg::clock_date, bcd(date));
    core_.write(reg::clock_hms, bcd(hms));
    core_.write(reg::clock_ms, bcd(time_ns % kNsPerSecond / kNsPerMs));
    core_.write(reg::clock_sub_ns, static_cast<std::uint32_t>(time_ns % kNsPerMs));
    core_.write(reg::clock_ns_lo, static_cast<std::uint32_t>(time_ns));
    core_.write(reg::clock_ns_hi, static_cast<std::uint32_t>(time_ns >> 32U));
    core_.write(reg::clock_set, 1);
    now_ns_ = time_ns;
}

void RtlSim::advance_clock(std::uint64_t time_ns) {
    if (time_ns <= now_ns_) return;  // message time is a running maximum
    const auto at = static_cast<std::int64_t>(time_ns);
    if (const std::uint32_t open = windows_.open(at); open != open_) {
        Windows::tell(core_, {.at_ns = at, .open = open});
        open_ = open;
    }
    if (time_ns - now_ns_ > kLongestGap) {
        set_clock(time_ns);
        return;
    }
    pending_ns_ = time_ns - now_ns_;
    now_ns_ = time_ns;
    core_.step(kClockCycles);
}

// Nobody reports what becomes of orders: they rest to the end of the venue's day.
void RtlSim::follow_day(Run& run, std::uint64_t time_ns) {
    const auto day = [&](std::uint64_t ns) { return day_of(zone_, static_cast<std::int64_t>(ns)); };
    if (zone_.start_s.empty() || time_ns <= now_ns_ || day(time_ns) == day(now_ns_)) return;
    for (const auto& [bundle, bank] : loaded_)
        if (!RestingTable(bundle).follow(core_, {}, bank))
            throw SimError("the fabric does not forget what rests at the end of a day");
    if (run.load) run.load->begin_day();
    if (run.fills) run.fills->begin_day();
}

// As the daemon does when the venue's day rolls, but between two frames: what the limits count begins anew.
void RtlSim::follow_roll(std::uint64_t time_ns) {
    if (time_ns < rolls_ns_) return;
    plan_roll(time_ns);
    core_.write(reg::arm, 0);
    for (const auto& [bundle, bank] : loaded_) write_left(core_, bundle, {}, bank);
    core_.write(reg::arm, 1);
    if (!status_bit(core_, hwmap::status_bits::armed))
        throw SimError("the fabric does not arm again, status " + std::to_string(core_.read(reg::status)));
}

void RtlSim::plan_roll(std::uint64_t time_ns) {
    rolls_ns_ = std::numeric_limits<std::uint64_t>::max();
    if (day_roll_)
        rolls_ns_ = static_cast<std::uint64_t>(
            next_time_of_day(zone_, *day_roll_, static_cast<std::int64_t>(time_ns)));
}

// Those that are open from the first frame on.
void RtlSim::open_windows() {
    open_ = windows_.open(static_cast<std::int64_t>(now_ns_));
    Windows::tell(core_, {.at_ns = 0, .open = open_});
}

void RtlSim::play_each(Run& run, const std::vector<CapturedFrame>& frames) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (run.fills) run.fills->come_to(i);
        if (run.load && i == run.job.load->after)
            play_loading(run, i, frames[i]);
        else
            play(run, i, frames[i]);
        if (run.figures.is_open()) measure(run, i);
    }
    if (run.fills) run.fills->come_to(frames.size());
}

void RtlSim::push(const Run& run, std::size_t number, const CapturedFrame& frame) {
    const bool bad_fcs = std::ranges::binary_search(run.job.bad_fcs, number);
    core_.push(Side::net, frame.bytes, bad_fcs);
}

void RtlSim::play(Run& run, std::size_t number, const CapturedFrame& frame) {
    follow_day(run, frame.time_ns);
    follow_roll(frame.time_ns);
    advance_clock(frame.time_ns);
    push(run, number, frame);
    settle(&run, run.job.session.settle);
}

// As the daemon does: the tables, then what has fired so far, then the flip; again for what fires meanwhile.
// It comes about with a message that begins, which may be in a later frame.
void RtlSim::play_loading(Run& run, std::size_t number, const CapturedFrame& frame) {
    follow_day(run, frame.time_ns);
    loaded_.emplace_back(run.load->bundle(), run.load->bank());
    run.load->write();
    advance_clock(frame.time_ns);
    if (run.job.load->within != 0) {
        push(run, number, frame);
        core_.step(run.job.load->within);
    }
    const std::uint64_t start = core_.cycles();
    for (collect(run); !run.load->ask(run.ring.taken()); collect(run)) {
        core_.step(kPollCycles);
        if (core_.cycles() - start > kSettleLimit) throw SimError("the flip is refused for ever");
    }
    run.flipping = true;
    if (run.job.load->within == 0) push(run, number, frame);
    settle(&run, run.job.session.settle);
}

void RtlSim::play_at_line_rate(Run& run, const std::vector<CapturedFrame>& frames) {
    const std::uint64_t start = core_.cycles();
    const std::uint64_t start_ns = now_ns_;
    std::uint64_t cycle = start;
    for (const CapturedFrame& frame : frames) {
        core_.push(Side::net, frame.bytes);
        Frame bytes = with_fcs(frame.bytes);
        const std::size_t length = bytes.size();
        run.wire.push_back({.time_ns = cycle, .bytes = std::move(bytes)});
        cycle += length + kInterFrameCycles;
    }
    running_ = true;
    settle(&run, run.job.session.settle);
    running_ = false;
    std::ranges::stable_sort(run.wire, {}, &CapturedFrame::time_ns);
    PcapWriter wire(run.job.wire, Fcs::present);
    for (const CapturedFrame& frame : run.wire)
        wire.write(start_ns + (frame.time_ns - start) * VerilatedCore::kCycleNs, frame.bytes);
    wire.flush();
}

// Runs until nothing has happened for `cycles`.
void RtlSim::settle(Run* run, unsigned cycles) {
    const std::uint64_t start = core_.cycles();
    std::uint64_t since = start;
    while (core_.cycles() - since < cycles) {
        core_.step(std::min(kPollCycles, cycles));
        const std::uint64_t fires = run != nullptr ? run->fires : 0;
        if (run != nullptr) collect(*run);
        // What follows a load takes cycles of its own: an order may leave and come to rest in them.
        const bool active = !core_.quiet() || status_bit(core_, hwmap::status_bits::order_busy) ||
                            (run != nullptr && core_.read(reg::ring_head) != run->ring.taken());
        if (active || (run != nullptr && run->fires != fires)) since = core_.cycles();
        if (core_.cycles() - start > kSettleLimit) throw SimError("the fabric does not come to rest");
    }
}

// What has left since the last look: orders to the capture, frames for the CPU acknowledged as a kernel
// would, ring records to their file.
void RtlSim::collect(Run& run) {
    for (auto& sent = core_.sent(Side::net); !sent.empty(); sent.pop_front()) {
        const SentFrame& frame = sent.front();
        if (frame.aborted && !frame.fcs_good && core_.read(reg::commit_ahead) != 0) {
            ++run.aborted;
            continue;
        }
        if (frame.aborted || !frame.fcs_good) throw SimError("the fabric sent a broken frame");
        if (running_) {
            run.wire.push_back({.time_ns = frame.first_cycle, .bytes = frame.bytes});
            run.wire.back().bytes.insert(run.wire.back().bytes.end(), frame.fcs.begin(), frame.fcs.end());
        }
        const auto segment = parse_tcp(frame.bytes);
        if (!segment || segment->payload.empty()) continue;
        if (!checksums_good(frame.bytes)) throw SimError("the fabric sent an order with a wrong checksum");
        run.order_payloads.emplace_back(segment->payload.begin(), segment->payload.end());
        if (run.capture) run.capture->write(now_ns_, frame.bytes);
    }
    for (auto& sent = core_.sent(Side::cpu); !sent.empty(); sent.pop_front()) {
        const auto segment = parse_tcp(sent.front().bytes);
        if (!segment || segment->payload.empty() || segment->source_port != run.flow.remote_port) continue;
        const auto ack = static_cast<std::uint32_t>(segment->seq + segment->payload.size());
        core_.push(Side::cpu, run.flow.from_cpu(tcp_flag::ack, core_.read(reg::committed), ack));
    }
    while (const auto fire = run.ring.next(run.order_payloads.size())) {
        if (fire->was_sent() && !running_ && fire->payload != run.order_payloads[run.sent])
            throw SimError("ring record " + std::to_string(fire->record.entry()) +
                           " differs from the order sent");
        if (fire->was_sent()) ++run.sent;
        if (fire->record.outcome() == hwmap::outcome_frame) ++run.spoiled;
        ++run.fires;
        if (run.load) run.load->fired(run.ring.taken());
        if (run.fills) run.fills->fired(run.ring.taken());
        if (run.lines.is_open()) run.lines << fire->json() << '\n';
    }
    if (run.flipping) run.flipping = !run.load->followed(run.ring.taken());
}

// Of the frame that was just played, if an order left for it. What it was the last of is what stands.
void RtlSim::measure(Run& run, std::uint64_t frame) {
    const GemFigures& at = core_.gem_figures();
    const std::uint64_t ready = core_.gem_moments().frame_ready;
    if (run.sent == run.measured) return;
    nlohmann::ordered_json line;
    line["frame"] = frame;
    line["orders"] = run.sent - run.measured;
    line["first_byte"] = at.first_byte - ready;
    line["first_word"] = at.first_word - ready;
    line["start_tx"] = at.start_issued - ready;
    line["whole"] = at.whole - ready;
    line["length"] = at.whole - at.first_byte;
    run.figures << line.dump() << '\n';
    run.measured = run.sent;
}

std::string RtlSim::summary(const Run& run, std::size_t frames, std::uint64_t first_cycle) {
    nlohmann::ordered_json line;
    line["frames"] = frames;
    line["fires"] = run.fires;
    line["orders"] = run.sent;
    line["aborted"] = run.aborted;
    line["cycles"] = core_.cycles() - first_cycle;
    if (run.load) {
        Fabric fabric(core_);
        nlohmann::ordered_json instruments;
        for (const BundleInstrument& instrument : run.load->bundle().instruments)
            if (instrument.index) instruments[instrument.symbol] = *instrument.index;
        // Of a flip that no message began: none.
        line["load"] = {{"first_seq_num", run.flipping ? 0 : fabric.flip_seq_num()},
                        {"hold_cycles", fabric.flip_cycles()},
                        {"instruments", instruments}};
    }
    for (const hwmap::Register& counter : reg::all)
        if (counter.name.starts_with("count_")) line[std::string(counter.name)] = core_.read(counter.addr);
    return line.dump();
}

}  // namespace fixaccel::board
