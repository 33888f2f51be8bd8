// SPDX-License-Identifier: Apache-2.0
// What an order is made of, fixed from the moment its fire was taken until its last byte has left.
package order_pkg;
  import fixaccel_hwmap_pkg::*;
  import host_pkg::*;

  localparam int RULE_DIGITS = 5;   // base-36 digits that a 24-bit rule index can have
  localparam int FIRES_DIGITS = 3;  // base-36 digits that a 15-bit fire count can have

  typedef logic [RULE_DIGITS-1:0][5:0] rule_digits_t;    // least significant first
  typedef logic [FIRES_DIGITS-1:0][5:0] fires_digits_t;

  // Reasons against every order, in the order in which they count; the window comes behind the clock.
  typedef struct packed {
    logic kill;
    logic watchdog;
    logic session;
    logic clock;
    logic fault;
  } reasons_t;

  // Limits that an order is beyond, in the order in which they count, behind all other reasons.
  typedef struct packed {
    logic order_notional;
    logic self_trade;
    logic orders_per_second;
    logic total_orders;
    logic total_qty;
  } violated_t;

  // Headers of the order's segment.
  typedef struct packed {
    logic [47:0] dst_mac;
    logic [47:0] src_mac;
    logic [15:0] ip_id;
    logic [31:0] src_ip;
    logic [31:0] dst_ip;
    logic [15:0] src_port;
    logic [15:0] dst_port;
    logic [31:0] seq;
    logic [31:0] ack;
    logic [15:0] window;
  } segment_t;

  // All that an order takes along. It follows its sources until the fire is taken, then it holds still.
  typedef struct packed {
    logic        upper;    // of two banks it is that one's
    segment_t    segment;
    order_t      order;
    logic [31:0] seq_num;  // BCD
    utc_t        utc;
  } leaving_t;

  // Values of the fields that are patched in, beside those of `leaving_t`.
  typedef struct packed {
    logic [31:0]   epoch;    // ASCII, first character lowest
    rule_digits_t  rule;
    fires_digits_t fires;
    logic [11:0]   checksum; // BCD
  } fields_t;

  // Slots of pairs of characters, as order_text has them and order_sums walks them: CheckSum's digits come in a second
  // turn, the digits of a ClOrdID as late as they are made.
  typedef logic [4:0] slot_t;
  localparam slot_t CHECKSUM_SLOT = 5'd0;  // the first digit; then the other two, the last one at the even index
  localparam slot_t SEQ_NUM_SLOT = 5'd2;
  localparam slot_t TIME_SLOT = 5'd7;      // YYYYMMDD-HH:MM:SS.mmm
  localparam slot_t EPOCH_SLOT = 5'd20;    // of a ClOrdID: epoch, 000, rule index, 00000, fire count
  localparam slot_t FIRES_SLOT = 5'd22;    // with a zero before it
  localparam slot_t RULE_SLOT = 5'd24;     // likewise
  localparam slot_t ZEROS_SLOT = 5'd31;    // any two zeros of a ClOrdID
  localparam int ZEROS_SKIPPED = 3;        // pairs of them, which are not walked

  // Slot of the pair with character `index` of a field.
  function automatic slot_t slot_of(logic [2:0] source, logic [4:0] index);
    slot_t of_id;
    case (index[4:1])
      4'd0: of_id = EPOCH_SLOT;
      4'd1: of_id = EPOCH_SLOT + 1;
      4'd3: of_id = RULE_SLOT;
      4'd4: of_id = RULE_SLOT + 1;
      4'd5: of_id = RULE_SLOT + 2;
      4'd8: of_id = FIRES_SLOT;
      4'd9: of_id = FIRES_SLOT + 1;
      default: of_id = ZEROS_SLOT;
    endcase
    case (source)
      3'(PATCH_SEQ_NUM): return SEQ_NUM_SLOT + slot_t'(index[2:1]);
      3'(PATCH_TIME): return TIME_SLOT + slot_t'(index[4:1]);
      3'(PATCH_CHECKSUM): return CHECKSUM_SLOT + slot_t'(index[1:0] != 2'd0);
      default: return of_id;
    endcase
  endfunction

  // A number of six bits divided by a constant: a LUT a bit.
  typedef struct packed {
    logic [63:0][5:0] quotient;
    logic [63:0][5:0] rest;
  } divided_t;
  function automatic divided_t divided_by(int divisor);
    for (int i = 0; i < 64; i++) begin
      divided_by.quotient[i] = 6'(i / divisor);
      divided_by.rest[i] = 6'(i % divisor);
    end
  endfunction
  localparam divided_t BY_5 = divided_by(5);
  localparam divided_t BY_18 = divided_by(18);
  localparam divided_t BY_25 = divided_by(25);

  // A character of an order record: its code is the low half of its ASCII code.
  function automatic logic [7:0] code_char(logic [3:0] code);
    return {(code < 4'd10) ? 4'h3 : 4'h2, code};
  endfunction
endpackage
