// SPDX-License-Identifier: Apache-2.0
// Cuts the body into fields. Tags stay decimal digits (BCD); raw-data fields are skipped by the length announced before them.
module fix_fields
  import receive_pkg::*;
(
    input  logic         clk,
    input  logic         rst,
    input  stream_byte_t body,
    input  logic         body_begin,
    input  rollback_t    rollback,
    output stream_byte_t value,        // bytes of a known field's value, in the same cycle
    output field_kind_t  value_kind,   // of which field
    output logic         value_first,  // first byte, or the SOH of an empty value
    output field_t       field,
    output logic         malformed     // level, until the next message: a field is no `tag=value`
);
  localparam logic [7:0] SOH = 8'h01;
  typedef logic [19:0] tag_t;  // five decimal digits

  typedef struct packed {
    logic        in_value;
    logic        first;         // no character of this tag or value yet
    logic        first_field;   // of the body
    logic        malformed;
    tag_t        tag;
    logic        tag_long;      // more digits than tag_t holds
    field_kind_t kind;
    logic        single;
    logic        zeros;         // the value is zeros so far
    logic        one;           // the value is zeros and a 1 so far
    logic [7:0]  character;     // last one of the value
    logic [23:0] raw_length;    // value of a length field, then bytes of raw data to come
    tag_t        raw_tag;       // raw data that the last length field announced
    logic        done;          // pulse
  } state_t;

  localparam state_t START = '{kind: FIELD_OTHER, first: 1'b1, first_field: 1'b1, default: '0};

  // The raw-data field that a length field announces; 0: not a length field. Only Signature does not follow its length.
  function automatic tag_t raw_data_tag(tag_t tag);
    case (tag)
      20'h00093: return 20'h00089;
      20'h00090: return 20'h00091;
      20'h00095: return 20'h00096;
      20'h00212: return 20'h00213;
      20'h00348: return 20'h00349;
      20'h00350: return 20'h00351;
      20'h00352: return 20'h00353;
      20'h00354: return 20'h00355;
      20'h00356: return 20'h00357;
      20'h00358: return 20'h00359;
      20'h00360: return 20'h00361;
      20'h00362: return 20'h00363;
      20'h00364: return 20'h00365;
      20'h00445: return 20'h00446;
      20'h00618: return 20'h00619;
      20'h00621: return 20'h00622;
      20'h01184: return 20'h01185;
      20'h01277: return 20'h01278;
      20'h01280: return 20'h01281;
      20'h01397: return 20'h01398;
      20'h01401: return 20'h01402;
      20'h01403: return 20'h01404;
      20'h01468: return 20'h01469;
      default: return '0;
    endcase
  endfunction

  function automatic field_kind_t kind_of(tag_t tag, tag_t raw_tag, logic first_field);
    if (raw_tag != '0 && tag == raw_tag) return FIELD_RAW_DATA;
    case (tag)
      20'h00035: return first_field ? FIELD_MSG_TYPE : FIELD_OTHER;
      20'h00043: return FIELD_POSS_DUP;
      20'h00055: return FIELD_SYMBOL;
      20'h00269: return FIELD_ENTRY_TYPE;
      20'h00270: return FIELD_PRICE;
      20'h00290: return FIELD_POSITION;
      default: return raw_data_tag(tag) != '0 ? FIELD_RAW_LENGTH : FIELD_OTHER;
    endcase
  endfunction

  state_t s, n, saved;
  logic digit, soh, raw;
  assign digit = body.data >= "0" && body.data <= "9";
  assign soh = body.data == SOH;
  assign raw = s.kind == FIELD_RAW_DATA && s.raw_length != '0;

  always_comb begin
    n = s;
    n.done = 1'b0;
    if (body_begin) n = START;
    else if (body.valid && !s.in_value) begin
      n.first = 1'b0;
      if (body.data == "=") begin
        if (s.first) n.malformed = 1'b1;
        n.in_value = 1'b1;
        n.first = 1'b1;
        n.kind = s.tag_long ? FIELD_OTHER : kind_of(s.tag, s.raw_tag, s.first_field);
        n.first_field = 1'b0;
        if (n.kind == FIELD_RAW_LENGTH) n.raw_length = '0;
        n.raw_tag = (n.kind == FIELD_RAW_LENGTH) ? raw_data_tag(s.tag) : '0;
      end else begin
        n.tag = {s.tag[15:0], body.data[3:0]};
        n.tag_long = s.tag_long || s.tag[19:16] != '0;
        if (!digit) n.malformed = 1'b1;
        // Without a `=` this SOH ended nothing: start the next tag.
        if (soh) begin
          n.first = 1'b1;
          n.tag = '0;
          n.tag_long = 1'b0;
        end
      end
    end else if (body.valid) begin
      n.first = 1'b0;
      if (soh && !raw) begin
        n.in_value = 1'b0;
        n.first = 1'b1;
        n.tag = '0;
        n.tag_long = 1'b0;
        n.done = 1'b1;
        if (s.first) n.single = 1'b0;
        if (s.first) n.one = 1'b0;
      end else begin
        n.character = body.data;
        n.single = s.first;
        n.one = (s.first || s.zeros) && body.data == "1";
        n.zeros = (s.first || s.zeros) && body.data == "0";
        if (s.kind == FIELD_RAW_LENGTH) begin
          // Lengths beyond the counter are beyond any message too.
          if (!digit || s.raw_length[23:20] != '0) n.malformed = 1'b1;
          n.raw_length = {s.raw_length[20:0], 3'b000} + {s.raw_length[22:0], 1'b0} + {20'b0, body.data[3:0]};
        end
        if (s.kind == FIELD_RAW_DATA) begin
          if (raw) n.raw_length = s.raw_length - 24'd1;
          else n.malformed = 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk) begin
    s <= rollback.restore ? saved : n;
    if (rollback.keep) saved <= n;
    if (rollback.clear || rst) begin
      s <= START;
      saved <= START;
    end
  end

  assign value = '{valid: body.valid && s.in_value, data: body.data};
  assign value_kind = s.kind;
  assign value_first = s.first;
  assign field = '{done: s.done, kind: s.kind, single: s.single, character: s.character, one: s.one};
  // A body that ends inside a value (raw data longer than the message) is malformed too.
  assign malformed = s.malformed || s.in_value;
endmodule
