// SPDX-License-Identifier: Apache-2.0
// Values of fields: types, operators, and the slots in which previous values stand.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "fixaccel/feed_cursor.hpp"
#include "fixaccel/feed_program.hpp"

namespace fixaccel::feed {

class Values {
  public:
    Values(const Program& program, std::size_t longest)
        : program_(program), scratch_(longest + 2U * kept_bytes) {}

    // A datagram begins: nothing is known of those before.
    void begin() {
        forget();
        length_ = 0;
        exponent_ = 0;
        absent_ = false;
    }

    // Makes every previous value undefined.
    void forget() {
        std::memset(number_states_.data(), 0, program_.numbers.size());
        std::memset(text_states_.data(), 0, program_.texts.size());
    }

    // Of the length that was read last.
    [[nodiscard]] bool absent() const { return absent_; }
    [[nodiscard]] std::uint32_t length() const { return length_; }

    // Reads the field of `word` and tells it where anybody wants it.
    template <class Sink>
    Fault field(std::uint32_t at, const Word& word, Cursor& cursor, Map& map, Sink& sink) {
        if (word.type == Type::mantissa && absent_) return {};
        const bool given = !word.takes_bit || map.take();
        if (word.passed) return given ? passed(word, cursor) : Fault{};
        if (word.type == Type::decimal) return decimal(at, word, cursor, given, sink);
        if (word.is_text()) return text(at, word, cursor, given, sink);
        return integer(at, word, cursor, given, sink);
    }

  private:
    enum State : std::uint8_t { undefined, empty, assigned };
    struct Bounds {
        Int128 low;
        Int128 high;
    };
    static constexpr int kExponentMost = 63;

    static Bounds bounds(Type type) {
        switch (type) {
            case Type::uint32:
            case Type::length:
                return {0, std::numeric_limits<std::uint32_t>::max()};
            case Type::int64:
            case Type::mantissa:
                return signed64();
            case Type::uint64:
                return {0, static_cast<Int128>(std::numeric_limits<std::uint64_t>::max())};
            default:
                return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
        }
    }
    static Bounds signed64() {
        return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
    }
    static bool outside(Int128 value, const Bounds& bounds) {
        return value < bounds.low || value > bounds.high;
    }

    // A kept number as the type reads it.
    static Int128 typed(const Word& word, std::uint64_t mantissa) {
        return word.is_unsigned() ? static_cast<Int128>(mantissa)
                                  : static_cast<Int128>(static_cast<std::int64_t>(mantissa));
    }

    // The code of a field whose bit is 0 and whose slot is in that state; 0: it is no fault.
    [[nodiscard]] static std::uint32_t missing(const Word& word, State state) {
        const bool tail = word.oper == Operator::tail;
        if (word.optional || state == assigned) return 0;
        if (state == empty) return tail ? code_d7 : code_d6;
        return word.has_initial ? 0 : (tail ? code_d6 : code_d5);
    }

    // The value of a field whose bit is 0, which becomes the previous one; null where it is absent. A field
    // without an entry has no slot to look at.
    template <class Value>
    static Fault implied(const Word& word, std::uint32_t byte, State* states, Value* kept,
                         const std::vector<Value>& initials, const Value*& found) {
        if (word.oper == Operator::constant) return {};
        const Value* const initial = word.has_initial ? &initials[word.initial] : nullptr;
        if (!word.has_entry()) {
            found = initial;
            return {};
        }
        State& state = states[word.slot];
        if (const std::uint32_t code = missing(word, state); code != 0) return {code, byte};
        if (state == undefined) {
            state = initial == nullptr ? empty : assigned;
            if (initial != nullptr) kept[word.slot] = *initial;
        }
        if (state == assigned) found = &kept[word.slot];
        return {};
    }

    // Integers

    template <class Sink>
    Fault integer(std::uint32_t at, const Word& word, Cursor& cursor, bool given, Sink& sink) {
        const std::uint32_t byte = cursor.at();
        Int128 value = 0;
        bool null = false;
        const Fault fault =
            given ? read_integer(word, cursor, byte, value, null) : implied_integer(word, byte, value, null);
        if (fault.code != 0) return fault;
        switch (word.type) {
            case Type::exponent:
                absent_ = null;
                if (null) return {};
                if (value < -kExponentMost || value > kExponentMost) return {code_r1, byte};
                exponent_ = static_cast<int>(value);
                return {};
            case Type::length:
                absent_ = null;
                length_ = static_cast<std::uint32_t>(value);
                return {};
            case Type::mantissa:
                if (word.told) sink.decimal(at, word, exponent_, static_cast<std::int64_t>(value));
                return {};
            default:
                if (word.told && !null) sink.number(at, word, static_cast<std::uint64_t>(value));
                return {};
        }
    }

