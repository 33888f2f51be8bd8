// SPDX-License-Identifier: Apache-2.0
// What numbers in the columns of a software table mean, and the clock's.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fixaccel {

constexpr std::uint8_t kBuy = 0;  // order.side
constexpr std::uint8_t kSell = 1;
constexpr std::uint8_t kLimit = 1;  // order.type
// Sources that a message carries.
enum Carried : std::size_t { kBid, kAsk, kLast };

constexpr std::int64_t kSecond = 1'000'000'000;  // nanoseconds
constexpr std::int64_t kDay = 24 * 60 * 60;      // seconds

}  // namespace fixaccel
