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
  count_t at_turn;  // the same, a bit each: much hangs on it
  always_ff @(posedge clk) begin
    happened <= count;
    turn <= (turn == LAST) ? '0 : turn + 1;
    at_turn <= {at_turn[COUNTERS-2:0], at_turn[COUNTERS-1]};
    for (int i = 0; i < COUNTERS; i++) begin
      if (at_turn[i]) pending[i] <= pending_t'(happened[i]);
      else if (happened[i] && pending[i] != pending_t'(MOST)) pending[i] <= pending[i] + 1'b1;
      assert (rst || !happened[i] || at_turn[i] || pending[i] != pending_t'(MOST));
    end
    if (rst) begin
      happened <= '0;
      turn <= '0;
      at_turn <= count_t'(1);
      for (int i = 0; i < COUNTERS; i++) pending[i] <= '0;
    end
  end

  // Cycle 1: of each four counters what happened to one of them; 2: both parts; 3: their sum; 4: it is written.
  localparam int FOURS = (COUNTERS + 3) / 4;
  pending_t [FOURS-1:0] one_of_four;
  always_ff @(posedge clk)
    for (int i = 0; i < COUNTERS; i++) if (turn[1:0] == 2'(i)) one_of_four[i/4] <= pending[i];
  logic [1:0] fresh;  // the first round after a reset: what the memory holds is of before
  logic level;
  index_t chosen, adding, added;
  pending_t part;
  logic [31:0] whole, sum;
  always_ff @(posedge clk) begin
    chosen <= turn;
    adding <= chosen;
    part <= one_of_four[chosen[INDEX_BITS-1:2]];
    whole <= value[chosen];
    if (fresh[0]) whole <= '0;
    level <= chosen == MESSAGES;
    added <= adding;
    sum <= level ? messages : whole + 32'(part);
    value[added] <= sum;
    if (chosen == LAST) fresh[0] <= 1'b0;
    if (added == LAST) fresh[1] <= fresh[0];
    if (rst) begin
      chosen <= '0;
      adding <= '0;
      added <= '0;
      fresh <= '1;
    end
  end

  // The answer: what is asked for waits, not the word.
  typedef struct packed {
    logic   valid;
    index_t index;
  } read_t;
  read_t [HOST_ANSWER_CYCLES-2:1] read;
  localparam int PAGE_BITS = $clog2(int'(LAST_COUNTER) + 4);
  logic nearby, selected;
  logic [PAGE_BITS-1:2] word;
  assign selected = nearby && word >= REG_COUNT_FRAMES[PAGE_BITS-1:2] && word <= LAST_COUNTER[PAGE_BITS-1:2];
  always_ff @(posedge clk) begin
    nearby <= host_req.valid && !host_req.write && host_req.addr[ADDRESS_BITS-1:PAGE_BITS] == '0;
    word <= host_req.addr[PAGE_BITS-1:2];
    read <= {read[HOST_ANSWER_CYCLES-3:1], read_t'{selected, index_t'(word - REG_COUNT_FRAMES[PAGE_BITS-1:2])}};
    host_rdata <= (read[HOST_ANSWER_CYCLES-2].valid && !fresh[1]) ? value[read[HOST_ANSWER_CYCLES-2].index] : '0;
  end
endmodule
