// SPDX-License-Identifier: Apache-2.0
// Framing of the FIX stream: `8=FIX...|9=length|`, a body of exactly that length that ends with SOH, `10=ddd|`.
//
// Anything else is `lost`: the stream cannot be trusted until a resync. A wrong CheckSum in right framing is not.
module fix_framing
  import receive_pkg::*;
(
    input  logic         clk,
    input  logic         rst,
    input  stream_byte_t stream,
    input  rollback_t    rollback,
    input  logic         lose,          // pulse: stop here
    output stream_byte_t body,          // bytes of the body, in the same cycle
    output logic         body_begin,    // with the byte before the body
    output logic         closed,        // pulse, the cycle after the message's last byte
    output logic         checksum_ok,   // with closed
    output logic  [31:0] number,        // with closed: messages with a right CheckSum so far, this one included
    output logic  [31:0] messages,      // the same, of good frames only
    output logic         lost
);
  localparam logic [7:0] SOH = 8'h01;
  // The shortest BeginString is FIX.4.x. A limit keeps garbage from being swallowed for ever.
  localparam logic [4:0] MIN_BEGIN = 5'd7, MAX_BEGIN = 5'd16;
  localparam logic [4:0] MAX_LENGTH_DIGITS = 5'd7;

  typedef enum logic [3:0] {
    BEGIN_TAG, BEGIN_EQUALS, BEGIN_VALUE, LENGTH_TAG, LENGTH_EQUALS, LENGTH_VALUE, BODY, CHECK_ONE, CHECK_ZERO, CHECK_EQUALS,
    CHECK_VALUE, LOST
  } phase_t;

  typedef struct packed {
    phase_t      phase;
    logic [4:0]  count;     // characters of this value so far
    logic [23:0] left;      // BodyLength, then bytes of the body to come
    logic [7:0]  sum;       // of all bytes before the CheckSum field
    logic [9:0]  check;     // CheckSum as read
    logic [31:0] number;
    logic        closed;    // pulse
    logic        checksum_ok;
  } state_t;

  localparam state_t START = '{phase: BEGIN_TAG, default: '0};

  state_t s, n, saved;
  logic digit, soh;
  assign digit = stream.data >= "0" && stream.data <= "9";
  assign soh = stream.data == SOH;

  function automatic phase_t expect_byte(logic as_expected, phase_t then_phase);
    return as_expected ? then_phase : LOST;
  endfunction

  always_comb begin
    n = s;
    n.closed = 1'b0;
    if (stream.valid) begin
      n.count = s.count + 5'd1;
      n.sum = s.sum + stream.data;
      unique case (s.phase)
        BEGIN_TAG: begin
          n.phase = expect_byte(stream.data == "8", BEGIN_EQUALS);
          n.sum   = stream.data;
        end
        BEGIN_EQUALS: begin
          n.phase = expect_byte(stream.data == "=", BEGIN_VALUE);
          n.count = '0;
        end
        BEGIN_VALUE: begin
          if (soh) n.phase = expect_byte(s.count >= MIN_BEGIN, LENGTH_TAG);
          else if (s.count == MAX_BEGIN) n.phase = LOST;
          else if (s.count == 5'd0) n.phase = expect_byte(stream.data == "F", BEGIN_VALUE);
          else if (s.count == 5'd1) n.phase = expect_byte(stream.data == "I", BEGIN_VALUE);
          else if (s.count == 5'd2) n.phase = expect_byte(stream.data == "X", BEGIN_VALUE);
        end
        LENGTH_TAG: n.phase = expect_byte(stream.data == "9", LENGTH_EQUALS);
        LENGTH_EQUALS: begin
          n.phase = expect_byte(stream.data == "=", LENGTH_VALUE);
          n.count = '0;
          n.left  = '0;
        end
        LENGTH_VALUE: begin
          if (soh) n.phase = expect_byte(s.left != '0, BODY);
          else begin
            n.phase = expect_byte(digit && s.count != MAX_LENGTH_DIGITS, LENGTH_VALUE);
            n.left = {s.left[20:0], 3'b000} + {s.left[22:0], 1'b0} + {20'b0, stream.data[3:0]};
          end
        end
        BODY: begin
          n.left = s.left - 24'd1;
          if (s.left == 24'd1) n.phase = expect_byte(soh, CHECK_ONE);
        end
        CHECK_ONE: begin
          n.phase = expect_byte(stream.data == "1", CHECK_ZERO);
          n.sum   = s.sum;
        end
        CHECK_ZERO: begin
          n.phase = expect_byte(stream.data == "0", CHECK_EQUALS);
          n.sum   = s.sum;
        end
        CHECK_EQUALS: begin
          n.phase = expect_byte(stream.data == "=", CHECK_VALUE);
          n.sum   = s.sum;
          n.count = '0;
          n.check = '0;
        end
        CHECK_VALUE: begin
          n.sum = s.sum;
          if (s.count == 5'd3) begin
            n.phase = expect_byte(soh, BEGIN_TAG);
            n.closed = soh;
            n.checksum_ok = s.check == {2'b00, s.sum};
            if (soh && s.check == {2'b00, s.sum}) n.number = s.number + 32'd1;
          end else begin
            n.phase = expect_byte(digit, CHECK_VALUE);
            n.check = {s.check[6:0], 3'b000} + {s.check[8:0], 1'b0} + {6'b0, stream.data[3:0]};
          end
        end
        LOST: n.phase = LOST;
        default: n.phase = LOST;
      endcase
    end
    if (lose) n.phase = LOST;
  end

  always_ff @(posedge clk) begin
    s <= rollback.restore ? saved : n;
    if (rollback.keep) saved <= n;
    if (rollback.clear || rst) begin
      s <= START;
      saved <= START;
    end
  end

  assign body = '{valid: stream.valid && s.phase == BODY, data: stream.data};
  assign body_begin = s.phase == LENGTH_VALUE && n.phase == BODY;
  assign closed = s.closed;
  assign checksum_ok = s.checksum_ok;
  assign number = s.number;
  assign messages = saved.number;
  assign lost = s.phase == LOST;
endmodule
