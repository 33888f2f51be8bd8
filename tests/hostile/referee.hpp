// SPDX-License-Identifier: Apache-2.0
// Judges what the fabric does against what it must do. Throws Failure.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core_bench.hpp"
#include "evaluation.hpp"
#include "fixaccel/boundaries.hpp"
#include "fixaccel/fire.hpp"
#include "market_rules.hpp"
#include "packet.hpp"
#include "risk_limits.hpp"
#include "stream_reference.hpp"

namespace fixaccel::hostile {

// What the registers said when nothing moved.
struct Audit {
    std::uint32_t status = 0;
    std::uint32_t rcv_nxt = 0;
    std::uint32_t snd_nxt = 0;
    std::uint32_t peer_ack = 0;
    std::uint32_t peer_window = 0;
    std::uint32_t gate_drops = 0;
    std::uint32_t gate_lowered = 0;  // frames that went to the CPU with a lowered acknowledgement
    std::uint32_t aborted =
        0;  // orders that began ahead of their frame's verdict, and ended with a wrong FCS
    std::vector<std::uint32_t> live{}, dormant{};  // a bit a trigger, 32 a word
};

class Referee {
  public:
    struct Session {
        Endpoint local{}, remote{};
        std::uint32_t snd_nxt = 0, rcv_nxt = 0;
        std::uint32_t peer_window = 0;
        unsigned peer_wscale = 0;
        std::uint32_t seq_num = 1;
        std::string epoch{};
    };
    // `market`: the connection that market data come on, if that is not the session's own.
    Referee(const MarketRules& rules, const Session& session, const std::optional<Session>& market = {});

    // ---- the wire and the CPU's side, in the order of events
    Fate from_net(const RawFrame& frame, std::uint64_t first, std::uint64_t last, std::uint64_t time_ns);
    void from_cpu(const Bytes& bytes);
    // Whether the frame was an order.
    bool to_net(const Bytes& bytes, bool aborted, std::uint64_t first, std::uint64_t time_ns);
    void to_cpu(const Bytes& bytes);

    // ---- the runtime
    void arming(std::uint64_t cycle);
    void armed(std::uint64_t cycle, std::uint32_t generation);
    // Orders may still leave until `silenced`.
    void silencing();
    void silenced(std::uint64_t cycle);
    // Rules are still evaluated, and their fires rejected.
    void killed(bool on) { killed_ = on; }
    void lease(bool held) { leased_ = held; }
    // Orders begin ahead of their frame's verdict.
    void ahead_of_verdict(bool on) { ahead_of_verdict_ = on; }
    // Of tables that were loaded; all records of orders before are in.
    void limits(const LimitTerms& terms) { limits_.load(terms); }
    const RiskLimits& limits() const { return limits_; }
    // Outcomes that a rejected fire may have from now on, beside that of the window.
    void excuse(std::uint32_t outcome);
    void record(const fixaccel::Fire& fire, std::uint32_t cycle_offset);
    void sent_by_cpu(std::uint32_t messages) { seq_num_ += messages; }
    void committed(std::uint32_t seq) { committed_ = seq; }
    // The fabric reads again from there on. What ended before the cycle `since` is not evaluated; what has
    // ended since then may be.
    void resumed(const Boundary& boundary, std::uint64_t since, std::uint64_t time_ns);
    // Nothing moves, the ring is drained.
    void audit(const Audit& audit);

    const StreamReference& stream() const { return stream_; }
    std::uint32_t wire_snd_nxt() const { return wire_snd_nxt_; }
    std::uint32_t seq_num() const { return seq_num_; }
    std::uint64_t orders() const { return orders_seen_; }
    std::uint64_t candidates() const { return candidates_seen_; }
    std::uint64_t aborted() const { return aborted_; }
    std::uint64_t spoiled() const { return spoiled_seen_; }  // fires of frames that turned out bad
    const RuleStates& states() const { return states_; }
    std::uint64_t limited() const { return limited_; }  // fires that a limit has rejected
    // Rules that orders have cancelled and armed, since the start.
    std::uint64_t cancelled() const { return cancelled_before_ + states_.cancelled(); }
    std::uint64_t newly_armed() const { return newly_armed_before_ + states_.newly_armed(); }
    bool waiting() const { return !candidates_.empty(); }
    bool closed() const { return closed_; }

  private:
    struct Candidate {
        Arrival arrival{};
        std::uint64_t time_ns = 0;
        std::uint32_t room = 0;             // of the peer's window, the least since it came
        std::set<std::uint32_t> excused{};  // outcomes that its fires may have
        Evaluation evaluation;
    };
    // A frame that turned out bad: what of it may have fired before that was known.
    struct Spoiled {
        std::uint64_t first = 0;
        bool spent = false;  // an order had begun
        std::vector<Candidate> messages{};
    };
    struct Order {
        std::string text{};
        std::uint32_t seq = 0;
        std::uint64_t first = 0;
        std::uint64_t time_ns = 0;
    };

