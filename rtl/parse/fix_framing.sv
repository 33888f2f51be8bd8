// SPDX-License-Identifier: Apache-2.0
// Framing of the FIX stream: `8=FIX.4.4|9=length|`, a body of exactly that length that ends with SOH, `10=ddd|`.
//
// While it is `following`, anything else is `lost`: nothing more is read until the frame is kept. From then on, and wherever
// the stream does not begin at a known boundary, it hunts: for the text that begins a message, and on from wherever that
// turns out to be none, until a whole message is one that the session would take (`anchor`). A wrong CheckSum in right
// framing is no loss.
module fix_framing
  import fixaccel_types_pkg::*, receive_pkg::*;
(
    input  logic        clk,
    input  logic        rst,
    /* verilator lint_off UNUSEDSIGNAL */  // a zero byte is none of interest
    input  text_byte_t  text,
    input  logic [7:0]  ahead,         // what the byte will be in the next cycle
    /* verilator lint_on UNUSEDSIGNAL */
    input  rollback_t   rollback,
    input  logic        gap,           // what begins with rollback.clear does so at no known boundary
    input  logic        lose,          // pulse: stop here
    input  logic        anchor,        // with closed: the stream can be followed from here
    output logic        in_body,       // the byte is of a body
    output logic        between,       // the byte is the first one behind a message, or of all
    output logic        body_begin,    // pulse, the cycle after the byte before the body
    output logic        body_end,      // pulse, the cycle after the body's last byte
    output logic        closed,        // pulse, the cycle after the message's last byte
    output logic        checksum_ok,   // with closed
    output logic        closing,       // both will be in the next cycle
    output logic [31:0] number,        // with closed: messages with a right CheckSum so far, this one included
    output logic [31:0] messages,      // the same, of good frames only
    output logic        following,
    output logic        lost,
    output logic        boundary,      // pulse: in a frame that is kept a message has ended, and is followed
    output frame_length_t behind        // with boundary: bytes that the frame has behind the last one
);
  localparam int PREFIX_CHARS = 12;
  localparam logic [8*PREFIX_CHARS-1:0] PREFIX_TEXT = {"8=FIX.4.4", 8'h01, "9="};
  localparam int TRAILER_CHARS = 3;
  localparam logic [8*TRAILER_CHARS-1:0] TRAILER_TEXT = "10=";
  localparam logic [3:0] MAX_LENGTH_DIGITS = 4'd7;
  localparam logic [3:0] CHECK_DIGITS = 4'd3;

  // A bit each.
  typedef enum logic [5:0] {
    PREFIX = 6'b000001, LENGTH = 6'b000010, BODY = 6'b000100, TRAILER = 6'b001000, CHECK = 6'b010000, LOST = 6'b100000
  } phase_t;

  // Bit i: the last i + 1 bytes are the prefix's first ones. Its first character is no other one of it, so at most one is set.
  typedef logic [PREFIX_CHARS-2:0] matched_t;

  typedef struct packed {
    phase_t      phase;
    logic        following;
    matched_t    matched;
    logic [3:0]  count;        // characters of this phase so far
    logic [TRAILER_CHARS-1:0] expected;  // next character of the trailer, a bit each
    logic [23:0] length;       // BodyLength as read
    logic        nonzero;      // it is not zero
    logic        enough;       // it is at least eight: a body holds at least its MsgType and a number
    logic [23:0] left;         // bytes of the body to come, every bit inverted: counting up takes fewer LUTs
    logic        last;         // one byte of the body is to come
    logic [7:0]  sum;          // of all bytes before the CheckSum field
    logic        right;        // the CheckSum is, as far as it has been read
    logic        closer;       // its digits have been
    logic [31:0] number;
  } state_t;

  localparam state_t START = '{phase: PREFIX, default: '0};

  function automatic logic [7:0] prefix_character(int index);
    return PREFIX_TEXT[8*(PREFIX_CHARS-1-index)+:8];
  endfunction
  function automatic logic [7:0] prefix_sum();
    prefix_sum = '0;
    for (int i = 0; i < PREFIX_CHARS; i++) prefix_sum += prefix_character(i);
  endfunction
  localparam logic [7:0] PREFIX_SUM = prefix_sum();
  // value * 10 + digit as one sum: the digit goes where eight and two times the value leave room, 8 as 7 + 1, 9 with a carry.
  typedef struct packed {
    logic [2:0] beside_eight;
    logic       beside_two;
    logic       carry;
  } addend_t;
  function automatic addend_t addend_of(logic [3:0] digit);
    return '{beside_eight: digit[3] ? 3'd7 : digit[2:0], beside_two: digit[3], carry: digit[3] && digit[0]};
  endfunction
  function automatic logic [23:0] with_digit(logic [22:0] value, addend_t digit);
    /* verilator lint_off UNUSEDSIGNAL */  // its lowest bit makes the carry
    logic [24:0] sum;
    /* verilator lint_on UNUSEDSIGNAL */
    sum = {value[20:0], digit.beside_eight, 1'b1} + {value, digit.beside_two, digit.carry};
    return sum[24:1];
  endfunction

  state_t s, n, saved;
  logic in_prefix, in_length, is_body, in_trailer, in_check, is_lost;
  assign {is_lost, in_check, in_trailer, is_body, in_length, in_prefix} = s.phase;
  matched_t matching;
  logic begins, ends, closes, broken, prefixed, grows;
  logic [7:0] summand;  // the byte before, if it is part of the sum
  logic unexpected;  // the byte before was not one that the framing may have there

  // The CheckSum's digits, made of the sum while the text ahead of them goes by, and compared as they come. Tables where a
  // division would be.
  localparam int HALVES = 50;  // of what is below a hundred
  typedef struct packed {
    logic [3:0] tens;
    logic [2:0] ones_half;
  } halved_t;
  function automatic halved_t halved_of(logic [5:0] half);
    halved_of = '0;
    for (int i = 0; i < HALVES; i++) if (half == 6'(i)) halved_of |= {4'(i / 5), 3'(i % 5)};
  endfunction
  logic over_hundred, over_two_hundred;
  logic [4:0] quarters;  // what is behind the hundreds, in fours: less than 32, so modulo that
  logic [6:0] below_hundred;
  halved_t halved;
  logic ones_low;
  logic [3:0] due_digit;
  assign quarters = s.sum[6:2] - (over_two_hundred ? 5'(200 / 4) : over_hundred ? 5'(100 / 4) : 5'd0);
  always_ff @(posedge clk) begin
    over_hundred <= s.sum[7] || (s.sum[6:5] == '1 && s.sum[4:2] != '0);
    over_two_hundred <= s.sum[7:6] == '1 && s.sum[5:3] != '0;
    below_hundred <= {quarters, s.sum[1:0]};
    halved <= halved_of(below_hundred[6:1]);
    ones_low <= below_hundred[0];
    assert (!(text.valid && in_check && s.count == CHECK_DIGITS - 4'd1) || 10'(s.sum)
        == (over_two_hundred ? 10'd200 : over_hundred ? 10'd100 : 10'd0) + 10'(halved.tens) * 10'd10 + 10'({halved.ones_half, ones_low}));
  end
  always_comb
    unique case (s.count[1:0])
      2'd0: due_digit = {2'b00, over_two_hundred, over_hundred && !over_two_hundred};
      2'd1: due_digit = halved.tens;
      default: due_digit = {halved.ones_half, ones_low};
    endcase

  addend_t figure;  // the byte, if it is a digit
  always_ff @(posedge clk) figure <= addend_of(ahead[3:0]);
  matched_t here;  // the byte is this character of the prefix
  always_ff @(posedge clk) for (int i = 0; i < PREFIX_CHARS - 1; i++) here[i] <= ahead == prefix_character(i);
  logic [TRAILER_CHARS-1:0] trailing;  // the byte is this character of the trailer
  always_ff @(posedge clk)
    for (int i = 0; i < TRAILER_CHARS; i++) trailing[i] <= ahead == TRAILER_TEXT[8*(TRAILER_CHARS-1-i)+:8];
  always_comb begin
    for (int i = 0; i < PREFIX_CHARS - 1; i++) matching[i] = here[i] && (i == 0 || s.matched[i-1]);
    prefixed = s.matched[PREFIX_CHARS-2] && text.equals;
    grows = prefixed || matching[PREFIX_CHARS-2:1] != '0 || (matching[0] && s.matched == '0);
  end

  always_comb begin
    n = s;
    begins = 1'b0;
    ends = 1'b0;
    closes = 1'b0;
    broken = 1'b0;
    if (text.valid) begin
      n.count = s.count + 4'd1;
      n.matched = matching;
      // Read in their phases only; elsewhere they may run on.
      n.length = in_prefix ? '0 : with_digit(s.length[22:0], figure);
      n.nonzero = !in_prefix && (s.nonzero || text.data[3:0] != '0);
      n.enough = !in_prefix && (s.nonzero || text.data[3]);
      n.right = (s.count == '0 || s.right) && text.data[3:0] == due_digit;
      n.closer = in_check && s.count == CHECK_DIGITS - 4'd1;
      if (in_prefix) begin
        if (prefixed) n.phase = LENGTH;
        if (!grows) broken = 1'b1;
        n.count = '0;
      end
      if (in_length) begin
        n.left = ~s.length;
        n.last = 1'b0;
        if (text.soh && s.enough) begin
          begins  = 1'b1;
          n.phase = BODY;
        end else if (!text.digit || s.count == MAX_LENGTH_DIGITS) broken = 1'b1;
      end
      if (is_body) begin
        n.left = s.left + 24'd1;
        n.last = s.left == ~24'd2;
        n.expected = TRAILER_CHARS'(1);
        if (s.last) begin
          ends = text.soh;
          n.phase = TRAILER;
          n.count = '0;
          if (!text.soh) broken = 1'b1;
        end
      end
      if (in_trailer) begin
        if ((s.expected & trailing) == '0) broken = 1'b1;
        n.expected = s.expected << 1;
        if (s.expected[TRAILER_CHARS-1]) begin
          n.phase = CHECK;
          n.count = '0;
        end
      end
      if (in_check) begin
        if (s.closer) begin
          closes  = text.soh;
          n.phase = PREFIX;
          if (!text.soh) broken = 1'b1;
        end else if (!text.digit) broken = 1'b1;
      end
    end
    n.sum = (in_prefix ? PREFIX_SUM : s.sum) + summand;
    if (closed && checksum_ok) n.number = number;
    if (anchor) n.following = 1'b1;
    if (!s.following) n.number = '0;
    // The prefix is looked for all the time: it may lie across the byte that turned out to be wrong.
    if (unexpected && !s.following) n.phase = PREFIX;
    if ((unexpected || lose) && s.following) n.phase = LOST;
    // What comes next has not been told: the loss is known before it.
    if (rollback.keep && is_lost) {n.phase, n.following} = {PREFIX, 1'b0};
  end

  assign closing = closes && s.right && !unexpected && !rollback.clear;
  // Sum and count stand beside the state, so that no cycle holds an addition and a decision.
  always_ff @(posedge clk) begin
    summand <= (text.valid && (in_length || is_body)) ? text.data : '0;
    number <= s.number + 32'd1;
    unexpected <= broken;
    checksum_ok <= s.right;
    {body_begin, body_end, closed} <= {begins, ends, closes} & {3{!unexpected}};
    s <= rollback.restore ? saved : n;
    if (rollback.keep) {saved, saved.phase, saved.following} <= {s, n.phase, n.following};
    if (rollback.clear) begin
      s <= START;
      saved <= START;
      {s.following, saved.following} <= {2{!gap}};
      {body_begin, body_end, closed, unexpected} <= '0;
    end
  end

  // Where the last message of the frame in progress has ended.
  logic ended;
  always_ff @(posedge clk) begin
    if (closed) ended <= 1'b1;
    if (closed) behind <= frame_length_t'(text.valid);
    else if (text.valid) behind <= behind + frame_length_t'(1);
    boundary <= rollback.keep && ended && s.following && !is_lost && !lose;
    if (rollback != '0) ended <= 1'b0;
    if (rst) boundary <= 1'b0;
  end

  assign in_body = is_body;
  assign between = in_prefix && s.matched == '0;
  assign messages = saved.number;
  assign following = s.following;
  assign lost = is_lost;
endmodule
