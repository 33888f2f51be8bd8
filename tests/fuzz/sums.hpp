// SPDX-License-Identifier: Apache-2.0
// What fuzzers share: what has to hold, and sums that fit, so that inputs get past them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace fixaccel::fuzz {

// Ends the process, which is what an engine takes for a finding, unless `holds`.
void require(bool holds, const char* what);

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

void write_text(const std::filesystem::path& file, std::string_view text);
// Empty if it cannot be read.
std::string read_text(const std::filesystem::path& file);

// Lines of a journal, of which those that begin with "~ " get the sum that is right.
std::string with_sums(std::string_view lines);
// A line of a journal, without its end, whose sum is right.
bool sum_fits(std::string_view line);

// A FIX message around `body`, which has `|` between its fields.
std::string framed(std::string_view body);

}  // namespace fixaccel::fuzz
