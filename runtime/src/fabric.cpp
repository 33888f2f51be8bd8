// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/fabric.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <limits>
#include <stdexcept>
#include <thread>

#include "fixaccel/as_index.hpp"
#include "fixaccel/crc32.hpp"
#include "fixaccel/sent_bytes.hpp"
#include "fixaccel/seq.hpp"
#include "fixaccel/utc_clock.hpp"

namespace fixaccel {
namespace {

namespace reg = hwmap::reg;
using std::chrono::nanoseconds;

constexpr auto kPollInterval = std::chrono::microseconds(50);

// The highest fire count: the fabric sends nothing for a rule that has reached it.
constexpr std::uint32_t kMostFires = [] {
    hwmap::fire_count_record all;
    all.words.fill(std::numeric_limits<std::uint32_t>::max());
    return static_cast<std::uint32_t>(all.fires());
}();

std::uint32_t as_ns(nanoseconds time) {
    return static_cast<std::uint32_t>(
        std::clamp<nanoseconds::rep>(time.count(), 0, std::numeric_limits<std::uint32_t>::max()));
}

// The clock registers in the order of their addresses: date, time, ms, sub-ms, whole time in two halves.
std::array<std::uint32_t, 7> clock_words(nanoseconds utc) {
    constexpr std::uint64_t kNsPerMs = 1'000'000;
    const auto total = static_cast<std::uint64_t>(utc.count());
    const auto seconds = static_cast<std::time_t>(total / (1000 * kNsPerMs));
    std::tm date{};
    gmtime_r(&seconds, &date);
    const int ymd = (date.tm_year + 1900) * 10000 + (date.tm_mon + 1) * 100 + date.tm_mday;
    const int hms = date.tm_hour * 10000 + date.tm_min * 100 + date.tm_sec;
    return {to_bcd(static_cast<std::uint64_t>(ymd), 8),
            to_bcd(static_cast<std::uint64_t>(hms), 6),
            to_bcd(total / kNsPerMs % 1000, 3),
            static_cast<std::uint32_t>(total % kNsPerMs),
            static_cast<std::uint32_t>(total),
            static_cast<std::uint32_t>(total >> 32),
            1};
}
static_assert(reg::clock_set == reg::clock_date + 6 * sizeof(std::uint32_t) &&
                  reg::clock_ns_hi == reg::clock_date + 5 * sizeof(std::uint32_t),
              "the clock is written as one block that ends with clock_set");

std::uint32_t ports_word(const Flow& flow) {
    return static_cast<std::uint32_t>(flow.remote_port) << hwmap::flow_ports_bits::remote_port |
           static_cast<std::uint32_t>(flow.local_port) << hwmap::flow_ports_bits::local_port;
}
static_assert(hwmap::market_ports_bits::remote_port == hwmap::flow_ports_bits::remote_port &&
                  hwmap::market_ports_bits::local_port == hwmap::flow_ports_bits::local_port,
              "both flows' ports are written alike");

struct StickyName {
    unsigned bit;
    const char* name;
};
constexpr std::array kSticky{
    StickyName{hwmap::status_bits::watchdog_expired, "watchdog expired"},
    StickyName{hwmap::status_bits::session_lost, "session lost"},
    StickyName{hwmap::status_bits::held, "a fire was held back too long"},
    StickyName{hwmap::status_bits::fault_uncommitted, "uncommitted bytes were sent over"},
    StickyName{hwmap::status_bits::fault_unleased, "data without the lease"},
    StickyName{hwmap::status_bits::fault_lease, "lease held too long"},
};

}  // namespace

std::string FabricStatus::blocking() const {
    std::string text;
    for (const StickyName& sticky : kSticky)
        if (has(sticky.bit)) text += (text.empty() ? "" : ", ") + std::string(sticky.name);
    return text;
}

bool FabricStatus::amiss() const {
    return std::any_of(kSticky.begin(), kSticky.end(), [this](const StickyName& sticky) {
        return sticky.bit != hwmap::status_bits::session_lost && has(sticky.bit);
    });
}

std::string FabricStatus::not_armed() const {
    if (armed()) return {};
    if (std::string text = blocking(); !text.empty()) return text;
    if (killed()) return "the kill switch is on";
    if (closed()) return "the connection has ended: a FIN or RST was seen";
    if (gap()) return "the parser lost the stream";
    if (!clock_valid()) return "the clock is not disciplined";
    if (!has(hwmap::status_bits::flow)) return "the flow registers are not valid";
    return "the board disarmed itself: an order record is not usable, or MsgSeqNum has no successor";
}

bool wait_until(const std::function<bool()>& done, nanoseconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (true) {
        if (done()) return true;
        if (std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(kPollInterval);
    }
}

void Fabric::set_limits(const FabricLimits& limits) {
    board_.write(reg::watchdog_ns, as_ns(limits.watchdog));
    board_.write(reg::lease_ns, as_ns(limits.lease));
    board_.write(reg::hold_ns, as_ns(limits.hold));
    board_.write(reg::rx_gate_ns, as_ns(limits.rx_gate));
    board_.write(reg::clock_max_age_ns, as_ns(limits.clock_max_age));
    board_.write(reg::max_unacked, limits.max_unacked);
}

std::uint32_t Fabric::commit_ahead() { return board_.read(reg::commit_ahead); }

void Fabric::set_commit_ahead(std::uint32_t bytes) { board_.write(reg::commit_ahead, bytes); }

std::uint32_t Fabric::orders_aborted() { return board_.read(reg::orders_aborted); }

std::uint32_t Fabric::generation() {
    return board_.read(status().bank() != 0 ? reg::generation_upper : reg::generation);
}

void Fabric::set_generation(std::uint32_t generation, unsigned bank) {
    board_.write(bank != 0 ? reg::generation_upper : reg::generation, generation);
}

void Fabric::set_epoch(const std::string& epoch, unsigned bank) {
    if (epoch.size() != kEpochChars) throw std::invalid_argument("an epoch has four characters");
    std::uint32_t word = 0;
    for (unsigned i = 0; i < kEpochChars; ++i)
        word |= static_cast<std::uint32_t>(static_cast<unsigned char>(epoch[i])) << (8 * i);
    board_.write(bank != 0 ? reg::epoch_upper : reg::epoch, word);
}

namespace {

// States of triggers as the board keeps them.
struct TriggerWords {
    explicit TriggerWords(const std::vector<TriggerState>& triggers)
        : live((triggers.size() + hwmap::live_word_bits - 1) / hwmap::live_word_bits), dormant(live.size()) {
        counts.reserve(triggers.size());
        for (std::size_t i = 0; i < triggers.size(); ++i) {
            hwmap::fire_count_record count;
            count.set_fires(std::min(triggers[i].fires, kMostFires));
            counts.push_back(count.words[0]);
            const std::uint32_t bit = 1U << i % hwmap::live_word_bits;
            if (triggers[i].live) live[i / hwmap::live_word_bits] |= bit;
            if (triggers[i].dormant) dormant[i / hwmap::live_word_bits] |= bit;
        }
    }

    std::vector<std::uint32_t> counts, live, dormant;
};

}  // namespace

// Its fire has been counted, in whichever bank it was.
void Fabric::forget_count(std::uint32_t trigger) {
    for (const unsigned bank : {0U, 1U})
        board_.changed(hwmap::memory::fire_count.base +
                       (first_trigger(bank) + trigger) * hwmap::memory::fire_count.stride_bytes);
}

std::uint32_t Fabric::first_trigger(unsigned bank) {
    if (bank == 0) return 0;
    if (!capacity_) capacity_ = board_.read(reg::cap_triggers);
    return *capacity_ / 2;
}

void Fabric::set_triggers(const std::vector<TriggerState>& triggers, unsigned bank) {
    if (triggers.empty()) return;
    const TriggerWords words(triggers);
    const std::uint32_t first = first_trigger(bank);
    const std::uint32_t bits = first / hwmap::live_word_bits * sizeof(std::uint32_t);
    board_.write(hwmap::memory::fire_count.base + first * hwmap::memory::fire_count.stride_bytes,
                 words.counts);
    // What was armed since the load stops being dormant before it is live: no trigger is ever both.
    board_.write(hwmap::memory::dormant.base + bits, words.dormant);
    board_.write(hwmap::memory::live.base + bits, words.live);
}

void Fabric::change_triggers(const std::vector<TriggerState>& before, const std::vector<TriggerState>& after,
                             unsigned bank) {
    const TriggerWords old(before), now(after);
    const std::uint32_t first = first_trigger(bank);
    const auto change = [&](std::uint32_t base, const std::vector<std::uint32_t>& had,
                            const std::vector<std::uint32_t>& has) {
        for (std::uint32_t i = 0; i < has.size(); ++i)
            if (has[i] != had[i]) board_.write(base + i * std::uint32_t{sizeof(std::uint32_t)}, has[i]);
    };
    const std::uint32_t bits = first / hwmap::live_word_bits * sizeof(std::uint32_t);
    change(hwmap::memory::fire_count.base + first * hwmap::memory::fire_count.stride_bytes, old.counts,
           now.counts);
    change(hwmap::memory::dormant.base + bits, old.dormant, now.dormant);
    change(hwmap::memory::live.base + bits, old.live, now.live);
}

bool Fabric::flip(std::uint32_t head) {
    const unsigned before = status().bank();
    set_flip_head(head);
    board_.write(reg::flip, 1);
    const FabricStatus now = status();
    return now.flip_asked() || now.bank() != before;
}

std::uint32_t Fabric::flip_seq_num() { return from_bcd(board_.read(reg::flip_seq_num)); }

static_assert(hwmap::fire_count_record::kStride == 1 && hwmap::live_record::kStride == 1 &&
                  hwmap::dormant_record::kStride == 1,
              "counts, live and dormant bits are written as blocks of words");

void Fabric::discipline_clock() {
    const auto utc = [] { return nanoseconds(utc_ns()); };
    // The board takes the time at the end of the write: aim at that moment by the duration of the last one.
    const nanoseconds before = utc();
    board_.write(reg::clock_date, clock_words(before + clock_write_));
    const nanoseconds took = utc() - before;
    clock_write_ = std::clamp(took, nanoseconds(0), nanoseconds(std::chrono::milliseconds(1)));
}

void Fabric::set_window_scales(std::uint32_t peer, std::uint32_t local) {
    board_.write(reg::peer_wscale, peer);
    board_.write(reg::local_wscale, local);
}

void Fabric::set_flow(const Flow& flow) {
    board_.write(reg::flow_valid, 0);
    board_.write(reg::flow_local_ip, flow.local_ip);
    board_.write(reg::flow_remote_ip, flow.remote_ip);
    board_.write(reg::flow_ports, ports_word(flow));
    set_window_scales(0, 0);
    board_.write(reg::flow_valid, 1);
}

std::optional<Flow> Fabric::flow() {
    if (board_.read(reg::flow_valid) == 0) return std::nullopt;
    const std::uint32_t ports = board_.read(reg::flow_ports);
    return Flow{board_.read(reg::flow_local_ip), board_.read(reg::flow_remote_ip),
                static_cast<std::uint16_t>(ports >> hwmap::flow_ports_bits::local_port),
                static_cast<std::uint16_t>(ports >> hwmap::flow_ports_bits::remote_port)};
}

void Fabric::set_market_flow(const Flow& flow) {
    forget_market_flow();
    board_.write(reg::market_local_ip, flow.local_ip);
    board_.write(reg::market_remote_ip, flow.remote_ip);
    board_.write(reg::market_ports, ports_word(flow));
    set_market_window_scale(0);
    board_.write(reg::market_valid, 1);
}

void Fabric::set_comp_ids(std::string_view sender, std::string_view target) {
    board_.write(reg::sender_comp_crc, crc32(sender));
    board_.write(reg::target_comp_crc, crc32(target));
}

bool Fabric::resync(const Boundary& boundary) {
    board_.write(reg::rx_seq_num, to_bcd(boundary.seq_num, hwmap::seq_num_chars));
    board_.write(reg::resync_seq, boundary.seq);
    return !status().gap();
}

std::optional<Boundary> Fabric::resync_point(const FabricStatus& now, const Boundaries& read) {
    std::optional<std::uint32_t> found;
    if (now.found()) found = board_.read(reg::found_seq);
    return read.resync_point(rcv_nxt(), found);
}

bool Fabric::resync(const Boundaries& read) {
    const FabricStatus now = status();
    if (!now.gap()) return true;
    const auto point = resync_point(now, read);
    return point && resync(*point);
}

void Fabric::set_next_seq_num(std::uint32_t seq_num) {
    board_.write(reg::next_seq_num, to_bcd(seq_num, hwmap::seq_num_chars));
}

bool Fabric::release_lease(std::uint32_t next_seq_num, std::uint32_t snd_nxt) {
    board_.write(reg::lease_seq_num, to_bcd(next_seq_num, hwmap::seq_num_chars));
    board_.write(reg::lease_snd_nxt, snd_nxt);
    board_.write(reg::lease_release, 1);
    return !status().lease_held();
}

void Fabric::drop_lease() {
    board_.write(reg::lease_request, 0);
    if (!status().lease_held()) return;
    board_.write(reg::lease_seq_num, board_.read(reg::next_seq_num));
    board_.write(reg::lease_snd_nxt, snd_nxt());
    board_.write(reg::lease_release, 1);
}

Fire Fabric::read_fire(std::uint32_t entry) {
    std::optional<Fire> fire = find_fire(entry);
    if (!fire) throw BoardError("ring record " + std::to_string(entry) + " holds another number");
    return *std::move(fire);
}

std::optional<Fire> Fabric::find_fire(std::uint32_t entry) {
    const auto there = read_ring_record(board_, entry);
    if (!there) return std::nullopt;
    const hwmap::ring_record& record = *there;
    Fire fire;
    fire.entry = entry;
    fire.generation = static_cast<std::uint32_t>(record.generation());
    fire.message = static_cast<std::uint32_t>(record.message());
    fire.trigger = static_cast<std::uint32_t>(record.trigger());
    forget_count(fire.trigger);
    fire.rule = static_cast<std::uint32_t>(record.rule());
    fire.order = static_cast<std::uint32_t>(record.order());
    fire.instrument = static_cast<std::uint32_t>(record.instrument());
    fire.source = static_cast<std::uint32_t>(record.source());
    fire.outcome = static_cast<std::uint32_t>(record.outcome());
    fire.fires = static_cast<std::uint32_t>(record.fires());
    fire.observed = record.observed();
    fire.time_ns = record.time_ns();
    fire.message_end_cycle = static_cast<std::uint32_t>(record.message_end_cycle());
    fire.frame_end_cycle = static_cast<std::uint32_t>(record.frame_end_cycle());
    if (!fire.sent()) return fire;

    fire.seq_num = from_bcd(static_cast<std::uint32_t>(record.msg_seq_num()));
    fire.tcp_seq = static_cast<std::uint32_t>(record.tcp_seq());
    const auto sent = read_ring_sent_record(board_, entry);
    fire.left = sent.has_value();
    if (!fire.left) return fire;
    fire.first_byte_cycle = static_cast<std::uint32_t>(sent->first_byte_cycle());
    fire.last_byte_cycle = static_cast<std::uint32_t>(sent->last_byte_cycle());
    fire.payload =
        read_sent_bytes(board_, static_cast<std::uint32_t>(record.sent_at()), as_index(record.length()));
    return fire;
}

std::vector<std::pair<std::string, std::uint32_t>> Fabric::counters() {
    constexpr std::string_view kPrefix = "count_";
    std::vector<std::pair<std::string, std::uint32_t>> out;
    for (const hwmap::Register& entry : reg::all)
        if (entry.name.starts_with(kPrefix))
            out.emplace_back(entry.name.substr(kPrefix.size()), board_.read(entry.addr));
    return out;
}

}  // namespace fixaccel
