// SPDX-License-Identifier: Apache-2.0
// Frames of the CPU on their way through store, guard, sender and arbiter, with orders in between. What walks the headers is
// cut: a frame is good or not, and is what it likes. Looked at is any one byte of the frames in any one of the two slots.
//  1. A byte of a good frame leaves at its place in the frame, but for those of sequence number and checksum that the guard
//     rewrites.
//  2. The frame ends behind its own last byte, with nothing of it left out; its FCS is made anew.
//  3. Frames leave, or are stopped by the guard, in the order in which they came, each once, and only good ones.
//  4. No byte is taken for which there is no room: the CPU is held back instead.
//  5. A byte that the arbiter takes is on the wire in the next cycle, and stays there until the wire has taken it.
// The rules of cpu_path_properties hold, too.
module cpu_frames_proof
  import egress_pkg::*, fixaccel_types_pkg::*;
(
    input logic          clk,
    input logic          rst,
    input flow_t         match_flow, match_market,
    input flow_state_t   flow,
    input market_flow_t  market,
    input rx_verdict_t   verdict,
    input logic [7:0]    net_rx_data, cpu_tx_data, order_data,
    input logic          net_rx_valid, net_rx_last, net_tx_ready, cpu_tx_valid, cpu_tx_last, cpu_rx_ready,
    input logic          order_busy, order_waits, disturbed, live, leased, order_valid, order_last, order_error, committing,
    input logic [31:0]   elapsed_ns, rx_gate_ns,
    input logic          slot,   // looked at
    input frame_length_t place
);
  logic [7:0] net_tx_data, cpu_rx_data;
  logic net_tx_valid, net_tx_last, net_tx_err, cpu_tx_ready, cpu_rx_valid, cpu_rx_last, cpu_start, cpu_rewritten;
  logic cpu_received, cpu_stopped, fault_uncommitted, fault_unleased, wire_ready, order_ready, order_begin, order_end;
  logic told, gate_timed_out, gate_lowered, gate_dropped;
  logic [31:0] told_ack;
  cpu_frame_t cpu_frame;
  cpu_effect_t cpu_effect;
  cpu_path path (.*);

  // Which byte is looked at stays the same. The length of a good frame is what has come without its FCS, and it fits (header_walk).
  logic slot_q, fixed;
  frame_length_t place_q;
  initial fixed = 1'b0;
  always_ff @(posedge clk) begin
    fixed <= 1'b1;
    {slot_q, place_q} <= {slot, place};
  end
  localparam frame_length_t LEAST = 1;  // shorter than any: the proof holds for those as well
  always_comb begin
    assume (!fixed || ({slot, place} == {slot_q, place_q}));
    assume (!(path.ingress.judge && path.ingress.walked.good) || (path.ingress.n <= MAX_FRAME_BYTES &&
        path.ingress.n >= LEAST + FCS_BYTES && path.ingress.walked.length == path.ingress.n - FCS_BYTES &&
        path.ingress.walked.tcp_base >= ETHERNET_BYTES));
    // Orders, as order_path has them: one begins only on a wire that takes its first byte.
    assume (!(order_valid && path.idle) || wire_ready);
  end

  // The byte that came, and the length of its frame.
  logic take;
  logic [7:0] came;
  frame_length_t length;
  assign take = cpu_tx_valid && cpu_tx_ready;
  always_ff @(posedge clk) begin
    if (take && path.ingress.fill == slot && path.ingress.n == place) came <= cpu_tx_data;
    if (path.ingress.judge && path.ingress.fill == slot) length <= path.ingress.walked.length;
  end

  // What leaves: place of the byte that is offered to the arbiter.
  frame_length_t leaves;
  logic rewritten;  // may be
  logic [1:0] used;
  logic ours, sent;
  assign used = path.ingress.used;
  assign ours = used[slot] && path.ingress.drain == slot;
  assign sent = path.active && path.ready;
  assign rewritten = path.rewrite && (path.sender.t - 1'b1 inside {[11'd4 : 11'd7], [11'd16 : 11'd17]});
  always_ff @(posedge clk) begin
    if (sent) leaves <= leaves + 1'b1;
    if (!path.active) leaves <= '0;
  end

  logic took, took_order, held;
  logic [7:0] taken, stood;
  always_ff @(posedge clk) begin
    took <= sent || (order_valid && order_ready);
    taken <= sent ? path.data : order_data;
    held <= net_tx_valid && !net_tx_ready;
    stood <= net_tx_data;
    if (rst) {took, held} <= '0;
  end

  frame_length_t at;
  assign at = path.sender.read_addr;
  always_ff @(posedge clk)
    if (!rst) begin
      assert (!(sent && ours && leaves == place && !rewritten) || path.data == came);         // 1
      assert (!(sent && ours) || path.last == (leaves == length - 1'b1));                     // 2
      assert (!path.active || used[path.ingress.drain]);                                      // 3
      assert ((path.ingress.fill == path.ingress.drain) == (used[0] == used[1]));
      assert (!(used[0] ^ used[1]) || used[path.ingress.drain]);
      assert (!take || !used[path.ingress.fill]);                                             // 4
      assert (!took || (net_tx_valid && net_tx_data == taken));                               // 5
      assert (!held || (net_tx_valid && net_tx_data == stood));
      // With these, the rules are inductive. The store, and what it says of its frames:
      assert (path.properties.stored == 2'(used[0]) + 2'(used[1]));
      assert (!cpu_tx_ready || path.ingress.complete == '0);
      assert ((path.ingress.complete & (path.ingress.complete - 1'b1)) == '0);
      assert (!used[path.ingress.fill] || (!cpu_tx_ready && path.ingress.complete == '0 && path.ingress.n == '0));
      if (used[slot] ? place < length : path.ingress.fill == slot && place < path.ingress.n)
        assert (path.ingress.mem[{slot, place}] == came);
      assert (!used[slot] || (path.ingress.info[slot].length == length && path.ingress.info[slot].tcp_base >= ETHERNET_BYTES &&
          length >= LEAST && length <= MAX_FRAME_BYTES));
      assert (!path.waits || used[path.ingress.drain]);
      assert (!(path.waits && ours) || cpu_frame == path.ingress.info[slot]);
      // The guard: it takes longer than the first bytes take to stand ready.
      assert (path.guard.state == '0 || (path.waits && !path.active && path.sender.filled[0]));
      assert (path.guard.state < 3'd2 || path.sender.filled[1]);
      assert (path.guard.state < 3'd3 || path.sender.filled[2]);
      assert (!path.active || (path.waits && path.sender.filled[2]));
      assert (path.sender.filled[0] || {path.sender.seq_next, path.sender.checksum_next, path.sender.patches} == '0);
      // The bytes on their way: memory, the register behind it, what is offered.
      if (path.waits) begin
        case (path.sender.filled)
          3'b000: assert (at == 11'd0);
          3'b001: assert (at == 11'd1);
          3'b011: assert (at == 11'd2);
          3'b111: assert (at == (path.active ? leaves : 11'd0) + 11'd3);
          default: assert (1'b0);
        endcase
        assert (!(path.active && ours) || leaves < length);
        if (ours && path.sender.filled[0]) begin
          for (int i = 0; i < 4; i++) assert (!path.sender.seq_next[i] || path.sender.t == 11'(3 + i));
          for (int i = 0; i < 2; i++) assert (!path.sender.checksum_next[i] || path.sender.t == 11'(15 + i));
          assert (!path.sender.patches || (path.rewrite && path.sender.t inside {[11'd4 : 11'd7], [11'd16 : 11'd17]}));
          assert (path.sender.end_n == length + 1'b1 && path.sender.t == at - 11'd2 - 11'(cpu_frame.tcp_base));
          assert (at <= length + 11'd2 && (!path.sender.filled[1] || path.last == (at == length + 11'd2)));
          assert (place != at - 11'd1 || place >= length || path.ingress.mem_data == came);
          assert (place != at - 11'd2 || place >= length || !path.sender.filled[1] || path.read_data == came);
          assert (place != at - 11'd3 || place >= length || !path.sender.filled[2] || rewritten || path.data == came);
        end
      end
      cover (sent && ours && leaves == place && path.last && used == 2'b11);
    end
endmodule
bind cpu_frames_proof from_reset reset (.*);
