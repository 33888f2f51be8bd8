// SPDX-License-Identifier: Apache-2.0
// What the fabric keeps of its fires until they have been drained: records of the event ring, payloads of
// orders that were sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "fixaccel/board.hpp"
#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {

// The record of that number, from 1; none where its place holds another.
std::optional<hwmap::ring_record> read_ring_record(Board& board, std::uint32_t entry);
// The one beside it, which is there once the order has left.
std::optional<hwmap::ring_sent_record> read_ring_sent_record(Board& board, std::uint32_t entry);

// `length` bytes from word `sent_at` of the window `sent` on, over its end to its beginning. Throws
// BoardError.
std::string read_sent_bytes(Board& board, std::uint32_t sent_at, std::size_t length);

}  // namespace fixaccel
