// SPDX-License-Identifier: Apache-2.0
// The sending end of a channel: records are collected into frames, and each frame stays until it is acknowledged.
//
// There are two buffers, frame n in buffer n modulo 2: one is filled while the other is on its way. A frame may be sent for
// the first time while its number is below what the far end has room for; that limit never falls, so what is told late
// does no harm. The oldest frame is sent again when the far end has the one behind it and not that, once, and when nothing
// has been acknowledged for a while, without end.
//
// A frame is closed, and from then on stands as it is, when it has to go, when no other of this channel is on its way, and
// when the next record has no room in it.
module channel_send
  import link_hwmap_pkg::*, link_pkg::*;
#(
    parameter  int WORDS = 496,   // of the longest frame
    parameter  int RETRY = 1000,  // cycles without an acknowledgement after which the oldest frame is sent again
    localparam int AW    = $clog2(WORDS + 1)
) (
    input  logic          clk,
    input  logic          rst,
    input  logic          clear,        // pulse: the channel begins anew; a frame that is being read is not to be taken for one
    // Records, word by word. Word 0 says how many there are; of none the record takes a frame of its own, to `in_last`.
    input  logic          in_valid,
    input  word_t         in_word,
    input  logic          in_last,      // with the last word of a record
    input  logic          in_urgent,    // with it: its frame goes
    output logic          in_ready,
    // From the far end.
    input  logic          heard,        // pulse, not two cycles in a row: a frame of this life of both ends
    input  told_t         told,         // what it says of this channel
    // To the wire: a frame is offered until it is taken, and read until its end.
    output logic          wants,
    output seq_t          seq,          // with `wants`, and while it is read
    output logic [AW-1:0] words,        // likewise
    input  logic          take,         // pulse, with `wants`: its first byte is due
    input  logic          reads,        // the word at this address stands from the next cycle on, while `reads` is not there
    input  logic [AW-1:0] address,
    output word_t         word,
    input  logic          done,         // pulse: its last byte is on the wire
    input  logic          cut,          // with `done`: it was cut short, so nobody has it
    // Of note.
    output logic          idle,         // all that came is acknowledged
    output logic          again         // pulse, with `take`: the frame has been sent before
);
  if (LINK_BUFFERS != 2) begin : gen_refuse_buffers
    $error("channel_send %m: there are two buffers");
  end
  if (WORDS < 2 || RETRY < 2) begin : gen_refuse
    $error("channel_send %m: WORDS and RETRY are 2 or more");
  end

  // Numbers of frames: the oldest that is not acknowledged, the next to be sent for the first time, the one that is being
  // filled, and the first that the far end has no room for. base <= next <= fill <= base + 2.
  seq_t base, next, fill, limit;
  logic filling;            // it has words
  logic full;               // no buffer to be filled
  logic [AW-1:0] used;      // words of it
  logic [1:0][AW-1:0] lengths;
  logic sending;            // a frame is being read
  logic first_time;         // and has not been before
  seq_t reading;
  // They are no further apart than two, so their lowest bits tell.
  logic [1:0] held, under_way, open_room;  // closed ones, of which those sent; more that may be sent
  assign held = fill[1:0] - base[1:0];
  assign under_way = next[1:0] - base[1:0];
  assign open_room = limit[1:0] - next[1:0];
  assign full = held == 2'(LINK_BUFFERS) || (sending && reading[0] == fill[0]);
  assign idle = held == '0 && !filling;

  // ---- Filling. A record that has begun has room; the next one may have none, which its first word tells a cycle ahead.
  /* verilator lint_off UNUSEDSIGNAL */  // of word 0, how many there are
  record_head_t head;
  /* verilator lint_on UNUSEDSIGNAL */
  logic open;               // within a record
  logic whole;              // it is one that is alone: nothing goes behind it
  logic fits, looked, alone, taken, ends, closes, urgent;
  assign head = record_head_t'(in_word);
  assign alone = head.words == '0;
  assign in_ready = !full && !urgent && (open || (looked && fits));
  assign taken = in_valid && in_ready;
  assign ends = taken && in_last;
  // Between two records: one that has no room closes the frame, and so does it that the wire is free for it.
  assign closes = filling && !open && (urgent || whole || (looked && !fits) || (under_way == '0 && !sending && !taken));

  logic [1:0] retried;      // [0] the oldest frame is to be sent again, [1] it was asked for, or waited for, already
  logic [$clog2(RETRY)-1:0] waited;
  // What is heard counts a cycle later: how far it is ahead of what was known.
  logic listened, missed;
  seq_t ahead, room;
  logic acks, grows, again_next;
  assign acks = listened && ahead[SEQ_BITS-1:2] == '0 && ahead[1:0] != '0 && ahead[1:0] <= under_way;
  assign grows = listened && room[SEQ_BITS-1:2] == '0 && room[1:0] != '0 && room[1:0] <= 2'(LINK_BUFFERS);
  assign again_next = retried[0] && under_way != '0;
  assign seq = sending ? reading : again_next ? base : next;
  assign words = lengths[seq[0]];
  assign wants = !sending && (again_next || (held != under_way && open_room != '0));
  assign again = take && again_next;

  always_ff @(posedge clk) begin
    looked <= in_valid && !open && !taken && !closes;
    fits <= !filling || (!alone && !whole && (AW + 1)'(used) + (AW + 1)'(head.words) <= (AW + 1)'(WORDS));
    if (taken) begin
      used <= used + 1'b1;
      filling <= 1'b1;
      open <= !in_last;
      if (!open) whole <= alone;
    end
    if (ends) urgent <= in_urgent;
    if (closes) begin
      lengths[fill[0]] <= used;
      fill <= fill + 1'b1;
      used <= '0;
      {filling, urgent, whole} <= '0;
    end

    // What the far end has is not sent again, but for a frame that is on its way.
    listened <= heard;
    ahead <= told.ack - base;
    room <= told.ack + seq_t'(told.free) - limit;
    missed <= told.missing;
    if (grows) limit <= limit + seq_t'(room[1:0]);
    if (under_way == '0 || sending) waited <= '0;
    else if (int'(waited) == RETRY - 1) begin
      waited <= '0;
      retried <= 2'b11;
    end else waited <= waited + 1'b1;
    if (listened && missed && ahead == '0 && under_way != '0 && !retried[1]) retried <= 2'b11;
    if (acks) begin
      base <= base + seq_t'(ahead[1:0]);
      waited <= '0;
      retried <= '0;
    end

    if (take) begin
      sending <= 1'b1;
      reading <= seq;
      first_time <= !again_next;
      if (!again_next) next <= next + 1'b1;
      else retried[0] <= 1'b0;
    end
    if (done) begin
      sending <= 1'b0;
      // Nobody has a frame that was cut short: it is sent anew, unless another copy of it has been acknowledged meanwhile.
      if (cut && first_time) next <= reading;
      else if (cut && reading == base && under_way != '0 && !acks) retried <= 2'b11;
    end
    if (clear || rst) begin
      {base, next, fill, used, waited, retried} <= '0;
      limit <= seq_t'(LINK_BUFFERS);
      {filling, open, urgent, whole, looked, listened} <= '0;
      // What is being read is of the past.
      first_time <= 1'b0;
      reading[SEQ_BITS-1:1] <= '1;
    end
    if (rst) sending <= 1'b0;
  end

  simple_ram #(
      .BITS(WORD_BITS), .DEPTH(2 ** (AW + BUFFER_BITS))
  ) memory (
      .clk, .write(taken), .write_addr({fill[0], used}), .wdata(in_word), .enable(reads), .read_addr({seq[0], address}),
      .rdata(word)
  );
endmodule
