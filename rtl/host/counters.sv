// SPDX-License-Identifier: Apache-2.0
// Event counters, modulo 2^32. `count` raises one of them a bit; COUNT_MESSAGES is a level of the receive side.
module counters
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
  import host_pkg::*;
(
    input  logic             clk,
    input  logic             rst,
    /* verilator lint_off UNUSEDSIGNAL */  // read-only: write data plays no part
    input  host_req_t        host_req,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic      [31:0] host_rdata,
    input  count_t           count,
    input  logic      [31:0] messages
);
  localparam int INDEX_BITS = $clog2(COUNTERS);
  localparam int MESSAGES = counter(REG_COUNT_MESSAGES);

  logic [31:0] value[COUNTERS];

  logic selected;
  logic [INDEX_BITS-1:0] index;
  assign selected = host_req.valid && !host_req.write &&
      host_req.addr >= REG_COUNT_FRAMES && host_req.addr <= REG_COUNT_GATE_DROPS;

  logic [HOST_ANSWER_CYCLES-2:0][31:0] answer;
  assign index = INDEX_BITS'((host_req.addr - REG_COUNT_FRAMES) >> 2);
  always_ff @(posedge clk) begin
    if (|count) for (int i = 0; i < COUNTERS; i++) if (count[i]) value[i] <= value[i] + 1;
    if (rst) for (int i = 0; i < COUNTERS; i++) value[i] <= '0;
    answer <= answer << 32;
    if (selected) answer[0] <= (int'(index) == MESSAGES) ? messages : value[index];
    host_rdata <= answer[HOST_ANSWER_CYCLES-2];
  end
endmodule
