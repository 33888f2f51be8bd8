// SPDX-License-Identifier: Apache-2.0
#include "referee.hpp"

#include <algorithm>
#include <charconv>

#include "failure.hpp"
#include "fix_text.hpp"
#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel::hostile {
namespace {

constexpr std::uint64_t kTurning = 64;  // cycles from a register write to its effect, either way
constexpr std::size_t kHeaders = 14 + 20 + 20;
constexpr std::size_t kIpAt = 14, kSeqAt = kIpAt + 20 + 4, kSumAt = kIpAt + 20 + 16;
constexpr std::size_t kIpLengthAt = kIpAt + 2;

// By its ClOrdID.
std::optional<std::uint32_t> rule_of_order(const std::string& message) {
    constexpr unsigned kClOrdId = 11;
    constexpr std::size_t kEpoch = 4, kRule = 8;
    const auto fields = fix_fields(message);
    const std::string* const id = fields ? find(*fields, kClOrdId) : nullptr;
    if (id == nullptr || id->size() < kEpoch + kRule) return {};
    std::uint32_t rule = 0;
    const char* const end = id->data() + kEpoch + kRule;
    const auto read = std::from_chars(id->data() + kEpoch, end, rule, 36);
    return read.ec == std::errc{} && read.ptr == end ? std::optional(rule) : std::nullopt;
}

KernelTcp kernel_of(const Referee::Session& s) {
    return KernelTcp(TcpState{.rcv_nxt = s.rcv_nxt,
                              .rcv_wup = s.rcv_nxt,
                              .snd_una = s.snd_nxt,
                              .snd_nxt = s.snd_nxt,
                              .snd_wnd = s.peer_window,
                              .snd_wl1 = s.rcv_nxt,
                              .max_window = s.peer_window,
                              .peer_wscale = s.peer_wscale});
}

}  // namespace

Referee::Referee(const MarketRules& rules, const Session& s, const std::optional<Session>& market)
    : rules_(rules),
      session_(s),
      market_(market),
      stream_(market ? market->remote : s.remote, market ? market->local : s.local,
              kernel_of(market ? *market : s)),
      wire_snd_nxt_(s.snd_nxt),
      seq_num_(s.seq_num),
      committed_(s.snd_nxt),
      acked_left_(s.rcv_nxt),
      acked_entered_(s.rcv_nxt),
      acked_before_(s.rcv_nxt),
      states_(rules.fresh()),
      known_(rules.nothing_known()) {
    if (market) own_ = kernel_of(s);
}

std::uint32_t Referee::room() const {
    const KernelTcp& kernel = orders_tcp();
    const std::uint32_t used = wire_snd_nxt_ - kernel.snd_una;
    return used > kernel.snd_wnd ? 0 : kernel.snd_wnd - used;
}

void Referee::note_room() {
    for (Candidate& candidate : candidates_) candidate.room = std::min(candidate.room, room());
}

void Referee::excuse(std::uint32_t outcome) {
    excused_outcomes_.insert(outcome);
    for (Candidate& candidate : candidates_) candidate.excused.insert(outcome);
}

Fate Referee::from_net(const RawFrame& frame, std::uint64_t first, std::uint64_t last,
                       std::uint64_t time_ns) {
    if (!frame.phy_error && fcs_right(frame.bytes))
        net_frames_.push_back({frame.bytes, mac_takes(frame.bytes) && well_formed(frame.bytes)});
    room_before_ = room();
    for (; !leaving_acks_.empty() && leaving_acks_.front().first + kTurning < first;
         leaving_acks_.pop_front())
        acked_before_ = leaving_acks_.front().ack;
    // Whether an acknowledgement of the CPU that is under way comes before the segment is a matter of cycles.
    const auto segment = delivered(frame.bytes, session_.remote, session_.local);
    if (segment)
        window_certain_ =
            ahead(acked_before_, segment->end()) < 0 || ahead(acked_entered_, segment->end()) >= 0;
    if (ahead_of_verdict_) note_spoiled(frame, first, last);
    Fate fate =
        stream_.frame(frame, first, last, [&](Arrival arrival) { arrived(std::move(arrival), time_ns); });
    const bool own = own_ && segment && !frame.phy_error;
    if (own) fate = session_segment(*segment);
    note_room();
    if (fate != Fate::reset && fate != Fate::finished) return fate;
    close(last);
    if (own) return fate;
    // Behind a hole the fabric cannot know whether it was next: what waits to fire may still leave.
    if (stream_.may_stop()) turning_ = true;
    return fate;
}

