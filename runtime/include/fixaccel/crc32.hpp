// SPDX-License-Identifier: Apache-2.0
// CRC-32 of IEEE 802.3: the FCS of frames, and what the fabric knows of a FIX value that it compares.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace fixaccel {

std::uint32_t crc32(std::span<const std::uint8_t> bytes);
std::uint32_t crc32(std::string_view text);

}  // namespace fixaccel
