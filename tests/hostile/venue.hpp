// SPDX-License-Identifier: Apache-2.0
// The wire's far end: the venue's TCP, and whoever else puts frames on the wire.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "core_bench.hpp"
#include "kernel_tcp.hpp"
#include "kinds.hpp"
#include "quotes.hpp"
#include "random.hpp"
#include "referee.hpp"

namespace fixaccel::hostile {

class Venue {
  public:
    Venue(Random& random, const MarketRules& rules, const Referee::Session& session, Kinds kinds);

    std::optional<RawFrame> next(std::uint64_t cycle);
    // A frame that the fabric has sent.
    void receive(const Bytes& frame);

    // No more frames of its own but those injected; a hole is filled first if `fill`.
    void pause(bool on) { paused_ = on; }
    bool idle() const { return injected_.empty(); }
    std::size_t queued() const { return injected_.size(); }
    void inject(RawFrame frame) { injected_.push_back(std::move(frame)); }
    // Bytes at the end of the stream, sent as one segment.
    void say(const std::string& bytes);
    // The frame that was queued last is lost, or goes out like this instead.
    void drop_last() { injected_.pop_back(); }
    void replace_last(const Packet& packet) { injected_.back().bytes = finished(packet.frame()); }

    // A segment of the session as it would be right now.
    Packet segment(const std::string& payload, std::uint32_t seq) const;
    std::uint32_t snd_nxt() const { return snd_nxt_; }
    std::uint32_t snd_una() const { return tcp_.snd_una; }
    std::uint32_t rcv_nxt() const { return tcp_.rcv_nxt; }
    Quotes& quotes() { return quotes_; }
    std::uint64_t frames() const { return frames_; }
    void set_window(std::uint16_t window) { window_ = window; }
    // Everything that it sent has been acknowledged.
    bool acknowledged() const { return tcp_.snd_una == snd_nxt_; }

  private:
    RawFrame finish(const Bytes& frame);
    std::optional<RawFrame> trouble(std::uint64_t cycle);
    std::optional<RawFrame> talk(std::uint64_t cycle);
    std::string bytes_at(std::uint32_t seq, std::size_t size) const;
    std::string more(std::size_t size);

    Random& random_;
    Referee::Session session_;
    Kinds kinds_;
    Quotes quotes_;
    KernelTcp tcp_;         // what it has received, and what of its own is acknowledged
    std::string stream_{};  // from base_ on
    std::uint32_t base_;
    std::uint32_t snd_nxt_;
    std::uint16_t window_ = 0xFFFF;
    std::deque<RawFrame> injected_{};
    std::optional<std::pair<std::uint32_t, std::size_t>> lost_{};  // a segment to be sent again
    unsigned until_resend_ = 0;
    std::uint64_t progress_ = 0;
    std::uint32_t progress_una_ = 0;
    std::uint64_t talk_at_ = 0;
    bool paused_ = true;
    std::uint64_t frames_ = 0;
};

// The segment's frame, damaged on its way.
RawFrame damaged(Random& random, Packet packet);
// A frame that a kernel drops, or that is none of the session's, of one of the kinds; nothing if none of
// these kinds is on.
std::optional<RawFrame> stranger(Random& random, const Kinds& kinds, const Packet& next, std::uint32_t sent,
                                 const std::string& temptation);

}  // namespace fixaccel::hostile
