// SPDX-License-Identifier: Apache-2.0
// What of a program's file stands in which memory of the fabric's decoder.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fixaccel::feed {

// A write into a memory: as feed_pkg.sv's into_t.
enum class Into : std::uint8_t {
    words,
    initial_numbers,
    initial_texts,
    text_lengths,
    template_rows,
    multiplier
};

struct Write {
    Into into = Into::words;
    std::uint16_t at = 0;
    std::uint64_t low = 0;
    std::uint8_t high = 0;  // bits 64 and up
};

// All of `file`, which read_program() has accepted.
[[nodiscard]] std::vector<Write> writes_of(std::span<const std::uint8_t> file);

}  // namespace fixaccel::feed
