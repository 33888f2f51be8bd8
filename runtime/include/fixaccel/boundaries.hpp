// SPDX-License-Identifier: Apache-2.0
// Where FIX messages have ended on the session's TCP stream, as far as the FIX engine has read it: what the
// runtime can tell the fabric's parser after a gap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace fixaccel {

struct Boundary {
    std::uint32_t seq = 0;      // TCP sequence number of the next message's first byte
    std::uint32_t seq_num = 0;  // MsgSeqNum that it must have

    bool operator==(const Boundary&) const = default;
};

class Boundaries {
  public:
    // The fabric names a boundary that has just been on the wire; here it is looked for once it has been
    // read, at the latest a burst of messages later: 64 KiB, some 650 messages, and what came in the
    // meantime. So many are 80 ms of 50,000 messages a second.
    static constexpr std::size_t kKept = 4096;

    void clear() { count_ = 0; }
    // A message was read up to `boundary`, or there the FIX engine now expects another number.
    void record(const Boundary& boundary);
    // The MsgSeqNum that was due at `seq`, if that is one of the last kKept boundaries.
    std::optional<Boundary> at(std::uint32_t seq) const;

    // What to tell a fabric with a gap that has read up to `rcv_nxt` and, perhaps, found the stream at
    // `found`; nothing if all that has to come from the socket first. A boundary that is neither of the two
    // makes the fabric name a newer one.
    std::optional<Boundary> resync_point(std::uint32_t rcv_nxt, std::optional<std::uint32_t> found) const;

  private:
    // The one that was recorded `age` others ago.
    const Boundary& back(std::size_t age) const { return kept_[(count_ - 1 - age) % kKept]; }

    std::array<Boundary, kKept> kept_{};
    std::size_t count_ = 0;  // ever recorded
};

}  // namespace fixaccel
