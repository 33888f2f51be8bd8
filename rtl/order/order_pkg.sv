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
    segment_t    segment;
    order_t      order;
    symbol_t     symbol;
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

  // The number after `bcd`.
  function automatic logic [31:0] bcd_next(logic [31:0] bcd);
    logic carry;
    carry = 1'b1;
    for (int i = 0; i < SEQ_NUM_CHARS; i++) begin
      bcd_next[4*i+:4] = !carry ? bcd[4*i+:4] : (bcd[4*i+:4] == 4'd9) ? 4'd0 : bcd[4*i+:4] + 4'd1;
      carry = carry && bcd[4*i+:4] == 4'd9;
    end
  endfunction

  // Sums of characters: [0] those with an even index in their field, [1] those with an odd one.
  typedef logic [1:0][10:0] char_sums_t;

  // What such a field adds to a checksum over 16-bit big-endian words; not folded, 18 bits.
  function automatic logic [17:0] word_sum(char_sums_t sums, logic starts_odd);
    logic [10:0] high, low;
    high = starts_odd ? sums[1] : sums[0];
    low = starts_odd ? sums[0] : sums[1];
    // high * 256 with the carry beyond 16 bits brought round.
    return {2'b0, high[7:0], 8'b0} + {15'b0, high[10:8]} + {7'b0, low};
  endfunction

  function automatic logic [7:0] decimal_char(logic [3:0] digit);
    return {4'h3, digit};
  endfunction

  // 0-9, then A-Z.
  function automatic logic [7:0] base36_char(logic [5:0] digit);
    return (digit < 6'd10) ? {2'b00, digit} + 8'h30 : {2'b00, digit} + 8'h37;
  endfunction

  // Character `index` of a number of BCD digits, most significant first.
  function automatic logic [7:0] seq_num_char(logic [31:0] bcd, logic [2:0] index);
    return decimal_char(bcd[{~index, 2'b00}+:4]);
  endfunction

  // Character `index` of YYYYMMDD-HH:MM:SS.mmm.
  function automatic logic [7:0] time_char(utc_t utc, logic [4:0] index);
    logic [3:0] digit;
    digit = '0;
    case (index)
      5'd0: digit = utc.date[31:28];
      5'd1: digit = utc.date[27:24];
      5'd2: digit = utc.date[23:20];
      5'd3: digit = utc.date[19:16];
      5'd4: digit = utc.date[15:12];
      5'd5: digit = utc.date[11:8];
      5'd6: digit = utc.date[7:4];
      5'd7: digit = utc.date[3:0];
      5'd9: digit = utc.hms[23:20];
      5'd10: digit = utc.hms[19:16];
      5'd12: digit = utc.hms[15:12];
      5'd13: digit = utc.hms[11:8];
      5'd15: digit = utc.hms[7:4];
      5'd16: digit = utc.hms[3:0];
      5'd18: digit = utc.ms[11:8];
      5'd19: digit = utc.ms[7:4];
      5'd20: digit = utc.ms[3:0];
      default: ;
    endcase
    case (index)
      5'd8: return "-";
      5'd11, 5'd14: return ":";
      5'd17: return ".";
      default: return decimal_char(digit);
    endcase
  endfunction

  // Character `index` of a ClOrdID: epoch, rule index, fire count.
  function automatic logic [7:0] cl_ord_id_char(logic [31:0] epoch, rule_digits_t rule, fires_digits_t fires,
                                                logic [4:0] index);
    case (index)
      5'd0, 5'd1, 5'd2, 5'd3: return epoch[{index[1:0], 3'b000}+:8];
      5'd7: return base36_char(rule[4]);
      5'd8: return base36_char(rule[3]);
      5'd9: return base36_char(rule[2]);
      5'd10: return base36_char(rule[1]);
      5'd11: return base36_char(rule[0]);
      5'd17: return base36_char(fires[2]);
      5'd18: return base36_char(fires[1]);
      5'd19: return base36_char(fires[0]);
      default: return "0";
    endcase
  endfunction

  // Digit `index` of CheckSum(10).
  function automatic logic [7:0] checksum_char(logic [11:0] bcd, logic [1:0] index);
    case (index)
      2'd0: return decimal_char(bcd[11:8]);
      2'd1: return decimal_char(bcd[7:4]);
      default: return decimal_char(bcd[3:0]);
    endcase
  endfunction

  // A character of an order record: its code is the low half of its ASCII code.
  function automatic logic [7:0] code_char(logic [3:0] code);
    return {(code < 4'd10) ? 4'h3 : 4'h2, code};
  endfunction
endpackage
