// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/hwmap/feed.yaml by `fixaccel hwmap generate`; do not edit.
// Source: sha256 f6d6218496edb99740e37a2ca02cc3f5ed4ffa85ff904064b467471bdfd9fafe
// Not every user of the package needs every constant.
/* verilator lint_off UNUSEDPARAM */
package feed_hwmap_pkg;
  localparam logic [31:0] FEED_HASH = 32'hf6d62184;

  localparam int FEED_ADDRESS_BITS = 17;  // Width of a byte address in this map.
  localparam int FEED_MAGIC_WORD = 1180190276;  // What the register magic reads: FXFD.
  localparam int FEED_PROGRAM_MAGIC = 1346787398;  // First word of a file with a program: FXFP.
  localparam int FEED_WORD_BITS = 36;  // Width of a word of the program: a block RAM's.
  localparam int FEED_INSTRUCTIONS = 2048;  // Words that a program has at most: what `target` can name.
  localparam int FEED_NUMBERS = 256;  // Slots for numbers at most, each with a previous and an initial value: what `slot` can name.
  localparam int FEED_STRINGS = 32;  // Slots for strings at most.
  localparam int FEED_TEMPLATE_SLOTS = 256;  // Rows of the table of identifiers. The row of an identifier is the top byte of its product with `multiplier`, modulo 2^32.
  localparam int FEED_TEMPLATES = 64;  // Templates with an identifier at most.
  localparam int FEED_NESTING = 4;  // Groups and sequences in each other at most.
  localparam int FEED_REFERENCES = 4;  // Dynamic references in each other at most.
  localparam int FEED_MESSAGE_INSTRUMENTS = 16;  // Instruments of the venue that a message of market data names at most: as many as the core's reader of updates holds.
  localparam int FEED_ENTITY_BYTES = 10;  // Bytes of an integer or a presence map at most.
  localparam int FEED_KEPT_BYTES = 32;  // Bytes of a string that is a previous or an initial value at most.
  localparam int FEED_LAST_TAG = 239;  // Tags of fields are 1 to this; 0 is none.
  localparam int FEED_LINE_BYTES = 4096;  // Bytes that wait for the engine on a line at most.
  localparam int FEED_LINES = 4;  // Lines: those of channel c are 2c, its A, and 2c + 1, its B.
  localparam int FEED_CHANNELS = 2;  // Channels.
  localparam int FEED_LATE_RUN = 64;  // Datagrams in a row, all below the number expected, after which a channel stands still: its numbers have begun anew.
  localparam int FEED_LAST_EPOCH = 65535;  // Epoch at which a channel stands still until the host starts it.
  localparam int FEED_SILENCE_TICK = 65536;  // Cycles in one of silence_ticks.
  localparam int FEED_CAUSE_NUMBERS = 0;  // Cause of a gap: numbers that were given up.
  localparam int FEED_CAUSE_START = 1;  // Cause of a gap: the channel begins, with whatever number comes first.
  localparam int FEED_CAUSE_SILENCE = 2;  // Cause of a gap: nothing came for silence_ticks.
  localparam int FEED_CAUSE_BEHIND = 3;  // Cause of a gap: late_run; the channel stands still.
  localparam int FEED_OUTCOME_TAKEN = 0;  // What became of a datagram of a line.
  localparam int FEED_OUTCOME_DUPLICATE = 1;  // What became of a datagram of a line.
  localparam int FEED_OUTCOME_LATE = 2;  // What became of a datagram of a line.
  localparam int FEED_OUTCOME_BAD = 3;  // What became of a datagram of a line.
  localparam int FEED_OUTCOME_LOST = 4;  // What became of a datagram of a line.
  localparam int FEED_OUTCOME_MISSING = 5;  // What was given up for good.
  localparam int FEED_OP_FIELD = 0;  // Operation: decodes a field.
  localparam int FEED_OP_SKIP = 1;  // Operation: passes over fields that nobody wants.
  localparam int FEED_OP_RAW = 2;  // Operation: a raw integer in front of the FAST bytes.
  localparam int FEED_OP_GROUP = 3;  // Operation: a group begins.
  localparam int FEED_OP_LOOP = 4;  // Operation: a sequence begins, of the length just read.
  localparam int FEED_OP_NEXT = 5;  // Operation: an element, or a group with a map, ends.
  localparam int FEED_OP_CALL = 6;  // Operation: a dynamic reference: map, identifier, and the routine that it names.
  localparam int FEED_OP_END = 7;  // Operation: a routine ends: back behind the reference, or to the next message, or the datagram is done.
  localparam int FEED_TYPE_INT32 = 0;  // Type of a field.
  localparam int FEED_TYPE_UINT32 = 1;  // Type of a field.
  localparam int FEED_TYPE_INT64 = 2;  // Type of a field.
  localparam int FEED_TYPE_UINT64 = 3;  // Type of a field.
  localparam int FEED_TYPE_DECIMAL = 4;  // Type of a field: exponent and mantissa with one operator.
  localparam int FEED_TYPE_ASCII = 5;  // Type of a field: characters up to one with the stop bit.
  localparam int FEED_TYPE_BYTES = 6;  // Type of a field: a length, then bytes; byte vectors and Unicode.
  localparam int FEED_TYPE_EXPONENT = 7;  // Type of a field: the exponent of a decimal with an operator for each part; where it is absent, the mantissa behind it takes nothing.
  localparam int FEED_TYPE_MANTISSA = 8;  // Type of a field: the mantissa behind such an exponent. The decimal is told with it.
  localparam int FEED_TYPE_LENGTH = 9;  // Type of a field: uInt32, the length of the sequence whose `loop` follows.
  localparam int FEED_OPERATOR_NONE = 0;  // Operator of a field.
  localparam int FEED_OPERATOR_CONSTANT = 1;  // Operator of a field.
  localparam int FEED_OPERATOR_DEFAULT = 2;  // Operator of a field.
  localparam int FEED_OPERATOR_COPY = 3;  // Operator of a field.
  localparam int FEED_OPERATOR_INCREMENT = 4;  // Operator of a field.
  localparam int FEED_OPERATOR_DELTA = 5;  // Operator of a field.
  localparam int FEED_OPERATOR_TAIL = 6;  // Operator of a field.
  localparam int FEED_ROLE_NONE = 0;  // What the observer takes a field for.
  localparam int FEED_ROLE_INSTRUMENT = 1;  // What the observer takes a field for: a number or a symbol.
  localparam int FEED_ROLE_ENTRY_TYPE = 2;  // What the observer takes a field for: MDEntryType(269).
  localparam int FEED_ROLE_ACTION = 3;  // What the observer takes a field for: MDUpdateAction(279).
  localparam int FEED_ROLE_PRICE = 4;  // What the observer takes a field for: MDEntryPx(270).
  localparam int FEED_ROLE_POSITION = 5;  // What the observer takes a field for: the level of an entry, 1 the best.
  localparam int FEED_ROLE_NUMBER = 6;  // What the arbiter takes a field for: the number of the datagram or message.
  localparam int FEED_ROLE_PROCESSED = 7;  // What recovery takes a field for: the last number that a snapshot takes account of.
  localparam int FEED_KIND_NONE = 0;  // A template that is no market data.
  localparam int FEED_KIND_SNAPSHOT = 1;  // A template whose messages are snapshots, as 35=W.
  localparam int FEED_KIND_UPDATE = 2;  // A template whose messages are updates, as 35=X.
  localparam int FEED_ORDER_LITTLE = 0;  // Order of a raw integer's bytes: lowest first.
  localparam int FEED_ORDER_BIG = 1;  // Order of a raw integer's bytes: highest first.
  localparam int FEED_CODE_D2 = 1;  // Code of a fault.
  localparam int FEED_CODE_D5 = 2;  // Code of a fault.
  localparam int FEED_CODE_D6 = 3;  // Code of a fault.
  localparam int FEED_CODE_D7 = 4;  // Code of a fault.
  localparam int FEED_CODE_D9 = 5;  // Code of a fault.
  localparam int FEED_CODE_R1 = 6;  // Code of a fault.
  localparam int FEED_CODE_R4 = 7;  // Code of a fault.
  localparam int FEED_CODE_U1 = 8;  // Code of a fault.
  localparam int FEED_CODE_U2 = 9;  // Code of a fault.
  localparam int FEED_CODE_U3 = 10;  // Code of a fault.
  localparam int FEED_CODE_U4 = 11;  // Code of a fault.
  localparam int FEED_CODE_U5 = 12;  // Code of a fault.
  localparam int FEED_CODE_R6 = 13;  // Code of a fault that is counted, not fatal.
  localparam int FEED_CODE_R7 = 14;  // Code of a fault that is counted, not fatal.
  localparam int FEED_CODE_R8 = 15;  // Code of a fault that is counted, not fatal.
  localparam int FEED_CODE_R9 = 16;  // Code of a fault that is counted, not fatal.
  localparam int FEED_EXPORT_ALL = 0;  // What goes to the ring: every field that has a tag.
  localparam int FEED_EXPORT_RAW = 1;  // What goes to the ring: the payload as it is, undecoded.
  localparam int FEED_FAULT_CODES = 32;  // Codes of faults, those that there are not among them.
  localparam int FEED_RING_LINES = 64;  // Lines of the ring.
  localparam int FEED_RING_LINE_WORDS = 8;  // Words of 64 bits in a line: seven values, then ring_tags.
  localparam int FEED_TAG_MESSAGE = 240;  // Tag: a message begins, see ring_message.
  localparam int FEED_TAG_END = 241;  // Tag: a datagram ends, see ring_end. What stands in front of it counts if its code is 0 and it is neither torn, bad nor vain.
  localparam int FEED_TAG_SEQUENCE = 242;  // Tag: a sequence begins; its length.
  localparam int FEED_TAG_ELEMENT = 243;  // Tag: an element of a sequence ends, or a group that has a map.
  localparam int FEED_TAG_CONTINUED = 244;  // Tag: the value before goes on: the exponent of a decimal, whose mantissa is there; more of a string.
  localparam int FEED_TAG_GAP = 245;  // Tag: a gap of a channel, see ring_gap; the value behind it, of tag_continued, is ring_gap_cause. Where numbers were given up it stands in front of the end of the datagram behind them.
  localparam int FEED_TAG_LOST = 246;  // Tag: so many lines were lost since the one before, for the ring was full.
  localparam int FEED_TAG_RAW = 248;  // Tag: eight bytes of a payload, the first one lowest; behind the last one zeros.

  typedef logic [FEED_ADDRESS_BITS-1:0] feed_address_t;  // bytes

  localparam feed_address_t FEED_REG_MAGIC = FEED_ADDRESS_BITS'('h0);
  localparam feed_address_t FEED_REG_HWMAP_HASH = FEED_ADDRESS_BITS'('h4);
  localparam feed_address_t FEED_REG_CAP_INSTRUCTIONS = FEED_ADDRESS_BITS'('h8);
  localparam feed_address_t FEED_REG_CAP_NUMBERS = FEED_ADDRESS_BITS'('hc);
  localparam feed_address_t FEED_REG_CAP_STRINGS = FEED_ADDRESS_BITS'('h10);
  localparam feed_address_t FEED_REG_CONTROL = FEED_ADDRESS_BITS'('h14);
  localparam feed_address_t FEED_REG_MULTIPLIER = FEED_ADDRESS_BITS'('h18);
  localparam feed_address_t FEED_REG_RING_HEAD = FEED_ADDRESS_BITS'('h1c);
  localparam feed_address_t FEED_REG_RING_TAIL = FEED_ADDRESS_BITS'('h20);
  localparam feed_address_t FEED_REG_LINES_LOST = FEED_ADDRESS_BITS'('h24);
  localparam feed_address_t FEED_REG_COUNT_DATAGRAMS = FEED_ADDRESS_BITS'('h28);
  localparam feed_address_t FEED_REG_COUNT_BAD = FEED_ADDRESS_BITS'('h2c);
  localparam feed_address_t FEED_REG_COUNT_R6 = FEED_ADDRESS_BITS'('h30);
  localparam feed_address_t FEED_REG_COUNT_R7 = FEED_ADDRESS_BITS'('h34);
  localparam feed_address_t FEED_REG_COUNT_R8 = FEED_ADDRESS_BITS'('h38);
  localparam feed_address_t FEED_REG_COUNT_R9 = FEED_ADDRESS_BITS'('h3c);
  localparam feed_address_t FEED_REG_FAULT = FEED_ADDRESS_BITS'('h40);
  localparam feed_address_t FEED_REG_FAULT_TEMPLATE = FEED_ADDRESS_BITS'('h44);
  localparam feed_address_t FEED_REG_NUMBERING = FEED_ADDRESS_BITS'('h48);
  localparam feed_address_t FEED_REG_WAIT_CYCLES = FEED_ADDRESS_BITS'('h4c);
  localparam feed_address_t FEED_REG_SILENCE_TICKS = FEED_ADDRESS_BITS'('h50);
  localparam feed_address_t FEED_REG_CHANNEL_START = FEED_ADDRESS_BITS'('h54);

  // Register control: bit positions.
  localparam int FEED_CONTROL_DECODE_LSB = 0;
  localparam int FEED_CONTROL_WHAT_LSB = 1;

  // Register fault: bit positions.
  localparam int FEED_FAULT_CODE_LSB = 0;
  localparam int FEED_FAULT_INSTRUCTION_LSB = 5;
  localparam int FEED_FAULT_OFFSET_LSB = 16;

  // Register numbering: bit positions.
  localparam int FEED_NUMBERING_NUMBERED_LSB = 0;
  localparam int FEED_NUMBERING_EACH_MESSAGE_LSB = 1;
  localparam int FEED_NUMBERING_BYTES_LSB = 2;

  // `field`: decodes a value, keeps it as its operator says, and tells it where it has a tag or a role.
  localparam int FEED_WORD_FIELD_BYTES = 8;
  typedef struct packed {
    logic [3:0] role;
    logic [1:0] reserved;
    logic [7:0] tag;
    logic [7:0] slot;
    logic [0:0] passed;
    logic [0:0] apart;
    logic [0:0] has_initial;
    logic [0:0] may_miss;
    logic [2:0] field_operator;
    logic [3:0] value_type;
    logic [2:0] op;
  } word_field_t;

  // `skip`: passes over entities, each up to a byte with the stop bit: unwanted fields cost their bytes, not cycles.
  localparam int FEED_WORD_SKIP_BYTES = 8;
  typedef struct packed {
    logic [3:0] bits;
    logic [11:0] twice;
    logic [11:0] taken;
    logic [4:0] entities;
    logic [2:0] op;
  } word_skip_t;

  // `initial`: a word that does nothing, as `skip` of nothing; the field in front of it has its initial value in the slot that it names.
  localparam int FEED_WORD_INITIAL_BYTES = 8;
  typedef struct packed {
    logic [3:0] reserved_high;
    logic [15:0] reserved;
    logic [7:0] slot;
    logic [4:0] none;
    logic [2:0] op;
  } word_initial_t;

  // `raw`: bytes in front of the FAST bytes: an integer if it has a tag or a role, else passed over.
  localparam int FEED_WORD_RAW_BYTES = 8;
  typedef struct packed {
    logic [3:0] role;
    logic [15:0] reserved;
    logic [7:0] tag;
    logic [0:0] order;
    logic [3:0] bytes;
    logic [2:0] op;
  } word_raw_t;

  // `group`, `loop` and `next`. `loop` and `next` name each other: to behind the sequence, and back to its element.
  localparam int FEED_WORD_BLOCK_BYTES = 8;
  typedef struct packed {
    logic [3:0] reserved_high;
    logic [14:0] reserved;
    logic [0:0] observe;
    logic [0:0] map;
    logic [0:0] may_miss;
    logic [10:0] target;
    logic [2:0] op;
  } word_block_t;

  // `call` and `end`.
  localparam int FEED_WORD_END_BYTES = 8;
  typedef struct packed {
    logic [3:0] reserved_high;
    logic [27:0] reserved;
    logic [0:0] reset;
    logic [2:0] op;
  } word_end_t;

  // A row of the table of identifiers.
  localparam int FEED_TEMPLATE_ROW_BYTES = 8;
  typedef struct packed {
    logic [0:0] valid;
    logic [0:0] reset;
    logic [1:0] kind;
    logic [10:0] target;
    logic [31:0] id;
  } template_row_t;

  // The initial value of a slot for numbers.
  localparam int FEED_NUMBER_ROW_BYTES = 16;
  typedef struct packed {
    logic [6:0] exponent;
    logic [31:0] high;
    logic [31:0] low;
  } number_row_t;

  // What a file with a program begins with. Behind it: the words, in 8 bytes each; the table of identifiers; the slots for numbers; those for strings, each a byte with the length and kept_bytes bytes; and JSON with the names, which nothing but a listing needs.
  localparam int FEED_PROGRAM_HEAD_BYTES = 32;
  typedef struct packed {
    logic [31:0] name_bytes;
    logic [31:0] multiplier;
    logic [15:0] strings;
    logic [15:0] numbers;
    logic [15:0] templates;
    logic [15:0] words;
    logic [31:0] map_hash;
    logic [31:0] magic;
  } program_head_t;

  // A word of the program: see the records word_field to word_end.
  localparam int FEED_PROGRAM_WORD_BYTES = 8;
  typedef struct packed {
    logic [3:0] high;
    logic [31:0] low;
  } program_word_t;

  // The initial value of a slot for strings: a word with its length, and one for each four of its bytes, the first one lowest.
  localparam int FEED_TEXT_ROW_BYTES = 64;
  typedef struct packed {
    logic [31:0] text_7;
    logic [31:0] text_6;
    logic [31:0] text_5;
    logic [31:0] text_4;
    logic [31:0] text_3;
    logic [31:0] text_2;
    logic [31:0] text_1;
    logic [31:0] text_0;
    logic [5:0] length;
  } text_row_t;

  // A word of the ring: a value, or in the eighth word of a line ring_tags. A number is as it is, of a decimal the mantissa; a string has in its highest byte how many bytes of it are in the value, seven at most, and those below, the last one lowest.
  localparam int FEED_RING_WORD_BYTES = 8;
  typedef struct packed {
    logic [31:0] high;
    logic [31:0] low;
  } ring_word_t;

  // The eighth word of a line, which is written last: its upper half, with the phase, behind all else.
  localparam int FEED_RING_TAGS_BYTES = 8;
  typedef struct packed {
    logic [0:0] phase;
    logic [3:0] reserved;
    logic [2:0] used;
    logic [7:0] tag_6;
    logic [7:0] tag_5;
    logic [7:0] tag_4;
    logic [7:0] tag_3;
    logic [7:0] tag_2;
    logic [7:0] tag_1;
    logic [7:0] tag_0;
  } ring_tags_t;

  // The value of tag_message.
  localparam int FEED_RING_MESSAGE_BYTES = 8;
  typedef struct packed {
    logic [31:0] number;
    logic [31:0] template_id;
  } ring_message_t;

  // The value of tag_end.
  localparam int FEED_RING_END_BYTES = 8;
  typedef struct packed {
    logic [10:0] reserved;
    logic [1:0] line;
    logic [0:0] vain;
    logic [0:0] bad;
    logic [0:0] torn;
    logic [15:0] bytes;
    logic [15:0] offset;
    logic [10:0] instruction;
    logic [4:0] code;
  } ring_end_t;

  // The value of tag_gap.
  localparam int FEED_RING_GAP_BYTES = 8;
  typedef struct packed {
    logic [31:0] last;
    logic [31:0] first;
  } ring_gap_t;

  // The value behind that of tag_gap.
  localparam int FEED_RING_GAP_CAUSE_BYTES = 8;
  typedef struct packed {
    logic [31:0] reserved_high;
    logic [27:0] reserved;
    logic [1:0] cause;
    logic [1:0] channel;
  } ring_gap_cause_t;

  // Which datagrams are a line's.
  localparam int FEED_LINE_FILTER_BYTES = 16;
  typedef struct packed {
    logic [13:0] reserved;
    logic [0:0] enable;
    logic [0:0] any_source;
    logic [15:0] port;
    logic [31:0] group;
    logic [31:0] source;
  } line_filter_t;

  // Where a channel stands.
  localparam int FEED_CHANNEL_STATE_BYTES = 8;
  typedef struct packed {
    logic [12:0] reserved;
    logic [0:0] waits;
    logic [0:0] behind;
    logic [0:0] begun;
    logic [15:0] epoch;
    logic [31:0] expected;
  } channel_state_t;

  // What became of the datagrams of a line, modulo 2^32, since the device was configured.
  localparam int FEED_LINE_COUNT_BYTES = 32;
  typedef struct packed {
    logic [31:0] reserved_7;
    logic [31:0] reserved_6;
    logic [31:0] missing;
    logic [31:0] lost;
    logic [31:0] bad;
    logic [31:0] late;
    logic [31:0] duplicate;
    logic [31:0] taken;
  } line_count_t;

  // How often a fault was found.
  localparam int FEED_FAULT_COUNT_BYTES = 4;
  typedef struct packed {
    logic [31:0] count;
  } fault_count_t;

  // words: room for 2048 records.
  localparam feed_address_t FEED_BASE_WORDS = FEED_ADDRESS_BITS'('h4000);
  localparam int FEED_ROOM_WORDS = 2048;

  // template_rows: room for 256 records.
  localparam feed_address_t FEED_BASE_TEMPLATE_ROWS = FEED_ADDRESS_BITS'('h8000);
  localparam int FEED_ROOM_TEMPLATE_ROWS = 256;

  // initial_numbers: room for 256 records.
  localparam feed_address_t FEED_BASE_INITIAL_NUMBERS = FEED_ADDRESS_BITS'('h9000);
  localparam int FEED_ROOM_INITIAL_NUMBERS = 256;

  // initial_texts: room for 32 records.
  localparam feed_address_t FEED_BASE_INITIAL_TEXTS = FEED_ADDRESS_BITS'('ha000);
  localparam int FEED_ROOM_INITIAL_TEXTS = 32;

  // ring: room for 512 records.
  localparam feed_address_t FEED_BASE_RING = FEED_ADDRESS_BITS'('hc000);
  localparam int FEED_ROOM_RING = 512;

  // fault_counts: room for 32 records.
  localparam feed_address_t FEED_BASE_FAULT_COUNTS = FEED_ADDRESS_BITS'('hd000);
  localparam int FEED_ROOM_FAULT_COUNTS = 32;

  // line_filters: room for 4 records.
  localparam feed_address_t FEED_BASE_LINE_FILTERS = FEED_ADDRESS_BITS'('he000);
  localparam int FEED_ROOM_LINE_FILTERS = 4;

  // channel_states: room for 2 records.
  localparam feed_address_t FEED_BASE_CHANNEL_STATES = FEED_ADDRESS_BITS'('he100);
  localparam int FEED_ROOM_CHANNEL_STATES = 2;

  // line_counts: room for 4 records.
  localparam feed_address_t FEED_BASE_LINE_COUNTS = FEED_ADDRESS_BITS'('he200);
  localparam int FEED_ROOM_LINE_COUNTS = 4;
endpackage
/* verilator lint_on UNUSEDPARAM */
