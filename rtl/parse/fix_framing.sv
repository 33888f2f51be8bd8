// SPDX-License-Identifier: Apache-2.0
// Framing of the FIX stream: `8=FIX.4.4|9=length|`, a body of exactly that length that ends with SOH, `10=ddd|`.
//
// Anything else is `lost`: the stream cannot be trusted until a resync. A wrong CheckSum in right framing is not.
module fix_framing
  import receive_pkg::*;
(
    input  logic        clk,
    input  logic        rst,
    /* verilator lint_off UNUSEDSIGNAL */  // a `=` means nothing here
    input  text_byte_t  text,
    /* verilator lint_on UNUSEDSIGNAL */
    input  rollback_t   rollback,
    input  logic        lose,          // pulse: stop here
    output logic        in_body,       // the byte is of a body
    output logic        body_begin,    // pulse, the cycle after the byte before the body
    output logic        body_end,      // pulse, the cycle after the body's last byte
    output logic        closed,        // pulse, the cycle after the message's last byte
    output logic        checksum_ok,   // with closed
    output logic [31:0] number,        // with closed: messages with a right CheckSum so far, this one included
    output logic [31:0] messages,      // the same, of good frames only
    output logic        lost
);
  localparam int PREFIX_CHARS = 12;
  localparam logic [8*PREFIX_CHARS-1:0] PREFIX_TEXT = {"8=FIX.4.4", 8'h01, "9="};
  localparam int TRAILER_CHARS = 3;
  localparam logic [8*TRAILER_CHARS-1:0] TRAILER_TEXT = "10=";
  localparam logic [7:0] FIRST_OF_PREFIX = PREFIX_TEXT[8*(PREFIX_CHARS-1)+:8];
  localparam logic [7:0] FIRST_OF_TRAILER = TRAILER_TEXT[8*(TRAILER_CHARS-1)+:8];
  localparam logic [3:0] MAX_LENGTH_DIGITS = 4'd7;
  localparam logic [3:0] CHECK_DIGITS = 4'd3;

  typedef enum logic [2:0] {
    PREFIX, LENGTH, BODY, TRAILER, CHECK, LOST
  } phase_t;

  typedef struct packed {
    phase_t      phase;
    logic [3:0]  count;        // characters of this phase so far
    logic [7:0]  expected;     // next character of a fixed text
    logic [23:0] length;       // BodyLength as read
    logic [23:0] left;         // bytes of the body to come
    logic        last;         // one byte of the body is to come
    logic [7:0]  sum;          // of all bytes before the CheckSum field
    logic [9:0]  check;        // CheckSum as read
    logic [31:0] number;
  } state_t;

  localparam state_t START = '{phase: PREFIX, expected: FIRST_OF_PREFIX, default: '0};

  // The character behind the one at `index`; behind the last one comes nothing fixed.
  function automatic logic [7:0] prefix_after(logic [3:0] index);
    prefix_after = '0;
    for (int i = 0; i < PREFIX_CHARS - 1; i++)
      if (int'(index) == i) prefix_after = PREFIX_TEXT[8*(PREFIX_CHARS-2-i)+:8];
  endfunction
  function automatic logic [7:0] trailer_after(logic [3:0] index);
    trailer_after = '0;
    for (int i = 0; i < TRAILER_CHARS - 1; i++)
      if (int'(index) == i) trailer_after = TRAILER_TEXT[8*(TRAILER_CHARS-2-i)+:8];
  endfunction

  state_t s, n, saved;
  logic enough, begins, ends, closes;
  logic unexpected;  // the byte before was not the one of the fixed text
  assign enough = s.length[23:3] != '0;  // a body holds at least its MsgType and a number

  always_comb begin
    n = s;
    begins = 1'b0;
    ends = 1'b0;
    closes = 1'b0;
    if (text.valid) begin
      n.count = s.count + 4'd1;
      if (s.phase == PREFIX || s.phase == LENGTH || s.phase == BODY) n.sum = s.sum + text.data;
      unique case (s.phase)
        PREFIX: begin
          n.expected = prefix_after(s.count);
          if (s.count == '0) n.sum = text.data;
          if (int'(s.count) == PREFIX_CHARS - 1) begin
            n.phase = LENGTH;
            n.count = '0;
          end
          n.length = '0;
        end
        LENGTH: begin
          n.length = {s.length[20:0], 3'b000} + {s.length[22:0], 1'b0} + {20'b0, text.data[3:0]};
          n.left = s.length;
          n.last = 1'b0;
          if (text.soh && enough) begin
            begins  = 1'b1;
            n.phase = BODY;
          end else if (!text.digit || s.count == MAX_LENGTH_DIGITS) n.phase = LOST;
        end
        BODY: begin
          n.left = s.left - 24'd1;
          n.last = s.left == 24'd2;
          n.expected = FIRST_OF_TRAILER;
          if (s.last) begin
            ends = text.soh;
            n.phase = text.soh ? TRAILER : LOST;
            n.count = '0;
          end
        end
        TRAILER: begin
          n.expected = trailer_after(s.count);
          if (int'(s.count) == TRAILER_CHARS - 1) begin
            n.phase = CHECK;
            n.count = '0;
            n.check = '0;
          end
        end
        CHECK: begin
          n.check = {s.check[6:0], 3'b000} + {s.check[8:0], 1'b0} + {6'b0, text.data[3:0]};
          if (s.count == CHECK_DIGITS) begin
            closes = text.soh;
            n.phase = text.soh ? PREFIX : LOST;
            n.count = '0;
            n.expected = FIRST_OF_PREFIX;
          end else if (!text.digit) n.phase = LOST;
        end
        default: n.phase = LOST;
      endcase
    end
    if (closed && checksum_ok) n.number = number;
    if (lose || unexpected) n.phase = LOST;
  end

  // Sum and count stand beside the state, so that no cycle holds an addition and a decision.
  always_ff @(posedge clk) begin
    number <= s.number + 32'd1;
    unexpected <= text.valid && (s.phase == PREFIX || s.phase == TRAILER) && text.data != s.expected;
    checksum_ok <= s.check == {2'b00, s.sum};
    {body_begin, body_end, closed} <= {begins, ends, closes};
    s <= rollback.restore ? saved : n;
    if (rollback.keep) saved <= n;
    if (rollback.clear || rst) begin
      s <= START;
      saved <= START;
      {body_begin, body_end, closed, unexpected} <= '0;
    end
  end

  assign in_body = s.phase == BODY;
  assign messages = saved.number;
  assign lost = s.phase == LOST;
endmodule