// Ahead of what the frame itself does: nothing.
void Referee::note_spoiled(const RawFrame& frame, std::uint64_t first, std::uint64_t last) {
    constexpr std::size_t kKept = 64;  // many more than come between a frame and its record
    const Session& of = market_ ? *market_ : session_;
    if (!frame.phy_error && delivered(frame.bytes, of.remote, of.local)) return;
    Spoiled spoiled{.first = first};
    KnownValues known = known_;
    std::uint32_t number = next_number_;
    for (Arrival& arrival : stream_.spoiled(frame, first, last)) {
        const auto judgement = rules_.judge(arrival.text, number);
        if (judgement == MarketRules::Judgement::refused) break;
        if (judgement == MarketRules::Judgement::passed_over) continue;
        ++number;
        auto satisfied = rules_.satisfied(arrival.text, known, arrival.certain);
        if (satisfied.empty()) continue;
        spoiled.messages.push_back(
            {.arrival = std::move(arrival), .evaluation = Evaluation(std::move(satisfied))});
    }
    if (spoiled.messages.empty()) return;
    spoiled_.push_back(std::move(spoiled));
    if (spoiled_.size() > kKept) spoiled_.pop_front();
}

// Nothing of it is read. A FIN that the kernel keeps until a hole is filled counts at once.
Fate Referee::session_segment(const Segment& segment) {
    const Fate fate = own_->take(segment);
    const bool kept = fate == Fate::ahead && (segment.flags & flag::fin) != 0;
    return kept ? Fate::finished : fate;
}

void Referee::close(std::uint64_t cycle) {
    closed_ = true;
    silencing();
    silenced(cycle + kTurning);
}

void Referee::arrived(Arrival arrival, std::uint64_t time_ns) {
    switch (rules_.judge(arrival.text, next_number_)) {
        case MarketRules::Judgement::taken:
            ++next_number_;
            break;
        case MarketRules::Judgement::passed_over:
            return;
        case MarketRules::Judgement::refused:
            // The session is over, or has to ask again: the fabric may stop here, and nothing fires from here
            // on.
            stream_.lose();
            return;
    }
    // Where the fabric has stopped, it has not taken the message.
    auto satisfied = rules_.satisfied(arrival.text, known_, arrival.certain);
    if (satisfied.empty()) return;
    const bool on = on_since_ && arrival.begin >= *on_since_ + kTurning && !turning_;
    arrival.certain = arrival.certain && on && !killed_ && !closed_;
    ++candidates_seen_;
    candidates_.push_back({.arrival = std::move(arrival),
                           .time_ns = time_ns,
                           .room = std::min(room_before_, room()),
                           .excused = excused_outcomes_,
                           .evaluation = Evaluation(std::move(satisfied))});
}

void Referee::resumed(const Boundary& boundary, std::uint64_t since, std::uint64_t time_ns) {
    next_number_ = boundary.seq_num;
    withdrawn_ = true;
    known_.perhaps_forgotten();
    stream_.resume(boundary.seq, StreamReference::State::doubtful, [&](Arrival arrival) {
        if (arrival.end + kTurning >= since) return arrived(std::move(arrival), time_ns);
        const auto judgement = rules_.judge(arrival.text, next_number_);
        if (judgement == MarketRules::Judgement::taken) ++next_number_;
        if (judgement == MarketRules::Judgement::refused) stream_.lose();
    });
}

