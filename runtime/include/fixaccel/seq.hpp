// SPDX-License-Identifier: Apache-2.0
// Arithmetic on the numbers that fabric, kernel and FIX engine share: TCP sequence numbers, BCD, base 36.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "fixaccel/gen/hwmap.hpp"

namespace fixaccel {

// Distance from `from` to `to` modulo 2^32; positive if `to` is later.
constexpr std::int32_t seq_distance(std::uint32_t from, std::uint32_t to) {
    return static_cast<std::int32_t>(to - from);
}

constexpr bool seq_before(std::uint32_t a, std::uint32_t b) { return seq_distance(a, b) > 0; }

// `digits` decimal digits of `value` as BCD, the last digit in the low nibble. Throws std::out_of_range.
constexpr std::uint32_t to_bcd(std::uint64_t value, unsigned digits) {
    std::uint32_t bcd = 0;
    for (unsigned i = 0; i < digits; ++i, value /= 10)
        bcd |= static_cast<std::uint32_t>(value % 10) << (4 * i);
    if (value != 0) throw std::out_of_range("number has too many digits for its BCD field");
    return bcd;
}

// The number that a BCD word shows. Throws std::out_of_range on a nibble above 9.
constexpr std::uint32_t from_bcd(std::uint32_t bcd) {
    std::uint32_t value = 0;
    for (int shift = 28; shift >= 0; shift -= 4) {
        const std::uint32_t digit = (bcd >> shift) & 0xFU;
        if (digit > 9) throw std::out_of_range("not a BCD number");
        value = value * 10 + digit;
    }
    return value;
}

// Last MsgSeqNum that the fabric can count to.
inline constexpr std::uint32_t kMaxSeqNum = [] {
    std::uint32_t limit = 1;
    for (unsigned i = 0; i < hwmap::seq_num_chars; ++i) limit *= 10;
    return limit - 1;
}();

inline constexpr unsigned kEpochChars = 4;

// Appends `chars` base-36 characters (0-9, A-Z), zero padded. Throws std::out_of_range when `value` needs
// more.
inline void append_base36(std::string& text, std::uint64_t value, unsigned chars) {
    text.append(chars, '0');
    for (std::size_t i = text.size(); chars-- > 0; value /= 36)
        text[--i] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[value % 36];
    if (value != 0) throw std::out_of_range("number has too many base-36 digits for its field");
}

inline std::string to_base36(std::uint64_t value, unsigned chars) {
    std::string text;
    append_base36(text, value, chars);
    return text;
}

// ClOrdID of a rule's order, into `text`, whose room is kept: the epoch of its load, its index and how often
// it has fired with it.
inline void write_cl_ord_id(std::string& text, const std::string& epoch, std::uint32_t rule,
                            std::uint32_t fires) {
    constexpr unsigned kNumberChars = (hwmap::cl_ord_id_chars - kEpochChars) / 2;
    text.assign(epoch);
    append_base36(text, rule, kNumberChars);
    append_base36(text, fires, kNumberChars);
}

inline std::string cl_ord_id_of(const std::string& epoch, std::uint32_t rule, std::uint32_t fires) {
    std::string text;
    write_cl_ord_id(text, epoch, rule, fires);
    return text;
}

}  // namespace fixaccel
