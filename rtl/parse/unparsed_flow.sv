// SPDX-License-Identifier: Apache-2.0
// How far the exchange's data have come on a flow that is not parsed, for judging what comes next there. `rcv_nxt` follows
// the good segments; what came before it is `missing` after one beyond it, until the CPU has acknowledged as much: then its
// kernel has all of it, whatever was seen here.
module unparsed_flow
  import fixaccel_types_pkg::*, receive_pkg::*;
(
    input  logic        clk,
    input  logic        rst,
    input  logic        reset,     // another flow
    /* verilator lint_off UNUSEDSIGNAL */  // a few fields of each
    input  rx_window_t  window,
    input  judged_t     last,      // with accepted
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic        accepted,  // pulse: a good segment of the flow
    input  logic [31:0] seq,       // with accepted: its number
    output logic        known,     // rcv_nxt stands
    output logic        missing,
    output logic [31:0] rcv_nxt
);
  logic caught_up;  // against an rcv_nxt that stood
  logic [31:0] rx_ack;
  /* verilator lint_off UNUSEDSIGNAL */  // the sign only
  logic [31:0] beyond;
  /* verilator lint_on UNUSEDSIGNAL */
  assign beyond = window.rx_ack - rcv_nxt;
  always_ff @(posedge clk) begin
    rx_ack <= window.rx_ack;
    caught_up <= window.edge_known && (!known || !beyond[31]) && !accepted;
    if (accepted && (last.fresh || last.hole || last.syn)) begin
      known <= 1'b1;
      missing <= last.hole || (missing && !last.syn);
      rcv_nxt <= last.syn ? seq + 32'd1 : last.segment_end;
    end else if (caught_up) begin
      known <= 1'b1;
      missing <= 1'b0;
      rcv_nxt <= rx_ack;
    end
    if (reset || rst) {known, missing, caught_up} <= '0;
  end
endmodule
