// SPDX-License-Identifier: Apache-2.0
// Frames of the CPU: out through guard and arbiter, where orders go first; in through the RX gate.
module cpu_path
  import egress_pkg::*;
  import fixaccel_types_pkg::*;
(
    input  logic               clk,
    input  logic               rst,
    input  flow_t              match_flow,
    input  flow_t              match_market,
    input  flow_state_t        flow,           // the session's
    input  market_flow_t       market,
    input  rx_verdict_t        verdict,
    // the four frame ports
    input  logic        [ 7:0] net_rx_data,
    input  logic               net_rx_valid,
    input  logic               net_rx_last,
    output logic        [ 7:0] net_tx_data,
    output logic               net_tx_valid,
    output logic               net_tx_last,
    output logic               net_tx_err,
    input  logic               net_tx_ready,
    input  logic        [ 7:0] cpu_tx_data,
    input  logic               cpu_tx_valid,
    input  logic               cpu_tx_last,
    output logic               cpu_tx_ready,
    output logic        [ 7:0] cpu_rx_data,
    output logic               cpu_rx_valid,
    output logic               cpu_rx_last,
    input  logic               cpu_rx_ready,
    // guard
    input  logic               order_busy,
    input  logic               order_waits,    // a fire could be taken
    input  logic               disturbed,
    input  logic               live,
    input  logic               leased,
    output logic               cpu_start,      // pulse: `cpu_frame` starts to leave, with `cpu_effect`
    output cpu_frame_t         cpu_frame,
    output cpu_effect_t        cpu_effect,
    output logic               cpu_rewritten,  // with cpu_start
    output logic               cpu_received,   // pulses
    output logic               cpu_stopped,    // by the guard, or damaged
    output logic               fault_uncommitted,
    output logic               fault_unleased,
    // orders
    output logic               wire_ready,     // the wire takes an order's first byte now
    input  logic               order_valid,
    input  logic        [ 7:0] order_data,
    input  logic               order_last,
    input  logic               order_error,
    output logic               order_ready,
    output logic               order_begin,
    output logic               order_end,
    // RX gate
    input  logic               committing,
    input  logic        [31:0] elapsed_ns,
    input  logic        [31:0] rx_gate_ns,
    output logic               told,
    output logic        [31:0] told_ack,
    output logic               gate_timed_out,  // pulses
    output logic               gate_lowered,
    output logic               gate_dropped
);
  logic waits, damaged, done, active, rewrite, claim, stop, idle, waits_q, read;
  frame_length_t read_addr;
  logic [7:0] read_data;
  logic [31:0] seq;
  logic [15:0] checksum;
  cpu_ingress ingress (
      .clk, .rst, .flow(match_flow), .market(match_market), .cpu_tx_data, .cpu_tx_valid, .cpu_tx_last, .cpu_tx_ready,
      .frame_valid(waits), .frame(cpu_frame), .frame_done(done || stop), .read, .read_addr, .read_data,
      .received(cpu_received), .dropped(damaged)
  );
  always_ff @(posedge clk) waits_q <= order_waits;
  cpu_guard guard (
      .clk, .rst, .wire_free(idle && !active), .order_busy, .order_waits(waits_q), .disturbed,
      .frame_valid(waits), .frame(cpu_frame), .flow, .market, .live, .leased, .claim, .start(cpu_start),
      .effect(cpu_effect), .rewrite, .seq, .checksum, .stop, .fault_uncommitted, .fault_unleased
  );
  logic [7:0] data;
  logic last, ready;
  cpu_sender sender (
      .clk, .rst, .frame_valid(waits), .length(cpu_frame.length), .tcp_base(cpu_frame.tcp_base), .start(cpu_start),
      .rewrite, .seq, .checksum, .read, .read_addr, .read_data, .active, .done, .data, .last, .ready
  );
  assign cpu_rewritten = cpu_start && rewrite;
  assign cpu_stopped = stop || damaged;
  // A first byte is only shown to a wire that takes it: until then kill, disarm and a lost session stop it.
  assign wire_ready = idle && !active && !claim && !net_tx_valid && net_tx_ready;

  arbiter egress (
      .clk, .rst, .order_valid, .order_data, .order_last, .order_error, .order_ready,
      .cpu_valid(active), .cpu_data(data), .cpu_last(last), .cpu_ready(ready),
      .net_tx_data, .net_tx_valid, .net_tx_last, .net_tx_err, .net_tx_ready, .idle, .order_begin, .order_end
  );

  rx_gate receive_gate (
      .clk, .rst, .net_rx_data, .net_rx_valid, .net_rx_last, .verdict, .flow, .committing, .elapsed_ns,
      .limit_ns(rx_gate_ns), .cpu_rx_data, .cpu_rx_valid, .cpu_rx_last, .cpu_rx_ready, .told, .told_ack,
      .timed_out(gate_timed_out), .lowered(gate_lowered), .dropped(gate_dropped)
  );
endmodule
