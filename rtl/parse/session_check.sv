// SPDX-License-Identifier: Apache-2.0
// Whether a message is one that the session would take: what QuickFIX refuses must not fire.
//
// At `closed` with a right CheckSum a message is taken or refused. MsgSeqNum(34) is the expected one and counts on, or lower
// with PossDupFlag(43)=Y. SenderCompID(49) and TargetCompID(56) are the session's, by their CRC-32. SendingTime(52) is there.
// No field is without a value; those of the header stand first and once. Logon, Logout and SequenceReset are refused here:
// whoever follows them must say anew where the stream stands.
//
// While the stream is not followed yet, a message with whatever number is the one expected: taken, it is the anchor.
module session_check
  import receive_pkg::*;
(
    input  logic        clk,
    input  logic        rst,
    input  rollback_t   rollback,
    input  logic [31:0] start_number,  // BCD: taken at a resync
    input  logic [31:0] sender_crc,
    input  logic [31:0] target_crc,
    input  logic        body_begin,
    input  field_t      field_in,
    input  logic [31:0] crc,           // of the field's value
    input  logic [31:0] value_number,
    input  logic        is_number,
    input  logic        malformed_in,  // pulse: text that is no field
    input  logic        closed,
    input  logic        checksum_ok,
    input  logic        closing,       // both will be in the next cycle: much hangs on `observe`
    input  logic        following,
    input  logic        gap,           // nothing is to be observed
    output logic        snapshot,      // level: the message is a 35=W
    output logic        update,        // level: a 35=X
    output logic        observe,       // with closed: market data, in its turn
    output logic        repeated,      // with closed: taken, sent again
    output logic        refused,       // with closed
    output logic        anchor,        // with closed: the stream can be followed from here
    output logic [31:0] expected       // BCD: next MsgSeqNum
);
  typedef struct packed {
    logic        snapshot;
    logic        update;
    logic        poss_dup;
    logic        wrong;         // sticky: refused already
    zone_t       zone;
    logic        dup_seen;      // fields that must be there once, or may be
    logic        number_seen;
    logic        sender_seen;
    logic        time_seen;
    logic        target_seen;
    logic        in_turn;       // MsgSeqNum is the expected one
    logic        lower;
    logic [31:0] expected;
  } state_t;

  // Behind the last number there is none that any message could have.
  localparam logic [3:0] NO_DIGIT = 4'hF;
  function automatic logic [31:0] successor(logic [31:0] bcd, logic [7:0] nines, logic [7:0] rolls);
    for (int i = 0; i < 8; i++)
      successor[4*i+:4] = !rolls[i] ? bcd[4*i+:4] : nines[i] ? 4'd0 : bcd[4*i+:4] + 4'd1;
  endfunction

  state_t s, n, saved;

  // What a field's value is compared with, a cycle before it is judged.
  /* verilator lint_off UNUSEDSIGNAL */  // a few of its bits
  field_t field;
  /* verilator lint_on UNUSEDSIGNAL */
  localparam int PARTS = 4;  // of what is compared, each of eight bits; a field has ended when they come together
  logic malformed, number_now, number_lower;
  logic [PARTS-1:0] as_sender, as_target, as_number;
  logic from_sender, to_target, number_equal;
  assign from_sender = as_sender == '1;
  assign to_target = as_target == '1;
  assign number_equal = as_number == '1;
  logic [FIELD_TARGET:FIELD_FRAMING] is;  // a field of this kind has ended
  always_ff @(posedge clk) begin
    field <= field_in;
    for (int i = int'(FIELD_FRAMING); i <= int'(FIELD_TARGET); i++) is[i] <= field_in.done && int'(field_in.kind) == i && !rst;
    malformed <= malformed_in;
    for (int i = 0; i < PARTS; i++) begin
      as_sender[i] <= crc[8*i+:8] == sender_crc[8*i+:8];
      as_target[i] <= crc[8*i+:8] == target_crc[8*i+:8];
      as_number[i] <= value_number[8*i+:8] == s.expected[8*i+:8];
    end
    number_now <= is_number;
    number_lower <= value_number < s.expected;
    if (rst) {field.done, malformed} <= '0;
  end

  logic [7:0] nines, rolls;  // a digit is 9; all digits behind it are
  logic exhausted, renumber;
  logic [31:0] next_expected;
  logic taken, complete, sound, fit, ends_session;
  logic [3:0] wrong, wrong_q;  // what has just been found, in parts: none of them is deep
  assign ends_session = field.single && (field.character == "4" || field.character == "5" || field.character == "A");

  always_comb begin
    n = s;
    wrong = '0;
    if (field.done) begin
      n.zone = field.zone;
      if (field.empty || field.zone < s.zone) wrong[0] = 1'b1;
      // MsgType is the body's first field, and nothing else is.
      if (field.leading != is[FIELD_MSG_TYPE]) wrong[0] = 1'b1;
    end
    if (is[FIELD_MSG_TYPE]) begin
      n.snapshot = field.single && field.character == "W";
      n.update   = field.single && field.character == "X";
      if (ends_session) wrong[1] = 1'b1;
    end
    if (is[FIELD_SEQ_NUM]) begin
      n.number_seen = 1'b1;
      n.in_turn = number_equal || !following;
      n.lower = number_lower;
      if (s.number_seen || !number_now) wrong[1] = 1'b1;
    end
    if (is[FIELD_POSS_DUP]) begin
      n.dup_seen = 1'b1;
      n.poss_dup = field.character == "Y";
      if (s.dup_seen || !field.single || !(field.character == "Y" || field.character == "N")) wrong[2] = 1'b1;
    end
    if (is[FIELD_SENDER]) begin
      n.sender_seen = 1'b1;
      if (s.sender_seen || !from_sender) wrong[3] = 1'b1;
    end
    if (is[FIELD_TARGET]) begin
      n.target_seen = 1'b1;
      if (s.target_seen || !to_target) wrong[3] = 1'b1;
    end
    if (is[FIELD_SENDING_TIME]) begin
      n.time_seen = 1'b1;
      if (s.time_seen) wrong[1] = 1'b1;
    end
    if (is[FIELD_FRAMING]) wrong[1] = 1'b1;
    if (renumber) n.expected = value_number;  // it stands until the next value begins
    if (wrong_q != '0 || malformed) n.wrong = 1'b1;
    if (taken && s.in_turn) n.expected = next_expected;
    if (body_begin) n = '{zone: ZONE_HEADER, expected: n.expected, default: '0};
  end

  // The body has ended cycles before the message closes: its judgement stands.
  always_ff @(posedge clk) begin
    // The count has stood for cycles when it moves on.
    for (int i = 0; i < 8; i++) nines[i] <= s.expected[4*i+:4] == 4'd9;
    for (int i = 0; i < 8; i++) rolls[i] <= (nines | ~8'((1 << i) - 1)) == '1;
    exhausted <= nines == '1 || s.expected[31:28] == NO_DIGIT;
    next_expected <= exhausted ? {8{NO_DIGIT}} : successor(s.expected, nines, rolls);
    wrong_q <= wrong;
    renumber <= is[FIELD_SEQ_NUM] && !following;
    fit <= s.in_turn && !s.poss_dup && (s.snapshot || s.update);
    observe <= closing && sound && fit && !gap;
    taken <= closing && sound;
    refused <= closing && !sound && following;
    sound <= complete && (following ? s.in_turn || (s.lower && s.poss_dup) : !s.poss_dup);

    s <= rollback.restore ? saved : n;
    if (rollback.keep) saved <= s;
    assert (rst || !rollback.keep || n == s);  // all that the frame has brought is in
    if (rollback.clear) begin
      s <= '{zone: ZONE_HEADER, expected: start_number, default: '0};
      saved <= '{zone: ZONE_HEADER, expected: start_number, default: '0};
    end
  end

  assign complete = !s.wrong && s.number_seen && s.sender_seen && s.time_seen && s.target_seen;
  assign anchor = taken && !following;
  assign repeated = taken && s.poss_dup;
  assign snapshot = s.snapshot;
  assign update = s.update;
  assign expected = s.expected;
endmodule
