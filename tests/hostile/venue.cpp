// SPDX-License-Identifier: Apache-2.0
#include "venue.hpp"

#include <algorithm>

#include "failure.hpp"

namespace fixaccel::hostile {
namespace {

constexpr std::uint32_t kInFlight = 24'000;  // bytes, within the kernel's window
constexpr std::uint64_t kRetransmit = 60'000;
constexpr std::size_t kKept = 1U << 17U;
constexpr unsigned kDamagedShare = 200;  // of a thousand segments, with that kind of trouble
constexpr std::size_t kSegment = 1400;   // leaves room for TCP's and IP's options in a frame of 1,518 bytes

}  // namespace

Venue::Venue(Random& random, const MarketRules& rules, const Referee::Session& s, Kinds kinds)
    : random_(random),
      session_(s),
      kinds_(kinds),
      quotes_(random, rules, kinds),
      tcp_(TcpState{.rcv_nxt = s.snd_nxt,
                    .snd_una = s.rcv_nxt,
                    .snd_nxt = s.rcv_nxt,
                    .snd_wnd = 0xFFFF,
                    .snd_wl1 = s.snd_nxt,
                    .max_window = 0xFFFF}),
      base_(s.rcv_nxt),
      snd_nxt_(s.rcv_nxt),
      window_(static_cast<std::uint16_t>(s.peer_window >> s.peer_wscale)) {}

Packet Venue::segment(const std::string& payload, std::uint32_t seq) const {
    return {.from = session_.remote,
            .to = session_.local,
            .seq = seq,
            .ack = tcp_.rcv_nxt,
            .flags = static_cast<std::uint8_t>(payload.empty() ? flag::ack : flag::ack | flag::psh),
            .window = window_,
            .payload = payload};
}

RawFrame Venue::finish(const Bytes& frame) {
    unsigned gap = 20;
    if (kinds_.has(Kind::burst) && random_.coin())
        gap = random_.below(3) * random_.below(12);
    else if (random_.per_mille(300))
        gap += random_.below(300);
    return {.bytes = finished(frame), .gap = gap};
}

void Venue::receive(const Bytes& frame) {
    const auto segment = delivered(frame, session_.local, session_.remote);
    if (!segment || (kinds_.has(Kind::egress_loss) && random_.per_mille(20))) return;
    tcp_.snd_nxt = snd_nxt_;
    tcp_.take(*segment);
    const std::uint32_t acked = tcp_.snd_una - base_;
    if (acked > kKept) {
        // Some of what is acknowledged is kept for duplicates.
        const std::size_t drop = acked - kKept / 2;
        stream_.erase(0, drop);
        base_ += static_cast<std::uint32_t>(drop);
    }
}

std::string Venue::bytes_at(std::uint32_t seq, std::size_t size) const {
    return stream_.substr(seq - base_, size);
}

// The next bytes of the stream, at most `size`; they stop at a message's end now and then.
std::string Venue::more(std::size_t size) {
    while (stream_.size() < snd_nxt_ - base_ + size) {
        if (kinds_.has(Kind::fix_garbage) && random_.per_mille(2)) stream_ += quotes_.garbage();
        stream_ += quotes_.next();
        if (random_.per_mille(600)) break;
    }
    return bytes_at(snd_nxt_, size);
}

void Venue::say(const std::string& bytes) {
    stream_.resize(snd_nxt_ - base_);
    stream_ += bytes;
    injected_.push_back({.bytes = finished(segment(bytes, snd_nxt_).frame())});
    snd_nxt_ += static_cast<std::uint32_t>(bytes.size());
}

std::optional<RawFrame> Venue::trouble(std::uint64_t cycle) {
    const std::uint32_t old = snd_nxt_ - base_;
    const std::size_t size = 1 + random_.below(400);
    if (kinds_.has(Kind::duplicates) && random_.per_mille(60) && old > 2) {
        const std::uint32_t back =
            1 + random_.below(std::min<std::uint32_t>(old, random_.coin() ? 600 : 20'000));
        return finish(
            segment(bytes_at(snd_nxt_ - back, std::min<std::size_t>(size, back)), snd_nxt_ - back).frame());
    }
    if (kinds_.has(Kind::overlap) && random_.per_mille(4) && old > 600 && !lost_) {
        const std::uint32_t back = 1 + random_.below(500);
        const std::string fresh = more(1 + random_.below(300));
        const std::uint32_t seq = snd_nxt_ - back;
        snd_nxt_ += static_cast<std::uint32_t>(fresh.size());
        return finish(segment(bytes_at(seq, back + fresh.size()), seq).frame());
    }
    if (kinds_.has(Kind::loss) && random_.per_mille(3) && !lost_) {
        const std::string gone = more(size);
        lost_ = {snd_nxt_, gone.size()};
        until_resend_ = 1 + random_.below(20);
        snd_nxt_ += static_cast<std::uint32_t>(gone.size());
        return {};
    }
    if (kinds_.has(Kind::reorder) && random_.per_mille(3) && !lost_) {
        const std::string first = more(size);
        const std::uint32_t seq = snd_nxt_;
        snd_nxt_ += static_cast<std::uint32_t>(first.size());
        const std::string second = more(1 + random_.below(400));
        injected_.push_back(finish(segment(first, seq).frame()));
        RawFrame out = finish(segment(second, snd_nxt_).frame());
        snd_nxt_ += static_cast<std::uint32_t>(second.size());
        return out;
    }
    if (random_.per_mille(350))
        return stranger(random_, kinds_, segment("", snd_nxt_), tcp_.rcv_nxt, quotes_.tempting());
    if (lost_ && until_resend_ > 0) --until_resend_;
    if (kinds_.has(Kind::window) && random_.per_mille(30)) {
        // Without new data a window closes or grows: Linux does not look at one that shrinks.
        window_ = random_.per_mille(300)
                      ? std::uint16_t{0}
                      : static_cast<std::uint16_t>(window_ + random_.below(0x10000U - window_));
        talk_at_ = cycle + random_.below(4000);
        return finish(segment("", snd_nxt_).frame());
    }
    return {};
}

std::optional<RawFrame> Venue::talk(std::uint64_t cycle) {
    if (tcp_.snd_una != progress_una_ || acknowledged()) {
        progress_una_ = tcp_.snd_una;
        progress_ = cycle;
    }
    const bool stuck = cycle > progress_ + kRetransmit;
    if ((lost_ && (until_resend_ == 0 || paused_)) || stuck) {
        const std::uint32_t seq = stuck ? tcp_.snd_una : lost_->first;
        const std::size_t size = stuck ? std::min<std::size_t>(kSegment, snd_nxt_ - seq) : lost_->second;
        if (!stuck) lost_.reset();
        progress_ = cycle;
        return finish(segment(bytes_at(seq, size), seq).frame());
    }
    // A pause begins behind a message.
    if (paused_ && snd_nxt_ - base_ < stream_.size()) {
        const std::string rest = bytes_at(snd_nxt_, std::min(kSegment, stream_.size() - (snd_nxt_ - base_)));
        const std::uint32_t seq = snd_nxt_;
        snd_nxt_ += static_cast<std::uint32_t>(rest.size());
        return finish(segment(rest, seq).frame());
    }
    if (paused_ || cycle < talk_at_ || snd_nxt_ - tcp_.snd_una > kInFlight) return {};
    if (random_.per_mille(100)) return finish(segment("", snd_nxt_).frame());
    if (kinds_.has(Kind::window) && random_.per_mille(30))
        window_ = static_cast<std::uint16_t>(random_.below(0x10000));
    const std::uint32_t kind = random_.below(10);
    const std::size_t size = 1 + random_.below(kind < 2 ? 30 : kind < 9 ? 350 : kSegment);
    const std::string payload = more(size);
    Packet packet = segment(payload, snd_nxt_);
    if (kinds_.has(Kind::options) && random_.per_mille(200)) {
        // NOPs, and an option that nobody knows.
        packet.tcp_options.assign(4 * (1 + random_.below(10)), 1);
        if (random_.coin()) {
            packet.tcp_options[0] = 253;
            packet.tcp_options[1] = 4;
        }
    }
    if (kinds_.has(Kind::ip_options) && random_.per_mille(5)) packet.ip_options = {1, 1, 1, 0};
    snd_nxt_ += static_cast<std::uint32_t>(payload.size());
    if (random_.per_mille(150)) talk_at_ = cycle + random_.below(3000);
    if (kinds_.has(Kind::ahead) && random_.per_mille(kDamagedShare)) {
        injected_.push_back(finish(packet.frame()));  // is what it takes for lost, and sends again
        return damaged(random_, packet);
    }
    return finish(packet.frame());
}

std::optional<RawFrame> Venue::next(std::uint64_t cycle) {
    std::optional<RawFrame> out;
    if (!injected_.empty()) {
        out = std::move(injected_.front());
        injected_.pop_front();
    } else if (!paused_ && random_.per_mille(250)) {
        out = trouble(cycle);
    }
    if (!out && injected_.empty()) out = talk(cycle);
    if (out) ++frames_;
    return out;
}

}  // namespace fixaccel::hostile
