// SPDX-License-Identifier: Apache-2.0
#include "kernel_tcp.hpp"

#include <algorithm>

namespace fixaccel::hostile {

// tcp_ack() and tcp_ack_update_window(): false if the segment is dropped for its acknowledgement.
bool KernelTcp::take_ack(const Segment& s) {
    if (ahead(snd_nxt, s.ack) > 0) return false;
    const bool old = ahead(snd_una, s.ack) < 0;
    if (old && ahead(snd_una - max_window, s.ack) < 0) return false;
    if (old) return true;
    const std::uint32_t window = static_cast<std::uint32_t>(s.window) << peer_wscale;
    const bool newer = s.ack != snd_una || ahead(snd_wl1, s.seq) > 0 ||
                       (s.seq == snd_wl1 && (window > snd_wnd || window == 0));
    if (newer) {
        snd_wl1 = s.seq;
        snd_wnd = window;
        max_window = std::max(max_window, window);
    }
    snd_una = s.ack;
    return true;
}

void KernelTcp::deliver(std::uint32_t seq, const std::string& bytes, std::string* delivered) {
    const std::string fresh = bytes.substr(rcv_nxt - seq);
    if (delivered != nullptr) *delivered += fresh;
    rcv_nxt += static_cast<std::uint32_t>(fresh.size());
}

Fate KernelTcp::take(const Segment& s, std::string* delivered) {
    if (!open) return Fate::ignored;
    if (ahead(rcv_wup.value_or(rcv_nxt), s.end()) < 0 || ahead(rcv_nxt + rcv_window, s.seq) > 0)
        return Fate::ignored;
    if ((s.flags & flag::rst) != 0) {
        if (s.seq != rcv_nxt) return Fate::ignored;
        open = false;
        return Fate::reset;
    }
    if ((s.flags & flag::syn) != 0 || (s.flags & flag::ack) == 0 || !take_ack(s)) return Fate::ignored;
    const bool fin = (s.flags & flag::fin) != 0;
    if (s.payload.empty() && !fin) return Fate::ack_only;
    if (ahead(rcv_nxt, s.seq) > 0) {
        if (held_.empty()) base_ = rcv_nxt;
        std::string& kept = held_[s.seq - base_];
        if (kept.size() < s.payload.size()) kept = s.payload;
        return Fate::ahead;
    }
    if (ahead(rcv_nxt, s.end()) <= 0) return Fate::ignored;
    const bool whole = s.seq == rcv_nxt;
    if (rcv_nxt - s.seq < s.payload.size()) deliver(s.seq, s.payload, delivered);
    for (auto next = held_.begin(); next != held_.end() && ahead(rcv_nxt, base_ + next->first) <= 0;) {
        if (rcv_nxt - (base_ + next->first) < next->second.size())
            deliver(base_ + next->first, next->second, delivered);
        next = held_.erase(next);
    }
    if (fin && rcv_nxt + 1 == s.end()) {
        open = false;
        return Fate::finished;
    }
    return whole ? Fate::in_order : Fate::overlap;
}

}  // namespace fixaccel::hostile
