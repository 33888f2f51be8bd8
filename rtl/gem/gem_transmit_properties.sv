// SPDX-License-Identifier: Apache-2.0
// What gem_transmit promises the controller and the core.
module gem_transmit_properties
  import fixaccel_types_pkg::*;
  import gem_pkg::*;
  import gem_port_hwmap_pkg::*;
#(
    parameter int SLOTS = 4
) (
    input logic                     clk,
    input logic                     rst,
    input logic                     clear,
    input logic                     failed,
    input logic                     take,
    input logic                     net_tx_last,
    input logic                     net_tx_ready,
    input logic                     store,
    input logic                     store_last,
    input logic                     publish,
    input logic                     start,
    input logic                     in_turn,
    input logic                     returning,
    input logic                     of_frames,
    input logic [$clog2(SLOTS)-1:0] read_slot,
    input logic [$clog2(SLOTS)-1:0] returned,
    input logic [$clog2(SLOTS)-1:0] filled,
    input frame_length_t            shown,  // length in the descriptor of the slot that is filled
    input logic [SLOTS-1:0]         used,
    /* verilator lint_off UNUSEDSIGNAL */  // the word in its slot
    input gem_port_address_t        read_addr,
    /* verilator lint_on UNUSEDSIGNAL */
    input logic                     read_valid
);
  // Words that have been stored of each slot's frame, counted apart from the module.
  slot_word_t [SLOTS-1:0] stood;
  logic [SLOTS-1:0] whole;
  frame_length_t bytes, total;  // of the frame that comes, so far; of the one that has come
  logic published, ready_q, over, cleared;
  always_ff @(posedge clk) begin
    if (store) begin
      stood[filled] <= publish ? slot_word_t'(1) : stood[filled] + 1'b1;
      whole[filled] <= store_last;
    end
    if (returning && in_turn) whole[returned] <= 1'b0;
    if (take) begin
      bytes <= net_tx_last ? '0 : bytes + 1'b1;
      total <= bytes + 1'b1;
    end
    published <= publish && !clear && !failed;
    ready_q <= net_tx_ready;
    over <= take && net_tx_last;
    cleared <= clear;
    if (rst || clear) {whole, stood} <= '0;
    if (rst) {published, ready_q, over, bytes} <= '0;
  end

  always_ff @(posedge clk)
    if (!rst && !clear && !cleared) begin
      // 1. The writer is never overtaken: a word of a frame that is the controller's is answered only if it stands.
      if (read_valid && of_frames && !used[read_slot])
        assert (whole[read_slot] || read_addr[2+:$bits(slot_word_t)] < stood[read_slot]);
      // 2. A frame goes into a slot that has been given back.
      if (publish) assert (used[filled]);
      // 3. With its first word the frame is announced.
      if (published) assert (start);
      // 4. What its descriptor says is as long as what has been stored.
      if (store && store_last) assert (shown == total);
    end
  always_ff @(posedge clk)
    if (!rst) begin
      // 5. Once shown, readiness stands until a frame has come whole: the core begins one on what it saw a cycle ago.
      if (ready_q && !over) assert (net_tx_ready);
    end
endmodule

bind gem_transmit gem_transmit_properties #(.SLOTS(SLOTS)) properties (
    .*, .filled(fill[NUMBER_BITS-1:0]), .shown(lengths[fill[NUMBER_BITS-1:0]])
);
