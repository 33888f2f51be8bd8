// SPDX-License-Identifier: Apache-2.0
// Bundles between the modules of the receive side.
package receive_pkg;
  import fixaccel_hwmap_pkg::*;

  // One byte of the FIX stream, in order, nothing twice.
  typedef struct packed {
    logic       valid;
    logic [7:0] data;
  } stream_byte_t;

  // The parser runs ahead of the frame's verdict. Every module with parser state keeps a copy of it as of the last good
  // frame: `keep` refreshes the copy, `restore` returns to it, `clear` starts anew at a message boundary.
  typedef struct packed {
    logic clear;
    logic keep;
    logic restore;
  } rollback_t;

  // Headers of a frame, as they become known.
  typedef struct packed {
    logic        first;     // pulse: a frame has begun
    logic        ports;     // pulse: the next cycle on, `is_flow` stands
    logic        judge;     // pulse: all fields below have stood for two cycles; before the first byte of payload
    logic        is_flow;
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
    logic        fresh;       // data, some of it new and next
    logic        old;         // data, none of it new
    logic        hole;        // data beyond the next byte
    logic        newer;       // data that ends beyond everything seen
    logic        fin;         // its FIN is next
    logic        rst;         // its RST counts
    logic        syn;         // its SYN counts: nothing else was seen of the connection
    logic [31:0] segment_end;
  } judged_t;

  // Fields that the parser knows; everything else is skipped.
  typedef enum logic [3:0] {
    FIELD_OTHER,
    FIELD_MSG_TYPE,    // 35, as the first field of the body
    FIELD_POSS_DUP,    // 43
    FIELD_SYMBOL,      // 55
    FIELD_ENTRY_TYPE,  // 269
    FIELD_PRICE,       // 270
    FIELD_POSITION,    // 290
    FIELD_RAW_LENGTH,  // a length that announces a raw-data field
    FIELD_RAW_DATA
  } field_kind_t;

  // End of a field. The text itself went by as stream bytes.
  typedef struct packed {
    logic        done;       // pulse, the cycle after the field's SOH
    field_kind_t kind;
    logic        single;     // the value is one character
    logic [7:0]  character;  // its last character
    logic        one;        // the value is the number 1
  } field_t;

  // A price as read: sign, whole part in two limbs (whole = high * 2^17 + low), fraction in 10^-8.
  typedef struct packed {
    logic        ok;        // `-?digits[.digits]`, at most WIRE_DIGITS significant digits
    logic        negative;
    logic [16:0] high;
    logic [16:0] low;
    logic [26:0] fraction;
  } decimal_t;

  // Candidates of a message by source: SOURCE_BID, SOURCE_ASK, SOURCE_LAST.
  localparam int SOURCES = 3;
  // A chain a source and direction, in the order in which they are evaluated.
  localparam int CHAINS = 2 * SOURCES;
  typedef struct packed {
    logic     present;
    decimal_t price;
  } candidate_t;

  // An observation: a price in units of its instrument.
  typedef struct packed {
    logic                         valid;
    logic signed [PRICE_BITS-1:0] price;
  } observation_t;

  // A complete message that carries at least one observation.
  typedef struct packed {
    logic [15:0]                instrument;
    logic [31:0]                number;     // since resync, from 1
    logic [31:0]                end_cycle;  // cycle of its last byte
    observation_t [SOURCES-1:0] observed;
  } message_t;
endpackage
