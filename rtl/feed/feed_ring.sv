// SPDX-License-Identifier: Apache-2.0
// The ring to the host: lines of seven values and their tags, as the map says (ring_word, ring_tags).
//
// What the field bus tells becomes one value or two, which wait in a queue; one a cycle goes into the line. A line ends with its
// seventh value or with its datagram. Its tags are a memory of their own and are written in the two cycles behind it, the half
// with the phase last: who sees the phase turn can read all of the line. Where the host has not taken enough, whole lines are
// lost and the next one says how many; nothing waits for the host.
module feed_ring
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic          clk,
    input  logic          rst,
    /* verilator lint_off UNUSEDSIGNAL */  // what the host has no use for, and writes, which are none of the ring's
    input  field_t        field,      // but for ends of datagrams
    input  feed_request_t request,
    /* verilator lint_on UNUSEDSIGNAL */
    input  verdict_t      verdict,    // a datagram ends: so much later that all fields of it have come
    input  logic          torn,       // with that: the unit was turned off
    input  gap_t          gap,
    input  sequence_t     number,     // of the datagram
    input  logic   [15:0] bytes,      // that it has, with its verdict
    input  logic   [31:0] tail,
    output logic   [31:0] head,
    output logic   [31:0] lost,       // lines
    output logic   [31:0] answer      // ANSWER_CYCLES later; 0 for what is not the ring's
);
  localparam int RING_BITS = $clog2(FEED_RING_LINES);
  localparam int VALUES = FEED_RING_LINE_WORDS - 1;
  localparam int PLACE_BITS = $clog2(FEED_RING_LINE_WORDS);
  localparam int QUEUE = 16;
  localparam int QW = $clog2(QUEUE);
  if (FEED_RING_LINES != 2 ** RING_BITS || FEED_RING_LINE_WORDS != 2 ** PLACE_BITS) begin : gen_refuse
    $error("feed_ring %m: ring_lines and ring_line_words are powers of two");
  end

  typedef struct packed {
    logic        last;      // of its datagram
    logic        vain;      // which leaves nothing behind
    logic        two;       // the exponent is a value of its own behind it
    logic [6:0]  exponent;
    logic [7:0]  tag;
    logic [63:0] value;
  } value_t;

  // What is told, as a value.
  code_t fault_code;
  at_t fault_at;
  offset_t fault_offset;
  ring_end_t ending;
  ring_message_t message;
  value_t entry;
  logic enters, overflow;
  assign ending = '{
          reserved: '0, line: verdict.line, vain: verdict.vain, bad: verdict.bad, torn: overflow || torn, bytes: bytes, offset: fault_offset, instruction: fault_at, code: fault_code
      };
  assign message = '{number: number, template_id: field.value[31:0]};
  always_comb begin
    entry = '{last: 1'b0, vain: 1'b0, two: 1'b0, exponent: field.exponent, tag: field.tag, value: field.value};
    enters = field.valid;
    case (field.tells)
      TELLS_NUMBER: enters = field.valid && field.tag != '0;
      TELLS_DECIMAL: begin
        enters = field.valid && field.tag != '0;
        entry.two = 1'b1;
      end
      TELLS_TEXT: begin
        enters = field.valid && field.tag != '0;
        entry.value[63:56] = 8'(field.count);
        if (!field.first) entry.tag = 8'(FEED_TAG_CONTINUED);
      end
      TELLS_MESSAGE: {entry.tag, entry.value} = {8'(FEED_TAG_MESSAGE), message};
      TELLS_SEQUENCE: entry.tag = 8'(FEED_TAG_SEQUENCE);
      TELLS_ELEMENT: {entry.tag, entry.value} = {8'(FEED_TAG_ELEMENT), 64'd0};
      default: enters = 1'b0;
    endcase
    if (gap.valid) begin
      // One that belongs to no datagram has a line of its own.
      {enters, entry.tag, entry.value} = {1'b1, 8'(FEED_TAG_GAP), gap.last, gap.first};
      {entry.last, entry.two, entry.exponent} = {gap.cause != 2'(FEED_CAUSE_NUMBERS), 1'b1, 3'd0, gap.cause, 2'(gap.channel)};
    end
    if (verdict.valid)
      {enters, entry.two, entry.last, entry.vain, entry.tag, entry.value} = {3'b101, verdict.vain, 8'(FEED_TAG_END), ending};
  end
  always_ff @(posedge clk) begin
    if (field.valid && field.tells == TELLS_FAULT) {fault_code, fault_at, fault_offset} <= {field.code, field.at, field.offset};
    if (rst || verdict.valid) {fault_code, fault_at, fault_offset} <= '0;
  end

  // The queue. The last place is that of the end of a datagram, which is told in any case.
  (* ram_style = "distributed" *) value_t queue[QUEUE];
  logic [QW:0] written, taken, used;
  logic fits, some, pops, on_second;
  value_t front;
  /* verilator lint_off UNUSEDSIGNAL */  // its exponent has become a value
  value_t out;
  /* verilator lint_on UNUSEDSIGNAL */
  assign used = written - taken;
  assign fits = used < (QW + 1)'(QUEUE - 1) || (entry.last && !used[QW]);
  assign some = used != '0;
  assign front = queue[taken[QW-1:0]];
  always_comb begin
    out = front;
    if (on_second) {out.tag, out.value} = {8'(FEED_TAG_CONTINUED), 64'($signed(front.exponent))};
    out.last = front.last && (on_second || !front.two);
  end

  // The line.
  logic [RING_BITS:0] line;
  logic [PLACE_BITS-1:0] place;
  logic [VALUES-1:0][7:0] tags, closing_tags;
  logic [2:0] closing_used;
  logic [1:0] closing;
  logic room, roomy, roomier, pending, dropping, drops, ends, tells_lost, told_lost, spilled, vanishes;
  logic [RING_BITS-1:0] closing_line;
  logic closing_phase;
  logic [31:0] lost_since, filled, tags_read, tags_answer;
  logic [63:0] value_read, value_answer;
  assign filled = head - tail;
  assign room = pending ? roomier : roomy;
  assign tells_lost = place == '0 && room && lost_since != '0;
  assign drops = (place == '0) ? !room : dropping;
  assign pops = some && closing == '0 && !tells_lost;
  // A datagram in vain, whose values are still in the line, was never there.
  assign vanishes = pops && out.last && out.vain && !spilled;
  assign ends = pops && !vanishes && (place == PLACE_BITS'(VALUES - 1) || out.last);

  simple_ram #(.BITS(64), .DEPTH(FEED_RING_LINES * FEED_RING_LINE_WORDS)) values (
      .clk, .write((pops && !drops) || tells_lost), .write_addr({line[RING_BITS-1:0], place}),
      .wdata(tells_lost ? 64'(lost_since) : out.value), .enable(1'b1), .read_addr(request.addr[3+:RING_BITS+PLACE_BITS]),
      .rdata(value_read)
  );
  ring_tags_t closing_word;
  always_comb begin
    closing_word = ring_tags_t'(closing_tags);
    {closing_word.used, closing_word.phase} = {closing_used, closing_phase};
  end
  simple_ram #(.BITS(32), .DEPTH(2 * FEED_RING_LINES)) tag_words (
      .clk, .write(closing != '0), .write_addr({closing_line, closing[1]}),
      .wdata(closing[1] ? closing_word[63:32] : closing_word[31:0]), .enable(1'b1),
      .read_addr({request.addr[3+PLACE_BITS+:RING_BITS], request.addr[2]}), .rdata(tags_read)
  );

  always_ff @(posedge clk) begin
    if (enters && fits && !(overflow && !entry.last)) begin
      queue[written[QW-1:0]] <= entry;
      written <= written + (QW + 1)'(1);
    end
    // What does not fit is lost with the rest of its datagram.
    overflow <= (overflow || (enters && !fits)) && !(enters && entry.last);
    if (pops) begin
      on_second <= front.two && !on_second;
      if (on_second || !front.two) taken <= taken + (QW + 1)'(1);
    end

    // Lines that are closed and not counted yet are one at most.
    {roomy, roomier} <= {filled < 32'(FEED_RING_LINES), filled < 32'(FEED_RING_LINES - 1)};
    pending <= ends || closing[0] || closing[1];
    if (tells_lost) begin
      tags[0] <= 8'(FEED_TAG_LOST);
      place <= PLACE_BITS'(1);
      {lost_since, dropping} <= '0;
      told_lost <= 1'b1;
    end
    if (pops) begin
      tags[place] <= out.tag;
      place <= ends ? '0 : place + PLACE_BITS'(1);
      if (place == '0) dropping <= !room;
      if (ends || out.last) spilled <= !out.last;
      if (ends) told_lost <= 1'b0;
      if (vanishes) place <= PLACE_BITS'(told_lost);
      if (ends && drops) {lost, lost_since} <= {lost + 32'd1, lost_since + 32'd1};
    end
    // The line is closed.
    closing <= {closing[0], ends && !drops};
    if (ends) begin
      closing_tags <= tags;
      closing_tags[place] <= out.tag;
      closing_used <= 3'(place) + 3'd1;
      closing_line <= line[RING_BITS-1:0];
      closing_phase <= !line[RING_BITS];
      if (!drops) line <= line + (RING_BITS + 1)'(1);
    end
    if (closing[1]) head <= head + 32'd1;
    if (rst) {written, taken, overflow, on_second, line, place, closing, head, lost, lost_since, dropping, roomy, roomier, pending, spilled, told_lost} <= '0;
  end

  // What the host reads.
  logic [1:0] asked, of_tags, upper;
  always_ff @(posedge clk) begin
    asked <= {asked[0], request.valid && !request.write && in_window(request.addr, FEED_BASE_RING, FEED_RING_LINES * FEED_RING_LINE_WORDS * 8)};
    of_tags <= {of_tags[0], &request.addr[3+:PLACE_BITS]};
    upper <= {upper[0], request.addr[2]};
    answer <= !asked[1] ? '0 : of_tags[1] ? tags_answer : upper[1] ? value_answer[63:32] : value_answer[31:0];
    {value_answer, tags_answer} <= {value_read, tags_read};
  end
endmodule
