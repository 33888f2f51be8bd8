// SPDX-License-Identifier: Apache-2.0
// Cuts the body into fields at each SOH, as QuickFIX does without a dictionary.
//
// A tag is looked up digit by digit; what it means stands in the cycle after the `=`. So the bytes of a value leave here a
// cycle after they came, with their kind, and the field's end a cycle after its SOH did.
module fix_fields
  import receive_pkg::*;
(
    input  logic        clk,
    input  logic        rst,
    input  text_byte_t  text,
    input  logic        in_body,       // the byte is of a body
    input  rollback_t   rollback,
    output text_byte_t  value,         // bytes of a value and the SOH behind it
    output logic        value_first,   // first byte, or the SOH of an empty value
    output logic        value_is_price,
    output logic        value_is_symbol,
    output field_t      field,
    output logic        malformed      // pulse: the text is no `tag=value`
);
  // A tag is its last digit and the digits ahead of it: a bit for each that some known tag begins with, none for others.
  // One bit each, so that a step takes two of them.
  typedef enum int {
    AHEAD_0, AHEAD_1, AHEAD_2, AHEAD_3, AHEAD_4, AHEAD_5, AHEAD_6, AHEAD_8, AHEAD_9, AHEAD_11, AHEAD_12, AHEAD_14, AHEAD_21,
    AHEAD_26, AHEAD_27, AHEAD_29, AHEAD_34, AHEAD_36, AHEAD_37, AHEAD_62, AHEAD_112, AHEADS
  } ahead_index_t;
  typedef logic [AHEADS-1:0] ahead_t;
  typedef logic [9:0] digit_t;

  typedef struct packed {
    logic       in_value;
    logic       first;        // no character of this tag or value yet
    logic       first_field;  // of the body
    ahead_t     ahead;
    digit_t     digit;
  } state_t;
  localparam state_t START = '{
      first: 1'b1, first_field: 1'b1, ahead: ahead_t'(1 << AHEAD_0), digit: digit_t'(1), default: '0
  };

  // The value in progress: its kind stands from its first byte to the field's end.
  typedef struct packed {
    field_kind_t kind;
    zone_t       zone;
    logic        leading;    // it is the body's first field
    logic        is_price;
    logic        is_symbol;
    logic        single;     // one character so far
    logic        zeros;      // zeros so far
    logic        one;        // zeros and a 1 so far
    logic [7:0]  character;
  } value_t;

  /* verilator lint_off UNUSEDSIGNAL */  // not every digit goes on from every other
  // What is ahead of the digit to come.
  function automatic ahead_t ahead_of(ahead_t ahead, digit_t digit);
    ahead_of = '0;
    ahead_of[AHEAD_0] = ahead[AHEAD_0] && digit[0];
    ahead_of[AHEAD_1] = ahead[AHEAD_0] && digit[1];
    ahead_of[AHEAD_2] = ahead[AHEAD_0] && digit[2];
    ahead_of[AHEAD_3] = ahead[AHEAD_0] && digit[3];
    ahead_of[AHEAD_4] = ahead[AHEAD_0] && digit[4];
    ahead_of[AHEAD_5] = ahead[AHEAD_0] && digit[5];
    ahead_of[AHEAD_6] = ahead[AHEAD_0] && digit[6];
    ahead_of[AHEAD_8] = ahead[AHEAD_0] && digit[8];
    ahead_of[AHEAD_9] = ahead[AHEAD_0] && digit[9];
    ahead_of[AHEAD_11] = ahead[AHEAD_1] && digit[1];
    ahead_of[AHEAD_12] = ahead[AHEAD_1] && digit[2];
    ahead_of[AHEAD_14] = ahead[AHEAD_1] && digit[4];
    ahead_of[AHEAD_21] = ahead[AHEAD_2] && digit[1];
    ahead_of[AHEAD_26] = ahead[AHEAD_2] && digit[6];
    ahead_of[AHEAD_27] = ahead[AHEAD_2] && digit[7];
    ahead_of[AHEAD_29] = ahead[AHEAD_2] && digit[9];
    ahead_of[AHEAD_34] = ahead[AHEAD_3] && digit[4];
    ahead_of[AHEAD_36] = ahead[AHEAD_3] && digit[6];
    ahead_of[AHEAD_37] = ahead[AHEAD_3] && digit[7];
    ahead_of[AHEAD_62] = ahead[AHEAD_6] && digit[2];
    ahead_of[AHEAD_112] = ahead[AHEAD_11] && digit[2];
  endfunction

  function automatic field_kind_t kind_of(ahead_t ahead, digit_t digit);
    kind_of = FIELD_OTHER;
    if (ahead[AHEAD_0] && (digit[8] || digit[9]) || ahead[AHEAD_1] && digit[0]) kind_of = FIELD_FRAMING;
    if (ahead[AHEAD_3] && digit[4]) kind_of = FIELD_SEQ_NUM;
    if (ahead[AHEAD_3] && digit[5]) kind_of = FIELD_MSG_TYPE;
    if (ahead[AHEAD_4] && digit[3]) kind_of = FIELD_POSS_DUP;
    if (ahead[AHEAD_4] && digit[9]) kind_of = FIELD_SENDER;
    if (ahead[AHEAD_5] && digit[2]) kind_of = FIELD_SENDING_TIME;
    if (ahead[AHEAD_5] && digit[5]) kind_of = FIELD_SYMBOL;
    if (ahead[AHEAD_5] && digit[6]) kind_of = FIELD_TARGET;
    if (ahead[AHEAD_26] && digit[9]) kind_of = FIELD_ENTRY_TYPE;
    if (ahead[AHEAD_27] && digit[0]) kind_of = FIELD_PRICE;
    if (ahead[AHEAD_27] && digit[9]) kind_of = FIELD_ACTION;
    if (ahead[AHEAD_29] && digit[0]) kind_of = FIELD_POSITION;
  endfunction

  // Header and trailer as QuickFIX 1.15.1 sorts them: 34, 35, 43, 49, 50, 52, 56, 57, 90, 97, 115, 116, 122, 128, 129, 142 to
  // 145, 212, 213, 347, 369, 370, 627, 1128 and 1129; 89 and 93.
  function automatic zone_t zone_of(ahead_t ahead, digit_t digit);
    zone_of = ZONE_BODY;
    if (ahead[AHEAD_3] && (digit[4] || digit[5]) || ahead[AHEAD_4] && (digit[3] || digit[9])
        || ahead[AHEAD_5] && (digit[0] || digit[2] || digit[6] || digit[7]) || ahead[AHEAD_9] && (digit[0] || digit[7])
        || ahead[AHEAD_11] && (digit[5] || digit[6]) || ahead[AHEAD_12] && (digit[2] || digit[8] || digit[9])
        || ahead[AHEAD_14] && (digit[2] || digit[3] || digit[4] || digit[5]) || ahead[AHEAD_21] && (digit[2] || digit[3])
        || ahead[AHEAD_34] && digit[7] || ahead[AHEAD_36] && digit[9] || ahead[AHEAD_37] && digit[0]
        || ahead[AHEAD_62] && digit[7] || ahead[AHEAD_112] && (digit[8] || digit[9]))
      zone_of = ZONE_HEADER;
    if (ahead[AHEAD_8] && digit[9] || ahead[AHEAD_9] && digit[3]) zone_of = ZONE_TRAILER;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // The byte.
  state_t s, n, saved;
  logic stray, decided, decide, leading;
  always_comb begin
    n = s;
    stray = 1'b0;
    decided = 1'b0;
    if (text.valid && !in_body) n = START;
    else if (text.valid && text.soh) begin
      // Without a `=` it ended nothing.
      stray = !s.in_value;
      n = START;
      n.first_field = s.first_field;
    end else if (text.valid) begin
      n.first = 1'b0;
      if (!s.in_value && text.equals) begin
        stray = s.first;
        decided = 1'b1;
        n.in_value = 1'b1;
        n.first = 1'b1;
        n.first_field = 1'b0;
      end else if (!s.in_value) begin
        stray = !text.digit;
        n.ahead = ahead_of(s.ahead, s.digit);
        for (int i = 0; i < 10; i++) n.digit[i] = text.data[3:0] == 4'(i);
      end
    end
  end

  // A cycle later: what the tag means, and the value's byte.
  field_kind_t kind;
  zone_t zone;
  always_ff @(posedge clk) begin
    kind <= kind_of(s.ahead, s.digit);
    zone <= zone_of(s.ahead, s.digit);
  end

  value_t v, v_next, v_saved;
  always_comb begin
    v_next = v;
    if (decide) begin
      v_next.kind = kind;
      v_next.leading = leading;
      v_next.zone = zone;
      v_next.is_price = kind == FIELD_PRICE;
      v_next.is_symbol = kind == FIELD_SYMBOL;
    end
    if (value.valid && !value.soh) begin
      v_next.character = value.data;
      v_next.single = value_first;
      v_next.zeros = (value_first || v.zeros) && value.data == "0";
      v_next.one = (value_first || v.zeros) && value.data == "1";
    end
  end

  logic done, empty;
  always_ff @(posedge clk) begin
    value <= text;
    value.valid <= text.valid && in_body && s.in_value;
    value_first <= s.first;
    decide <= decided;
    leading <= s.first_field;
    malformed <= stray;
    done <= value.valid && value.soh;
    empty <= value_first;

    s <= rollback.restore ? saved : n;
    v <= rollback.restore ? v_saved : v_next;
    if (rollback.keep) begin
      saved   <= s;
      v_saved <= v;
    end
    assert (rst || !rollback.keep || (n == s && v_next == v));  // all that the frame has brought is in
    if (rollback.clear) begin
      s <= START;
      saved <= START;
      {value.valid, decide, malformed, done} <= '0;
    end
  end

  assign value_is_price = v.is_price;
  assign value_is_symbol = v.is_symbol;
  assign field = '{
          done: done, kind: v.kind, zone: v.zone, leading: v.leading, empty: empty, single: v.single && !empty,
          character: v.character, one: v.one && !empty
      };
endmodule
