// SPDX-License-Identifier: Apache-2.0
// Makes the order's three checksums while its headers leave: IP, then CheckSum(10), then TCP, which covers CheckSum.
//
// One adder with a registered term, and a fixed schedule from `start`, the cycle behind that of the frame's first byte:
// the IP checksum is there 12 cycles later (byte 24 is loaded in cycle 20), the TCP checksum 43 (byte 50 is loaded in 46).
// The characters of the patched fields come a pair a cycle, and are summed apart by even and odd index: with two such
// sums a field counts into the TCP checksum at any offset and into CheckSum.
module order_sums
  import egress_pkg::*;
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
  import order_pkg::*;
(
    input  logic              clk,
    input  logic              rst,
    input  logic              start,
    input  logic       [23:0] rule,          // with `start`
    input  logic       [14:0] fires,
    /* verilator lint_off UNUSEDSIGNAL */  // all but MACs, characters and valid bits
    input  leaving_t          leaving,       // from `start` on
    /* verilator lint_on UNUSEDSIGNAL */
    input  template_shape_t   shape,         // two cycles later
    input  logic       [31:0] epoch,
    input  slot_t             text_slot,     // from `text_ready` on
    output logic   [1:0][7:0] text,          // three cycles behind it
    output logic              text_ready,    // pulse: characters stand until the next start
    output logic       [15:0] ip_checksum,
    output logic       [15:0] tcp_checksum
);
  typedef logic [5:0] time_t;
  time_t t;
  logic busy;
  localparam time_t LAST = 6'd41;  // cycle in which the TCP checksum is taken
  logic [LAST:0] at;         // at[n]: t is n; a register each, for much hangs on them

  rule_digits_t rule_digits;
  fires_digits_t fires_digits;
  logic rule_done, fires_done;
  base36 #(.BITS(24), .DIGITS(RULE_DIGITS)) rule_text (
      .clk, .rst, .start, .value(rule), .done(rule_done), .digits(rule_digits)
  );
  base36 #(.BITS(15), .DIGITS(FIRES_DIGITS)) fires_text (
      .clk, .rst, .start, .value(fires), .done(fires_done), .digits(fires_digits)
  );

  // Every slot once, those of CheckSum behind all others; then they are payload_fetch's.
  localparam time_t WALKED = 6'd32 + 6'(CHECKSUM_SLOT) + 6'd1;
  logic [11:0] checksum;
  (* keep = "true" *) slot_t slot, slot_odd;  // the same twice: many bits hang on each
  logic walking;
  order_text characters (
      .clk, .leaving, .slot, .slot_odd, .chars(text),
      .fields('{epoch: epoch, rule: rule_digits, fires: fires_digits, checksum: checksum})
  );
  always_ff @(posedge clk) begin
    slot <= walking ? slot + 1'b1 : text_slot;
    slot_odd <= walking ? slot_odd + 1'b1 : text_slot;
    text_ready <= walking && at[WALKED];
    if (at[WALKED]) walking <= 1'b0;
    if (start) {slot, slot_odd, walking} <= {slot_t'(0), slot_t'(0), 1'b1};
    if (rst) {walking, text_ready} <= '0;
  end

  // A field's sums are whole three cycles behind its last slot, and taken in that cycle; then the next field's begin.
  function automatic time_t whole(slot_t last_slot);
    return time_t'(last_slot) + 6'd3;
  endfunction
  localparam time_t SEQ_NUM_AT = whole(SEQ_NUM_SLOT + 3);
  localparam time_t TIME_AT = whole(TIME_SLOT + 10);  // and once more in the next cycle
  localparam time_t ID_AT = whole(RULE_SLOT + 2);
  localparam time_t CHECKSUM_AT = 6'd32 + whole(CHECKSUM_SLOT + 1);
  logic [1:0][10:0] sums;
  logic fresh, swap, taken;
  logic [10:0] high, low;  // of the words that the field's characters make
  logic [7:0] pair;
  always_ff @(posedge clk) begin
    for (int odd = 0; odd < 2; odd++) sums[odd] <= sums[odd] + {3'b0, text[odd]};
    fresh <= at[time_t'(SEQ_NUM_SLOT)] || at[SEQ_NUM_AT-1] || at[TIME_AT] || at[CHECKSUM_AT-4];
    if (fresh) sums <= '0;

    // Chosen a cycle ahead.
    taken <= at[SEQ_NUM_AT-1] || at[TIME_AT-1] || at[TIME_AT] || at[ID_AT-1] || at[CHECKSUM_AT-1];
    swap <= (at[SEQ_NUM_AT-1] && shape.seq_num_odd) || (at[TIME_AT-1] && shape.sending_time_odd) ||
        (at[TIME_AT] && shape.transact_time_odd) || (at[ID_AT-1] && shape.cl_ord_id_odd) ||
        (at[CHECKSUM_AT-1] && !shape.last_byte[0]);
    {high, low} <= swap ? {sums[1], sums[0]} : {sums[0], sums[1]};
    pair <= 8'(sums[0] + sums[1]);
    if (!taken) {high, low, pair} <= '0;
  end

  // CheckSum(10): the sum of all bytes before it, modulo 256, as three digits, a step a cycle.
  localparam time_t DIGITS_AT = ID_AT + 2;
  logic [7:0] fix_sum;
  logic [6:0] rest;
  always_ff @(posedge clk) begin
    fix_sum <= at[0] ? leaving.order.fix_sum + 8'(2 * ZEROS_SKIPPED * "0") : fix_sum + pair;
    if (at[DIGITS_AT]) begin
      checksum[11:8] <= 4'(BY_25.quotient[fix_sum[7:2]]);
      rest <= {5'(BY_25.rest[fix_sum[7:2]]), fix_sum[1:0]};
    end
    if (at[DIGITS_AT+1]) begin
      checksum[7:4] <= 4'(BY_5.quotient[rest[6:1]]);
      checksum[3:0] <= {3'(BY_5.rest[rest[6:1]]), rest[0]};
    end
  end

  // Words of headers, and of the payload's literal bytes: chosen one cycle, added the next but one. The addresses and the
  // length stand in the IP header and in TCP's pseudo header: what only the former has is taken away again.
  localparam time_t IP_FOLD_AT = 6'd8;
  localparam logic [15:0] IP_CONSTANT = 16'(
      (int'(IP_VERSION_WORD) + int'(IP_FRAGMENT_WORD) + int'(IP_PROTOCOL_WORD) + IP_BYTES + TCP_BYTES + 1) % 'hFFFF);
  localparam logic [15:0] TCP_CONSTANT = 16'(
      (int'(PROTOCOL_TCP) + int'(TCP_FLAGS_WORD) + TCP_BYTES + 1 + ZEROS_SKIPPED * 'h3030) % 'hFFFF);
  /* verilator lint_off UNUSEDSIGNAL */  // MACs are in no checksum
  segment_t segment;
  /* verilator lint_on UNUSEDSIGNAL */
  assign segment = leaving.segment;
  logic [31:0][15:0] words;
  always_comb begin
    words = '0;
    {words[0], words[1]} = segment.src_ip;
    {words[2], words[3]} = segment.dst_ip;
    words[4] = 16'(shape.last_byte);
    words[5] = segment.ip_id;
    // 6 and 7: the IP sum is folded; 8: the first field's sums
    words[9] = 16'((int'(TCP_CONSTANT) + 'hFFFF - int'(IP_CONSTANT)) % 'hFFFF);
    {words[10], words[11]} = {segment.src_port, segment.dst_port};
    {words[12], words[13]} = segment.seq;
    {words[14], words[15]} = segment.ack;
    words[16] = segment.window;
    words[17] = leaving.order.tcp_sum;
    words[18] = ~segment.ip_id;
  end

  localparam time_t FOLD_AT = CHECKSUM_AT + 3;
  if (LAST != FOLD_AT + 6'd2) begin : gen_refuse
    $error("order_sums %m: the last cycle is that of the TCP checksum");
  end
  (* keep = "true" *) time_t [3:0] chosen;  // t, for each quarter of a word: many bits hang on it
  logic fold;  // what is beyond 16 bits comes round; no term meanwhile
  logic [15:0] word;
  logic [18:0] term;
  logic [21:0] sum;  // 18 words and five fields
  always_ff @(posedge clk) begin
    for (int i = 0; i < 4; i++) word[4*i+:4] <= chosen[i][5] ? '0 : words[chosen[i][4:0]][4*i+:4];
    term <= {3'b0, word} | {high + {8'b0, low[10:8]}, low[7:0]};
    fold <= at[IP_FOLD_AT-1] || at[IP_FOLD_AT] || at[FOLD_AT-1] || at[FOLD_AT];
    sum <= {fold ? 6'b0 : sum[21:16], sum[15:0]} + {3'b0, term[18:6], term[5:0] | (fold ? sum[21:16] : 6'b0)};
    if (at[0]) sum <= 22'(IP_CONSTANT);

    if (at[IP_FOLD_AT+2]) ip_checksum <= ~sum[15:0];
    if (at[LAST]) {busy, tcp_checksum} <= {1'b0, ~sum[15:0]};
    at <= at << 1;
    if (busy) {t, chosen} <= {5{t + 1'b1}};
    if (start) {at, busy, t, chosen} <= {(int'(LAST) + 1)'(1), 1'b1, {5{time_t'(0)}}};
    if (rst) {at, busy, t, chosen} <= {(int'(LAST) + 1)'(0), 1'b0, {5{time_t'('1)}}};
  end

  always_ff @(posedge clk) begin
    if (!rst && busy && t == time_t'(FIRES_SLOT)) assert (fires_done);
    if (!rst && busy && t == time_t'(RULE_SLOT)) assert (rule_done);
  end
endmodule
