// SPDX-License-Identifier: Apache-2.0
// Types of the decoder of feeds. Layouts and codes are those of the map, feed_hwmap_pkg.
// Functions look at parts of words; not every user needs every constant.
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNUSEDSIGNAL */
package feed_pkg;
  import feed_hwmap_pkg::*;

  localparam int AT_BITS = $clog2(FEED_INSTRUCTIONS);
  localparam int SLOT_BITS = $clog2(FEED_NUMBERS);
  localparam int TEXT_SLOT_BITS = $clog2(FEED_STRINGS);
  localparam int ENTITY_BITS = 7 * FEED_ENTITY_BYTES;
  localparam int TEXT_BITS = $clog2(FEED_KEPT_BYTES + 1);  // of a kept string's length
  localparam int CHUNK_BYTES = 7;  // of a string on the field bus at once: with their number they fill a value
  localparam int RAW_BYTES = 8;    // of a raw integer at most

  typedef logic [AT_BITS-1:0] at_t;            // address of a word
  typedef logic [SLOT_BITS-1:0] slot_t;
  typedef logic [15:0] offset_t;               // of a byte in its datagram
  typedef logic [ENTITY_BITS:0] number_t;      // what an entity says, two's complement
  typedef logic [ENTITY_BITS-1:0] bits_t;      // of a presence map, the next one at the left
  typedef logic [TEXT_BITS-1:0] length_t;
  typedef logic [4:0] code_t;

  // A presence map: bits, how many of them are left, and whether it had more than one byte.
  typedef struct packed {
    bits_t      bits;
    logic [6:0] left;
    logic       several;
  } map_t;

  // What is around a block.
  typedef struct packed {
    map_t        map;
    logic [31:0] left;     // elements
    logic        at_last;  // one is left
    at_t         back;     // of a dynamic reference: the word behind it
  } block_t;

  // A byte of a datagram. Behind its last byte comes one with `last`, which is none of it.
  typedef struct packed {
    logic       valid;
    logic       last;
    logic [7:0] data;
  } feed_byte_t;

  // What the host writes while the decoder is off.
  typedef enum logic [2:0] {
    INTO_PROGRAM,     // a word
    INTO_NUMBERS,     // the initial value of a slot: exponent, mantissa
    INTO_TEXTS,       // a byte of an initial string: slot, place
    INTO_LENGTHS,     // how many it has
    INTO_ROWS,        // a row of the table of identifiers
    INTO_MULTIPLIER,  // by which rows are found
    INTO_FILTERS      // a byte of what datagrams of a line have: line, place
  } into_t;
  typedef struct packed {
    logic        write;
    into_t       into;
    at_t         at;
    logic [70:0] data;
  } load_t;

  // What the first bytes of a word are.
  typedef enum int {
    SHAPE_NUMBER,   // an entity
    SHAPE_DECIMAL,  // an entity, and a second one unless that says null
    SHAPE_TEXT,     // characters
    SHAPE_AWAY,     // how many characters a delta takes away, then the others
    SHAPE_VECTOR,   // a length, then bytes
    SHAPE_PASS,     // an entity that nobody wants
    SHAPE_PASS_TWO,
    SHAPE_PASS_VECTOR,
    SHAPE_SKIP,
    SHAPE_RAW,
    SHAPE_GROUP,
    SHAPE_LOOP,
    SHAPE_NEXT,
    SHAPE_CALL,
    SHAPE_END,
    SHAPES
  } shape_t;

  // A word as it is executed: what decides in its first cycle is a bit of its own.
  typedef struct packed {
    logic [FEED_WORD_BITS-1:0] word;
    at_t    at;
    logic [SHAPES-1:0] shape;  // one bit
    logic   reads;        // bytes, whatever the map says
    logic   reads_if;     // bytes if its bit is set
    logic   takes_bit;
    logic [3:0] bits;     // that it takes from the map where it reads its first
    logic   unread_ends;  // it is done where it reads nothing
    logic   whole_ends;   // it is done with its first entity
    logic   null_ends;    // it is if that says null
    logic   limited;      // its first entity is an integer
    logic   plain_text;   // a string that is what the stream has
    logic   waits;        // for a length or an exponent
    logic   with_map;
    logic   is_constant;
    logic   is_delta;
    logic   is_tail;
    logic   is_default;
    logic   has_entry;    // a previous value
    logic   keeps_number; // which is a number
    logic   is_signed;    // its entity
    logic   is_exponent;
    logic   is_mantissa;
    logic   is_length;
    logic   told;
    logic   guessed;      // `next`: that there is another element
  } step_t;

  function automatic logic is_of(logic [3:0] value_type, int code);
    return value_type == 4'(code);
  endfunction

  function automatic logic is_text_type(word_field_t f);
    return is_of(f.value_type, FEED_TYPE_ASCII) || is_of(f.value_type, FEED_TYPE_BYTES);
  endfunction

  function automatic shape_t field_shape(word_field_t f);
    logic is_delta, is_bytes;
    is_delta = f.field_operator == 3'(FEED_OPERATOR_DELTA);
    is_bytes = is_of(f.value_type, FEED_TYPE_BYTES);
    if (is_of(f.value_type, FEED_TYPE_DECIMAL)) return f.passed != 0 ? SHAPE_PASS_TWO : SHAPE_DECIMAL;
    if (is_bytes) return !is_delta ? SHAPE_VECTOR : f.passed != 0 ? SHAPE_PASS_VECTOR : SHAPE_AWAY;
    if (is_of(f.value_type, FEED_TYPE_ASCII)) begin
      if (is_delta) return f.passed != 0 ? SHAPE_PASS_TWO : SHAPE_AWAY;
      return f.passed != 0 ? SHAPE_PASS : SHAPE_TEXT;
    end
    return f.passed != 0 ? SHAPE_PASS : SHAPE_NUMBER;
  endfunction

  function automatic shape_t shape_of(logic [FEED_WORD_BITS-1:0] word);
    case (int'(word[2:0]))
      FEED_OP_FIELD: return field_shape(word_field_t'(word));
      FEED_OP_SKIP:  return SHAPE_SKIP;
      FEED_OP_RAW:   return SHAPE_RAW;
      FEED_OP_GROUP: return SHAPE_GROUP;
      FEED_OP_LOOP:  return SHAPE_LOOP;
      FEED_OP_NEXT:  return SHAPE_NEXT;
      FEED_OP_CALL:  return SHAPE_CALL;
      default:       return SHAPE_END;
    endcase
  endfunction

  function automatic step_t step_of(logic [FEED_WORD_BITS-1:0] word, at_t at, logic guessed);
    word_field_t f;
    word_block_t b;
    word_raw_t r;
    word_skip_t k;
    shape_t shape;
    logic is_field, is_constant, is_none, is_delta, is_tail, is_default, is_unsigned, by_bit, is_text;
    f = word_field_t'(word);
    b = word_block_t'(word);
    r = word_raw_t'(word);
    k = word_skip_t'(word);
    shape = shape_of(word);
    is_field = f.op == 3'(FEED_OP_FIELD);
    is_constant = f.field_operator == 3'(FEED_OPERATOR_CONSTANT);
    is_none = f.field_operator == 3'(FEED_OPERATOR_NONE);
    is_default = f.field_operator == 3'(FEED_OPERATOR_DEFAULT);
    is_delta = f.field_operator == 3'(FEED_OPERATOR_DELTA);
    is_tail = f.field_operator == 3'(FEED_OPERATOR_TAIL);
    is_unsigned = is_of(f.value_type, FEED_TYPE_UINT32) || is_of(f.value_type, FEED_TYPE_UINT64) ||
                  is_of(f.value_type, FEED_TYPE_LENGTH) || is_of(f.value_type, FEED_TYPE_BYTES);
    by_bit = is_constant ? f.may_miss != 0 : !is_none && !is_delta;
    is_text = shape == SHAPE_TEXT || shape == SHAPE_VECTOR;
    step_of = '{
        word: word,
        at: at,
        shape: SHAPES'(1) << int'(shape),
        reads: is_field ? !is_constant && !by_bit : shape == SHAPE_SKIP && k.entities != '0,
        reads_if: is_field && !is_constant && by_bit,
        takes_bit: is_field ? by_bit : shape == SHAPE_GROUP && b.may_miss != 0,
        bits: shape == SHAPE_SKIP ? k.bits : 4'(is_field ? by_bit : shape == SHAPE_GROUP && b.may_miss != 0),
        unread_ends: is_field && (!is_text || f.passed != 0 || (is_default && f.has_initial == 0)),
        whole_ends: shape == SHAPE_NUMBER || shape == SHAPE_PASS || (shape == SHAPE_TEXT && !is_tail),
        null_ends: f.may_miss != 0 && (shape == SHAPE_DECIMAL || shape == SHAPE_TEXT || shape == SHAPE_AWAY ||
            shape == SHAPE_PASS_TWO || shape == SHAPE_PASS_VECTOR),
        limited: shape == SHAPE_NUMBER || shape == SHAPE_DECIMAL || shape == SHAPE_AWAY || shape == SHAPE_VECTOR,
        plain_text: f.passed != 0 || !(is_tail || is_delta),
        waits: shape == SHAPE_LOOP || (is_field && is_of(f.value_type, FEED_TYPE_MANTISSA)),
        with_map: b.map != 0,
        is_constant: is_constant,
        is_delta: is_delta,
        is_tail: is_tail,
        is_default: is_default,
        has_entry: is_field && f.field_operator >= 3'(FEED_OPERATOR_COPY),
        keeps_number: is_field && f.field_operator >= 3'(FEED_OPERATOR_COPY) && !is_text_type(f),
        is_signed: is_delta || !is_unsigned,
        is_exponent: is_field && is_of(f.value_type, FEED_TYPE_EXPONENT),
        is_mantissa: is_field && is_of(f.value_type, FEED_TYPE_MANTISSA),
        is_length: is_field && is_of(f.value_type, FEED_TYPE_LENGTH),
        told: f.role != '0 || (is_field ? f.tag : r.tag) != '0,
        guessed: guessed
    };
  endfunction

  // One bit each: what the engine does.
  typedef enum int {
    OFF,
    RESTART,
    FLUSH,         // what is left of the datagram counts for nothing
    DRAIN,         // all is taken: until it is told
    START,         // the step's first entity
    SKIP,
    SECOND,        // entity: of a decimal, or passed over
    CHARACTERS,    // behind what a delta takes away
    VECTOR_LENGTH,
    VECTOR_CHECK,
    VECTOR,
    IMPLY,         // a string that is not in the stream
    MEASURE,       // how a string is put together
    MAKE,          // it is
    FINISH,        // behind one that was not in the stream as it is
    RAW,
    RAW_PAD,       // zeros above what came lowest first
    MAP,
    ID,
    RESOLVE,
    LOOKUP,
    FORGET,        // before a message of a template that resets
    RESET,         // before any message
    PHASES
  } phase_t;
  typedef logic [PHASES-1:0] phases_t;

  // What an operation behind the engine does.
  typedef enum logic [3:0] {
    DO_NOTHING,          // but to bring what was counted
    DO_NUMBER,
    DO_EXPONENT,         // of a decimal with an operator for each part
    DO_MANTISSA,
    DO_LENGTH,
    DO_DECIMAL_EXPONENT, // of a decimal with one operator: waits for the mantissa
    DO_DECIMAL,
    DO_TEXT,
    DO_EVENT,
    DO_FAULT
  } do_t;

  // What stands on the field bus.
  typedef enum logic [3:0] {
    TELLS_NUMBER,
    TELLS_DECIMAL,
    TELLS_TEXT,       // bytes of a string, the last one lowest
    TELLS_MESSAGE,    // one begins: its identifier, above it its kind
    TELLS_GROUP,
    TELLS_SEQUENCE,   // its length
    TELLS_ELEMENT,    // one has ended, or a group with a map
    TELLS_CALL,       // a dynamic reference: the identifier
    TELLS_RETURN,
    TELLS_END,        // of a message
    TELLS_FAULT,      // the last of a datagram but one: code and byte
    TELLS_DONE        // the datagram has ended
  } tells_t;

  // Faults that are counted, as they were found.
  typedef struct packed {
    logic r6;
    logic r7;
    logic r8;
    logic r9;
  } counted_t;

  // From the cycle of an operation until a state that is looked at is the new one.
  localparam int WRITE_CYCLES = 5;

  // Which previous value a slot has.
  typedef enum logic [1:0] {
    STATE_UNDEFINED,
    STATE_EMPTY,
    STATE_ASSIGNED
  } state_t;

  // Lines and channels: those of channel c are 2c, its A, and 2c + 1, its B.
  localparam int LINE_BITS = $clog2(FEED_LINES);
  localparam int CHANNEL_BITS = $clog2(FEED_CHANNELS);
  typedef logic [FEED_LINES-1:0] lines_t;
  typedef logic [FEED_CHANNELS-1:0] channels_t;
  typedef logic [31:0] sequence_t;  // number of a datagram or a message
  typedef struct packed {
    logic       numbered;
    logic       each_message;
    logic [2:0] bytes;  // of a number
  } numbering_t;

  // Where a channel stands. The last numbers that were given up are as many as `gap_less` is below zero, from `gap_first` on.
  typedef struct packed {
    logic      begun;
    sequence_t expected;
    logic      gap;
    sequence_t gap_first;
    sequence_t gap_less;
  } channel_t;

  // What is told of a datagram at its end.
  typedef struct packed {
    logic                 valid;
    logic                 bad;
    logic                 vain;   // nothing of it counts here, good or bad
    logic [LINE_BITS-1:0] line;
  } verdict_t;

  // A gap: from `first` to `last`, which is in front of it where no number was given up.
  typedef struct packed {
    logic                    valid;
    logic [1:0]              cause;
    logic [CHANNEL_BITS-1:0] channel;
    sequence_t               first;
    sequence_t               last;
  } gap_t;

  // Ones where a number has bits.
  function automatic sequence_t mask_of(numbering_t numbering);
    for (int i = 0; i < 4; i++) mask_of[8*i+:8] = {8{int'(numbering.bytes) > i}};
  endfunction

  // What is to be counted of a line.
  typedef struct packed {
    logic                 valid;
    logic [LINE_BITS-1:0] line;
    logic [2:0]           outcome;
    sequence_t            less;     // so many, below zero
  } tally_t;

  // An access by the host, and its answer so many cycles later.
  localparam int ANSWER_CYCLES = 3;
  typedef struct packed {
    logic          valid;
    logic          write;
    feed_address_t addr;
    logic [31:0]   wdata;
  } feed_request_t;

  function automatic logic in_window(feed_address_t address, feed_address_t base, int bytes);
    return (address ^ base) >> $clog2(bytes) == '0;
  endfunction

  // What a step has found in a cycle, for the operators: a part of it, a fault, or what was counted.
  typedef struct packed {
    logic     number;    // of the entity that was just read, or of what stands for it
    logic     part;      // it is the exponent of a decimal, and the mantissa follows
    logic     second;    // it is that mantissa
    logic     text;
    logic     event_one;
    tells_t   tells;
    logic     fault;
    code_t    code;
    offset_t  offset;
    logic     given;     // its bit is set, or it has none
    logic     reads;
    logic     is_null;
    logic     lowers;    // it is nullable and above zero: one less is meant
    logic [3:0] count;   // bytes of a string
    logic     first;     // of its chunks
    logic     last;
    counted_t counted;
  } issue_t;

  typedef struct packed {
    logic     valid;
    do_t      does;
    tells_t   tells;       // an event
    code_t    code;        // a fault
    number_t  value;       // from the stream
    logic     reads;       // there is one
    logic     lowers;      // it is nullable and above zero: one less is meant
    logic     null_value;  // absent
    logic     given;       // its bit is set, or it has none
    logic     is_constant;
    logic     is_delta;
    logic     is_increment;
    logic     has_entry;
    logic     may_miss;
    logic     has_initial;
    logic     is_unsigned;
    logic     narrow;      // 32 bits
    state_t   state;
    slot_t    slot;
    logic     told;
    logic [7:0] tag;
    logic [3:0] role;
    at_t      at;
    offset_t  offset;
    logic [3:0] count;     // bytes of a string
    logic     first;       // of its chunks
    logic     last;
    counted_t counted;
  } operation_t;

  // The field bus: what a datagram says, in its order. All of it is void if a fault comes.
  typedef struct packed {
    logic        valid;
    tells_t      tells;
    logic [7:0]  tag;
    logic [3:0]  role;
    at_t         at;
    logic [63:0] value;
    logic [6:0]  exponent;
    logic [3:0]  count;     // TELLS_TEXT
    logic        first;
    logic        last;
    code_t       code;      // TELLS_FAULT
    offset_t     offset;
  } field_t;
endpackage
/* verilator lint_on UNUSEDSIGNAL */
/* verilator lint_on UNUSEDPARAM */
