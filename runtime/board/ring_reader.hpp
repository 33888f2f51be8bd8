// SPDX-License-Identifier: Apache-2.0
// Drains the event ring as the runtime does: record, sent bytes, commit, tail.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fixaccel/board.hpp"
#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel::board {

struct Fire {
    hwmap::ring_record record;
    hwmap::ring_sent_record sent;  // zero when rejected
    std::string payload;           // the FIX message as sent, empty when rejected

    bool was_sent() const { return record.outcome() == hwmap::outcome_sent; }
    // Of a trail, where its stop was.
    std::optional<std::int64_t> stop{};

    // One line of JSON: the fields of both records by their names, and the payload with its bytes as
    // characters.
    std::string json() const;
};

class RingReader {
  public:
    // Without `kept_bytes` payloads stay empty, and a record takes less of the port's time than its order
    // does of the line's.
    explicit RingReader(Board& board, bool kept_bytes = true) : board_(board), kept_bytes_(kept_bytes) {}
    // The next record, if its order has left entirely; its bytes are committed and its place in the ring is
    // free again. `departed` says how many orders the caller saw leave so far.
    std::optional<Fire> next(std::uint64_t departed);
    std::uint32_t taken() const { return tail_; }

  private:
    Board& board_;
    bool kept_bytes_;
    std::uint32_t tail_ = 0;
    std::uint64_t sent_ = 0;
};

}  // namespace fixaccel::board