void Referee::from_cpu(const Bytes& bytes) {
    cpu_frames_.push_back(bytes);
    const auto segment = delivered(bytes, session_.local, session_.remote);
    if (!segment) return;
    if (ahead(acked_entered_, segment->ack) > 0) acked_entered_ = segment->ack;
    // The kernel knows its own FIN.
    if ((segment->flags & flag::fin) != 0 && ahead(committed_, segment->end()) > 0)
        committed_ = segment->end();
}

// Pure ACKs, FIN and RST of the session may get the fabric's sequence number; all else leaves as it came.
bool Referee::passes_as_cpu_frame(const Bytes& bytes, std::uint64_t first) {
    if (cpu_frames_.empty()) return false;
    const Bytes entered = cpu_frames_.front();
    const auto segment = delivered(entered, session_.local, session_.remote);
    const auto market = market_ ? delivered(entered, market_->local, market_->remote) : std::nullopt;
    const bool bare = segment && segment->payload.empty() && (segment->flags & flag::syn) == 0;
    if (bytes == entered) {
        if (bare && !closed_ && ahead(wire_snd_nxt_, segment->seq) < 0)
            throw Failure("stale-ack", "a pure ACK left with a sequence number " +
                                           std::to_string(-ahead(wire_snd_nxt_, segment->seq)) +
                                           " bytes behind");
    } else {
        if (!bare || bytes.size() != entered.size()) return false;
        Bytes expected = entered;
        put32(expected, kSeqAt, wire_snd_nxt_);
        put16(expected, kSumAt, tcp_checksum(expected, 20, get16(expected, kIpLengthAt)));
        expected.resize(expected.size() - 4);
        if (finished(expected, false) != bytes) return false;
    }
    cpu_frames_.pop_front();
    if (market) market_frame_left(*market, first);
    if (!segment) return true;
    if (ahead(acked_left_, segment->ack) > 0) {
        acked_left_ = segment->ack;
        leaving_acks_.push_back({first, acked_left_});
    }
    orders_tcp().rcv_wup = acked_left_;
    if ((segment->flags & (flag::fin | flag::rst)) != 0) close(first);
    if (!segment->payload.empty() && ahead(committed_, segment->seq) < 0 &&
        ahead(committed_, segment->end()) > 0)
        throw Failure("guard", "a CPU segment over uncommitted bytes left");
    // A FIN counts where it stands after the rewrite.
    const std::uint32_t end = delivered(bytes, session_.local, session_.remote)->end();
    if (ahead(wire_snd_nxt_, end) > 0) {
        wire_snd_nxt_ = end;
        orders_tcp().snd_nxt = wire_snd_nxt_;
    }
    return true;
}

void Referee::market_frame_left(const Segment& segment, std::uint64_t first) {
    KernelTcp& kernel = stream_.kernel();
    if (ahead(kernel.rcv_wup.value_or(segment.ack), segment.ack) >= 0) kernel.rcv_wup = segment.ack;
    if (ahead(kernel.snd_nxt, segment.end()) > 0) kernel.snd_nxt = segment.end();
    if ((segment.flags & (flag::fin | flag::rst)) != 0) close(first);
}

// Whole, but for its FCS: what the venue would have got, had it been sent.
void Referee::judge_aborted(const Bytes& bytes, std::uint64_t first) {
    if (fcs_right(bytes)) throw Failure("broken-frame", "a frame that was given up left with the right FCS");
    constexpr std::ptrdiff_t kFcs = 4;
    const auto order =
        delivered(finished({bytes.begin(), bytes.end() - kFcs}, false), session_.local, session_.remote);
    if (!order || order->payload.empty() || order->payload_at != kHeaders)
        throw Failure("broken-frame", "a frame that was given up is no order");
    judge_leaving(*order, first);
    const auto rule = rule_of_order(order->payload);
    if (!rule) throw Failure("broken-frame", "a frame that was given up is of no rule");
    ++aborted_;
    if (const auto recorded = leaving_.find(*rule); recorded != leaving_.end())
        leaving_.erase(recorded);
    else
        given_up_.emplace(*rule, first);
}

