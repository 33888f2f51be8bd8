// SPDX-License-Identifier: Apache-2.0
// Whole numbers of 128 bits with a sign: the compiler's own where it has them, two words where it has none,
// as on a board's 32-bit CPU.
#pragma once

#include <bit>
#include <compare>
#include <concepts>
#include <cstdint>

namespace fixaccel {

// A number in two's complement, with the operators that are used of the compiler's own. As there, what goes
// beyond 128 bits and a division by zero are the caller's fault, and a conversion keeps the lowest bits.
class TwoWords {
  public:
    constexpr TwoWords() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): as any whole number becomes a longer one
    constexpr TwoWords(std::signed_integral auto value)
        : high_(value < 0 ? ~std::uint64_t{0} : 0), low_(static_cast<std::uint64_t>(value)) {}
    // NOLINTNEXTLINE(google-explicit-constructor)
    constexpr TwoWords(std::unsigned_integral auto value) : low_(value) {}

    template <std::integral To>
    requires(!std::same_as<To, bool>) constexpr explicit operator To() const { return static_cast<To>(low_); }

    friend constexpr bool operator==(const TwoWords&, const TwoWords&) = default;
    friend constexpr std::strong_ordering operator<=>(const TwoWords& a, const TwoWords& b) {
        const auto high = static_cast<std::int64_t>(a.high_) <=> static_cast<std::int64_t>(b.high_);
        return high != 0 ? high : a.low_ <=> b.low_;
    }

    friend constexpr TwoWords operator+(const TwoWords& a, const TwoWords& b) {
        const std::uint64_t low = a.low_ + b.low_;
        return {a.high_ + b.high_ + (low < a.low_ ? 1 : 0), low};
    }
    friend constexpr TwoWords operator-(const TwoWords& a, const TwoWords& b) {
        return {a.high_ - b.high_ - (a.low_ < b.low_ ? 1 : 0), a.low_ - b.low_};
    }
    friend constexpr TwoWords operator*(const TwoWords& a, const TwoWords& b) {
        // The product of the lower words by halves; no sum of three of them goes beyond a word.
        const std::uint64_t inner = lower(a.low_) * lower(b.low_);
        const std::uint64_t one = upper(a.low_) * lower(b.low_) + upper(inner);
        const std::uint64_t other = lower(a.low_) * upper(b.low_) + lower(one);
        const std::uint64_t high = upper(a.low_) * upper(b.low_) + upper(one) + upper(other);
        return {high + a.high_ * b.low_ + a.low_ * b.high_, other << kHalf | lower(inner)};
    }
    friend constexpr TwoWords operator/(const TwoWords& a, const TwoWords& b) {
        TwoWords rest = a.magnitude();
        const TwoWords quotient = divide(rest, b.magnitude());
        return a.negative() == b.negative() ? quotient : -quotient;
    }
    friend constexpr TwoWords operator%(const TwoWords& a, const TwoWords& b) {
        TwoWords rest = a.magnitude();
        divide(rest, b.magnitude());
        return a.negative() ? -rest : rest;
    }
    friend constexpr TwoWords operator|(const TwoWords& a, const TwoWords& b) {
        return {a.high_ | b.high_, a.low_ | b.low_};
    }
    constexpr TwoWords operator<<(unsigned count) const {
        if (count == 0) return *this;
        if (count >= kWord) return {low_ << (count - kWord), 0};
        return {high_ << count | low_ >> (kWord - count), low_ << count};
    }
    constexpr TwoWords operator-() const { return TwoWords{} - *this; }
    constexpr TwoWords operator~() const { return {~high_, ~low_}; }

    constexpr TwoWords& operator+=(const TwoWords& other) { return *this = *this + other; }
    constexpr TwoWords& operator-=(const TwoWords& other) { return *this = *this - other; }
    constexpr TwoWords& operator--() { return *this -= 1; }

  private:
    static constexpr unsigned kWord = 64;
    static constexpr unsigned kHalf = 32;

    constexpr TwoWords(std::uint64_t high, std::uint64_t low) : high_(high), low_(low) {}

    static constexpr std::uint64_t lower(std::uint64_t word) { return word & 0xFFFFFFFF; }
    static constexpr std::uint64_t upper(std::uint64_t word) { return word >> kHalf; }

    constexpr bool negative() const { return high_ >> (kWord - 1) != 0; }
    constexpr TwoWords magnitude() const { return negative() ? -*this : *this; }
    constexpr unsigned zeros() const {
        return static_cast<unsigned>(high_ != 0 ? std::countl_zero(high_)
                                                : static_cast<int>(kWord) + std::countl_zero(low_));
    }

    // Both without a sign: all 128 bits count.
    static constexpr bool below(const TwoWords& a, const TwoWords& b) {
        return a.high_ != b.high_ ? a.high_ < b.high_ : a.low_ < b.low_;
    }
    // The quotient; `a` becomes the remainder.
    static constexpr TwoWords divide(TwoWords& a, const TwoWords& b) {
        if ((a.high_ | b.high_) == 0) {
            const std::uint64_t quotient = a.low_ / b.low_;
            a = {0, a.low_ % b.low_};
            return quotient;
        }
        if (b.high_ == 0 && upper(b.low_) == 0) {  // by half a word: half a word at a time
            const std::uint64_t high = a.high_ / b.low_;
            const std::uint64_t middle = a.high_ % b.low_ << kHalf | upper(a.low_);
            const std::uint64_t last = middle % b.low_ << kHalf | lower(a.low_);
            a = {0, last % b.low_};
            return {high, (middle / b.low_ << kHalf) + last / b.low_};
        }
        TwoWords quotient;
        if (below(a, b)) return quotient;
        for (unsigned bit = b.zeros() - a.zeros() + 1; bit-- > 0;) {
            const TwoWords part = b << bit;
            if (below(a, part)) continue;
            a -= part;
            quotient = quotient | TwoWords{1} << bit;
        }
        return quotient;
    }

    std::uint64_t high_ = 0;
    std::uint64_t low_ = 0;
};

#ifdef __SIZEOF_INT128__
__extension__ using Int128 = __int128;
#else
using Int128 = TwoWords;
#endif

}  // namespace fixaccel
