// SPDX-License-Identifier: Apache-2.0
// Digits without printf(): its code would be the coldest on the way of an order. And the sum that ends a
// message. Valid in C++14 and C++20.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace fixaccel {

// The last `count` digits of `number`, zeros ahead; returns what is behind them.
inline char* put_digits(char* at, int count, unsigned number) {
    for (char* digit = at + count; digit != at; number /= 10) *--digit = static_cast<char>('0' + number % 10);
    return at + count;
}

inline void append_number(std::string& out, unsigned number) {
    int count = 1;
    for (unsigned rest = number / 10; rest != 0; rest /= 10) ++count;
    out.append(static_cast<std::size_t>(count), '0');
    put_digits(&out[out.size() - static_cast<std::size_t>(count)], count, number);
}

constexpr std::size_t kTrailerBytes = 7;  // 10=000 and its SOH

// CheckSum(10) of a message whose bytes ahead of it have that sum, and an end of the text.
inline std::array<char, kTrailerBytes + 1> trailer(std::uint32_t sum) {
    std::array<char, kTrailerBytes + 1> field{{'1', '0', '='}};
    *put_digits(field.data() + 3, 3, sum % 256) = '\x01';
    return field;
}

inline std::uint32_t byte_sum(const char* bytes, std::size_t size) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += static_cast<unsigned char>(bytes[i]);
    return sum;
}

// Ends a message that has all but its trailer.
inline void append_trailer(std::string& message) {
    message.append(trailer(byte_sum(message.data(), message.size())).data(), kTrailerBytes);
}

}  // namespace fixaccel
