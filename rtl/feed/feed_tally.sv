// SPDX-License-Identifier: Apache-2.0
// What became of the datagrams of lines, by line and outcome: one addition in two cycles.
module feed_tally
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic                   clk,
    input  logic                   rst,
    input  tally_t                 add,
    output logic                   ready,   // for another one in the next cycle
    input  logic [LINE_BITS+2:0]   address, // line, outcome
    output logic [31:0]            count
);
  localparam int WORDS = FEED_LINES * FEED_LINE_COUNT_BYTES / 4;
  (* ram_style = "distributed" *) logic [31:0] counts[WORDS];
`ifdef VERILATOR
  // As in a device that has just been configured.
  initial for (int i = 0; i < WORDS; i++) counts[i] = '0;
`endif
  tally_t adding;
  logic [31:0] before_it;
  assign ready = !add.valid;
  always_ff @(posedge clk) begin
    adding <= add;
    before_it <= counts[{add.line, add.outcome}];
    if (adding.valid) counts[{adding.line, adding.outcome}] <= before_it - adding.less;
    if (rst) adding.valid <= 1'b0;
  end
  assign count = counts[address];
endmodule
