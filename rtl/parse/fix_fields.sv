// SPDX-License-Identifier: Apache-2.0
// Cuts the body into fields at each SOH, as QuickFIX does without a dictionary. Tags stay decimal digits (BCD).
//
// A tag is complete with its `=`; what it means is looked up in the cycle after it. So the bytes of the value leave here a
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
    output field_kind_t value_kind,
    output field_t      field,
    output logic        malformed      // pulse: the text is no `tag=value`
);
  typedef logic [19:0] tag_t;  // five decimal digits

  typedef struct packed {
    logic in_value;
    logic first;        // no character of this tag or value yet
    logic first_field;  // of the body
    tag_t tag;
    logic tag_long;     // more digits than tag_t holds
  } state_t;
  localparam state_t START = '{first: 1'b1, first_field: 1'b1, default: '0};

  // The value in progress: its kind stands from its first byte to the field's end.
  typedef struct packed {
    field_kind_t kind;
    zone_t       zone;
    logic        single;     // one character so far
    logic        zeros;      // zeros so far
    logic        one;        // zeros and a 1 so far
    logic [7:0]  character;
  } value_t;

  function automatic field_kind_t kind_of(tag_t tag, logic leading);
    if (leading) return (tag == 20'h00035) ? FIELD_MSG_TYPE : FIELD_MISPLACED;
    case (tag)
      20'h00008, 20'h00009, 20'h00010, 20'h00035: return FIELD_MISPLACED;
      20'h00034: return FIELD_SEQ_NUM;
      20'h00043: return FIELD_POSS_DUP;
      20'h00049: return FIELD_SENDER;
      20'h00052: return FIELD_SENDING_TIME;
      20'h00055: return FIELD_SYMBOL;
      20'h00056: return FIELD_TARGET;
      20'h00269: return FIELD_ENTRY_TYPE;
      20'h00270: return FIELD_PRICE;
      20'h00279: return FIELD_ACTION;
      20'h00290: return FIELD_POSITION;
      default: return FIELD_OTHER;
    endcase
  endfunction

  // Header and trailer as QuickFIX 1.15.1 sorts them.
  function automatic zone_t zone_of(tag_t tag);
    case (tag)
      20'h00034, 20'h00035, 20'h00043, 20'h00049, 20'h00050, 20'h00052, 20'h00056, 20'h00057, 20'h00090, 20'h00097,
      20'h00115, 20'h00116, 20'h00122, 20'h00128, 20'h00129, 20'h00142, 20'h00143, 20'h00144, 20'h00145, 20'h00212,
      20'h00213, 20'h00347, 20'h00369, 20'h00370, 20'h00627, 20'h01128, 20'h01129: return ZONE_HEADER;
      20'h00089, 20'h00093: return ZONE_TRAILER;
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
        n.tag = {s.tag[15:0], text.data[3:0]};
        n.tag_long = s.tag_long || s.tag[19:16] != '0;
      end
    end
  end

  // A cycle later: what the tag means, and the value's byte.
  value_t v, v_next, v_saved;
  always_comb begin
    v_next = v;
    if (decide) begin
      v_next.kind = s.tag_long ? (leading ? FIELD_MISPLACED : FIELD_OTHER) : kind_of(s.tag, leading);
      v_next.zone = s.tag_long ? ZONE_BODY : zone_of(s.tag);
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

  assign value_kind = v.kind;
  assign field = '{
          done: done, kind: v.kind, zone: v.zone, empty: empty, single: v.single && !empty, character: v.character,
          one: v.one && !empty
      };
endmodule
