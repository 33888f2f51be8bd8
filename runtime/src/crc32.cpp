// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/crc32.hpp"

#include <zlib.h>

namespace fixaccel {
namespace {

std::uint32_t over(const void* bytes, std::size_t size) {
    return static_cast<std::uint32_t>(::crc32_z(0, static_cast<const Bytef*>(bytes), size));
}

}  // namespace

std::uint32_t crc32(std::span<const std::uint8_t> bytes) { return over(bytes.data(), bytes.size()); }
std::uint32_t crc32(std::string_view text) { return over(text.data(), text.size()); }

}  // namespace fixaccel
