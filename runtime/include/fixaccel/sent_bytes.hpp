// SPDX-License-Identifier: Apache-2.0
// Payloads of sent orders, as the fabric keeps them until their fires have been drained.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "fixaccel/board.hpp"

namespace fixaccel {

// `length` bytes from word `sent_at` of the window `sent` on, over its end to its beginning. Throws
// BoardError.
std::string read_sent_bytes(Board& board, std::uint32_t sent_at, std::size_t length);

}  // namespace fixaccel