    void arrived(Arrival arrival, std::uint64_t time_ns);
    void note_spoiled(const RawFrame& frame, std::uint64_t first, std::uint64_t last);
    // A fire of a frame that turned out bad.
    void record_spoiled(const fixaccel::Fire& fire, std::uint32_t cycle_offset);
    void judge_aborted(const Bytes& bytes, std::uint64_t first);
    // What was given up of this rule was of a frame that began in the cycle `since`, or later.
    void judge_given_up(const fixaccel::Fire& fire, std::uint64_t since);
    void judge_leaving(const Segment& order, std::uint64_t first) const;
    void close_front(const std::string& why);
    // Throws unless the rule is armed, or may be once another instrument of the message is over.
    void judge_state(const Fire& fire, const Candidate& candidate) const;
    // `rule` with the order that the fire sends.
    void judge_limits(const fixaccel::Fire& fire, const BundleRule& rule);
    void judge_outcome(const fixaccel::Fire& fire, const Fire& expected, const Candidate& candidate);
    void judge_order(const fixaccel::Fire& fire, const Candidate& candidate);
    bool passes_as_cpu_frame(const Bytes& bytes, std::uint64_t first);
    // A frame of the CPU on the market flow has left.
    void market_frame_left(const Segment& segment, std::uint64_t first);
    Fate session_segment(const Segment& segment);
    // The kernel's end of the flow that orders leave on.
    KernelTcp& orders_tcp() { return own_ ? *own_ : stream_.kernel(); }
    const KernelTcp& orders_tcp() const { return own_ ? *own_ : stream_.kernel(); }
    void close(std::uint64_t cycle);
    std::uint32_t room() const;
    void note_room();
    // A frame whose acknowledgement was lowered to what the kernel knows, all else as it came.
    bool lowered(const Bytes& came, const Bytes& went) const;

    const MarketRules& rules_;
    Session session_;
    std::optional<Session> market_;
    StreamReference stream_;
    std::optional<KernelTcp> own_{};  // of the session's flow, where market data come on another one
    std::uint32_t wire_snd_nxt_, seq_num_, committed_;
    std::uint32_t acked_left_, acked_entered_;  // highest numbers that the kernel acknowledged
    struct LeavingAck {
        std::uint64_t first = 0;  // cycle in which its frame began to leave
        std::uint32_t ack = 0;
    };
    std::deque<LeavingAck> leaving_acks_{};
    std::uint32_t acked_before_;      // had left before the segment that is being judged began to come
    std::deque<Bytes> cpu_frames_{};  // entered, not yet out
    struct NetFrame {
        Bytes bytes{};
        bool needed = true;  // the CPU must get it, or it may
    };
    std::deque<NetFrame> net_frames_{};
    std::uint64_t missing_net_frames_ = 0, lowered_net_frames_ = 0;
    std::deque<Order> orders_{};  // on the wire, their record not seen yet
    std::deque<Candidate> candidates_{};
    std::deque<Spoiled> spoiled_{};  // the newest
    RuleStates states_;
    KnownValues known_;
    std::uint64_t cancelled_before_ = 0, newly_armed_before_ = 0;  // of former generations
    std::set<std::uint32_t> excused_outcomes_{};
    std::optional<std::uint64_t> on_since_{}, off_since_{0};
    bool turning_ = false;
    bool killed_ = false;
    bool leased_ = false;
    bool closed_ = false;
    bool window_certain_ = true;  // what the newest segment says of the peer's window counts, or does not
    std::uint32_t generation_ = 0;
    std::uint32_t next_number_ = 1;  // MsgSeqNum of the venue's next message
    std::uint32_t room_before_ = 0;  // of the peer's window, ahead of the frame that is being judged
    std::uint64_t orders_seen_ = 0, candidates_seen_ = 0, limited_ = 0;
    bool ahead_of_verdict_ = false;
    std::uint64_t aborted_ = 0, spoiled_seen_ = 0;
    // Orders that were, their record not seen yet: the rule, and the cycle of the first byte.
    std::multimap<std::uint32_t, std::uint64_t> given_up_{};
    std::multiset<std::uint32_t> leaving_{};  // rules that were not sent, whose order may still be leaving
    bool withdrawn_ = false;                  // since the last audit fires may have been dropped without one
    RiskLimits limits_{};
};

}  // namespace fixaccel::hostile