    Fault read_integer(const Word& word, Cursor& cursor, std::uint32_t byte, Int128& value, bool& null) {
        if (word.oper == Operator::constant) {
            value = typed(word, program_.numbers[word.initial].mantissa);
            return {};
        }
        const bool delta = word.oper == Operator::delta;
        const bool is_signed = delta || !word.is_unsigned();
        const Fault fault =
            word.optional ? cursor.nullable(is_signed, value, null) : cursor.integer(is_signed, value);
        if (fault.code != 0) return fault;
        if (delta) return null ? Fault{} : plus(word, byte, value);
        if (!null && outside(value, bounds(word.type))) return {code_d2, byte};
        if (word.has_entry()) keep(word, value, null);
        return {};
    }

    // The base in place of a delta, and both added.
    Fault plus(const Word& word, std::uint32_t byte, Int128& value) {
        const State state = number_states_[word.slot];
        if (state == empty) return {code_d6, byte};
        if (state == assigned)
            value += typed(word, kept_numbers_[word.slot].mantissa);
        else if (word.has_initial)
            value += typed(word, program_.numbers[word.initial].mantissa);
        if (outside(value, bounds(word.type))) return {code_r4, byte};
        keep(word, value, false);
        return {};
    }

    Fault implied_integer(const Word& word, std::uint32_t byte, Int128& value, bool& null) {
        const bool counts = word.oper == Operator::increment && number_states_[word.slot] == assigned;
        const Number* found = nullptr;
        const Fault fault =
            implied(word, byte, number_states_.data(), kept_numbers_.data(), program_.numbers, found);
        null = found == nullptr;
        if (null) return fault;
        value = typed(word, found->mantissa);
        if (counts) {
            const Bounds of = bounds(word.type);
            value = value == of.high ? of.low : value + 1;
        }
        if (word.has_entry()) keep(word, value, false);
        return {};
    }

    void keep(const Word& word, Int128 value, bool null) {
        number_states_[word.slot] = null ? empty : assigned;
        kept_numbers_[word.slot] = {static_cast<std::uint64_t>(value), 0};
    }

    // Decimals with one operator

    template <class Sink>
    Fault decimal(std::uint32_t at, const Word& word, Cursor& cursor, bool given, Sink& sink) {
        const std::uint32_t byte = cursor.at();
        Number value;
        bool null = false;
        const Fault fault =
            given ? read_decimal(word, cursor, byte, value, null) : implied_decimal(word, byte, value, null);
        if (fault.code != 0 || null || !word.told) return fault;
        sink.decimal(at, word, value.exponent, static_cast<std::int64_t>(value.mantissa));
        return {};
    }

    Fault read_decimal(const Word& word, Cursor& cursor, std::uint32_t byte, Number& value, bool& null) {
        if (word.oper == Operator::constant) {
            value = program_.numbers[word.initial];
            return {};
        }
        const bool delta = word.oper == Operator::delta;
        Int128 exponent = 0;
        Int128 mantissa = 0;
        Fault fault = word.optional ? cursor.nullable(true, exponent, null) : cursor.integer(true, exponent);
        if (fault.code != 0) return fault;
        if (null) {
            if (word.has_entry() && !delta) number_states_[word.slot] = empty;
            return {};
        }
        if (!delta && outside(exponent, bounds(Type::int32))) return {code_d2, byte};
        const std::uint32_t second = cursor.at();
        fault = cursor.integer(true, mantissa);
        if (fault.code != 0) return fault;
        if (!delta && outside(mantissa, signed64())) return {code_d2, second};
        if (delta) {
            const State state = number_states_[word.slot];
            if (state == empty) return {code_d6, byte};
            const Number base = state == assigned  ? kept_numbers_[word.slot]
                                : word.has_initial ? program_.numbers[word.initial]
                                                   : Number{};
            exponent += base.exponent;
            mantissa += static_cast<std::int64_t>(base.mantissa);
        }
        if (exponent < -kExponentMost || exponent > kExponentMost || outside(mantissa, signed64()))
            return {code_r1, byte};
        value = {static_cast<std::uint64_t>(mantissa), static_cast<std::int8_t>(exponent)};
        if (word.has_entry()) {
            number_states_[word.slot] = assigned;
            kept_numbers_[word.slot] = value;
        }
        return {};
    }

    Fault implied_decimal(const Word& word, std::uint32_t byte, Number& value, bool& null) {
        const Number* found = nullptr;
        const Fault fault =
            implied(word, byte, number_states_.data(), kept_numbers_.data(), program_.numbers, found);
        null = found == nullptr;
        if (!null) value = *found;
        return fault;
    }

    // Strings and bytes

    using Bytes = std::span<const std::uint8_t>;
    static Bytes of(const Text& text) { return {text.bytes.data(), text.length}; }

