// SPDX-License-Identifier: Apache-2.0
// The rules are those of gem_transmit_properties: that the writer is never overtaken, whatever the bus asks for and when.
// What holds besides, so that they hold in every state: which slots are the controller's, and what stands in them.
module gem_transmit_proof
  import fixaccel_types_pkg::*;
  import gem_pkg::*;
#(
    parameter int SLOTS = 4
) (
    input logic                     clk,
    input logic                     rst,
    input logic                     clear,
    input logic                     failed,
    input logic                     take,
    input logic                     net_tx_valid,
    input logic                     net_tx_last,
    input logic                     net_tx_ready,
    input logic                     begun,
    input logic                     discard,
    input logic                     store,
    input logic                     store_last,
    input logic                     filling,
    input logic                     hold,
    input logic                     step,
    input logic                     start,
    input logic                     started,
    input logic                     returning,
    input logic                     in_turn,
    input logic                     read_valid,
    input logic                     of_frames,
    input logic [1:0]               lane,
    input frame_length_t            net_tx_length,
    input frame_length_t            shown,
    input frame_length_t            counted,
    input frame_length_t            total,
    input slot_word_t               written,
    input logic [$clog2(SLOTS):0]   fill,
    input logic [$clog2(SLOTS):0]   drain,
    input logic [SLOTS-1:0]         used,
    input slot_word_t [SLOTS-1:0]   stood,
    input logic [SLOTS-1:0]         whole
);
  localparam int NUMBER_BITS = $clog2(SLOTS);
  typedef logic [NUMBER_BITS:0] place_t;
  // The core's frames have a length that a slot has room for, and that the core says ahead of the fifth byte; a port that has failed is so until it is emptied; the window
  // decides no answer that is held.
  frame_length_t bytes, bytes_q, length_q;
  logic failed_q, clear_q;
  always_ff @(posedge clk) begin
    if (take) bytes <= net_tx_last ? '0 : bytes + 1'b1;
    {failed_q, clear_q} <= {failed, clear};
    {bytes_q, length_q} <= {bytes, net_tx_length};
    if (rst) {bytes, bytes_q, failed_q, clear_q} <= '0;
  end
  always_comb begin
    assume (!(net_tx_valid && !net_tx_last && bytes == frame_length_t'(MAX_FRAME_BYTES - 1)));
    assume (!(net_tx_valid && net_tx_last && bytes < 8));
    assume (!(bytes > 3 && bytes_q > 3) || net_tx_length == length_q);
    assume (!(take && net_tx_last) || net_tx_length == bytes + 1'b1);
    assume (!failed_q || failed);
    assume (!read_valid || (step && !hold));
  end

  place_t waiting;
  assign waiting = fill - drain;
  always_ff @(posedge clk)
    if (!rst) begin
      // Slots from `drain` up to `fill` are the controller's, and the one that is filled.
      assert (waiting <= place_t'(SLOTS));
      for (int i = 0; i < SLOTS; i++) begin
        automatic logic [NUMBER_BITS-1:0] behind = NUMBER_BITS'(i) - drain[NUMBER_BITS-1:0];
        automatic logic filled = filling && NUMBER_BITS'(i) == fill[NUMBER_BITS-1:0];
        assert (used[i] == !(place_t'({1'b0, behind}) < waiting || filled));
        // What stands in them is all of it, or as much as was written.
        assert (used[i] || (filled ? stood[i] == written && !whole[i] : whole[i]));
      end
      assert (!clear_q || (waiting == '0 && !filling && !store));
      assert (filling == (written != '0));
      // The descriptor of a frame that comes has the length that the core says; of one that has come, its own.
      assert (!(filling && begun && !discard) || (shown == length_q && bytes_q > 3));
      assert (!(store && store_last) || shown == total);
      assert (counted == bytes);
      assert (!begun || bytes_q == bytes || bytes_q + 1'b1 == bytes);
      assert (!filling || (begun && !discard) || (store && store_last));
      assert (!filling || waiting != place_t'(SLOTS));
      assert (!((begun && !discard) || store) || waiting != place_t'(SLOTS));
      assert (!(net_tx_ready && !begun) || waiting != place_t'(SLOTS) || failed);
      assert (bytes < frame_length_t'(MAX_FRAME_BYTES));
      assert (begun == (bytes != '0));
      assert (lane == bytes[1:0]);
      // Words that are written keep up with the bytes.
      assert (!begun || discard || bytes == {written + slot_word_t'(store), lane});
      assert (!store || (store_last == !begun && lane == '0 && !(begun && discard)));
      assert (!(store && store_last) || !net_tx_ready);
      assert (!store || written < slot_word_t'(MAX_FRAME_BYTES / 4 + 1));
      cover (hold && filling && written == 9'd3 && step);
      cover (read_valid && of_frames && filling);
      cover (waiting == place_t'(1) && filling);
    end
endmodule
bind gem_transmit gem_transmit_proof #(.SLOTS(SLOTS)) proof (
    .*, .stood(properties.stood), .whole(properties.whole), .counted(properties.bytes), .total(properties.total),
    .shown(lengths[fill[NUMBER_BITS-1:0]])
);
bind gem_transmit from_reset reset (.*);
