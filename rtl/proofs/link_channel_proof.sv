// SPDX-License-Identifier: Apache-2.0
// Both ends of a channel of the link, and between them a wire that loses, doubles, delays and overtakes frames at will, late by
// less than 2^15 of them, and lets frames be cut short.
//  1. Each frame is given on once, and in order: what is given on next is frame `given`, as it was closed at the sending end.
//  2. No buffer is written before its frame has been given on, nor before it has been acknowledged and is not being read.
//  3. A frame is offered only within the room of the far end, and as it was closed, however often.
//  4. No more than two frames are under way: a record waits, and none is lost.
// One frame of all stands for any, and one of its words for all.
module link_channel_proof
  import link_hwmap_pkg::*, link_pkg::*;
#(
    parameter int WORDS = 3,
    parameter int RETRY = 3
) (
    input logic  clk,
    input logic  rst,
    // records
    input logic  in_valid, in_last, in_urgent,
    input word_t in_word,
    // the sending end's wire
    input logic  take, reads, done, cut,
    input logic [1:0] address,
    // what arrives there
    input logic  heard, missing,
    input logic [17:0] heard_ack, heard_given,
    // what arrives at the other end
    input logic  begins, arrives, good, bad,
    input logic [17:0] number,
    input word_t arriving_word,
    input logic  out_ready,
    // the frame and its word that are looked at
    input logic [17:0] chosen,
    input logic [1:0]  place
);
  localparam int AW = 2;
  typedef logic [17:0] wide_t;  // a number that does not wrap
  function automatic seq_t low(wide_t number);
    return number[SEQ_BITS-1:0];
  endfunction

  told_t told, says;
  logic in_ready, wants, idle, again, takes, out_valid, out_last, frees;
  seq_t seq;
  logic [AW-1:0] words;
  word_t word, out_word;
  assign told = '{ack: low(heard_ack), free: 2'(18'd2 - (heard_ack - heard_given)), missing: missing};
  channel_send #(
      .WORDS(WORDS), .RETRY(RETRY)
  ) sender (
      .clk, .rst, .clear(1'b0), .in_valid, .in_word, .in_last, .in_urgent, .in_ready, .heard, .told, .wants, .seq, .words, .take,
      .reads, .address, .word, .done, .cut, .idle, .again
  );
  channel_receive #(
      .WORDS(WORDS)
  ) receiver (
      .clk, .rst, .clear(1'b0), .begins, .seq(low(number)), .in_valid(arrives), .in_word(arriving_word), .good, .bad, .takes,
      .told(says), .out_valid, .out_word, .out_last, .out_ready, .frees
  );

  // ---- Numbers that do not wrap, beside those that do.
  wide_t base, next, fill, limit, reading, ack, given, whole, heard_ack_q, heard_given_q;
  assign whole = next - 18'(sender.sending && sender.first_time);  // frames of which all has left
  always_ff @(posedge clk) begin
    {heard_ack_q, heard_given_q} <= {heard_ack, heard_given};
    if (sender.acks) base <= base + 18'(sender.ahead);
    if (take) begin
      reading <= again ? base : next;
      if (!again) next <= next + 1'b1;
    end
    if (done && cut && sender.first_time) next <= reading;
    if (sender.closes) fill <= fill + 1'b1;
    if (sender.grows) limit <= limit + 18'(sender.room);
    if (receiver.takes_now && !receiver.ahead) ack <= ack + (receiver.held ? 18'd2 : 18'd1);
    if (receiver.ends) given <= given + 1'b1;
    if (rst) {base, next, fill, ack, given} <= '0;
    if (rst) limit <= 18'd2;
  end

  // ---- What comes: records of as many words as they say.
  record_head_t head;
  logic [7:0] left;  // words of the record that has begun; 0 of one that is alone
  logic alone;
  logic [1:0] alone_words;
  assign head = record_head_t'(in_word);
  always_ff @(posedge clk) begin
    if (sender.taken) begin
      if (!sender.open) begin
        left <= (head.words == '0) ? '0 : head.words - 8'd1;
        alone <= head.words == '0;
        alone_words <= 2'd1;
      end else begin
        if (!alone) left <= left - 8'd1;
        alone_words <= alone_words + 2'd1;
      end
    end
  end
  // A word that is not taken stays.
  logic waits, was_last;
  word_t was;
  record_head_t was_head;
  assign was_head = record_head_t'(was);
  always_ff @(posedge clk) {waits, was, was_last} <= {in_valid && !in_ready && !rst, in_word, in_last};
  always_comb begin
    assume (!waits || (in_valid && in_word == was && in_last == was_last));
    assume (!in_valid || sender.open || head.words <= 8'(WORDS));
    if (in_valid && !sender.open && head.words != '0) assume (in_last == (head.words == 8'd1));
    if (in_valid && sender.open && !alone) assume (in_last == (left == 8'd1));
    if (in_valid && sender.open && alone && alone_words == 2'(WORDS - 1)) assume (in_last);
    // The wire takes what is offered, reads it to an end, and may cut it short.
    assume (!take || wants);
    assume (!done || sender.sending);
    // What was said at some time by the other end.
    assume (!heard || (heard_given <= heard_ack && heard_ack <= heard_given + 18'd2));
    assume (!heard || (heard_ack <= ack && heard_given <= given));
    assume (!heard || heard_ack + 18'h07FFF > base);
    assume (!heard || heard_ack + 18'h07FFF > limit);
    assume (!(heard && sender.listened));
  end

  // A frame that was sent at some time arrives, one after the other.
  logic underway, begun;
  wide_t which;
  logic [AW:0] so_far;
  always_ff @(posedge clk) begin
    if (begins) begin
      underway <= 1'b1;
      which <= number;
      so_far <= '0;
    end
    begun <= begins && !rst;
    if (arrives) so_far <= so_far + 1'b1;
    if (good || bad) underway <= 1'b0;
    if (rst) underway <= 1'b0;
  end
  always_comb begin
    assume (!begins || (!underway && number < next && number + 18'h07FFF > ack));
    assume (!(arrives || good || bad) || (underway && !begins));
    assume (!(begun && (arrives || good || bad)));
    assume (!(good && bad) && !(arrives && (good || bad)));
    assume (!good || which < whole);
    assume (!arrives || so_far <= 3'(WORDS));  // a damaged one may be longer than it was
    assume (fill < 18'h1FFF0);
  end

  // ---- The frame that is looked at.
  wide_t of;
  logic [1:0] at;
  always_ff @(posedge clk) begin
    if (rst) {of, at} <= {chosen, place};
  end
  logic [AW-1:0] length;
  word_t said;
  word_t sent_cell, received_cell;  // of both memories, the one in which that word lies
  always_ff @(posedge clk) begin
    if (sender.taken && fill == of && sender.used == at) said <= in_word;
    if (sender.closes && fill == of) length <= sender.used;
    if (sender.taken && sender.fill[0] == of[0] && sender.used == at) sent_cell <= in_word;
    if (receiver.writes && receiver.count != 2'(WORDS) && receiver.into == of[0] && receiver.count == at) received_cell <= arriving_word;
  end
  always_comb
    if (underway && which == of) begin
      assume (!arrives || (so_far < 3'(length) && (so_far[1:0] != at || arriving_word == said)));
      assume (!good || so_far == 3'(length));
    end else if (underway) assume (!good || (so_far <= 3'(WORDS) && so_far != '0));

  // ---- With these, the rules are inductive.
  logic there;  // the frame that is looked at is at the other end
  assign there = (given <= of && of < ack) || (receiver.held && of == ack + 18'd1);
  always_ff @(posedge clk)
    if (!rst) begin
      assert (sender.base == low(base) && sender.next == low(next) && sender.fill == low(fill) && sender.limit == low(limit));
      assert (receiver.ack == low(ack) && receiver.given == low(given));
      assert (base <= ack && given <= ack && ack <= given + 18'd2 && ack <= whole);
      assert (base <= next && next <= fill && fill <= base + 18'd2);                                     // 4
      assert (next <= limit && limit <= given + 18'd2);                                                  // 3
      assert (!receiver.held || (ack == given && ack + 18'd1 < whole));
      if (sender.listened) begin
        assert (heard_given_q <= heard_ack_q && heard_ack_q <= heard_given_q + 18'd2 && heard_ack_q <= ack && heard_given_q <= given);
        assert (heard_ack_q + 18'h07FFF > base && heard_ack_q + 18'h07FFF > limit);
        assert (sender.ahead == low(heard_ack_q - base) && sender.room == low(heard_given_q + 18'd2 - limit));
      end
      if (sender.looked) assert (!sender.open);
      if (sender.looked) assert (waits);
      if (sender.looked && sender.fits && sender.filling)
        assert (!sender.whole && was_head.words != '0 && 9'(sender.used) + 9'(was_head.words) <= 9'(WORDS));
      if (sender.sending) begin
        assert (sender.reading == low(reading) && reading < next);
        assert (!sender.first_time || (reading + 18'd1 == next && base <= reading));
      end
      assert (!sender.filling || fill < base + 18'd2);
      assert (!sender.filling || !(sender.sending && reading[0] == fill[0]));                            // 2
      assert (sender.filling == (sender.used != '0));
      assert (!sender.open || (sender.filling && !sender.urgent));
      assert (3'(sender.used) <= 3'(WORDS));
      if (sender.open && !alone) assert (left != '0 && 9'(sender.used) + 9'(left) <= 9'(WORDS));
      if (sender.open) assert (sender.whole == alone);
      if (sender.open && alone) assert (sender.used == alone_words && alone_words < 2'(WORDS));
      assert (!(sender.whole && sender.filling && !sender.open) || !sender.taken);

      // What was closed stands until it is acknowledged, and while it is being read.
      if (fill == of && sender.filling && sender.used > at) assert (sent_cell == said);
      if ((base <= of && of < fill) || (sender.sending && reading == of)) begin
        assert (sender.lengths[of[0]] == length);
        assert (at >= length || sent_cell == said);                                                      // 3
      end
      if (of < fill) assert (length != '0 && 3'(length) <= 3'(WORDS));

      // What arrives.
      if (underway) begin
        assert (which < fill && which <= whole && which + 18'h07FFF > ack);
        assert (begun == receiver.begun && !(begun && receiver.arriving));
        if (begun) assert (which < given + 18'd2 && receiver.apart == low(which - ack) && so_far == '0);
        if (receiver.arriving) begin
          assert (receiver.ahead ? which == ack + 18'd1 && !receiver.held && ack == given : which == ack && ack < given + 18'd2);
          assert (receiver.over || 3'(receiver.count) == so_far);
          assert (so_far > 3'(WORDS) || !receiver.over);
        end
        if (which == of) begin
          assert (so_far <= 3'(length));
          if (receiver.arriving && so_far > 3'(at)) assert (received_cell == said);
        end
      end else assert (!receiver.arriving && !receiver.begun && !begun);
      if (there) begin
        assert (receiver.lengths[of[0]] == length && of < whole);
        assert (at >= length || received_cell == said);                                                  // 1
      end

      // Giving on.
      if (given < ack && given == of)
        assert (receiver.at < length || (receiver.out_valid && receiver.out_last && receiver.at == length));
      assert (!(receiver.asked || receiver.out_valid) || given < ack);
      assert (!(receiver.asked && receiver.out_valid));
      if (given == ack) assert (receiver.at == '0);
      if (receiver.out_valid && given == of) assert (out_last == (receiver.at == length));               // 1
      if (receiver.ends) assert (given < ack);

      cover (given == 18'd2 && receiver.ends);
      cover (receiver.takes_now && receiver.ahead);
      cover (again && sender.retried[1]);
      cover (done && cut);
      cover (wants && limit == next + 18'd1 && given == 18'd1);
    end
endmodule
bind link_channel_proof from_reset reset (.*);
