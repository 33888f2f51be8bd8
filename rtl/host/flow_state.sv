// SPDX-License-Identifier: Apache-2.0
// Tracks the session's TCP flow: what the fabric sends next, what the kernel has, what the peer has acknowledged.
// Only good frames reach this module. Writing flow_valid forgets everything.
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
    output flow_state_t        flow
);
  logic ours;
  assign ours = flow_valid && verdict.done && verdict.good && verdict.is_flow;
  // A SYN after the handshake, too, means that this is not the connection that was spliced.
  assign peer_lost = ours && (verdict.fin || verdict.rst || (verdict.syn && flow.spliced));

  // Scaling apart from the update, so that the shifter is not in the compare's cycle.
  logic seen_valid, seen_syn;
  logic [31:0] seen_ack;
  logic [31:0] seen_window;
  logic seen_newer;
  always_ff @(posedge clk) begin
    seen_syn <= verdict.syn;
    seen_ack <= verdict.ack;
    seen_valid <= ours && verdict.ack_flag;
    seen_window <= verdict.syn ? {16'b0, verdict.window} : {16'b0, verdict.window} << peer_wscale;
  end
  assign seen_newer = !flow.peer_known || seen_syn || seq_reached(seen_ack, flow.peer_ack);

  assign lost = peer_lost || (cpu_start && cpu_effect.lost);

  always_ff @(posedge clk) begin
    if (seen_valid && seen_newer) begin
      flow.peer_known <= 1'b1;
      flow.peer_ack <= seen_ack;
      flow.peer_window <= seen_window;
    end
    if (told && flow_valid) begin
      flow.told_known <= 1'b1;
      flow.told_ack <= told_ack;
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
        flow.fin_seq <= cpu_effect.fin_seq;
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
