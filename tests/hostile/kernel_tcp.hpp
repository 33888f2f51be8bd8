// SPDX-License-Identifier: Apache-2.0
// How Linux judges a segment of an established connection without timestamps (RFC 9293 with RFC 5961), urgent
// data inline.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "packet.hpp"

namespace fixaccel::hostile {

enum class Fate {
    ignored,   // no effect but perhaps a challenge ACK or a repeated ACK
    ack_only,  // no payload
    in_order,  // all of it continues the stream
    overlap,   // its end continues the stream
    ahead,     // kept: it lies behind a hole
    reset,     // RST at the expected number
    finished   // FIN in order
};

struct TcpState {
    std::uint32_t rcv_nxt = 0;
    std::optional<std::uint32_t> rcv_wup{};  // what it has acknowledged; empty: all that it has
    std::uint32_t rcv_window = 0xFFFF;
    std::uint32_t snd_una = 0;
    std::uint32_t snd_nxt = 0;
    std::uint32_t snd_wnd = 0;
    std::uint32_t snd_wl1 = 0;
    std::uint32_t max_window = 0;
    unsigned peer_wscale = 0;
    bool open = true;
};

class KernelTcp : public TcpState {
  public:
    explicit KernelTcp(const TcpState& start) : TcpState(start) {}

    // Takes the segment in. `delivered`, if given, gets what the application can read because of it.
    Fate take(const Segment& segment, std::string* delivered = nullptr);

  private:
    bool take_ack(const Segment& segment);
    void deliver(std::uint32_t seq, const std::string& bytes, std::string* delivered);

    std::map<std::uint32_t, std::string> held_{};  // behind a hole, by distance from `base_`
    std::uint32_t base_ = 0;
};

}  // namespace fixaccel::hostile
