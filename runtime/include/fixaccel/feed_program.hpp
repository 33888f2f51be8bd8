// SPDX-License-Identifier: Apache-2.0
// A program that decodes a feed in FAST, read from its file: words taken apart, jumps and slots checked.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "fixaccel/gen/feed.hpp"

namespace fixaccel::feed {

// A file that is no program, and why.
class ProgramError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// As the map's op_ constants; `initial` is a word of op_skip behind a field that is apart.
enum class Op : std::uint8_t { field, skip, raw, group, loop, next, call, end, initial };

// As the map's type_ constants.
enum class Type : std::uint8_t {
    int32,
    uint32,
    int64,
    uint64,
    decimal,
    ascii,
    bytes,
    exponent,
    mantissa,
    length
};

// As the map's operator_ constants.
enum class Operator : std::uint8_t { none, constant, default_, copy, increment, delta, tail };

// A word, whatever its operation: members that the operation has not are zero.
struct Word {
    Op op = Op::end;
    Type type = Type::int32;
    Operator oper = Operator::none;
    bool optional = false;
    bool has_initial = false;
    bool apart = false;
    bool passed = false;
    bool told = false;       // it has a tag or a role
    bool takes_bit = false;  // of the map
    bool map = false;
    bool observe = false;
    bool reset = false;
    bool big = false;
    std::uint8_t slot = 0;
    std::uint8_t initial = 0;  // slot of the initial value
    std::uint8_t tag = 0;
    std::uint8_t role = 0;
    std::uint8_t entities = 0;
    std::uint8_t bits = 0;
    std::uint8_t bytes = 0;
    std::uint16_t taken = 0;
    std::uint16_t twice = 0;
    std::uint16_t target = 0;

    [[nodiscard]] bool is_text() const { return type == Type::ascii || type == Type::bytes; }
    [[nodiscard]] bool is_unsigned() const {
        return type == Type::uint32 || type == Type::uint64 || type == Type::length;
    }
    [[nodiscard]] bool has_entry() const { return oper >= Operator::copy; }
};

struct Number {
    std::uint64_t mantissa = 0;  // two's complement where the field is signed
    std::int8_t exponent = 0;
};

struct Text {
    std::uint8_t length = 0;
    std::array<std::uint8_t, kept_bytes> bytes{};
};

// A template that has an identifier.
struct Routine {
    std::uint32_t id = 0;
    std::uint16_t target = 0;
    std::uint8_t kind = 0;  // the map's kind_ constants
    bool reset = false;
};

struct Program {
    std::vector<Word> words;
    std::vector<Routine> routines;                    // by target, then identifier
    std::array<std::uint8_t, template_slots> rows{};  // index into `routines` and 1; 0: none
    std::uint32_t multiplier = 1;
    std::vector<Number> numbers;  // initial values; as many as there are slots
    std::vector<Text> texts;

    // The index of the routine of an identifier, -1 if there is none.
    [[nodiscard]] int find(std::uint64_t id) const {
        const auto row = static_cast<std::uint32_t>(id * multiplier) >> 24;
        const int index = rows[row] - 1;
        return index >= 0 && routines[static_cast<std::size_t>(index)].id == id ? index : -1;
    }
};

static_assert(template_slots == 1U << 8, "`find` takes the top byte of the product");
static_assert(templates < 1U << 8, "rows hold an index and 1 in a byte");

// Reads a file. Throws ProgramError unless the program is sound: interpreters then trust it.
[[nodiscard]] Program read_program(std::span<const std::uint8_t> file);

// What makes a program unsound; empty if nothing does.
[[nodiscard]] std::string program_flaw(const Program& program);

}  // namespace fixaccel::feed
