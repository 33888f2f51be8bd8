// SPDX-License-Identifier: Apache-2.0
// Event counters, modulo 2^32. `count` raises one of them a bit; COUNT_MESSAGES is a level of the receive side.
//
// The numbers lie in a memory. What happens is collected in a few bits a counter, which are added to the memory in turn, one
// counter a cycle; a read shows what was added so far. Frames and messages come so far apart, by preamble and interframe
// gap, that nothing happens more often than MOST times between two turns; a counter that is full waits for its turn.
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
  localparam int MOST = 7;
  typedef logic [$clog2(MOST+1)-1:0] pending_t;

  (* ram_style = "distributed" *) logic [31:0] value[2**INDEX_BITS];
  pending_t pending[COUNTERS];
  count_t happened;
  index_t turn;
  always_ff @(posedge clk) begin
    happened <= count;
    turn <= (turn == LAST) ? '0 : turn + 1;
    for (int i = 0; i < COUNTERS; i++) begin
      if (turn == index_t'(i)) pending[i] <= pending_t'(happened[i]);
      else if (happened[i] && pending[i] != pending_t'(MOST)) pending[i] <= pending[i] + 1'b1;
      assert (rst || !happened[i] || turn == index_t'(i) || pending[i] != pending_t'(MOST));
    end
    if (rst) begin
      happened <= '0;
      turn <= '0;
      for (int i = 0; i < COUNTERS; i++) pending[i] <= '0;
    end
  end

  // Cycle 1: both parts; 2: their sum; 3: it is written.
  logic [1:0] fresh;  // the first round after a reset: what the memory holds is of before
  logic level;
  index_t adding, added;
  pending_t part;
  logic [31:0] whole, sum;
  always_ff @(posedge clk) begin
    adding <= turn;
    part <= pending[turn];
    whole <= value[turn];
    level <= turn == MESSAGES;
    added <= adding;
    sum <= level ? messages : (fresh[0] ? '0 : whole) + 32'(part);
    value[added] <= sum;
    if (adding == LAST) fresh[0] <= 1'b0;
    if (added == LAST) fresh[1] <= fresh[0];
    if (rst) begin
      adding <= '0;
      added <= '0;
      fresh <= '1;
    end
  end

  // The answer: what is asked for waits, not the word.
  logic selected;
  assign selected = host_req.valid && !host_req.write &&
      host_req.addr >= REG_COUNT_FRAMES && host_req.addr <= LAST_COUNTER;
  typedef struct packed {
    logic   valid;
    index_t index;
  } read_t;
  read_t [HOST_ANSWER_CYCLES-2:0] read;
  always_ff @(posedge clk) begin
    read <= {read[HOST_ANSWER_CYCLES-3:0], read_t'{selected, index_t'((host_req.addr - REG_COUNT_FRAMES) >> 2)}};
    host_rdata <= (read[HOST_ANSWER_CYCLES-2].valid && !fresh[1]) ? value[read[HOST_ANSWER_CYCLES-2].index] : '0;
  end
endmodule
