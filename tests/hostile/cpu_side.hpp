// SPDX-License-Identifier: Apache-2.0
// The Linux kernel behind the fabric, and as much of the application as finds message boundaries.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "core_bench.hpp"
#include "fixaccel/boundaries.hpp"
#include "kernel_tcp.hpp"
#include "random.hpp"
#include "referee.hpp"

namespace fixaccel::hostile {

class CpuSide {
  public:
    CpuSide(Random& random, const Referee::Session& session);

    void receive(const Bytes& frame, std::uint64_t cycle);
    std::optional<RawFrame> next(std::uint64_t cycle);

    // Bytes that the fabric has sent, put into the send queue (TCP_REPAIR).
    void commit(const std::string& bytes);
    // Bytes of the application, sent as one segment.
    void send(const std::string& bytes);
    void close(std::uint8_t flags);
    // Frames of other connections and protocols now and then.
    void set_noise(bool on) { noise_ = on; }
    void inject(Bytes frame) { queue_.push_back({.bytes = std::move(frame), .gap = 0}); }

    std::uint32_t snd_nxt() const { return tcp_.snd_nxt; }
    // TCP sequence number of the next FIX message that the application has not read.
    std::uint32_t boundary() const { return tcp_.rcv_nxt - static_cast<std::uint32_t>(pending_.size()); }
    std::uint32_t rcv_nxt() const { return tcp_.rcv_nxt; }
    // MsgSeqNum that the next message must have.
    std::uint32_t next_number() const { return next_number_; }
    // Where messages have ended, and which number was next there.
    const Boundaries& boundaries() const { return boundaries_; }
    std::uint64_t read_messages() const { return messages_; }
    // It has sent its FIN; that may not have left yet.
    bool fin_sent() const { return fin_sent_; }
    // Nothing waits to be sent.
    bool idle() const { return queue_.empty() && (gone_ || !ack_at_); }
    Bytes segment(std::uint8_t flags, std::uint32_t seq, const std::string& payload) const;

  private:
    void read();
    Bytes noise();

    Random& random_;
    Referee::Session session_;
    KernelTcp tcp_;
    std::string unacked_{};  // from snd_una on
    std::string pending_{};  // read, not yet a whole message
    std::uint64_t messages_ = 0;
    std::uint32_t next_number_ = 1;
    Boundaries boundaries_{};
    std::deque<RawFrame> queue_{};
    std::optional<std::uint64_t> ack_at_{};
    std::uint64_t progress_ =
        0;  // last cycle with an acknowledgement of something new, or with nothing to acknowledge
    bool noise_ = false;
    bool fin_sent_ = false;
    bool gone_ = false;  // reset by either side: nothing is sent any more
};

}  // namespace fixaccel::hostile
