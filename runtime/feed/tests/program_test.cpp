// SPDX-License-Identifier: Apache-2.0
// Programs that are refused, and what the interpreter does at the edges. Values are compared by tests/fast
// with Python.
#include <gtest/gtest.h>

#include <array>
#include <initializer_list>

#include "fixaccel/feed_interpreter.hpp"

namespace fixaccel::feed {
namespace {

Word field(Type type, Operator oper, std::uint8_t tag = 1) {
    Word word;
    word.op = Op::field;
    word.type = type;
    word.oper = oper;
    word.tag = tag;
    word.told = tag != 0;
    word.takes_bit = oper != Operator::none && oper != Operator::delta;
    return word;
}

Word block(Op op, std::uint16_t target, bool map = false) {
    Word word;
    word.op = op;
    word.target = target;
    word.map = map;
    return word;
}

Word end() {
    Word word;
    word.op = Op::end;
    return word;
}

// One template with identifier 1, whose words stand behind an `end`.
Program program(std::initializer_list<Word> words) {
    Program made;
    made.words = {end()};
    made.words.insert(made.words.end(), words);
    made.words.push_back(end());
    made.routines = {{1, 1, 0, false}};
    made.rows[static_cast<std::uint32_t>(made.multiplier) >> 24] = 1;
    made.numbers.resize(2);
    made.texts.resize(2);
    return made;
}

struct Seen {
    std::vector<std::int64_t> numbers;
    std::vector<int> exponents;
    std::vector<std::string> texts;
    std::size_t elements = 0;
    void message(int /*routine*/) {}
    void number(unsigned /*at*/, const Word& /*word*/, std::uint64_t value) {
        numbers.push_back(static_cast<std::int64_t>(value));
    }
    void decimal(unsigned /*at*/, const Word& /*word*/, int exponent, std::int64_t mantissa) {
        numbers.push_back(mantissa);
        exponents.push_back(exponent);
    }
    void text(unsigned /*at*/, const Word& /*word*/, std::span<const std::uint8_t> bytes) {
        texts.emplace_back(bytes.begin(), bytes.end());
    }
    void group(unsigned /*at*/) {}
    void sequence(unsigned /*at*/, std::uint32_t /*length*/) {}
    void element(unsigned /*at*/) { ++elements; }
    void call(unsigned /*at*/, int /*routine*/) {}
    void leave(unsigned /*at*/) {}
    void end(unsigned /*at*/) {}
};

Outcome run(const Program& made, const std::vector<std::uint8_t>& data, Seen& seen) {
    Interpreter interpreter(made);
    return interpreter.decode(data, seen);
}

TEST(FeedProgram, SoundOneHasNoFlaw) {
    EXPECT_EQ(program_flaw(program({field(Type::int32, Operator::copy)})), "");
}

TEST(FeedProgram, FlawsAreNamed) {
    Word length = field(Type::length, Operator::none, 0);
    EXPECT_NE(program_flaw(program({length, block(Op::loop, 4), block(Op::next, 3)})).find("takes no byte"),
              std::string::npos);
    EXPECT_NE(program_flaw(program({block(Op::next, 1)})).find("ends no block"), std::string::npos);
    EXPECT_NE(program_flaw(program({field(Type::ascii, Operator::increment)})).find("integers"),
              std::string::npos);
    EXPECT_NE(program_flaw(program({field(Type::exponent, Operator::none, 0)})).find("mantissa"),
              std::string::npos);
    Word far = field(Type::int32, Operator::copy);
    far.slot = 2;
    EXPECT_NE(program_flaw(program({far})).find("beyond"), std::string::npos);
    Word absent = block(Op::group, 3);
    absent.optional = true;
    EXPECT_NE(program_flaw(program({absent, length, block(Op::loop, 6), field(Type::int32, Operator::none),
                                    block(Op::next, 4)}))
                  .find("in the middle of a field"),
              std::string::npos);
    EXPECT_NE(program_flaw(program({absent, field(Type::exponent, Operator::none, 0),
                                    field(Type::mantissa, Operator::none)}))
                  .find("in the middle of a field"),
              std::string::npos);
    absent.target = 7;
    EXPECT_NE(
        program_flaw(program({absent, absent, absent, absent, absent, field(Type::int32, Operator::none)}))
            .find("too deep"),
        std::string::npos);
    Program none = program({});
    none.words.pop_back();
    none.words.back() = field(Type::int32, Operator::none);
    EXPECT_NE(program_flaw(none).find("ends with"), std::string::npos);
}

TEST(FeedInterpreter, NumbersOfTheEdge) {
    const Program made = program({field(Type::uint64, Operator::none), field(Type::int64, Operator::none)});
    Seen seen;
    const Outcome outcome = run(made, {0xC0, 0x81, 0x01, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F,
                                       0xFF, 0x7F, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80},
                                seen);
    EXPECT_EQ(outcome.fault, 0U);
    ASSERT_EQ(seen.numbers.size(), 2U);
    EXPECT_EQ(static_cast<std::uint64_t>(seen.numbers[0]), ~0ULL);
    EXPECT_EQ(seen.numbers[1], std::numeric_limits<std::int64_t>::min());
}

TEST(FeedInterpreter, FaultHasItsByteAndWord) {
    const Program made = program({field(Type::uint32, Operator::none), field(Type::int32, Operator::copy)});
    Seen seen;
    const Outcome cut = run(made, {0xC0, 0x81, 0x01}, seen);
    EXPECT_EQ(cut.fault, code_u1);
    EXPECT_EQ(cut.byte, 2U);
    EXPECT_EQ(cut.at, 1U);
    const Outcome missing = run(made, {0xC0, 0x81, 0x81}, seen);
    EXPECT_EQ(missing.fault, code_d5);
    EXPECT_EQ(missing.at, 2U);
    EXPECT_EQ(missing.routine, 0);
}

// Such a program is refused. What the interpreter keeps between words is of one datagram all the same.
TEST(FeedInterpreter, LengthAndExponentAreForgottenBetweenDatagrams) {
    Word absent = block(Op::group, 3);
    absent.optional = true;
    const Program lengths = program({absent, field(Type::length, Operator::none, 0), block(Op::loop, 6),
                                     field(Type::int32, Operator::none), block(Op::next, 4)});
    const Program exponents =
        program({absent, field(Type::exponent, Operator::none, 0), field(Type::mantissa, Operator::none)});
    const auto same = [](const Program& made, const std::vector<std::uint8_t>& without,
                         const std::vector<std::uint8_t>& with) {
        Interpreter interpreter(made);
        std::array<Seen, 3> seen;
        EXPECT_EQ(interpreter.decode(without, seen[0]).fault, 0U);
        EXPECT_EQ(interpreter.decode(with, seen[1]).fault, 0U);
        EXPECT_EQ(interpreter.decode(without, seen[2]).fault, 0U);
        EXPECT_EQ(seen[2].elements, seen[0].elements);
        EXPECT_EQ(seen[2].exponents, seen[0].exponents);
    };
    same(lengths, {0xC0, 0x81}, {0xE0, 0x81, 0x82, 0x83, 0x84});
    same(exponents, {0xC0, 0x81, 0x83}, {0xE0, 0x81, 0x82, 0x83});
}

TEST(FeedInterpreter, VeryLongSequenceEndsWithTheDatagram) {
    const Program made = program({field(Type::length, Operator::none, 0), block(Op::loop, 5),
                                  field(Type::int32, Operator::none), block(Op::next, 3)});
    Seen seen;
    const Outcome outcome = run(made, {0xC0, 0x81, 0x0F, 0x7F, 0x7F, 0x7F, 0xFF, 0x81, 0x82}, seen);
    EXPECT_EQ(outcome.fault, code_u1);
    EXPECT_EQ(seen.elements, 2U);
}

TEST(FeedInterpreter, LongStringIsToldWhereItIsNotKept) {
    const Program made = program({field(Type::ascii, Operator::none)});
    std::vector<std::uint8_t> data{0xC0, 0x81};
    data.insert(data.end(), 1000, 'x');
    data.back() |= 0x80;
    Seen seen;
    EXPECT_EQ(run(made, data, seen).fault, 0U);
    ASSERT_EQ(seen.texts.size(), 1U);
    EXPECT_EQ(seen.texts[0], std::string(1000, 'x'));
    EXPECT_EQ(run(program({field(Type::ascii, Operator::delta)}), {0xC0, 0x81, 0x82, 0xC1}, seen).fault,
              code_d7);
}

}  // namespace
}  // namespace fixaccel::feed
