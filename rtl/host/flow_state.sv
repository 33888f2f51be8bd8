// SPDX-License-Identifier: Apache-2.0
// Tracks the session's TCP flow: what the fabric sends next, what the kernel has, what the peer has acknowledged, and the
// windows of both sides. Writing flow_valid forgets everything.
//
// Of a segment only that counts which a kernel would take: the receive side says so (`acceptable`, and FIN and RST only
// where they count). An acknowledgement must lie between the last one and snd_nxt; the window moves as Linux moves it,
// so an old duplicate opens nothing.
module flow_state
  import egress_pkg::*;
  import fixaccel_types_pkg::*;
  import host_pkg::*;
(
    input  logic               clk,
    input  logic               rst,
    /* verilator lint_off UNUSEDSIGNAL */  // a few fields of each bundle
    input  actions_t           actions,
    input  rx_verdict_t        verdict,
    input  cpu_frame_t         cpu_frame,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic               flow_valid,
    input  logic        [ 3:0] peer_wscale,
    input  logic        [ 3:0] local_wscale,
    input  logic               enabled,
    input  logic               live,
    input  logic               order_sent,    // pulse: an order takes `order_length` bytes from snd_nxt
    input  logic        [15:0] order_length,
    input  logic               cpu_start,     // pulse: `cpu_frame` starts to leave, with `cpu_effect`
    input  cpu_effect_t        cpu_effect,
    input  logic               told,          // pulse: the kernel gets `told_ack`
    input  logic        [31:0] told_ack,
    output logic               peer_lost,     // the frame of this verdict ends the session, combinational
    output logic               lost,          // pulse: the session ended
    output flow_state_t        flow,
    output rx_window_t         window
);
  logic ours, handshake;
  assign ours = flow_valid && verdict.done && verdict.good && verdict.is_flow;
  assign peer_lost = ours && (verdict.fin || verdict.rst);
  assign lost = peer_lost || (cpu_start && cpu_effect.lost);
  assign handshake = verdict.syn && !flow.spliced;

  // An acknowledgement takes three cycles: scaled, compared, taken.
  logic [1:0] seen;
  logic seen_syn;
  logic [31:0] seen_seq, seen_ack, seen_window;
  logic advances, repeats, in_flight, newer, same, wider, widest;
  logic [31:0] window_seq;  // sequence number of the segment that gave the window last
  always_ff @(posedge clk) begin
    seen[0] <= ours && verdict.ack_flag && verdict.acceptable;
    if (ours) begin
      seen_syn <= handshake;
      seen_seq <= verdict.seq;
      seen_ack <= verdict.ack;
      seen_window <= handshake ? {16'b0, verdict.window} : {16'b0, verdict.window} << peer_wscale;
    end

    seen[1] <= seen[0];
    in_flight <= flow.snd_known && seq_reached(flow.snd_nxt, seen_ack);
    advances <= !flow.peer_known || seen_syn || !seq_reached(flow.peer_ack, seen_ack);
    repeats <= seen_ack == flow.peer_ack;
    newer <= !seq_reached(window_seq, seen_seq);
    same <= window_seq == seen_seq;
    wider <= flow.peer_window < seen_window || seen_window == '0;
    widest <= !flow.peer_known || window.snd_max < seen_window;
    if (rst || actions.flow_reset) seen <= '0;
  end
  logic take, take_window;
  assign take = seen[1] && in_flight && (advances || repeats);
  assign take_window = take && (advances || newer || (same && wider));
  always_ff @(posedge clk) if (take_window) window_seq <= seen_seq;

  // The kernel is told of acknowledgements only forward; a frame that repeats an old one takes nothing back.
  logic telling, told_newer;
  logic [31:0] telling_ack;
  always_ff @(posedge clk) begin
    telling <= told && flow_valid;
    telling_ack <= told_ack;
    told_newer <= !flow.told_known || !seq_reached(flow.told_ack, told_ack);
  end

  // Right edge of the CPU's own window.
  logic [3:0] learned;
  logic [31:0] cpu_ack, cpu_window, edge_now, edge_next;
  logic further, move;
  assign move = learned[3] && (!window.edge_known || further);
  always_ff @(posedge clk) begin
    learned <= {learned[2:0], flow.learned};
    cpu_ack <= flow.cpu_ack;
    cpu_window <= {16'b0, flow.cpu_window} << local_wscale;
    edge_now <= cpu_ack + cpu_window;
    edge_next <= edge_now;
    further <= !move && !seq_reached(window.rx_edge, edge_now);  // never against an edge that is just moving
    if (move) begin
      window.edge_known <= 1'b1;
      window.rx_edge <= edge_next;
    end
    if (take_window && widest) window.snd_max <= seen_window;
    if (rst || actions.flow_reset || (cpu_start && cpu_effect.syn)) begin
      learned <= '0;
      window.edge_known <= 1'b0;
    end
    window.known <= flow.peer_known && flow.snd_known;
    window.snd_nxt <= flow.snd_nxt;
    window.snd_una <= flow.peer_ack;
    window.rx_ack <= cpu_ack;
  end

  always_ff @(posedge clk) begin
    if (take) begin
      flow.peer_known <= 1'b1;
      if (advances) flow.peer_ack <= seen_ack;
    end
    if (take_window) flow.peer_window <= seen_window;
    if (telling && told_newer) begin
      flow.told_known <= 1'b1;
      flow.told_ack <= telling_ack;
    end
    if (lost) flow.closed <= 1'b1;

    if (cpu_start) begin
      if (cpu_effect.syn) begin
        flow.closed <= 1'b0;
        flow.fin_sent <= 1'b0;
        flow.spliced <= 1'b0;
        flow.peer_known <= 1'b0;
        flow.told_known <= 1'b0;
        flow.learned <= 1'b0;
      end
      if (cpu_effect.set_snd_nxt) begin
        flow.snd_known <= 1'b1;
        flow.snd_nxt <= cpu_effect.snd_nxt;
      end
      if (cpu_effect.set_committed) flow.committed <= cpu_effect.committed;
      if (cpu_effect.set_fin) begin
        flow.fin_sent <= 1'b1;
        flow.fin_seq <= cpu_effect.snd_nxt - 1;
      end
      if (cpu_effect.learn && cpu_frame.ack_flag) begin
        flow.learned <= 1'b1;
        flow.dst_mac <= cpu_frame.dst_mac;
        flow.src_mac <= cpu_frame.src_mac;
        flow.cpu_ack <= cpu_frame.ack;
        flow.cpu_window <= cpu_frame.window;
      end
    end
    if (order_sent) flow.snd_nxt <= flow.snd_nxt + {16'b0, order_length};

    if (actions.set_snd_nxt && !live) begin
      flow.snd_known <= 1'b1;
      flow.snd_nxt <= actions.wdata;
    end
    if (actions.set_committed) flow.committed <= actions.wdata;
    if (enabled && flow_valid && !(cpu_start && cpu_effect.syn)) flow.spliced <= 1'b1;
    if (rst || actions.flow_reset) flow <= '0;
  end
endmodule
