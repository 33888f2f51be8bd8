// SPDX-License-Identifier: Apache-2.0
#include "episode.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

#include "fix_text.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/seq.hpp"
#include "pcap.hpp"

namespace fixaccel::hostile {
namespace {

namespace reg = hwmap::reg;

constexpr std::uint32_t kCycleNs = 8;
constexpr std::uint64_t kNsPerMs = 1'000'000, kNsPerDay = 86'400'000 * kNsPerMs;
constexpr std::uint64_t kFirstDay = 20'000;  // days since the epoch
constexpr unsigned kInterFrame = 20;
constexpr std::size_t kRemembered = 200;
const std::string kEpoch = "EP0C";

Referee::Session make_session(Random& random) {
    return {.local = {.ip = 0x0A000002,
                      .port = static_cast<std::uint16_t>(32768 + random.below(20000)),
                      .mac = {2, 0, 0, 0, 0, 2}},
            .remote = {.ip = 0x0A000001, .port = 9878, .mac = {2, 0, 0, 0, 0, 1}},
            .snd_nxt = random.coin() ? static_cast<std::uint32_t>(random.word()) : 0U - random.below(20'000),
            .rcv_nxt = random.coin() ? static_cast<std::uint32_t>(random.word()) : 0U - random.below(200'000),
            .peer_window = 0xFFFFU,
            .peer_wscale = 0,
            .seq_num = 1 + random.below(random.coin() ? 20 : 90'000'000),
            .epoch = kEpoch};
}

constexpr unsigned kLimitedShare = 350;  // of a thousand sessions with that kind of trouble
constexpr unsigned kTwoFlowsShare = 500;

// What the bundle says, less than that, or so much that an order ends before the verdict is there.
std::uint32_t bytes_ahead(Random& random, const Bundle& bundle) {
    constexpr std::uint32_t kWholeFrame = 1400;
    const std::uint32_t what = random.below(4);
    return what < 2 ? bundle.commit.ahead : what < 3 ? 1 + random.below(bundle.commit.ahead) : kWholeFrame;
}

// Another connection to the same exchange, or nearly: no frame of either is one bit from the other's.
std::optional<Referee::Session> make_market(Random& random, const Kinds& kinds,
                                            const Referee::Session& session) {
    if (!kinds.has(Kind::two_flows) || !random.per_mille(kTwoFlowsShare)) return {};
    Referee::Session out = make_session(random);
    out.local = session.local;
    out.remote = session.remote;
    switch (random.below(4)) {
        case 0:
            out.remote.ip ^= 0x81U;
            break;
        case 1:
            out.remote.port ^= 0x8100U;
            break;
        case 2:
            out.local.port ^= 0x0081U;
            break;
        default:
            out.remote.ip ^= 1U;
            out.local.port ^= 0x0100U;
    }
    return out;
}

}  // namespace

Episode::Episode(CoreBench& bench, const MarketRules& rules, std::uint64_t seed, Kinds kinds)
    : bench_(bench),
      rules_(rules),
      random_(seed),
      kinds_(kinds),
      session_(make_session(random_)),
      market_(make_market(random_, kinds, session_)),
      referee_(rules, session_, market_),
      venue_(random_, rules, market_ ? *market_ : session_, kinds),
      cpu_(random_, session_),
      fabric_(bench) {
    if (!market_) return;
    desk_.emplace(random_, rules, session_, kinds);
    reader_.emplace(random_, *market_);
}

void Episode::prepare() {
    bench_.attach(*this);
    bench_.reset();
    start_cycle_ = bench_.cycle();
    last_move_ = start_cycle_;
    limited_ = kinds_.has(Kind::limits) && random_.per_mille(kLimitedShare);
    if (limited_ && random_.coin()) rate_ = 5 + random_.below(300);
    if (kinds_.has(Kind::ahead) && random_.coin()) begin_ahead(bytes_ahead(random_, rules_.bundle()));
    load(rules_.bundle());
    registers();
    handshake();
}

void Episode::start() {
    prepare();
    set_quiet(false);
    arm();
}

void Episode::start_quiet() {
    prepare();
    arm();
    audit();
}

void Episode::registers() {
    fabric_.set_limits({.max_unacked = 0x7FFF'FFFF});
    fabric_.set_epoch(session_.epoch);
    const auto flow_of = [](const Referee::Session& session) {
        return Flow{.local_ip = session.local.ip,
                    .remote_ip = session.remote.ip,
                    .local_port = session.local.port,
                    .remote_port = session.remote.port};
    };
    fabric_.set_flow(flow_of(session_));
    fabric_.set_window_scales(session_.peer_wscale, 0);
    if (market_) {
        fabric_.set_market_flow(flow_of(*market_));
    }
    fabric_.set_comp_ids(rules_.bundle().session.target_comp_id, rules_.bundle().session.sender_comp_id);
    fabric_.set_next_seq_num(session_.seq_num);
    const std::uint64_t day = kFirstDay + random_.below(3000);
    set_clock(kinds_.has(Kind::midnight) ? (day + 1) * kNsPerDay - random_.below(8'000'000)
                                         : day * kNsPerDay + random_.below(80'000) * 1000 * kNsPerMs +
                                               random_.below(999) * kNsPerMs);
}

void Episode::greet(Venue& venue, CpuSide& cpu, const Referee::Session& session) {
    const auto packet = [&](bool out, std::uint8_t flags) {
        const std::uint32_t syn = (flags & flag::syn) != 0 ? 1 : 0;
        return finished(Packet{.from = out ? session.local : session.remote,
                               .to = out ? session.remote : session.local,
                               .seq = (out ? session.snd_nxt : session.rcv_nxt) - syn,
                               .ack = (flags & flag::ack) == 0 ? 0
                                      : out                    ? session.rcv_nxt
                                                               : session.snd_nxt,
                               .flags = flags}
                            .frame());
    };
    cpu.inject(packet(true, flag::syn));
    idle(300);
    venue.inject({.bytes = packet(false, flag::syn | flag::ack)});
    idle(300);
    cpu.inject(packet(true, flag::ack));
    idle(300);
    venue.inject({.bytes = packet(false, flag::ack)});
    idle(300);
}

void Episode::handshake() {
    set_quiet(true);  // a line that stalls would let it leave when everything is judged
    greet(venue_, reader(), market_ ? *market_ : session_);
    if (desk_) greet(*desk_, cpu_, session_);
    cycle_offset_ = bench_.read(reg::cycle) - static_cast<std::uint32_t>(bench_.cycle());
    judged_ = true;
    const Boundary begin{market_ ? market_->rcv_nxt : session_.rcv_nxt, reader().next_number()};
    if (!fabric_.resync(begin)) throw Failure("resync-refused", "at the start of the session");
    referee_.resumed(begin, bench_.cycle(), now_ns_);
    tail_ = fabric_.ring_tail();
    audit();
}

void Episode::set_quiet(bool quiet) {
    quiet_ = quiet;
    const bool noise = !quiet && kinds_.has(Kind::noise);
    venue_.pause(quiet);
    cpu_.set_noise(noise);
    if (desk_) desk_->pause(quiet);
    if (reader_) reader_->set_noise(noise);
}

void Episode::set_clock(std::uint64_t utc_ns) {
    const auto seconds = static_cast<std::time_t>(utc_ns / (1000 * kNsPerMs));
    std::tm utc{};
    ::gmtime_r(&seconds, &utc);
    const auto date =
        static_cast<std::uint64_t>((utc.tm_year + 1900) * 10000 + (utc.tm_mon + 1) * 100 + utc.tm_mday);
    const auto hms = static_cast<std::uint64_t>(utc.tm_hour * 10000 + utc.tm_min * 100 + utc.tm_sec);
    bench_.write(reg::clock_date, to_bcd(date, 8));
    bench_.write(reg::clock_hms, to_bcd(hms, 6));
    bench_.write(reg::clock_ms, to_bcd(utc_ns / kNsPerMs % 1000, 3));
    bench_.write(reg::clock_sub_ns, static_cast<std::uint32_t>(utc_ns % kNsPerMs));
    bench_.write(reg::clock_ns_lo, static_cast<std::uint32_t>(utc_ns));
    bench_.write(reg::clock_ns_hi, static_cast<std::uint32_t>(utc_ns >> 32U));
    bench_.write(reg::clock_set, 1);
    now_ns_ = utc_ns;
}

void Episode::begin_ahead(std::uint32_t bytes) {
    ahead_ = bytes;
    referee_.ahead_of_verdict(bytes != 0);
    bench_.write(reg::commit_ahead, bytes);
}

void Episode::idle(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i) bench_.step();
}

Episode::Counts Episode::counts() const {
    Counts out = counts_;
    out.frames = venue_frames();
    out.cycles = bench_.cycle() - start_cycle_;
    out.candidates = referee_.candidates();
    out.orders = referee_.orders();
    out.cancelled = referee_.cancelled();
    out.newly_armed = referee_.newly_armed();
    out.limited = referee_.limited();
    out.two_flows = market_ ? 1 : 0;
    out.aborted = referee_.aborted();
    out.spoiled = referee_.spoiled();
    return out;
}

std::string Episode::registers_text() {
    judged_ = false;
    venue_.pause(true);
    if (desk_) desk_->pause(true);
    try {
        std::string out = "status " + fabric_.status().not_armed();
        for (const auto& [name, value] : fabric_.counters())
            if (value != 0) out += ", " + name + ' ' + std::to_string(value);
        std::array<char, 9> number{};  // binary-coded decimal
        std::snprintf(number.data(), number.size(), "%x", bench_.read(reg::rx_seq_num));
        return out + ", next MsgSeqNum " + number.data();
    } catch (const BoardError& error) {
        return error.what();
    }
}

void Episode::remember(const Bytes& bytes) {
    seen_.push_back({now_ns_, bytes});
    if (seen_.size() > kRemembered) seen_.pop_front();
}

void Episode::write_capture(const std::filesystem::path& file) const {
    board::PcapWriter capture(file);
    for (const Seen& frame : seen_) {
        const std::size_t fcs = std::min<std::size_t>(4, frame.bytes.size());
        capture.write(frame.time_ns, {frame.bytes.data(), frame.bytes.size() - fcs});
    }
    capture.flush();
}

// Of two connections either may go first.
std::optional<RawFrame> Episode::next_from_net() {
    if (!desk_) return venue_.next(bench_.cycle());
    const bool desk_first = random_.coin();
    auto out = (desk_first ? *desk_ : venue_).next(bench_.cycle());
    return out ? out : (desk_first ? venue_ : *desk_).next(bench_.cycle());
}
std::optional<RawFrame> Episode::next_from_cpu() {
    if (!reader_) return cpu_.next(bench_.cycle());
    const bool reader_first = random_.coin();
    auto out = (reader_first ? *reader_ : cpu_).next(bench_.cycle());
    return out ? out : (reader_first ? cpu_ : *reader_).next(bench_.cycle());
}

void Episode::entered_from_net(const RawFrame& frame, std::uint64_t first, std::uint64_t last) {
    last_move_ = last;
    remember(frame.bytes);
    if (judged_) referee_.from_net(frame, first, last, now_ns_);
}

void Episode::entered_from_cpu(const RawFrame& frame) {
    last_move_ = bench_.cycle();
    if (judged_) referee_.from_cpu(frame.bytes);
}

void Episode::left_to_net(Bytes bytes, bool aborted, std::uint64_t first, std::uint64_t last) {
    last_move_ = last;
    line_ready_at_ = last + kInterFrame;
    remember(bytes);
    if (!judged_) return;
    referee_.to_net(bytes, aborted, first, now_ns_);
    venue_.receive(bytes);
    if (desk_) desk_->receive(bytes);
}

void Episode::left_to_cpu(Bytes bytes) {
    last_move_ = bench_.cycle();
    if (!judged_) return;
    referee_.to_cpu(bytes);
    cpu_.receive(bytes, bench_.cycle());
    if (reader_) reader_->receive(bytes, bench_.cycle());
}

bool Episode::net_ready() {
    if (line_held_) return false;
    const std::uint64_t cycle = bench_.cycle();
    if (kinds_.has(Kind::stalls) && !quiet_ && cycle >= line_ready_at_ && (cycle & 0xFFU) == 0 &&
        random_.per_mille(20))
        line_ready_at_ = cycle + random_.below(random_.per_mille(50) ? 6000 : 40);
    return cycle >= line_ready_at_;
}

std::uint32_t Episode::elapsed_ns() {
    const std::uint64_t step = kCycleNs + std::min<std::uint64_t>(extra_ns_, 1'000'000'000);
    extra_ns_ -= step - kCycleNs;
    now_ns_ += step;
    return static_cast<std::uint32_t>(step);
}

}  // namespace fixaccel::hostile
