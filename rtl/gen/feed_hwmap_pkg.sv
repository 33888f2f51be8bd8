// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/hwmap/feed.yaml by `fixaccel hwmap generate`; do not edit.
// Source: sha256 b7a08d802ab86adbf7c221018bc15367f52b4902eeecb5659d434d96277b5cce
// Not every user of the package needs every constant.
/* verilator lint_off UNUSEDPARAM */
package feed_hwmap_pkg;
  localparam logic [31:0] FEED_HASH = 32'hb7a08d80;

  localparam int FEED_ADDRESS_BITS = 17;  // Width of a byte address in this map.
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

  typedef logic [FEED_ADDRESS_BITS-1:0] feed_address_t;  // bytes


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
endpackage
/* verilator lint_on UNUSEDPARAM */