bool Referee::to_net(const Bytes& bytes, bool aborted, std::uint64_t first, std::uint64_t time_ns) {
    if (aborted && ahead_of_verdict_) {
        judge_aborted(bytes, first);
        return false;
    }
    if (aborted || !mac_takes(bytes))
        throw Failure("broken-frame", "a frame with a bad FCS or size left for the venue");
    if (passes_as_cpu_frame(bytes, first)) return false;
    const auto segment = delivered(bytes, session_.local, session_.remote);
    if (!segment || segment->payload.empty() || segment->payload_at != kHeaders)
        throw Failure("cpu-frame", "a frame left that is neither an order nor the next frame of the CPU");
    judge_leaving(*segment, first);
    wire_snd_nxt_ = segment->end();
    orders_tcp().snd_nxt = wire_snd_nxt_;
    note_room();
    orders_.push_back({.text = segment->payload, .seq = segment->seq, .first = first, .time_ns = time_ns});
    ++orders_seen_;
    return true;
}

void Referee::judge_leaving(const Segment& order, std::uint64_t first) const {
    if (order.seq != wire_snd_nxt_)
        throw Failure("order-seq", "an order left at " + std::to_string(order.seq) + ", not " +
                                       std::to_string(wire_snd_nxt_));
    if (ahead(acked_left_, order.ack) < 0 || ahead(acked_entered_, order.ack) > 0)
        throw Failure("order-ack", "an order acknowledges what the kernel has not");
    if ((order.flags & (flag::ack | flag::psh)) != order.flags || (order.flags & flag::ack) == 0)
        throw Failure("order-flags", "flags " + std::to_string(order.flags));
    if (off_since_ && first > *off_since_ + kTurning && !turning_)
        throw Failure("not-silent", "an order left " + std::to_string(first - *off_since_) +
                                        " cycles after it was silenced");
    if (leased_) throw Failure("under-lease", "an order left while the CPU held the lease");
}

bool Referee::lowered(const Bytes& came, const Bytes& went) const {
    const auto segment = delivered(came, session_.remote, session_.local);
    if (!segment || went.size() != came.size()) return false;
    const std::size_t ip_header = 4U * (came[kIpAt] & 0xFU), tcp = kIpAt + ip_header;
    const std::uint32_t ack = get32(went, tcp + 8);
    if (ahead(ack, segment->ack) <= 0 || ahead(committed_, ack) > 0) return false;
    Bytes expected = came;
    put32(expected, tcp + 8, ack);
    put16(expected, tcp + 16, tcp_checksum(expected, ip_header, get16(expected, kIpLengthAt)));
    expected.resize(expected.size() - 4);
    return finished(expected, false) == went;
}

void Referee::to_cpu(const Bytes& bytes) {
    while (!net_frames_.empty()) {
        const NetFrame next = std::move(net_frames_.front());
        net_frames_.pop_front();
        if (next.bytes == bytes) return;
        if (lowered(next.bytes, bytes)) {
            ++lowered_net_frames_;
            return;
        }
        if (next.needed) ++missing_net_frames_;
    }
    throw Failure("rx-frame", "a frame of " + std::to_string(bytes.size()) +
                                  " bytes came to the CPU that did not come off the wire, or late, or bad");
}

void Referee::arming(std::uint64_t cycle) {
    turning_ = true;
    // What came while it was off must not fire any more, but for what comes to its end just now.
    while (!candidates_.empty() && off_since_ && candidates_.front().arrival.begin > *off_since_ &&
           candidates_.front().arrival.frame_last + kTurning < cycle)
        close_front("it was off");
    off_since_.reset();
}

void Referee::armed(std::uint64_t cycle, std::uint32_t generation) {
    turning_ = false;
    on_since_ = cycle;
    if (generation != generation_) {
        cancelled_before_ = cancelled();
        newly_armed_before_ = newly_armed();
        states_ = rules_.fresh();
        known_.perhaps_forgotten();
    }
    generation_ = generation;
    excused_outcomes_.clear();
}

