// SPDX-License-Identifier: Apache-2.0
// Cuts the body into fields at each SOH, as QuickFIX does without a dictionary. Tags stay decimal digits (BCD).
//
// What a tag means is looked up digit by digit, a cycle behind; it stands in the cycle after the `=`. So the bytes of a value
// leave here a cycle after they came, with their kind, and the field's end a cycle after its SOH did.
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
  typedef logic [15:0] tag_t;  // four decimal digits

  typedef struct packed {
    logic in_value;
    logic first;        // no character of this tag or value yet
    logic first_field;  // of the body
    tag_t tag;          // the first digit is no digit where there were more than four
  } state_t;
  localparam state_t START = '{first: 1'b1, first_field: 1'b1, default: '0};

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

  // Tags in two steps: the digits ahead of the last one, then with it. Digits that begin no known tag are TENS_OTHER.
  typedef enum logic [4:0] {
    TENS_OTHER, TENS_0, TENS_1, TENS_3, TENS_4, TENS_5, TENS_8, TENS_9, TENS_11, TENS_12, TENS_14, TENS_21, TENS_26, TENS_27,
    TENS_29, TENS_34, TENS_36, TENS_37, TENS_62, TENS_112
  } tens_t;
  function automatic tens_t tens_of(logic [11:0] digits);
    case (digits)
      12'h000: return TENS_0;
      12'h001: return TENS_1;
      12'h003: return TENS_3;
      12'h004: return TENS_4;
      12'h005: return TENS_5;
      12'h008: return TENS_8;
      12'h009: return TENS_9;
      12'h011: return TENS_11;
      12'h012: return TENS_12;
      12'h014: return TENS_14;
      12'h021: return TENS_21;
      12'h026: return TENS_26;
      12'h027: return TENS_27;
      12'h029: return TENS_29;
      12'h034: return TENS_34;
      12'h036: return TENS_36;
      12'h037: return TENS_37;
      12'h062: return TENS_62;
      12'h112: return TENS_112;
      default: return TENS_OTHER;
    endcase
  endfunction

  function automatic field_kind_t kind_of(tens_t tens, logic [3:0] ones);
    case ({tens, ones})
      {TENS_0, 4'd8}, {TENS_0, 4'd9}, {TENS_1, 4'd0}: return FIELD_FRAMING;
      {TENS_3, 4'd4}: return FIELD_SEQ_NUM;
      {TENS_3, 4'd5}: return FIELD_MSG_TYPE;
      {TENS_4, 4'd3}: return FIELD_POSS_DUP;
      {TENS_4, 4'd9}: return FIELD_SENDER;
      {TENS_5, 4'd2}: return FIELD_SENDING_TIME;
      {TENS_5, 4'd5}: return FIELD_SYMBOL;
      {TENS_5, 4'd6}: return FIELD_TARGET;
      {TENS_26, 4'd9}: return FIELD_ENTRY_TYPE;
      {TENS_27, 4'd0}: return FIELD_PRICE;
      {TENS_27, 4'd9}: return FIELD_ACTION;
      {TENS_29, 4'd0}: return FIELD_POSITION;
      default: return FIELD_OTHER;
    endcase
  endfunction

  // Header and trailer as QuickFIX 1.15.1 sorts them: 34, 35, 43, 49, 50, 52, 56, 57, 90, 97, 115, 116, 122, 128, 129, 142 to
  // 145, 212, 213, 347, 369, 370, 627, 1128 and 1129; 89 and 93.
  function automatic zone_t zone_of(tens_t tens, logic [3:0] ones);
    case ({tens, ones})
      {TENS_3, 4'd4}, {TENS_3, 4'd5}, {TENS_4, 4'd3}, {TENS_4, 4'd9}, {TENS_5, 4'd0}, {TENS_5, 4'd2}, {TENS_5, 4'd6},
      {TENS_5, 4'd7}, {TENS_9, 4'd0}, {TENS_9, 4'd7}, {TENS_11, 4'd5}, {TENS_11, 4'd6}, {TENS_12, 4'd2}, {TENS_12, 4'd8},
      {TENS_12, 4'd9}, {TENS_14, 4'd2}, {TENS_14, 4'd3}, {TENS_14, 4'd4}, {TENS_14, 4'd5}, {TENS_21, 4'd2}, {TENS_21, 4'd3},
      {TENS_34, 4'd7}, {TENS_36, 4'd9}, {TENS_37, 4'd0}, {TENS_62, 4'd7}, {TENS_112, 4'd8}, {TENS_112, 4'd9}: return ZONE_HEADER;
      {TENS_8, 4'd9}, {TENS_9, 4'd3}: return ZONE_TRAILER;
      default: return ZONE_BODY;
    endcase
  endfunction

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
        n.tag = {s.tag[15:12] != '0 ? 4'hF : s.tag[11:8], s.tag[7:0], text.data[3:0]};
      end
    end
  end

  // A cycle later: what the tag means, and the value's byte.
  tens_t tens;
  logic [3:0] ones;
  field_kind_t kind;
  always_ff @(posedge clk) begin
    tens <= tens_of(s.tag[15:4]);
    ones <= s.tag[3:0];
  end
  assign kind = kind_of(tens, ones);

  value_t v, v_next, v_saved;
  always_comb begin
    v_next = v;
    if (decide) begin
      v_next.kind = kind;
      v_next.leading = leading;
      v_next.zone = zone_of(tens, ones);
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
      saved   <= n;
      v_saved <= v_next;
    end
    if (rollback.clear || rst) begin
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
