// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/crc32.hpp"

#include <array>

namespace fixaccel {
namespace {

constexpr std::array<std::uint32_t, 256> make_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) != 0U ? 0xEDB88320U : 0U);
        table[i] = value;
    }
    return table;
}

constexpr auto kTable = make_table();

template <typename Bytes>
std::uint32_t over(const Bytes& bytes) {
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const auto byte : bytes) crc = (crc >> 8U) ^ kTable[(crc ^ static_cast<std::uint8_t>(byte)) & 0xFFU];
    return ~crc;
}

}  // namespace

std::uint32_t crc32(std::span<const std::uint8_t> bytes) { return over(bytes); }
std::uint32_t crc32(std::string_view text) { return over(text); }

}  // namespace fixaccel