void Referee::silencing() {
    turning_ = true;
    withdrawn_ = true;
    on_since_.reset();
    for (Candidate& candidate : candidates_) candidate.arrival.certain = false;
    for (const std::uint32_t outcome : {hwmap::outcome_session, hwmap::outcome_kill}) excuse(outcome);
}

void Referee::silenced(std::uint64_t cycle) {
    turning_ = false;
    off_since_ = cycle;
}

void Referee::audit(const Audit& audit) {
    const auto has = [&](unsigned bit) { return ((audit.status >> bit) & 1U) != 0; };
    namespace bits = hwmap::status_bits;
    const bool gap = has(bits::gap);
    if (gap && !stream_.may_stop())
        throw Failure("false-gap", "the parser stopped and the stream has neither a hole nor a break");
    if (!gap && !closed_ && stream_.state() == StreamReference::State::following &&
        audit.rcv_nxt != stream_.read_to())
        throw Failure("position", "the parser stands at " + std::to_string(audit.rcv_nxt) + ", not " +
                                      std::to_string(stream_.read_to()));
    if (!gap && stream_.state() == StreamReference::State::lost && on_since_)
        throw Failure("missed-hole", "the stream has a hole or a break, and the parser goes on");
    stream_.settle(!gap && audit.rcv_nxt == stream_.read_to());
    if (has(bits::session_lost) && !closed_)
        throw Failure("false-close", "the session counts as lost, and no kernel would have closed it");
    if (closed_ && !has(bits::session_lost))
        throw Failure("missed-close", "the session was closed and the fabric goes on");
    if (audit.snd_nxt != wire_snd_nxt_)
        throw Failure("snd-nxt", std::to_string(audit.snd_nxt) + ", not " + std::to_string(wire_snd_nxt_));
    if (!closed_ && window_certain_ &&
        (audit.peer_ack != orders_tcp().snd_una || audit.peer_window != orders_tcp().snd_wnd))
        throw Failure("peer-window", "acknowledged " + std::to_string(audit.peer_ack) + " and window " +
                                         std::to_string(audit.peer_window) + ", not " +
                                         std::to_string(orders_tcp().snd_una) + " and " +
                                         std::to_string(orders_tcp().snd_wnd));
    while (!candidates_.empty()) close_front("nothing moves any more");
    const std::string fault = trigger_fault(rules_.bundle(), states_, audit.live, audit.dormant);
    if (!fault.empty()) throw Failure("trigger-state", fault);
    if (!orders_.empty()) throw Failure("record", "an order left without a record");
    if (audit.aborted != aborted_)
        throw Failure("aborted", std::to_string(aborted_) + " orders were given up, " +
                                     std::to_string(audit.aborted) + " are counted");
    if (!given_up_.empty() && !withdrawn_)
        throw Failure("aborted", "an order of rule " + std::to_string(given_up_.begin()->first) +
                                     " was given up, and no record says why");
    if (spoiled_seen_ > aborted_)
        throw Failure("aborted", "more rules were spent on bad frames than orders were given up");
    given_up_.clear();
    leaving_.clear();
    withdrawn_ = false;
    if (!cpu_frames_.empty())
        throw Failure("cpu-frame", std::to_string(cpu_frames_.size()) + " frames of the CPU never left");
    std::erase_if(net_frames_, [](const NetFrame& frame) { return !frame.needed; });
    if (missing_net_frames_ + net_frames_.size() > audit.gate_drops)
        throw Failure("rx-frame", std::to_string(missing_net_frames_ + net_frames_.size()) +
                                      " good frames never came to the CPU, " +
                                      std::to_string(audit.gate_drops) + " are counted as dropped");
    if (lowered_net_frames_ != audit.gate_lowered)
        throw Failure("rx-frame", std::to_string(lowered_net_frames_) + " acknowledgements were lowered, " +
                                      std::to_string(audit.gate_lowered) + " are counted");
    if (on_since_ && !gap && !closed_ && !has(bits::armed))
        throw Failure("false-disarm", "the fabric is not armed, and nothing has disarmed it");
}

}  // namespace fixaccel::hostile
