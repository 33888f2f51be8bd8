// SPDX-License-Identifier: Apache-2.0
#include "cpu_side.hpp"

#include <algorithm>

#include "failure.hpp"
#include "fix_text.hpp"

namespace fixaccel::hostile {
namespace {

constexpr std::uint64_t kRetransmit = 300'000;  // cycles without progress
constexpr std::size_t kSegment = 1460;

}  // namespace

CpuSide::CpuSide(Random& random, const Referee::Session& s)
    : random_(random),
      session_(s),
      tcp_(TcpState{.rcv_nxt = s.rcv_nxt,
                    .snd_una = s.snd_nxt,
                    .snd_nxt = s.snd_nxt,
                    .snd_wnd = s.peer_window,
                    .snd_wl1 = s.rcv_nxt,
                    .max_window = s.peer_window,
                    .peer_wscale = s.peer_wscale}) {}

void CpuSide::receive(const Bytes& frame, std::uint64_t cycle) {
    const auto segment = delivered(frame, session_.remote, session_.local);
    if (!segment || gone_) return;
    const std::uint32_t una = tcp_.snd_una;
    const Fate fate = tcp_.take(*segment, &pending_);
    gone_ = fate == Fate::reset;
    if (tcp_.snd_una != una) {
        unacked_.erase(0, tcp_.snd_una - una);
        progress_ = cycle;
    }
    read();
    // Data is acknowledged after a while, what was refused at once.
    if (fate != Fate::ack_only && fate != Fate::reset && !ack_at_)
        ack_at_ = cycle + random_.below(fate == Fate::in_order ? 3000 : 100);
}

// The FIX engine's way: what is no message is skipped up to the next beginning of one.
void CpuSide::read() {
    while (true) {
        const Framed framed = frame_message(pending_);
        if (framed.what == Framed::What::more) return;
        if (framed.what == Framed::What::whole) {
            const auto fields = fix_fields(pending_.substr(0, framed.length));
            const std::string* const number = fields && framed.sum_right ? find(*fields, 34) : nullptr;
            if (number != nullptr && *number == std::to_string(next_number_)) ++next_number_;
            pending_.erase(0, framed.length);
            boundaries_.record({boundary(), next_number_});
            ++messages_;
            continue;
        }
        const std::size_t next = pending_.find("8=", 1);
        pending_.erase(0, next == std::string::npos ? pending_.size() : next);
    }
}

Bytes CpuSide::segment(std::uint8_t flags, std::uint32_t seq, const std::string& payload) const {
    return finished(Packet{.from = session_.local,
                           .to = session_.remote,
                           .seq = seq,
                           .ack = tcp_.rcv_nxt,
                           .flags = flags,
                           .window = 0xFFFF,
                           .payload = payload}
                        .frame());
}

void CpuSide::commit(const std::string& bytes) {
    unacked_ += bytes;
    tcp_.snd_nxt += static_cast<std::uint32_t>(bytes.size());
}

void CpuSide::send(const std::string& bytes) {
    queue_.push_back({.bytes = segment(flag::ack | flag::psh, tcp_.snd_nxt, bytes), .gap = 0});
    commit(bytes);
}

void CpuSide::close(std::uint8_t flags) {
    queue_.push_back({.bytes = segment(flags, tcp_.snd_nxt, {}), .gap = 0});
    if ((flags & flag::fin) != 0) {
        ++tcp_.snd_nxt;
        fin_sent_ = true;
    }
    gone_ = (flags & flag::rst) != 0;
}

Bytes CpuSide::noise() {
    Endpoint from = session_.local, to = session_.remote;
    switch (random_.below(4)) {
        case 0:
            from.port ^= 1U;
            break;
        case 1:
            to.ip ^= 1U;
            break;
        default: {
            Bytes frame(14 + random_.below(random_.per_mille(100) ? 1500 : 120));
            for (auto& byte : frame) byte = static_cast<std::uint8_t>(random_.word());
            frame[12] = 0x08;
            frame[13] = 0x06;
            return finished(frame);
        }
    }
    return finished(Packet{.from = from,
                           .to = to,
                           .seq = static_cast<std::uint32_t>(random_.word()),
                           .flags = static_cast<std::uint8_t>(random_.word()),
                           .payload = std::string(random_.below(200), 'x')}
                        .frame());
}

std::optional<RawFrame> CpuSide::next(std::uint64_t cycle) {
    if (!queue_.empty()) {
        RawFrame frame = std::move(queue_.front());
        queue_.pop_front();
        return frame;
    }
    if (gone_) return {};
    if (ack_at_ && cycle >= *ack_at_) {
        ack_at_.reset();
        return RawFrame{.bytes = segment(flag::ack, tcp_.snd_nxt, {}), .gap = 0};
    }
    if (unacked_.empty())
        progress_ = cycle;  // the timer starts with the first byte that nobody has acknowledged
    if (!unacked_.empty() && cycle > progress_ + kRetransmit) {
        progress_ = cycle;
        return RawFrame{.bytes = segment(flag::ack | flag::psh, tcp_.snd_una, unacked_.substr(0, kSegment)),
                        .gap = 0};
    }
    if (noise_ && (cycle & 0x3FFU) == 0 && random_.per_mille(100))
        return RawFrame{.bytes = noise(), .gap = 0};
    return {};
}

}  // namespace fixaccel::hostile
