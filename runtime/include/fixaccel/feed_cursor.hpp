// SPDX-License-Identifier: Apache-2.0
// The bytes of a datagram as FAST has them: seven bits a byte up to a stop bit; presence maps; what is
// counted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "fixaccel/gen/feed.hpp"
#include "fixaccel/int128.hpp"

namespace fixaccel::feed {

// A fatal fault: the map's code, 0 for none, and the byte that it is told of.
struct Fault {
    std::uint32_t code = 0;
    std::uint32_t byte = 0;
};

// How often each fault was seen that is not fatal.
struct Counts {
    std::uint32_t r6 = 0;
    std::uint32_t r7 = 0;
    std::uint32_t r8 = 0;
    std::uint32_t r9 = 0;
};

// A presence map: bits from the front, zeros behind them. One of no bits is that of a block without a map.
class Map {
  public:
    Map() = default;
    // 7 bits for each byte, the last one lowest in `low`; what is beyond 64 bits in `high`.
    Map(std::uint64_t high, std::uint64_t low, std::uint32_t count) : left_(7 * count), long_(count > 1) {
        const std::uint32_t shift = 128 - left_;
        high_ = shift >= 64 ? low << (shift - 64) : high << shift | low >> (64 - shift);
        low_ = shift >= 64 ? 0 : low << shift;
    }

    // The next bit.
    bool take() {
        const bool bit = (high_ >> 63) != 0;
        high_ = high_ << 1 | low_ >> 63;
        low_ <<= 1;
        if (left_ != 0) --left_;
        return bit;
    }

    // Whether bits are left over that nobody has taken: one that is set, or a whole byte behind the first.
    [[nodiscard]] bool left_over() const { return (high_ | low_) != 0 || (left_ >= 7 && long_); }

  private:
    std::uint64_t high_ = 0;
    std::uint64_t low_ = 0;
    std::uint32_t left_ = 0;
    bool long_ = false;
};

static_assert(7 * entity_bytes <= 128 - 8, "an entity fits into two words");

class Cursor {
  public:
    Cursor() = default;
    explicit Cursor(std::span<const std::uint8_t> data)
        : begin_(data.data()), place_(begin_), end_(begin_ + data.size()) {}

    Counts counts;

