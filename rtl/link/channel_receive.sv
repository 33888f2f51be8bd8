// SPDX-License-Identifier: Apache-2.0
// The receiving end of a channel: takes each frame once and gives all of them on in order.
//
// There are two buffers, frame n in buffer n modulo 2. Taken are the next frame that is expected and the one behind it, if
// the buffer is free; a frame is written as it arrives, and counts behind its verdict. All else is dropped. What is told the
// far end is what it has to know to go on, whatever has become of a frame.
module channel_receive
  import link_hwmap_pkg::*, link_pkg::*;
#(
    parameter  int WORDS = 496,  // of the longest frame
    localparam int AW    = $clog2(WORDS + 1)
) (
    input  logic  clk,
    input  logic  rst,
    input  logic  clear,      // pulse: the channel begins anew; not while a frame arrives
    // A frame as it arrives: its number, then its words, then its verdict.
    input  logic  begins,     // pulse, two cycles ahead of all else of it: a frame of this channel
    input  seq_t  seq,        // with it
    input  logic  in_valid,
    input  word_t in_word,
    input  logic  good,       // pulses, of which one ends the frame: a right FCS, and as many words as it says
    input  logic  bad,
    output logic  takes,      // pulse, a cycle behind `good`: the frame is one that was wanted
    // For the far end.
    output told_t told,
    // Words in order, a frame at a time.
    output logic  out_valid,
    output word_t out_word,
    output logic  out_last,   // of a frame
    input  logic  out_ready,
    output logic  frees       // pulse: a frame has been given on, so there is room for another
);
  if (LINK_BUFFERS != 2) begin : gen_refuse_buffers
    $error("channel_receive %m: there are two buffers");
  end
  if (WORDS < 2) begin : gen_refuse
    $error("channel_receive %m: WORDS is 2 or more");
  end

  // The next frame that is expected, and the one that is given on: given <= ack <= given + 2.
  seq_t ack, given;
  logic held;          // the frame behind `ack` is there
  logic arriving;      // one that may be taken
  logic ahead;         // it is the one behind `ack`
  logic [AW-1:0] count;
  logic over;          // it is longer than a buffer
  logic [1:0][AW-1:0] lengths;
  logic next_fits, second_fits, wanted, wanted_ahead, takes_now, writes;
  assign next_fits = ack[1:0] - given[1:0] != 2'(LINK_BUFFERS);  // they are no further apart, so their lowest bits tell
  assign second_fits = ack[1:0] == given[1:0] && !held;
  seq_t apart;         // how far a frame is ahead of the one that is expected
  logic begun;
  assign wanted_ahead = apart == seq_t'(1);
  assign wanted = wanted_ahead ? second_fits : apart == '0 && next_fits;
  assign writes = arriving && in_valid && !over;
  assign takes_now = arriving && good && count != '0 && !over;
  assign told = '{ack: ack, free: (BUFFER_BITS + 1)'(LINK_BUFFERS) - (ack[BUFFER_BITS:0] - given[BUFFER_BITS:0]), missing: held};

  logic into;  // the buffer of what arrives
  assign into = ack[0] ^ ahead;

  // ---- Giving on: the word at `at` is asked for, stands a cycle later, and then is taken down.
  logic [AW-1:0] at;
  logic asked, asks, ends;
  word_t word;
  assign asks = given[1:0] != ack[1:0] && !asked && !out_valid;
  assign ends = out_valid && out_ready && out_last;
  assign frees = ends;

  always_ff @(posedge clk) begin
    takes <= takes_now;
    begun <= begins;
    apart <= seq - ack;
    if (begun) begin
      arriving <= wanted;
      ahead <= wanted_ahead;
      {count, over} <= '0;
    end
    if (writes) begin
      if (int'(count) == WORDS) over <= 1'b1;
      else count <= count + 1'b1;
    end
    if (good || bad) arriving <= 1'b0;
    if (takes_now) begin
      lengths[into] <= count;
      if (ahead) held <= 1'b1;
      else begin
        ack <= ack + (held ? seq_t'(2) : seq_t'(1));
        held <= 1'b0;
      end
    end

    asked <= asks;
    if (asked) begin
      out_valid <= 1'b1;
      out_word <= word;
      out_last <= at + 1'b1 == lengths[given[0]];
      at <= at + 1'b1;
    end
    if (out_valid && out_ready) out_valid <= 1'b0;
    if (ends) begin
      given <= given + 1'b1;
      at <= '0;
    end
    if (clear || rst) begin
      {ack, given, at} <= '0;
      {held, arriving, begun, asked, out_valid, takes} <= '0;
    end
  end

  simple_ram #(
      .BITS(WORD_BITS), .DEPTH(2 ** (AW + BUFFER_BITS))
  ) memory (
      .clk, .write(writes && int'(count) != WORDS), .write_addr({into, count}), .wdata(in_word), .enable(asks),
      .read_addr({given[0], at}), .rdata(word)
  );
endmodule
