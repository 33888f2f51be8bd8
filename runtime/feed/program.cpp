// SPDX-License-Identifier: Apache-2.0
// The file of a program: its head and tables, as rtl/hwmap/feed.yaml lays them out.
#include <algorithm>
#include <tuple>

#include "fixaccel/feed_program.hpp"

namespace fixaccel::feed {

namespace {

constexpr std::size_t kWordBytes = 8;
constexpr std::size_t kTextBytes = 1 + kept_bytes;
constexpr std::uint32_t kHighMask = (1U << (word_bits - 32)) - 1;

// What of a file is still to be read.
class File {
  public:
    explicit File(std::span<const std::uint8_t> file) : left_(file) {}
    std::span<const std::uint8_t> take(std::size_t count) {
        if (left_.size() < count) throw ProgramError("it is shorter than its head says");
        const auto taken = left_.first(count);
        left_ = left_.subspan(count);
        return taken;
    }
    [[nodiscard]] std::size_t left() const { return left_.size(); }

  private:
    std::span<const std::uint8_t> left_;
};

// A record is 32-bit words, lowest byte first; fields lie inside one of them.
std::uint32_t word_at(std::span<const std::uint8_t> bytes, std::size_t index) {
    std::uint32_t word = 0;
    for (std::size_t place = 0; place < 4; ++place)
        word |= static_cast<std::uint32_t>(bytes[4 * index + place]) << (8 * place);
    return word;
}

template <class Enum>
Enum coded(std::uint32_t code, std::uint32_t last) {
    if (code > last) throw ProgramError("a word has a type or an operator that there is not");
    return static_cast<Enum>(code);
}

Word field_of(std::uint32_t low, std::uint32_t high) {
    Word word;
    word.type = coded<Type>(word_field::value_type.in(low), type_length);
    word.oper = coded<Operator>(word_field::field_operator.in(low), operator_tail);
    word.optional = word_field::may_miss.in(low) != 0;
    word.has_initial = word_field::has_initial.in(low) != 0;
    word.apart = word_field::apart.in(low) != 0;
    word.passed = word_field::passed.in(low) != 0;
    word.slot = static_cast<std::uint8_t>(word_field::slot.in(low));
    word.initial = word.slot;
    word.tag = static_cast<std::uint8_t>(word_field::tag.in(low));
    word.role = static_cast<std::uint8_t>(word_field::role.in(high));
    word.told = word.tag != 0 || word.role != 0;
    word.takes_bit = word.oper == Operator::constant
                         ? word.optional
                         : word.oper != Operator::none && word.oper != Operator::delta;
    if (word_field::reserved.in(low) != 0) throw ProgramError("a word has bits that nothing uses");
    return word;
}

Word skip_of(std::uint32_t low, std::uint32_t high) {
    Word word;
    word.entities = static_cast<std::uint8_t>(word_skip::entities.in(low));
    word.taken = static_cast<std::uint16_t>(word_skip::taken.in(low));
    word.twice = static_cast<std::uint16_t>(word_skip::twice.in(low));
    word.bits = static_cast<std::uint8_t>(word_skip::bits.in(high));
    return word;
}

Word raw_of(std::uint32_t low, std::uint32_t high) {
    Word word;
    word.bytes = static_cast<std::uint8_t>(word_raw::bytes.in(low));
    word.big = word_raw::order.in(low) == order_big;
    word.tag = static_cast<std::uint8_t>(word_raw::tag.in(low));
    word.role = static_cast<std::uint8_t>(word_raw::role.in(high));
    word.told = word.tag != 0 || word.role != 0;
    if (word_raw::reserved.in(low) != 0) throw ProgramError("a word has bits that nothing uses");
    return word;
}

Word block_of(std::uint32_t low, std::uint32_t high) {
    Word word;
    word.target = static_cast<std::uint16_t>(word_block::target.in(low));
    word.optional = word_block::may_miss.in(low) != 0;
    word.map = word_block::map.in(low) != 0;
    word.observe = word_block::observe.in(low) != 0;
    if (word_block::reserved.in(low) != 0 || high != 0)
        throw ProgramError("a word has bits that nothing uses");
    return word;
}

Word end_of(std::uint32_t low, std::uint32_t high) {
    Word word;
    word.reset = word_end::reset.in(low) != 0;
    if (word_end::reserved.in(low) != 0 || high != 0) throw ProgramError("a word has bits that nothing uses");
    return word;
}

Word initial_of(std::uint32_t low, std::uint32_t high) {
    Word word;
    word.slot = static_cast<std::uint8_t>(word_initial::slot.in(low));
    if (word_initial::none.in(low) != 0 || word_initial::reserved.in(low) != 0 || high != 0)
        throw ProgramError("a word has bits that nothing uses");
    return word;
}

Word word_of(std::uint32_t low, std::uint32_t high, bool behind_apart) {
    if ((high & ~kHighMask) != 0) throw ProgramError("a word is wider than the program's memory");
    const std::uint32_t op = word_end::op.in(low);
    Word word;
    switch (op) {
        case op_field:
            word = field_of(low, high);
            break;
        case op_skip:
            word = behind_apart ? initial_of(low, high) : skip_of(low, high);
            break;
        case op_raw:
            word = raw_of(low, high);
            break;
        case op_group:
        case op_loop:
        case op_next:
            word = block_of(low, high);
            break;
        default:
            word = end_of(low, high);
    }
    word.op = op == op_skip && behind_apart ? Op::initial : static_cast<Op>(op);
    return word;
}

void read_words(Program& program, File& file, std::size_t count) {
    program.words.reserve(count);
    for (std::size_t at = 0; at < count; ++at) {
        const auto bytes = file.take(kWordBytes);
        Word* const before = at == 0 ? nullptr : &program.words.back();
        const bool apart = before != nullptr && before->op == Op::field && before->apart;
        const Word word = word_of(word_at(bytes, 0), word_at(bytes, 1), apart);
        if (before != nullptr && word.op == Op::initial) before->initial = word.slot;
        program.words.push_back(word);
    }
}

void read_rows(Program& program, File& file) {
    for (std::size_t row = 0; row < template_slots; ++row) {
        const auto bytes = file.take(template_row::stride_bytes);
        const std::uint32_t rest = word_at(bytes, 1);
        if (template_row::valid.in(rest) == 0) {
            if (word_at(bytes, 0) != 0 || rest != 0)
                throw ProgramError("a row that is not in use is not empty");
            continue;
        }
        Routine routine;
        routine.id = template_row::id.in(word_at(bytes, 0));
        routine.target = static_cast<std::uint16_t>(template_row::target.in(rest));
        routine.kind = static_cast<std::uint8_t>(template_row::kind.in(rest));
        routine.reset = template_row::reset.in(rest) != 0;
        const std::uint32_t known = template_row::target.mask() | template_row::kind.mask() |
                                    template_row::reset.mask() | template_row::valid.mask();
        if ((rest & ~known) != 0 || routine.kind > kind_update)
            throw ProgramError("a row of the identifiers is damaged");
        if (routine.id * program.multiplier >> 24 != row)
            throw ProgramError("an identifier is not in the row that the multiplier leads to");
        program.routines.push_back(routine);
    }
    std::sort(program.routines.begin(), program.routines.end(), [](const Routine& one, const Routine& other) {
        return std::tie(one.target, one.id) < std::tie(other.target, other.id);
    });
    if (program.routines.size() > templates)
        throw ProgramError("it has more templates than there is room for");
    for (std::size_t index = 0; index < program.routines.size(); ++index)
        program.rows[program.routines[index].id * program.multiplier >> 24] =
            static_cast<std::uint8_t>(index + 1);
}

void read_initials(Program& program, File& file, std::size_t numbers_there, std::size_t strings_there) {
    for (std::size_t slot = 0; slot < numbers_there; ++slot) {
        const auto bytes = file.take(number_row::stride_bytes);
        const std::uint32_t exponent = number_row::exponent.in(word_at(bytes, 2));
        const auto value = static_cast<std::int8_t>(static_cast<std::int8_t>(exponent << 1) / 2);
        program.numbers.push_back(
            {static_cast<std::uint64_t>(word_at(bytes, 1)) << 32 | word_at(bytes, 0), value});
    }
    for (std::size_t slot = 0; slot < strings_there; ++slot) {
        const auto bytes = file.take(kTextBytes);
        if (bytes[0] > kept_bytes) throw ProgramError("an initial string is too long");
        Text text;
        text.length = bytes[0];
        std::copy_n(bytes.begin() + 1, kept_bytes, text.bytes.begin());
        program.texts.push_back(text);
    }
}

}  // namespace

Program read_program(std::span<const std::uint8_t> file) {
    if (file.size() < program_head::stride_bytes || word_at(file, 0) != program_magic)
        throw ProgramError("it does not begin as a program");
    if (word_at(file, 1) != kHash)
        throw ProgramError("it was made for another map of programs: compile it again");
    File rest(file);
    const auto head = rest.take(program_head::stride_bytes);
    const std::size_t words = program_head::words.in(word_at(head, 2));
    const std::size_t rows = program_head::templates.in(word_at(head, 2));
    const std::size_t numbers_there = program_head::numbers.in(word_at(head, 3));
    const std::size_t strings_there = program_head::strings.in(word_at(head, 3));
    if (words > instructions || numbers_there > numbers || strings_there > strings)
        throw ProgramError("it is larger than any board has room for");
    Program program;
    program.multiplier = word_at(head, 4);
    if (program.multiplier % 2 == 0) throw ProgramError("its multiplier is even");
    read_words(program, rest, words);
    read_rows(program, rest);
    read_initials(program, rest, numbers_there, strings_there);
    if (program.routines.size() != rows)
        throw ProgramError("it has more or fewer templates than its head says");
    if (rest.left() != program_head::name_bytes.in(word_at(head, 5)))
        throw ProgramError("it is longer or shorter than its head says");
    if (const std::string flaw = program_flaw(program); !flaw.empty()) throw ProgramError(flaw);
    return program;
}

}  // namespace fixaccel::feed