    [[nodiscard]] std::uint32_t at() const { return static_cast<std::uint32_t>(place_ - begin_); }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(end_ - begin_); }
    [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - place_); }

    // So many bytes as they are, which are there.
    const std::uint8_t* take(std::size_t count) {
        const std::uint8_t* const taken = place_;
        place_ += count;
        return taken;
    }

    // An integer as it stands there: up to 70 bits.
    Fault integer(bool is_signed, Int128& value) {
        // Most have one byte.
        if (place_ != end_ && (*place_ & kStop) != 0) {
            const std::uint32_t byte = *place_++ & kData;
            value = is_signed ? static_cast<Int128>(static_cast<std::int32_t>(byte << 25) >> 25)
                              : static_cast<Int128>(byte);
            return {};
        }
        return longer(is_signed, value);
    }

    // The same where it is nullable: one lower from zero on.
    Fault nullable(bool is_signed, Int128& value, bool& null) {
        const Fault fault = integer(is_signed, value);
        null = value == 0;
        if (value > 0) --value;
        return fault;
    }

    Fault map(Map& found) {
        if (place_ != end_ && (*place_ & kStop) != 0) {
            found = Map(0, *place_++ & kData, 1);
            return {};
        }
        std::uint32_t count = 0;
        if (const Fault fault = entity(count, entity_bytes); fault.code != 0) return fault;
        std::uint64_t high = 0;
        const std::uint64_t low = gathered(count, high);
        if (place_[-1] == kStop) ++counts.r7;
        found = Map(high, low, count);
        return {};
    }

    void close(const Map& map) { counts.r8 += map.left_over() ? 1 : 0; }

    // Passes over bytes up to a stop bit; whether they are a null.
    Fault pass(bool& null) {
        const std::uint32_t start = at();
        std::uint8_t any = 0;
        while (place_ != end_) {
            const std::uint8_t byte = *place_++;
            any = static_cast<std::uint8_t>(any | (byte & kData));
            if ((byte & kStop) != 0) {
                null = any == 0;
                return {};
            }
        }
        return {code_u1, start};
    }

    // Characters: all bytes up to the stop bit, which is still in the last one; zeros in front that only say
    // what it is are not among them.
    Fault ascii(bool is_nullable, std::span<const std::uint8_t>& text, bool& null) {
        std::uint32_t count = 0;
        if (const Fault fault = entity(count, 0); fault.code != 0) return fault;
        const std::uint8_t* first = place_ - count;
        null = false;
        if ((*first & kData) == 0) {
            if (count == 1) {
                null = is_nullable;
                text = {};
                return {};
            }
            ++first;
            --count;
            if (is_nullable && (*first & kData) == 0) {
                ++first;
                --count;
            }
            if (count != 0 && (*first & kData) != 0) ++counts.r9;
        }
        text = {first, count};
        return {};
    }

    // Bytes behind their number.
    Fault vector(bool is_nullable, std::span<const std::uint8_t>& text, bool& null) {
        const std::uint32_t start = at();
        Int128 length = 0;
        null = false;
        const Fault fault = is_nullable ? nullable(false, length, null) : integer(false, length);
        if (fault.code != 0) return fault;
        text = {};
        if (null) return {};
        if (length >= static_cast<Int128>(1) << 32) return {code_d2, start};
        if (length > static_cast<Int128>(left())) return {code_u1, start};
        text = {place_, static_cast<std::size_t>(length)};
        place_ += text.size();
        return {};
    }

  private:
    static constexpr std::uint8_t kStop = 0x80;
    static constexpr std::uint8_t kData = 0x7F;

    // Goes behind the next stop bit; `most` bytes at most, unless 0.
    Fault entity(std::uint32_t& count, std::uint32_t most) {
        const std::uint8_t* const start = place_;
        const std::uint8_t* last = end_;
        if (most != 0 && left() >= most) last = start + most;
        for (const std::uint8_t* byte = start; byte != last; ++byte)
            if ((*byte & kStop) != 0) {
                place_ = byte + 1;
                count = static_cast<std::uint32_t>(place_ - start);
                return {};
            }
        return {most != 0 && left() >= most ? code_u3 : code_u1, at()};
    }

    // The bits of the last `count` bytes, up to 64 of them; those beyond in `high`.
    [[nodiscard]] std::uint64_t gathered(std::uint32_t count, std::uint64_t& high) const {
        std::uint64_t low = 0;
        high = 0;
        for (const std::uint8_t* byte = place_ - count; byte != place_; ++byte) {
            high = high << 7 | low >> 57;
            low = low << 7 | (*byte & kData);
        }
        return low;
    }

    Fault longer(bool is_signed, Int128& value) {
        std::uint32_t count = 0;
        if (const Fault fault = entity(count, entity_bytes); fault.code != 0) return fault;
        const std::uint8_t* const first = place_ - count;
        const bool negative = is_signed && (*first & 0x40) != 0;
        if (*first == (negative ? kData : 0) && (!is_signed || ((first[1] & 0x40) != 0) == negative))
            ++counts.r6;
        if (count < entity_bytes) {  // 63 bits
            std::uint64_t low = 0;
            for (const std::uint8_t* byte = first; byte != place_; ++byte) low = low << 7 | (*byte & kData);
            value = static_cast<Int128>(low);
        } else {
            std::uint64_t high = 0;
            const std::uint64_t low = gathered(count, high);
            value = static_cast<Int128>(high) << 64 | static_cast<Int128>(low);
        }
        if (negative) value -= static_cast<Int128>(1) << (7 * count);
        return {};
    }

    const std::uint8_t* begin_ = nullptr;
    const std::uint8_t* place_ = nullptr;
    const std::uint8_t* end_ = nullptr;
};

}  // namespace fixaccel::feed
