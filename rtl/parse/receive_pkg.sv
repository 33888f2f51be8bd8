// SPDX-License-Identifier: Apache-2.0
// Bundles between the modules of the receive side.
package receive_pkg;
  import compare_pkg::*, fixaccel_hwmap_pkg::*;

  // One byte of the FIX stream, in order, nothing twice.
  typedef struct packed {
    logic       valid;
    logic [7:0] data;
  } stream_byte_t;

  // The parser runs ahead of the frame's verdict. Every module with parser state keeps a copy of it as of the last good
  // frame: `keep` refreshes the copy, `restore` returns to it, `clear` starts anew.
  typedef struct packed {
    logic clear;
    logic keep;
    logic restore;
  } rollback_t;

  // Headers of a frame, as they become known.
  typedef struct packed {
    logic        first;     // pulse: a frame has begun
    logic        ports;     // pulse: the next cycle on, the three below stand; a cycle later, if they do not
    logic        judge;     // pulse: all fields below have stood for two cycles; before the first byte of payload
    logic        is_flow;   // of the session's flow
    logic        is_market; // of the flow that is parsed: the same one, or the market flow
    logic        ours;      // either
    logic        sound;     // the cycle after the last byte: lengths fit the frame, IP and TCP checksum right
    logic        syn;
    logic        fin;
    logic        rst;
    logic        ack_flag;
    logic [31:0] seq;
    logic [31:0] ack;
    logic [15:0] window;
    logic [15:0] length;    // TCP payload bytes
  } header_t;

  // What a segment is to a kernel that has had all that came before it. Stands from the cycle after `judge` to the end of
  // the frame.
  typedef struct packed {
    logic        acceptable;  // it would look at this segment: acknowledgement and window are possible
    logic        ack_fits;    // its acknowledgement is possible, as far as is known
    logic        parsed;      // of the parsed flow
    logic        fresh;       // data, some of it new and next
    logic        old;         // data, none of it new
    logic        hole;        // data beyond the next byte, or the first of all
    logic        fin;         // its FIN is next
    logic        rst;         // its RST counts
    logic        syn;         // its SYN counts: nothing else was seen of the connection
    logic [31:0] segment_end;
  } judged_t;

  // What a byte is.
  typedef struct packed {
    logic digit;
    logic soh;
    logic equals;
    logic nul;
  } class_t;
  function automatic class_t class_of(logic [7:0] data);
    // No comparison: tools make a carry chain of one.
    return '{digit: data[7:4] == 4'h3 && !(data[3] && data[2:1] != '0), soh: data == 8'h01, equals: data == "=", nul: data == '0};
  endfunction

  // A byte of the stream with what it is.
  typedef struct packed {
    logic       valid;
    logic [7:0] data;
    logic       digit;
    logic       soh;
    logic       equals;
    logic       nul;
  } text_byte_t;

  // Fields that the parser knows.
  typedef enum logic [3:0] {
    FIELD_OTHER,
    FIELD_FRAMING,       // 8, 9 or 10, which have no place inside the body
    FIELD_MSG_TYPE,      // 35
    FIELD_SEQ_NUM,       // 34
    FIELD_POSS_DUP,      // 43
    FIELD_SENDER,        // 49
    FIELD_SENDING_TIME,  // 52
    FIELD_TARGET,        // 56
    FIELD_SYMBOL,        // 55
    FIELD_ENTRY_TYPE,    // 269
    FIELD_PRICE,         // 270
    FIELD_ACTION,        // 279
    FIELD_POSITION       // 290
  } field_kind_t;

  // Parts of a message, in the order that they must have.
  typedef enum logic [1:0] {
    ZONE_HEADER,
    ZONE_BODY,
    ZONE_TRAILER
  } zone_t;

  // End of a field. The text itself went by as bytes.
  typedef struct packed {
    logic        done;       // pulse
    field_kind_t kind;
    zone_t       zone;
    logic        leading;    // it is the body's first
    logic        empty;      // there was no value
    logic        single;     // the value is one character
    logic [7:0]  character;  // its last character
    logic        one;        // the value is the number 1
  } field_t;

  // A price as read, in 10^-8: sign, and magnitude in two limbs.
  localparam int PRICE_LIMB = 30;
  typedef struct packed {
    logic                  ok;        // `-?digits[.digits]`, at most WIRE_DIGITS significant digits
    logic                  negative;
    logic [PRICE_LIMB-1:0] high;
    logic [PRICE_LIMB-1:0] low;
  } decimal_t;

  // Prices of a message by source: SOURCE_BID, SOURCE_ASK, SOURCE_LAST.
  localparam int SOURCES = 3;
  // A chain a source and direction, in the order in which they are evaluated: those of the mid, which no message carries, last.
  localparam int CARRIED_CHAINS = 2 * SOURCES;
  localparam int CHAINS = CARRIED_CHAINS + 2;
  localparam int OBSERVED = CHAINS / 2;  // what a message can have an observation of: the sources, and the mid
  // An observation: a price in units of its instrument.
  typedef struct packed {
    logic                         valid;
    logic signed [PRICE_BITS-1:0] price;
  } observation_t;

  function automatic stages_t stages_below(logic signed [PRICE_BITS-1:0] left, logic signed [PRICE_BITS-1:0] right);
    logic [PRICE_BITS-1:0] from, to;  // signed numbers in the order of unsigned ones
    from = {!left[PRICE_BITS-1], left[PRICE_BITS-2:0]};
    to = {!right[PRICE_BITS-1], right[PRICE_BITS-2:0]};
    return stages_of({from, (LOWER_BITS - PRICE_BITS)'(0)}, {to, (LOWER_BITS - PRICE_BITS)'(0)});
  endfunction
  function automatic logic below(logic signed [PRICE_BITS-1:0] left, logic signed [PRICE_BITS-1:0] right);
    return carry_of(stages_below(left, right));
  endfunction

  // MDEntryPositionNo(290) of an entry.
  typedef enum logic [1:0] {
    LEVEL_NONE,
    LEVEL_FIRST,
    LEVEL_OTHER
  } level_t;

  // One entry of the repeating group, its price apart.
  typedef struct packed {
    logic       update;    // of a 35=X, not of a 35=W
    logic       named;     // the message has said a symbol by its end
    logic       known;     // it is a bid, an offer or a trade
    logic [1:0] source;
    logic       deleted;
    level_t     level;
    logic       priced;
    logic [1:0] price_id;  // tells its price from those around it
  } entry_t;

  // The entry that counts so far for one source of one instrument: its price, and what it gives way to.
  localparam int PRICE_ROOM = $bits(decimal_t) - 1;
  typedef struct packed {
    logic                  priced;
    logic                  divided;  // `price` is an observation_t; else a decimal_t that is ok, without that bit
    logic [PRICE_ROOM-1:0] price;
  } candidate_t;
  typedef struct packed {
    logic seen;  // there is one
    logic best;  // it is a side's entry with 290=1
  } rank_t;
  typedef candidate_t [SOURCES-1:0] candidates_t;
  typedef rank_t [SOURCES-1:0] ranks_t;

  // Instruments that an update may be of.
  localparam int SLOTS = 16;
  typedef logic [$clog2(SLOTS)-1:0] slot_t;
  // The next one, without a carry chain, which takes longer than so few bits do.
  function automatic slot_t slot_behind(slot_t slot);
    for (int i = 0; i < $bits(slot_t); i++) slot_behind[i] = slot[i] ^ ((slot | ~slot_t'((1 << i) - 1)) == '1);
  endfunction

  // A complete message that says something of its instrument.
  typedef struct packed {
    logic [15:0]                instrument;
    logic [31:0]                number;     // since the parser found the stream, from 1
    logic [31:0]                end_cycle;  // cycle of its last byte
    logic                       windows;    // set of windows of time that held when its body began
    logic [SOURCES-1:0]         touched;    // it says what these are now: unknown, where there is no observation
    observation_t [SOURCES-1:0] observed;
  } message_t;

  // Pulses of the parser, of good frames only.
  typedef struct packed {
    logic bad_checksum;
    logic poss_dup;
    logic refused;
    logic unread;
    logic price_invalid;
  } rx_counts_t;
endpackage