    template <class Sink>
    Fault text(std::uint32_t at, const Word& word, Cursor& cursor, bool given, Sink& sink) {
        const std::uint32_t byte = cursor.at();
        Bytes value;
        bool null = false;
        const Fault fault =
            given ? read_text(word, cursor, byte, value, null) : implied_text(word, byte, value, null);
        if (fault.code != 0 || null || !word.told) return fault;
        sink.text(at, word, value);
        return {};
    }

    Fault read_text(const Word& word, Cursor& cursor, std::uint32_t byte, Bytes& value, bool& null) {
        if (word.oper == Operator::constant) {
            value = of(program_.texts[word.initial]);
            return {};
        }
        const bool delta = word.oper == Operator::delta;
        Int128 subtraction = 0;
        if (delta) {
            const Fault fault =
                word.optional ? cursor.nullable(true, subtraction, null) : cursor.integer(true, subtraction);
            if (fault.code != 0 || null) return fault;
        }
        const bool is_nullable = word.optional && !delta;
        const Fault fault = word.type == Type::ascii ? cursor.ascii(is_nullable, value, null)
                                                     : cursor.vector(is_nullable, value, null);
        if (fault.code != 0) return fault;
        if (null) {
            if (word.has_entry()) text_states_[word.slot] = empty;
            return {};
        }
        if (word.has_entry()) return kept_text(word, byte, subtraction, value);
        if (word.told && word.type == Type::ascii) value = plain(value);
        return {};
    }

    // The characters without the stop bit.
    Bytes plain(Bytes value) {
        std::copy(value.begin(), value.end(), scratch_.begin());
        if (!value.empty()) scratch_[value.size() - 1] &= 0x7F;
        return {scratch_.data(), value.size()};
    }

    // `value` as its operator makes it of what the stream has, in its slot.
    Fault kept_text(const Word& word, std::uint32_t byte, Int128 subtraction, Bytes& value) {
        std::size_t front =
            0;  // bytes of the base that stay in front of the new ones, and from where on behind them
        std::size_t back = 0;
        Bytes base;
        if (word.oper != Operator::copy) {
            const State state = text_states_[word.slot];
            if (state == empty && word.oper == Operator::delta) return {code_d6, byte};
            if (state == assigned)
                base = of(kept_texts_[word.slot]);
            else if (word.has_initial)
                base = of(program_.texts[word.initial]);
            back = base.size();
            if (word.oper == Operator::tail) {
                front = base.size() - std::min(base.size(), value.size());
            } else {
                const Int128 away = subtraction < 0 ? ~subtraction : subtraction;
                if (away > static_cast<Int128>(base.size())) return {code_d7, byte};
                if (subtraction < 0)
                    back = static_cast<std::size_t>(away);
                else
                    front = base.size() - static_cast<std::size_t>(away);
            }
        }
        const std::size_t size = front + value.size() + (base.size() - back);
        if (size > kept_bytes) return {code_u2, byte};
        Text made;
        made.length = static_cast<std::uint8_t>(size);
        auto out = std::copy_n(base.begin(), front, made.bytes.begin());
        out = std::copy(value.begin(), value.end(), out);
        if (word.type == Type::ascii && !value.empty()) out[-1] &= 0x7F;
        std::copy(base.begin() + static_cast<std::ptrdiff_t>(back), base.end(), out);
        kept_texts_[word.slot] = made;
        text_states_[word.slot] = assigned;
        value = of(kept_texts_[word.slot]);
        return {};
    }

    Fault implied_text(const Word& word, std::uint32_t byte, Bytes& value, bool& null) {
        const Text* found = nullptr;
        const Fault fault =
            implied(word, byte, text_states_.data(), kept_texts_.data(), program_.texts, found);
        null = found == nullptr;
        if (!null) value = of(*found);
        return fault;
    }

    // The bytes of a field that nobody wants and whose length depends on what it says.
    static Fault passed(const Word& word, Cursor& cursor) {
        if (word.oper == Operator::constant) return {};
        const bool delta = word.oper == Operator::delta;
        bool null = false;
        if (word.type == Type::decimal || (word.is_text() && delta)) {
            if (const Fault fault = cursor.pass(null); fault.code != 0) return fault;
            if (word.optional && null) return {};
        }
        if (word.type != Type::bytes) return cursor.pass(null);
        Bytes value;
        return cursor.vector(word.optional && !delta, value, null);
    }

    const Program& program_;
    std::array<State, feed::numbers> number_states_{};
    std::array<State, feed::strings> text_states_{};
    std::array<Number, feed::numbers> kept_numbers_{};
    std::array<Text, feed::strings> kept_texts_{};
    std::vector<std::uint8_t> scratch_;
    std::uint32_t length_ = 0;
    int exponent_ = 0;
    bool absent_ = false;
};

}  // namespace fixaccel::feed
