// SPDX-License-Identifier: Apache-2.0
// Tracks the market flow, where no order leaves: the CPU's numbers as they go out, the exchange's acknowledgements of them, and
// the end of either side. Writing market_valid forgets everything.
module market_flow
  import egress_pkg::*;
  import fixaccel_types_pkg::*;
(
    input  logic         clk,
    input  logic         rst,
    input  logic         reset,       // pulse: another one
    input  logic         valid,
    input  logic         enabled,
    /* verilator lint_off UNUSEDSIGNAL */  // a few fields of each
    input  rx_verdict_t  verdict,
    input  cpu_effect_t  cpu_effect,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic         cpu_start,   // pulse: a frame starts to leave, with `cpu_effect`
    output logic         peer_lost,   // the frame of this verdict ends the session, combinational
    output logic         lost,        // pulse: the session ended
    output market_flow_t flow
);
  logic ours, sends;
  assign ours = valid && verdict.done && verdict.good && verdict.is_market;
  assign sends = cpu_start && cpu_effect.market;
  assign peer_lost = ours && (verdict.fin || verdict.rst);
  assign lost = peer_lost || (sends && cpu_effect.lost);

  always_ff @(posedge clk) begin
    // What fits is no less than the one before, and nothing that was never sent.
    if (ours && verdict.acceptable && verdict.ack_fits && flow.snd_known) begin
      flow.una_known <= 1'b1;
      flow.snd_una <= verdict.ack;
    end
    if (lost) flow.closed <= 1'b1;
    if (sends) begin
      if (cpu_effect.syn) {flow.closed, flow.spliced, flow.una_known} <= '0;
      if (cpu_effect.set_snd_nxt) begin
        flow.snd_known <= 1'b1;
        flow.snd_nxt <= cpu_effect.snd_nxt;
      end
    end
    if (enabled && valid && !(sends && cpu_effect.syn)) flow.spliced <= 1'b1;
    if (rst || reset) flow <= '0;
  end
endmodule
