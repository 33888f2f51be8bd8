// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/hwmap/feed.yaml by `fixaccel hwmap generate`; do not edit.
// Source: sha256 f6d6218496edb99740e37a2ca02cc3f5ed4ffa85ff904064b467471bdfd9fafe
#pragma once

#include <cstdint>

// The program that decodes a feed in FAST 1.1, made by the compiler from the venue's templates, and the unit of the fabric that runs it.
namespace fixaccel::feed {

inline constexpr std::uint32_t kHash = 0xf6d62184;

inline constexpr std::uint32_t address_bits = 0x11;  // Width of a byte address in this map.
inline constexpr std::uint32_t magic_word = 0x46584644;  // What the register magic reads: FXFD.
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
inline constexpr std::uint32_t lines = 0x4;  // Lines: those of channel c are 2c, its A, and 2c + 1, its B.
inline constexpr std::uint32_t channels = 0x2;  // Channels.
inline constexpr std::uint32_t late_run = 0x40;  // Datagrams in a row, all below the number expected, after which a channel stands still: its numbers have begun anew.
inline constexpr std::uint32_t last_epoch = 0xffff;  // Epoch at which a channel stands still until the host starts it.
inline constexpr std::uint32_t silence_tick = 0x10000;  // Cycles in one of silence_ticks.
inline constexpr std::uint32_t cause_numbers = 0x0;  // Cause of a gap: numbers that were given up.
inline constexpr std::uint32_t cause_start = 0x1;  // Cause of a gap: the channel begins, with whatever number comes first.
inline constexpr std::uint32_t cause_silence = 0x2;  // Cause of a gap: nothing came for silence_ticks.
inline constexpr std::uint32_t cause_behind = 0x3;  // Cause of a gap: late_run; the channel stands still.
inline constexpr std::uint32_t outcome_taken = 0x0;  // What became of a datagram of a line.
inline constexpr std::uint32_t outcome_duplicate = 0x1;  // What became of a datagram of a line.
inline constexpr std::uint32_t outcome_late = 0x2;  // What became of a datagram of a line.
inline constexpr std::uint32_t outcome_bad = 0x3;  // What became of a datagram of a line.
inline constexpr std::uint32_t outcome_lost = 0x4;  // What became of a datagram of a line.
inline constexpr std::uint32_t outcome_missing = 0x5;  // What was given up for good.
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
inline constexpr std::uint32_t export_all = 0x0;  // What goes to the ring: every field that has a tag.
inline constexpr std::uint32_t export_raw = 0x1;  // What goes to the ring: the payload as it is, undecoded.
inline constexpr std::uint32_t fault_codes = 0x20;  // Codes of faults, those that there are not among them.
inline constexpr std::uint32_t ring_lines = 0x40;  // Lines of the ring.
inline constexpr std::uint32_t ring_line_words = 0x8;  // Words of 64 bits in a line: seven values, then ring_tags.
inline constexpr std::uint32_t tag_message = 0xf0;  // Tag: a message begins, see ring_message.
inline constexpr std::uint32_t tag_end = 0xf1;  // Tag: a datagram ends, see ring_end. What stands in front of it counts if its code is 0 and it is neither torn, bad nor vain.
inline constexpr std::uint32_t tag_sequence = 0xf2;  // Tag: a sequence begins; its length.
inline constexpr std::uint32_t tag_element = 0xf3;  // Tag: an element of a sequence ends, or a group that has a map.
inline constexpr std::uint32_t tag_continued = 0xf4;  // Tag: the value before goes on: the exponent of a decimal, whose mantissa is there; more of a string.
inline constexpr std::uint32_t tag_gap = 0xf5;  // Tag: a gap of a channel, see ring_gap; the value behind it, of tag_continued, is ring_gap_cause. Where numbers were given up it stands in front of the end of the datagram behind them.
inline constexpr std::uint32_t tag_lost = 0xf6;  // Tag: so many lines were lost since the one before, for the ring was full.
inline constexpr std::uint32_t tag_raw = 0xf8;  // Tag: eight bytes of a payload, the first one lowest; behind the last one zeros.

namespace reg {
inline constexpr std::uint32_t magic = 0x000;  // Reads magic_word, FXFD.
inline constexpr std::uint32_t hwmap_hash = 0x004;  // First 32 bits of the SHA-256 of this map. Software refuses a mismatch by name.
inline constexpr std::uint32_t cap_instructions = 0x008;  // Words of a program.
inline constexpr std::uint32_t cap_numbers = 0x00c;  // Slots for numbers.
inline constexpr std::uint32_t cap_strings = 0x010;  // Slots for strings.
inline constexpr std::uint32_t control = 0x014;  // What of the unit is on. A program is written while it is off, and what is exported changed; what it had then is forgotten.
inline constexpr std::uint32_t multiplier = 0x018;  // By which rows of identifiers are found, see template_rows.
inline constexpr std::uint32_t ring_head = 0x01c;  // Lines that were ever written into the ring, modulo 2^32; number n lies at n - 1 modulo ring_lines.
inline constexpr std::uint32_t ring_tail = 0x020;  // Lines that the host has taken, likewise.
inline constexpr std::uint32_t lines_lost = 0x024;  // Lines that were lost because the ring was full, modulo 2^32.
inline constexpr std::uint32_t count_datagrams = 0x028;  // Datagrams that have ended and were not read in vain, modulo 2^32, since the device was configured, as the ones below.
inline constexpr std::uint32_t count_bad = 0x02c;  // Those among them that had a fault.
inline constexpr std::uint32_t count_r6 = 0x030;  // Integers longer than they need be, modulo 2^32, as the ones below also of datagrams with a fault.
inline constexpr std::uint32_t count_r7 = 0x034;  // Presence maps longer than they need be.
inline constexpr std::uint32_t count_r8 = 0x038;  // Presence maps with bits that nothing uses.
inline constexpr std::uint32_t count_r9 = 0x03c;  // Strings with a needless zero in front.
inline constexpr std::uint32_t fault = 0x040;  // The fault that was found last; 0 before the first.
inline constexpr std::uint32_t fault_template = 0x044;  // Identifier of the template that had begun last when it was found.
inline constexpr std::uint32_t numbering = 0x048;  // How datagrams are numbered, by the field or raw integer of the program with role_number. Written while the unit is off.
inline constexpr std::uint32_t wait_cycles = 0x04c;  // How long a datagram waits for a number that is missing, in cycles; the lower 24 bits.
inline constexpr std::uint32_t silence_ticks = 0x050;  // After how many silence_tick without a datagram that counts a channel has a gap; 0: never; the lower 16 bits.
inline constexpr std::uint32_t channel_start = 0x054;  // Channels that begin anew, one bit each, as all do when the unit is turned on: each with the number that comes first, and a gap.
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

// Register control: What of the unit is on. A program is written while it is off, and what is exported changed; what it had then is forgotten.
namespace control_bits {
inline constexpr Bits decode{0, 1};  // Datagrams are decoded from the next one on, or their payload exported.
inline constexpr Bits what{1, 1};  // export_all or export_raw.
}  // namespace control_bits

// Register fault: The fault that was found last; 0 before the first.
namespace fault_bits {
inline constexpr Bits code{0, 5};  // Its code, see the constants.
inline constexpr Bits instruction{5, 11};  // Address of its word.
inline constexpr Bits offset{16, 16};  // Byte of the datagram where what shows it begins.
}  // namespace fault_bits

// Register numbering: How datagrams are numbered, by the field or raw integer of the program with role_number. Written while the unit is off.
namespace numbering_bits {
inline constexpr Bits numbered{0, 1};  // They are, and each number counts once. Otherwise each datagram of each line counts, as it comes; so it is with export_raw.
inline constexpr Bits each_message{1, 1};  // Each message has a number of its own, else each datagram has one.
inline constexpr Bits bytes{2, 3};  // Numbers are modulo 2^(8 x bytes): 1 to 4. Of wider ones the lower 32 bits are looked at.
}  // namespace numbering_bits

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

// A word of the program: see the records word_field to word_end. A field's word is named with it.
namespace program_word {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits low{0, 32};  // word 0: Its lower bits.
inline constexpr Bits high{0, 4};  // word 1: Those above.
}  // namespace program_word

// The initial value of a slot for strings: a word with its length, and one for each four of its bytes, the first one lowest. A field's word is named with it.
namespace text_row {
inline constexpr std::uint32_t stride_bytes = 64;
inline constexpr Bits length{0, 6};  // word 0: Bytes.
inline constexpr Bits text_0{6, 32};  // word 0: Bytes 0 to 3.
inline constexpr Bits text_1{6, 32};  // word 1: Bytes 4 to 7.
inline constexpr Bits text_2{6, 32};  // word 2: Bytes 8 to 11.
inline constexpr Bits text_3{6, 32};  // word 3: Bytes 12 to 15.
inline constexpr Bits text_4{6, 32};  // word 4: Bytes 16 to 19.
inline constexpr Bits text_5{6, 32};  // word 5: Bytes 20 to 23.
inline constexpr Bits text_6{6, 32};  // word 6: Bytes 24 to 27.
inline constexpr Bits text_7{6, 32};  // word 7: Bytes 28 to 31.
}  // namespace text_row

// A word of the ring: a value, or in the eighth word of a line ring_tags. A number is as it is, of a decimal the mantissa; a string has in its highest byte how many bytes of it are in the value, seven at most, and those below, the last one lowest. A field's word is named with it.
namespace ring_word {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits low{0, 32};  // word 0: Its lower half.
inline constexpr Bits high{0, 32};  // word 1: Its upper half.
}  // namespace ring_word

// The eighth word of a line, which is written last: its upper half, with the phase, behind all else. A field's word is named with it.
namespace ring_tags {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits tag_0{0, 8};  // word 0: Tag of the first value; of a field the one that `feed/tags.json` of the bundle names, 0 where there is none.
inline constexpr Bits tag_1{8, 8};  // word 0: Tag of the second value.
inline constexpr Bits tag_2{16, 8};  // word 0: Tag of the third value.
inline constexpr Bits tag_3{24, 8};  // word 0: Tag of the fourth value.
inline constexpr Bits tag_4{0, 8};  // word 1: Tag of the fifth value.
inline constexpr Bits tag_5{8, 8};  // word 1: Tag of the sixth value.
inline constexpr Bits tag_6{16, 8};  // word 1: Tag of the seventh value.
inline constexpr Bits used{24, 3};  // word 1: How many values there are.
inline constexpr Bits reserved{27, 4};  // word 1: Zero.
inline constexpr Bits phase{31, 1};  // word 1: Is inverted each time that the ring begins anew: 1 in its first round.
}  // namespace ring_tags

// The value of tag_message. A field's word is named with it.
namespace ring_message {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits template_id{0, 32};  // word 0: Identifier of its template.
inline constexpr Bits number{0, 32};  // word 1: Number of the datagram, where it stands in front of its first message; else 0.
}  // namespace ring_message

// The value of tag_end. A field's word is named with it.
namespace ring_end {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits code{0, 5};  // word 0: 0, or the code of the fault for which nothing of the datagram counts.
inline constexpr Bits instruction{5, 11};  // word 0: Address of the word, as in the register fault.
inline constexpr Bits offset{16, 16};  // word 0: Byte of the datagram, likewise.
inline constexpr Bits bytes{0, 16};  // word 1: Bytes of the payload.
inline constexpr Bits torn{16, 1};  // word 1: Values of it are missing: more came at once than wait for the ring, or the unit was turned off.
inline constexpr Bits bad{17, 1};  // word 1: Nothing of it counts: its frame was cut or wrong, it has a fault, or no number.
inline constexpr Bits vain{18, 1};  // word 1: Nothing of it counts here: it was there before, or its turn is later.
inline constexpr Bits line{19, 2};  // word 1: The line that brought it.
inline constexpr Bits reserved{21, 11};  // word 1: Zero.
}  // namespace ring_end

// The value of tag_gap. A field's word is named with it.
namespace ring_gap {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits first{0, 32};  // word 0: First number that was given up, or the one expected if none was.
inline constexpr Bits last{0, 32};  // word 1: Last one that was; the one in front of `first` if none was.
}  // namespace ring_gap

// The value behind that of tag_gap. A field's word is named with it.
namespace ring_gap_cause {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits channel{0, 2};  // word 0: Its channel.
inline constexpr Bits cause{2, 2};  // word 0: See the constants cause_numbers to cause_behind.
inline constexpr Bits reserved{4, 28};  // word 0: Zero.
inline constexpr Bits reserved_high{0, 32};  // word 1: Zero.
}  // namespace ring_gap_cause

// Which datagrams are a line's. A field's word is named with it.
namespace line_filter {
inline constexpr std::uint32_t stride_bytes = 16;
inline constexpr Bits source{0, 32};  // word 0: Address of the sender.
inline constexpr Bits group{0, 32};  // word 1: Address to which they are sent.
inline constexpr Bits port{0, 16};  // word 2: Port to which they are sent.
inline constexpr Bits any_source{16, 1};  // word 2: `source` is not looked at.
inline constexpr Bits enable{17, 1};  // word 2: There is such a line.
inline constexpr Bits reserved{18, 14};  // word 2: Zero.
}  // namespace line_filter

// Where a channel stands. A field's word is named with it.
namespace channel_state {
inline constexpr std::uint32_t stride_bytes = 8;
inline constexpr Bits expected{0, 32};  // word 0: The number that is taken next, where `begun`.
inline constexpr Bits epoch{0, 16};  // word 1: Gaps so far, the start among them, modulo 2^16; only a start passes last_epoch.
inline constexpr Bits begun{16, 1};  // word 1: A datagram was taken since the start.
inline constexpr Bits behind{17, 1};  // word 1: It stands still since late_run.
inline constexpr Bits waits{18, 1};  // word 1: A datagram waits for a number that is missing.
inline constexpr Bits reserved{19, 13};  // word 1: Zero.
}  // namespace channel_state

// What became of the datagrams of a line, modulo 2^32, since the device was configured. A field's word is named with it.
namespace line_count {
inline constexpr std::uint32_t stride_bytes = 32;
inline constexpr Bits taken{0, 32};  // word 0: They count.
inline constexpr Bits duplicate{0, 32};  // word 1: Their numbers had been taken.
inline constexpr Bits late{0, 32};  // word 2: Their number had been given up, in the last gap of numbers.
inline constexpr Bits bad{0, 32};  // word 3: Of a frame that was cut or wrong, with a fault, or without a number.
inline constexpr Bits lost{0, 32};  // word 4: There was no room, or the channel stands still.
inline constexpr Bits missing{0, 32};  // word 5: Of line A: numbers of its channel that were given up.
inline constexpr Bits reserved_6{0, 32};  // word 6: Zero.
inline constexpr Bits reserved_7{0, 32};  // word 7: Zero.
}  // namespace line_count

// How often a fault was found. A field's word is named with it.
namespace fault_count {
inline constexpr std::uint32_t stride_bytes = 4;
inline constexpr Bits count{0, 32};  // word 0: Datagrams, modulo 2^32, since the device was configured.
}  // namespace fault_count

// A window of records.
struct Window {
    std::uint32_t base;          // byte address
    std::uint32_t stride_bytes;  // from one record to the next
    std::uint32_t room;          // records
};

namespace memory {
inline constexpr Window words{0x004000, 8, 2048};
inline constexpr Window template_rows{0x008000, 8, 256};
inline constexpr Window initial_numbers{0x009000, 16, 256};
inline constexpr Window initial_texts{0x00a000, 64, 32};
inline constexpr Window ring{0x00c000, 8, 512};
inline constexpr Window fault_counts{0x00d000, 4, 32};
inline constexpr Window line_filters{0x00e000, 16, 4};
inline constexpr Window channel_states{0x00e100, 8, 2};
inline constexpr Window line_counts{0x00e200, 32, 4};
}  // namespace memory

}  // namespace fixaccel::feed
