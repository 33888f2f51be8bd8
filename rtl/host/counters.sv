// SPDX-License-Identifier: Apache-2.0
// Event counters, modulo 2^32. `count` raises one of them a bit; COUNT_MESSAGES is a level of the receive side.
//
// The numbers lie in a memory. What happens is collected in a few bits a counter, which are added to the memory in turn:
// one counter a cycle, and no counter can happen more often between two turns than there are counters.
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
  typedef logic [INDEX_BITS-1:0] index_t;
  localparam index_t LAST = index_t'(COUNTERS - 1);
  localparam index_t MESSAGES = index_t'(counter(REG_COUNT_MESSAGES));
  typedef logic [$clog2(COUNTERS+1)-1:0] pending_t;

  logic [31:0] value[2**INDEX_BITS];
  pending_t pending[COUNTERS];
  count_t happened;
  index_t turn;
  logic fresh;  // the first round after a reset: what the memory holds is of before

  always_ff @(posedge clk) begin
    happened <= count;
    turn <= (turn == LAST) ? '0 : turn + 1;
    if (turn == LAST) fresh <= 1'b0;
    for (int i = 0; i < COUNTERS; i++)
      pending[i] <= ((turn == index_t'(i)) ? '0 : pending[i]) + pending_t'(happened[i]);
    if (rst) begin
      happened <= '0;
      turn <= '0;
      fresh <= 1'b1;
      for (int i = 0; i < COUNTERS; i++) pending[i] <= '0;
    end
  end
  logic [31:0] sum;
  assign sum = (fresh ? '0 : value[turn]) + 32'(pending[turn]);
  always_ff @(posedge clk) value[turn] <= sum;

  // The answer takes what is still pending along. Cycle 1: which; 2: both parts; 3 and on: their sum.
  logic selected;
  assign selected = host_req.valid && !host_req.write &&
      host_req.addr >= REG_COUNT_FRAMES && host_req.addr <= LAST_COUNTER;
  logic [1:0] read;
  index_t index;
  logic stale;  // not written since the reset
  pending_t part;
  logic [31:0] whole;
  logic [HOST_ANSWER_CYCLES-3:0][31:0] answer;
  assign stale = fresh && index >= turn;
  always_ff @(posedge clk) begin
    read <= {read[0], selected};
    index <= index_t'((host_req.addr - REG_COUNT_FRAMES) >> 2);
    part <= (index == MESSAGES) ? '0 : pending[index];
    whole <= (index == MESSAGES) ? messages : stale ? '0 : value[index];
    answer[0] <= read[1] ? whole + 32'(part) : '0;
    for (int i = 1; i < HOST_ANSWER_CYCLES - 2; i++) answer[i] <= answer[i-1];
  end
  assign host_rdata = answer[HOST_ANSWER_CYCLES-3];
endmodule
