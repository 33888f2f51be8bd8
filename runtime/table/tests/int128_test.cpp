// SPDX-License-Identifier: Apache-2.0
// The two words against the compiler's own, where it has them; what they come to is one sum on every CPU.
#include "fixaccel/int128.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>
#include <vector>

namespace fixaccel {
namespace {

constexpr std::size_t kRandom = 220;
constexpr std::uint64_t kSum = 13812799797828371310U;  // of all that is computed here, on amd64

// Each edge of a word and of half a word, and random numbers of every length.
std::vector<std::array<std::uint64_t, 2>> numbers() {
    std::vector<std::array<std::uint64_t, 2>> all;
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    for (const std::uint64_t high :
         {std::uint64_t{0}, std::uint64_t{1}, most >> 1, (most >> 1) + 1, most - 1, most})
        for (const std::uint64_t low : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{10'000}, most >> 32,
                                        (most >> 32) + 1, most >> 1, (most >> 1) + 1, most})
            all.push_back({high, low});
    std::mt19937_64 random(1);
    while (all.size() < kRandom) {
        const unsigned bits = static_cast<unsigned>(random() % 127 + 1);
        const std::uint64_t high = bits > 64 ? random() >> (128 - bits) : 0;
        const std::uint64_t low = bits >= 64 ? random() : random() >> (64 - bits);
        const bool negative = random() % 2 != 0;
        all.push_back({negative ? ~high : high, negative ? ~low : low});
    }
    return all;
}

template <typename Number>
Number number(const std::array<std::uint64_t, 2>& words) {
    return Number{static_cast<std::int64_t>(words[0])} << 64 | words[1];
}

// Upper and lower, as they are got of what has no shift to the right: rounded to below, for the lower has no
// sign.
template <typename Number>
std::array<std::uint64_t, 2> words(Number value) {
    const Number upper = (value - Number{static_cast<std::uint64_t>(value)}) / (Number{1} << 64);
    return {static_cast<std::uint64_t>(upper), static_cast<std::uint64_t>(value)};
}

// All that is asked of two numbers, without what overflows: 64 bits of each where two are multiplied, and 127
// of each where they are added.
template <typename Number>
std::vector<std::array<std::uint64_t, 2>> results(const std::array<std::uint64_t, 2>& one,
                                                  const std::array<std::uint64_t, 2>& two) {
    const auto a = number<Number>(one);
    const auto b = number<Number>(two);
    const auto short_a = static_cast<std::int64_t>(one[1]);
    const auto short_b = static_cast<std::int64_t>(two[1]);
    const bool below = a < b, equal = a == b, not_above = a <= b;
    std::vector<Number> all{a / 2 + b / 2,
                            a / 2 - b / 2,
                            Number{short_a} * short_b,
                            Number{one[1] >> 1} * two[1],
                            a / 0x10000000 / 0x10000000 * (b % 0x10000000),
                            -(a / 2),
                            ~a,
                            Number{below} * 4 + Number{equal} * 2 + Number{not_above},
                            Number{short_a} - Number{short_b},
                            Number{static_cast<std::int32_t>(short_a)} + 1,
                            Number{one[1] >> 1} << static_cast<unsigned>(two[1] % 64)};
    // The lowest number has no opposite.
    const bool overflows = one[0] == std::uint64_t{1} << 63 && one[1] == 0 && b == -1;
    if (b != 0 && !overflows) {
        all.push_back(a / b);
        all.push_back(a % b);
    }
    std::vector<std::array<std::uint64_t, 2>> found;
    for (const Number& each : all) found.push_back(words(each));
    return found;
}

TEST(Int128, TwoWordsAreWhatTheCompilersOwnAre) {
    const auto all = numbers();
    std::uint64_t sum = 0;
    for (const auto& one : all) {
        for (const auto& two : all) {
            const auto found = results<TwoWords>(one, two);
            ASSERT_EQ(found, results<Int128>(one, two))
                << one[0] << ' ' << one[1] << ", " << two[0] << ' ' << two[1];
            for (const auto& each : found) sum = (sum ^ each[0]) * 0x9E3779B97F4A7C15 + each[1];
        }
    }
    EXPECT_EQ(sum, kSum);
}

TEST(Int128, TwoWordsAreKnownAtCompileTime) {
    constexpr TwoWords product = TwoWords{std::numeric_limits<std::int64_t>::min()} * 10;
    static_assert(product / 10 == std::numeric_limits<std::int64_t>::min());
    static_assert(product < 0 && -product > std::numeric_limits<std::int64_t>::max());
    static_assert(TwoWords{7} / -2 == -3 && TwoWords{-7} % 2 == -1);
    static_assert((TwoWords{1} << 100) / (TwoWords{1} << 70) == 1 << 30);
}

}  // namespace
}  // namespace fixaccel
