// SPDX-License-Identifier: Apache-2.0
// The event ring: a record a fire, the payloads as sent, and a note when an order's last byte has left.
//
// A record is written in four parts behind `take`, each as wide as two block RAMs; then `head` moves. Payloads are packed,
// each from a whole word. A record or a payload that would overwrite what the runtime has not taken is not begun: `room`
// says so beforehand, and is low from the second cycle behind `take` until all of this is done. An order that has begun and is
// not sent has its bytes overwritten by the next one's, and no note.
module event_ring
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
(
    input  logic             clk,
    input  logic             rst,
    input  host_req_t        host_req,
    output logic      [31:0] host_rdata,
    input  logic      [31:0] tail,
    output logic      [31:0] head,
    output logic             room,           // for a record and the longest payload
    output logic             drained,        // the runtime has taken all; two cycles behind `head`

    input logic       take,           // pulse: a fire
    input logic       begins,         // the cycle after an order's first byte, with take or ahead of it: its payload follows
    /* verilator lint_off UNUSEDSIGNAL */  // entry and place of the payload are filled in here
    input ring_t      record,         // from the cycle after take on, the length from the third, until the fifth
    /* verilator lint_on UNUSEDSIGNAL */

    input logic       byte_write,     // payload bytes of the order that was sent last
    input logic       byte_last,
    input logic [7:0] byte_data,

    input logic        order_begin,   // pulse: its first byte is on the wire
    input logic        order_end,     // pulse: its last one is
    input logic [31:0] cycle,
    input logic [15:0] tcp_checksum   // holds still from the first payload byte to order_end
);
  localparam int INDEX_BITS = $clog2(RING_ENTRIES);
  localparam int PARTS = 4;
  localparam int PART_BITS = RING_BITS / PARTS;
  localparam int PART_WORDS = RING_STRIDE / PARTS;
  localparam int KEPT_WORDS = SENT_BYTES / 4;
  localparam int MOST_WORDS = MESSAGE_BYTES / 4;
  localparam int SENT_AW = $clog2(KEPT_WORDS);

  if (2 ** INDEX_BITS != RING_ENTRIES || 2 ** SENT_AW != KEPT_WORDS || SENT_AW != RING_SENT_AT_BITS) begin : gen_refuse
    $error("event_ring %m: ring_entries and sent_bytes must be powers of two, sent_at as wide as an index of `sent`");
  end
  if (PART_BITS != 32 * PART_WORDS) begin : gen_refuse_record
    $error("event_ring %m: a ring record fills its window");
  end

  // One more bit than an index: as many words as there are differ from none.
  typedef logic [SENT_AW:0] place_t;
  place_t sent_head, sent_tail, used_words, taken_words;
  logic [31:0] used_entries;
  logic record_fits, words_fit;
  logic [8:1] since;  // a fire was taken so many cycles ago: its record is written, then the numbers follow, `room` last
  logic counted;
  assign counted = since[PARTS+1];

  // Where each record's payload ends: the runtime's tail gives its words back too.
  place_t ends[RING_ENTRIES], sent_end, end_read, end_at_tail;
  logic [INDEX_BITS-1:0] before_tail;
  logic [2:0] no_tail;
  assign sent_end = sent_head + taken_words;
  always_ff @(posedge clk) begin
    since <= {since[7:1], take};
    taken_words <= place_t'((record.length + 16'd3) >> 2);
    if (counted) begin
      head <= head + 1;
      sent_head <= sent_end;
      ends[INDEX_BITS'(head)] <= sent_end;
    end
    before_tail <= INDEX_BITS'(tail - 1);
    no_tail <= {no_tail[1:0], tail == 0};
    end_read <= ends[before_tail];
    end_at_tail <= end_read;
    sent_tail <= no_tail[2] ? '0 : end_at_tail;
    used_entries <= head - tail;
    used_words <= sent_head - sent_tail;
    record_fits <= used_entries < RING_ENTRIES;
    drained <= used_entries == '0;
    words_fit <= used_words <= place_t'(KEPT_WORDS - MOST_WORDS);
    room <= record_fits && words_fit && since == '0;
    if (rst) {head, sent_head, since, room} <= '0;
  end

  // The record.
  ring_t whole;
  logic [31:0] entry;  // number of the record that is being written
  logic [PARTS-1:0][PART_BITS-1:0] parts;
  logic [PART_BITS-1:0] part_data;
  typedef logic [$clog2(PARTS)-1:0] part_t;
  part_t part;
  (* keep = "true" *) part_t [3:0] next_part;  // the same for each quarter of a part: many bits hang on it
  logic part_write;
  always_comb begin
    whole = record;
    whole.entry = entry;
    whole.sent_at = SENT_AW'(sent_head);
  end
  assign parts = whole;
  always_ff @(posedge clk) begin
    entry <= head + 1;
    part_write <= since[PARTS:1] != '0;
    for (int i = 0; i < 4; i++) begin
      next_part[i] <= (since == '0) ? '0 : next_part[i] + 1'b1;
      part_data[i*PART_BITS/4+:PART_BITS/4] <= parts[next_part[i]][i*PART_BITS/4+:PART_BITS/4];
    end
    part <= next_part[0];
    if (rst) part_write <= 1'b0;
  end
  logic [31:0] rdata_ring, rdata_ring_sent, rdata_sent;
  record_ram #(
      .BITS(PART_BITS), .DEPTH(RING_ENTRIES * PARTS), .STRIDE(PART_WORDS), .BASE(BASE_RING)
  ) ring (
      .clk, .host_req, .host_rdata(rdata_ring),
      .core_write(part_write), .core_addr({INDEX_BITS'(head), part}), .core_wdata(part_data)
  );

  // Payload words; the last one is written long before the note.
  logic [SENT_AW-1:0] word_at, store_at;
  logic [1:0] lane;
  logic [31:0] word, word_next, store_word;
  logic write_q, last_q, whole_word, store;
  logic [7:0] data_q;
  always_comb begin
    word_next = (lane == '0) ? '0 : word;
    word_next[{lane, 3'b000}+:8] = data_q;
  end
  assign whole_word = write_q && (last_q || lane == 2'd3);
  always_ff @(posedge clk) begin
    {write_q, last_q, data_q} <= {byte_write, byte_last, byte_data};
    if (write_q) begin
      word <= word_next;
      lane <= last_q ? '0 : lane + 1'b1;
    end
    if (whole_word) word_at <= word_at + 1'b1;
    if (begins) word_at <= SENT_AW'(sent_head);
    {store, store_at, store_word} <= {whole_word, word_at, word_next};
    if (rst) {lane, write_q, store} <= '0;
  end
  record_ram #(
      .BITS(SENT_BITS), .DEPTH(KEPT_WORDS), .STRIDE(SENT_STRIDE), .BASE(BASE_SENT)
  ) sent_words (
      .clk, .host_req, .host_rdata(rdata_sent), .core_write(store), .core_addr(store_at), .core_wdata(store_word)
  );

  // The note, word by word, the entry last: with it the note is whole. The next fire may be taken meanwhile.
  localparam int NOTE_WORDS = RING_SENT_STRIDE;
  logic [31:0] leaving_entry, first_byte_cycle;
  ring_sent_t note;
  logic [NOTE_WORDS-1:0][31:0] note_words;
  logic [$clog2(NOTE_WORDS):0] note_left;
  logic [$clog2(NOTE_WORDS)-1:0] note_word;
  logic [INDEX_BITS-1:0] note_index, stale_index;
  // A new record takes an old note of the same number away: the memory outlives a reset, the numbers do not.
  logic stale;
  assign note_words = note;
  assign note_word = note_left[$clog2(NOTE_WORDS)-1:0] - 1'b1;
  always_ff @(posedge clk) begin
    if (begins) leaving_entry <= entry;
    if (order_begin) first_byte_cycle <= cycle;
    if (order_end) begin
      note <= '{
          reserved: '0,
          tcp_checksum: tcp_checksum,
          last_byte_cycle: cycle,
          first_byte_cycle: first_byte_cycle,
          entry: leaving_entry
      };
      note_index <= INDEX_BITS'(leaving_entry - 1);
      note_left <= ($clog2(NOTE_WORDS) + 1)'(NOTE_WORDS);
    end else if (note_left != '0) note_left <= note_left - 1'b1;
    if (since[1]) {stale, stale_index} <= {1'b1, INDEX_BITS'(head)};
    else if (note_left == '0) stale <= 1'b0;
    if (rst) {note_left, stale} <= '0;
  end
  logic note_write;
  logic [INDEX_BITS+$clog2(NOTE_WORDS)-1:0] note_addr;
  logic [31:0] note_wdata;
  always_ff @(posedge clk) begin
    note_write <= note_left != '0 || stale;
    note_addr <= (note_left != '0) ? {note_index, note_word} : {stale_index, ($clog2(NOTE_WORDS))'(0)};
    note_wdata <= (note_left != '0) ? note_words[note_word] : '0;
    if (rst) note_write <= 1'b0;
  end
  record_ram #(
      .BITS(32), .DEPTH(RING_ENTRIES * NOTE_WORDS), .STRIDE(1), .BASE(BASE_RING_SENT)
  ) notes (
      .clk, .host_req, .host_rdata(rdata_ring_sent),
      .core_write(note_write), .core_addr(note_addr), .core_wdata(note_wdata)
  );

  always_ff @(posedge clk) host_rdata <= rdata_ring | rdata_ring_sent | rdata_sent;
endmodule
