// SPDX-License-Identifier: Apache-2.0
// Feeds in FAST: from frames of the ports that lines arrive on to lines in the host's memory, by the map rtl/hwmap/feed.yaml.
//
// With one port all lines arrive on it; with two the A of each channel arrives on the first one, the B on the second.
module feed_unit
  import feed_hwmap_pkg::*, feed_pkg::*;
#(
    parameter int PORTS = 1,
    parameter int TICK  = FEED_SILENCE_TICK  // cycles
) (
    input  logic          clk,
    input  logic          rst,       // synchronous
    input  feed_request_t request,   // at most one in four cycles
    output logic   [31:0] answer,    // ANSWER_CYCLES later
    input  logic [PORTS-1:0][7:0] rx_data,  // frames from their destination address to their FCS
    input  logic [PORTS-1:0]      rx_valid,
    input  logic [PORTS-1:0]      rx_last,
    input  logic [PORTS-1:0]      rx_err,
    output field_t        field,     // the field bus: what a datagram says, which counts with its verdict
    output verdict_t      verdict,
    output gap_t          gap
);
  if (PORTS < 1 || PORTS > 2) begin : gen_refuse
    $error("feed_unit %m: PORTS is 1 or 2");
  end
  logic decode, exports_raw, decoder_ready, raw_ready, out_ready, vain, tally_ready;
  load_t load;
  logic [31:0] window_answer, ring_answer, head, tail, lost, tally_count;
  logic [LINE_BITS+2:0] tally_address;
  counted_t counted, decoder_counted;
  field_t decoded, raw, found;
  feed_byte_t out;
  numbering_t numbering, numbering_written;
  logic [23:0] wait_cycles;
  logic [15:0] silence_ticks;
  channels_t channel_start, behind, waits;
  channel_t [FEED_CHANNELS-1:0] channels;
  logic [FEED_CHANNELS-1:0][15:0] epochs;
  tally_t tally;

  assign answer = window_answer | ring_answer;
  feed_window window (
      .clk, .rst, .request, .answer(window_answer), .load, .decode, .exports_raw, .numbering(numbering_written), .wait_cycles,
      .silence_ticks, .channel_start, .ring_head(head), .ring_tail(tail), .lines_lost(lost), .field, .verdict, .channels, .counted,
      .epochs, .behind, .waits, .tally_address, .tally(tally_count)
  );
  // What is not decoded has no number that is known.
  always_comb begin
    numbering = numbering_written;
    numbering.numbered = numbering_written.numbered && !exports_raw;
  end

  // Frames to lines.
  lines_t present, coming, tight, overflow, bad, take, rewind;
  feed_byte_t [FEED_LINES-1:0] heads;
  lines_t [PORTS-1:0] there, port_lines;
  logic [PORTS-1:0] put, ends, good;
  logic [PORTS-1:0][7:0] put_data;
  for (genvar p = 0; p < PORTS; p++) begin : gen_ports
    localparam lines_t EACH_A = {FEED_CHANNELS{2'b01}};
    feed_datagram #(.ONLY(PORTS == 1 ? '1 : EACH_A << p)) datagrams (
        .clk, .rst, .run(decode), .load, .data(rx_data[p]), .valid(rx_valid[p]), .last(rx_last[p]), .err(rx_err[p]), .present(there[p]),
        .lines(port_lines[p]), .put(put[p]), .put_data(put_data[p]), .ends(ends[p]), .good(good[p])
    );
  end
  always_comb begin
    present = '0;
    for (int p = 0; p < PORTS; p++) present |= there[p];
  end
  for (genvar i = 0; i < FEED_LINES; i++) begin : gen_lines
    localparam int PORT = PORTS == 1 ? 0 : i % 2;
    feed_line fifo (
        .clk, .rst(rst || !decode), .put(put[PORT] && port_lines[PORT][i]), .put_data(put_data[PORT]),
        .put_end(ends[PORT] && port_lines[PORT][i]), .put_good(good[PORT]), .overflow(overflow[i]), .tight(tight[i]), .out(heads[i]),
        .bad(bad[i]), .take(take[i]), .rewind(rewind[i])
    );
    always_ff @(posedge clk) coming[i] <= port_lines[PORT][i] && !tight[i] && !ends[PORT];
  end

  feed_arbiter #(.TICK(TICK)) arbiter (
      .clk, .rst, .run(decode), .numbering, .wait_cycles, .silence_ticks, .start(channel_start), .present, .coming, .tight, .overflow,
      .heads, .bad, .take, .rewind, .out, .out_ready, .field(found), .vain, .verdict, .gap, .tally, .tally_ready, .channels, .epochs,
      .behind, .waits
  );
  feed_tally tallies (
      .clk, .rst, .add(tally), .ready(tally_ready), .address(tally_address), .count(tally_count)
  );

  // The decoder sees an end whatever is exported: it waits for one when it was turned off amid a datagram.
  feed_byte_t to_decoder;
  assign out_ready = exports_raw ? raw_ready : decoder_ready;
  always_comb begin
    to_decoder = out;
    to_decoder.valid = out.valid && out_ready;
  end
  feed_decoder decoder (
      .clk, .rst, .enable(decode && !exports_raw), .load, .in(to_decoder), .in_ready(decoder_ready), .field(decoded),
      .counted(decoder_counted)
  );
  raw_payload payload (
      .clk, .rst, .enable(decode && exports_raw), .in(out), .in_ready(raw_ready), .field(raw)
  );
  assign found = exports_raw ? raw : decoded;
  always_comb begin
    field = found;
    field.valid = found.valid && !vain && found.tells != TELLS_DONE;
  end
  assign counted = decoder_counted & {$bits(counted_t) {!vain}};

  // Of the datagram: how long it is, and its number where that stands in front of its messages.
  offset_t bytes;
  sequence_t number;
  logic running;
  always_ff @(posedge clk) begin
    if (out.valid && out_ready && !out.last) bytes <= bytes + offset_t'(1);
    if (field.valid && field.tells == TELLS_NUMBER && field.role == 4'(FEED_ROLE_NUMBER) && !numbering.each_message)
      number <= field.value[31:0];
    if (rst || verdict.valid || !running) {bytes, number} <= '0;
  end
  // A datagram that the host has cut by turning the unit off ends all the same, when nothing of it can come any more.
  localparam int REST = 4;  // cycles
  logic [REST:0] off_since;
  logic open, cut;
  verdict_t ending;
  assign cut = !off_since[REST] && off_since[REST-1] && open;
  assign running = !off_since[REST];
  always_comb begin
    ending = verdict;
    ending.valid = verdict.valid || cut;
    ending.vain = verdict.vain && !cut;
  end
  always_ff @(posedge clk) begin
    off_since <= decode ? '0 : {off_since[REST-1:0], 1'b1};
    if (field.valid) open <= 1'b1;
    if (rst || ending.valid) open <= 1'b0;
  end
  feed_ring ring (
      .clk, .rst, .field, .verdict(ending), .torn(cut), .gap, .number, .bytes, .tail, .head, .lost, .request, .answer(ring_answer)
  );
endmodule
