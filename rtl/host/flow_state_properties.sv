// SPDX-License-Identifier: Apache-2.0
// What moves forward only, within one connection: acknowledgements of both sides and the edge of the CPU's window.
module flow_state_properties
  import egress_pkg::*;
  import fixaccel_types_pkg::*;
  import host_pkg::*;
(
    input logic        clk,
    input logic        rst,
    /* verilator lint_off UNUSEDSIGNAL */  // a few fields
    input actions_t    actions,
    input cpu_effect_t cpu_effect,
    input flow_state_t flow,
    input rx_window_t  window,
    /* verilator lint_on UNUSEDSIGNAL */
    input logic        cpu_start
);
  /* verilator lint_off UNUSEDSIGNAL */  // a few fields
  flow_state_t earlier;
  rx_window_t window_before;
  /* verilator lint_on UNUSEDSIGNAL */
  logic same;  // no new connection since the cycle before
  always_ff @(posedge clk) begin
    earlier <= flow;
    window_before <= window;
    same <= !rst && !actions.flow_reset && !(cpu_start && cpu_effect.syn);
  end

  always_ff @(posedge clk)
    if (!rst && same) begin
      assert (!earlier.told_known || (flow.told_known && seq_reached(flow.told_ack, earlier.told_ack)));
      assert (!earlier.peer_known || (flow.peer_known && seq_reached(flow.peer_ack, earlier.peer_ack)));
      assert (!window_before.edge_known || (window.edge_known && seq_reached(window.rx_edge, window_before.rx_edge)));
      assert (!earlier.closed || flow.closed);
    end
endmodule

bind flow_state flow_state_properties properties (.*);
