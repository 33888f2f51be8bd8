// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/hwmap/feed.yaml by `fixaccel hwmap generate`; do not edit.
// Source: sha256 b7a08d802ab86adbf7c221018bc15367f52b4902eeecb5659d434d96277b5cce
#pragma once

#include <cstdint>

// The program that decodes a feed in FAST 1.1, made by the compiler from the venue's templates.
namespace fixaccel::feed {

inline constexpr std::uint32_t kHash = 0xb7a08d80;

inline constexpr std::uint32_t address_bits = 0x11;  // Width of a byte address in this map.
inline constexpr std::uint32_t program_magic = 0x50465846;  // First word of a file with a program: FXFP.
inline constexpr std::uint32_t word_bits = 0x24;  // Width of a word of the program: a block RAM's.
inline constexpr std::uint32_t instructions = 0x800;  // Words that a program has at most: what `target` can name.
inline constexpr std::uint32_t numbers = 0x100;  // Slots for numbers at most, each with a previous and an initial value: what `slot` can name.
inline constexpr std::uint32_t strings = 0x20;  // Slots for strings at most.
inline constexpr std::uint32_t template_slots = 0x100;  // Rows of the table of identifiers. The row of an identifier is the top byte of its product with `multiplier`, modulo 2^32.
inline constexpr std::uint32_t templates = 0x40;  // Templates with an identifier at most.
inline constexpr std::uint32_t nesting = 0x4;  // Groups and sequences in each other at most.
inline constexpr std::uint32_t references = 0x4;  // Dynamic references in each other at most.
inline constexpr std::uint32_t message_instruments = 0x10;  // Instruments of the venue that a message of market data names at most: as many as the core's reader of updates holds.
inline constexpr std::uint32_t entity_bytes = 0xa;  // Bytes of an integer or a presence map at most.
inline constexpr std::uint32_t kept_bytes = 0x20;  // Bytes of a string that is a previous or an initial value at most.
inline constexpr std::uint32_t last_tag = 0xef;  // Tags of fields are 1 to this; 0 is none.
inline constexpr std::uint32_t line_bytes = 0x1000;  // Bytes that wait for the engine on a line at most.
inline constexpr std::uint32_t op_field = 0x0;  // Operation: decodes a field.
inline constexpr std::uint32_t op_skip = 0x1;  // Operation: passes over fields that nobody wants.
inline constexpr std::uint32_t op_raw = 0x2;  // Operation: a raw integer in front of the FAST bytes.
inline constexpr std::uint32_t op_group = 0x3;  // Operation: a group begins.
inline constexpr std::uint32_t op_loop = 0x4;  // Operation: a sequence begins, of the length just read.
inline constexpr std::uint32_t op_next = 0x5;  // Operation: an element, or a group with a map, ends.
inline constexpr std::uint32_t op_call = 0x6;  // Operation: a dynamic reference: map, identifier, and the routine that it names.
inline constexpr std::uint32_t op_end = 0x7;  // Operation: a routine ends: back behind the reference, or to the next message, or the datagram is done.
inline constexpr std::uint32_t type_int32 = 0x0;  // Type of a field.
inline constexpr std::uint32_t type_uint32 = 0x1;  // Type of a field.
inline constexpr std::uint32_t type_int64 = 0x2;  // Type of a field.
inline constexpr std::uint32_t type_uint64 = 0x3;  // Type of a field.
inline constexpr std::uint32_t type_decimal = 0x4;  // Type of a field: exponent and mantissa with one operator.
inline constexpr std::uint32_t type_ascii = 0x5;  // Type of a field: characters up to one with the stop bit.
inline constexpr std::uint32_t type_bytes = 0x6;  // Type of a field: a length, then bytes; byte vectors and Unicode.
inline constexpr std::uint32_t type_exponent = 0x7;  // Type of a field: the exponent of a decimal with an operator for each part; where it is absent, the mantissa behind it takes nothing.
inline constexpr std::uint32_t type_mantissa = 0x8;  // Type of a field: the mantissa behind such an exponent. The decimal is told with it.
inline constexpr std::uint32_t type_length = 0x9;  // Type of a field: uInt32, the length of the sequence whose `loop` follows.
inline constexpr std::uint32_t operator_none = 0x0;  // Operator of a field.
inline constexpr std::uint32_t operator_constant = 0x1;  // Operator of a field.
inline constexpr std::uint32_t operator_default = 0x2;  // Operator of a field.
inline constexpr std::uint32_t operator_copy = 0x3;  // Operator of a field.
inline constexpr std::uint32_t operator_increment = 0x4;  // Operator of a field.
inline constexpr std::uint32_t operator_delta = 0x5;  // Operator of a field.
inline constexpr std::uint32_t operator_tail = 0x6;  // Operator of a field.
inline constexpr std::uint32_t role_none = 0x0;  // What the observer takes a field for.
inline constexpr std::uint32_t role_instrument = 0x1;  // What the observer takes a field for: a number or a symbol.
inline constexpr std::uint32_t role_entry_type = 0x2;  // What the observer takes a field for: MDEntryType(269).
inline constexpr std::uint32_t role_action = 0x3;  // What the observer takes a field for: MDUpdateAction(279).
inline constexpr std::uint32_t role_price = 0x4;  // What the observer takes a field for: MDEntryPx(270).
inline constexpr std::uint32_t role_position = 0x5;  // What the observer takes a field for: the level of an entry, 1 the best.
inline constexpr std::uint32_t role_number = 0x6;  // What the arbiter takes a field for: the number of the datagram or message.
inline constexpr std::uint32_t role_processed = 0x7;  // What recovery takes a field for: the last number that a snapshot takes account of.
inline constexpr std::uint32_t kind_none = 0x0;  // A template that is no market data.
inline constexpr std::uint32_t kind_snapshot = 0x1;  // A template whose messages are snapshots, as 35=W.
inline constexpr std::uint32_t kind_update = 0x2;  // A template whose messages are updates, as 35=X.
inline constexpr std::uint32_t order_little = 0x0;  // Order of a raw integer's bytes: lowest first.
inline constexpr std::uint32_t order_big = 0x1;  // Order of a raw integer's bytes: highest first.
inline constexpr std::uint32_t code_d2 = 0x1;  // Code of a fault.
inline constexpr std::uint32_t code_d5 = 0x2;  // Code of a fault.
inline constexpr std::uint32_t code_d6 = 0x3;  // Code of a fault.
inline constexpr std::uint32_t code_d7 = 0x4;  // Code of a fault.
inline constexpr std::uint32_t code_d9 = 0x5;  // Code of a fault.
inline constexpr std::uint32_t code_r1 = 0x6;  // Code of a fault.
inline constexpr std::uint32_t code_r4 = 0x7;  // Code of a fault.
inline constexpr std::uint32_t code_u1 = 0x8;  // Code of a fault.
inline constexpr std::uint32_t code_u2 = 0x9;  // Code of a fault.
inline constexpr std::uint32_t code_u3 = 0xa;  // Code of a fault.
inline constexpr std::uint32_t code_u4 = 0xb;  // Code of a fault.
inline constexpr std::uint32_t code_u5 = 0xc;  // Code of a fault.
inline constexpr std::uint32_t code_r6 = 0xd;  // Code of a fault that is counted, not fatal.
inline constexpr std::uint32_t code_r7 = 0xe;  // Code of a fault that is counted, not fatal.
inline constexpr std::uint32_t code_r8 = 0xf;  // Code of a fault that is counted, not fatal.
inline constexpr std::uint32_t code_r9 = 0x10;  // Code of a fault that is counted, not fatal.

namespace reg {
}  // namespace reg

// A run of bits in a word.
struct Bits {
    unsigned lsb;
    unsigned width;
    [[nodiscard]] constexpr std::uint32_t mask() const {
        return width == 32 ? ~0U : ((1U << width) - 1U) << lsb;
    }
    [[nodiscard]] constexpr std::uint32_t of(std::uint32_t value) const { return (value << lsb) & mask(); }
    [[nodiscard]] constexpr std::uint32_t in(std::uint32_t word) const { return (word & mask()) >> lsb; }
};

// `field`: decodes a value, keeps it as its operator says, and tells it where it has a tag or a role. A field's word is named with it.
namespace word_field {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits op{0, 3};  // word 0: op_field.
inline constexpr Bits value_type{3, 4};  // word 0: Its type, see the constants.
inline constexpr Bits field_operator{7, 3};  // word 0: Its operator, see the constants.
inline constexpr Bits may_miss{10, 1};  // word 0: The field is optional: its value is nullable.
inline constexpr Bits has_initial{11, 1};  // word 0: There is an initial value.
inline constexpr Bits apart{12, 1};  // word 0: The initial value is not that of `slot` but the one that the next word, `initial`, names.
inline constexpr Bits passed{13, 1};  // word 0: Only its bytes and bits count: nothing is checked, kept or told. Its length depends on what it says, or `skip` would do.
inline constexpr Bits slot{14, 8};  // word 0: Slot of its previous and of its initial value: of strings for type_ascii and type_bytes, else of numbers.
inline constexpr Bits tag{22, 8};  // word 0: By what the field is told to the host; 0: it is not.
inline constexpr Bits reserved{30, 2};  // word 0: Zero.
inline constexpr Bits role{0, 4};  // word 1: What the observer takes it for, see the constants.
}  // namespace word_field

// `skip`: passes over entities, each up to a byte with the stop bit: unwanted fields cost their bytes, not cycles. A field's word is named with it.
namespace word_skip {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits op{0, 3};  // word 0: op_skip.
inline constexpr Bits entities{3, 5};  // word 0: Entities that are there whatever the map says.
inline constexpr Bits taken{8, 12};  // word 0: Bits of the map that stand for an entity, the first taken in bit 0.
inline constexpr Bits twice{20, 12};  // word 0: Those of `taken` that stand for two.
inline constexpr Bits bits{0, 4};  // word 1: Bits that are taken from the map at once.
}  // namespace word_skip

// `initial`: a word that does nothing, as `skip` of nothing; the field in front of it has its initial value in the slot that it names. A field's word is named with it.
namespace word_initial {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits op{0, 3};  // word 0: op_skip.
inline constexpr Bits none{3, 5};  // word 0: Zero.
inline constexpr Bits slot{8, 8};  // word 0: A slot, of strings or numbers as the field's.
inline constexpr Bits reserved{16, 16};  // word 0: Zero.
inline constexpr Bits reserved_high{0, 4};  // word 1: Zero.
}  // namespace word_initial

// `raw`: bytes in front of the FAST bytes: an integer if it has a tag or a role, else passed over. A field's word is named with it.
namespace word_raw {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits op{0, 3};  // word 0: op_raw.
inline constexpr Bits bytes{3, 4};  // word 0: How many bytes, 8 at most where they are an integer.
inline constexpr Bits order{7, 1};  // word 0: order_little or order_big.
inline constexpr Bits tag{8, 8};  // word 0: By what it is told to the host; 0: it is not.
inline constexpr Bits reserved{16, 16};  // word 0: Zero.
inline constexpr Bits role{0, 4};  // word 1: What the arbiter takes it for, see the constants.
}  // namespace word_raw

// `group`, `loop` and `next`. `loop` and `next` name each other: to behind the sequence, and back to its element. A field's word is named with it.
namespace word_block {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits op{0, 3};  // word 0: op_group, op_loop or op_next.
inline constexpr Bits target{3, 11};  // word 0: `group`: where to go on if it is absent; `loop`: likewise without elements; `next`: where the next element begins, or of a group the word itself.
inline constexpr Bits may_miss{14, 1};  // word 0: `group`: it is optional and takes a bit.
inline constexpr Bits map{15, 1};  // word 0: It, or each element, begins with a map of its own.
inline constexpr Bits observe{16, 1};  // word 0: `loop`, `next`: the elements are entries of market data.
inline constexpr Bits reserved{17, 15};  // word 0: Zero.
inline constexpr Bits reserved_high{0, 4};  // word 1: Zero.
}  // namespace word_block

// `call` and `end`. A field's word is named with it.
namespace word_end {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits op{0, 3};  // word 0: op_call or op_end.
inline constexpr Bits reset{3, 1};  // word 0: `end`: before the next message all previous values are forgotten.
inline constexpr Bits reserved{4, 28};  // word 0: Zero.
inline constexpr Bits reserved_high{0, 4};  // word 1: Zero.
}  // namespace word_end

// A row of the table of identifiers. A field's word is named with it.
namespace template_row {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits id{0, 32};  // word 0: Identifier of the template.
inline constexpr Bits target{0, 11};  // word 1: First word of its routine.
inline constexpr Bits kind{11, 2};  // word 1: kind_none, kind_snapshot or kind_update.
inline constexpr Bits reset{13, 1};  // word 1: All previous values are forgotten when such a message begins; the identifier stays.
inline constexpr Bits valid{14, 1};  // word 1: The row is in use.
}  // namespace template_row

// The initial value of a slot for numbers. A field's word is named with it.
namespace number_row {
inline constexpr std::uint32_t stride_bytes = 16;
inline constexpr Bits low{0, 32};  // word 0: Low half of the number, or of the mantissa.
inline constexpr Bits high{0, 32};  // word 1: High half, two's complement where the field is signed.
inline constexpr Bits exponent{0, 7};  // word 2: Exponent of a decimal, else 0.
}  // namespace number_row

// What a file with a program begins with. Behind it: the words, in 8 bytes each; the table of identifiers; the slots for numbers; those for strings, each a byte with the length and kept_bytes bytes; and JSON with the names, which nothing but a listing needs. A field's word is named with it.
namespace program_head {
inline constexpr std::uint32_t stride_bytes = 32;
inline constexpr Bits magic{0, 32};  // word 0: program_magic.
inline constexpr Bits map_hash{0, 32};  // word 1: First 32 bits of the SHA-256 of this map. Software refuses another.
inline constexpr Bits words{0, 16};  // word 2: Words of the program.
inline constexpr Bits templates{16, 16};  // word 2: Rows that are in use; all template_slots are there.
inline constexpr Bits numbers{0, 16};  // word 3: Slots for numbers.
inline constexpr Bits strings{16, 16};  // word 3: Slots for strings.
inline constexpr Bits multiplier{0, 32};  // word 4: Odd; by which rows of identifiers are found.
inline constexpr Bits name_bytes{0, 32};  // word 5: Bytes of the names.
}  // namespace program_head

}  // namespace fixaccel::feed
