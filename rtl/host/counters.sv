// SPDX-License-Identifier: Apache-2.0
// Event counters, modulo 2^32. `count` raises one of them a bit; COUNT_MESSAGES is a level of the receive side.
//
// The numbers lie in a memory. What happens is collected in a few bits a counter, which are added to the memory in turn, one
// counter a cycle; a read shows what was added so far. Frames and messages come so far apart, by preamble and interframe
// gap, that nothing happens more often than MOST times between two turns; a counter that is full waits for its turn.
//
// The level needs no memory, so the last counter has its place: a memory that is half as deep answers sooner.
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
  typedef logic [$clog2(COUNTERS)-1:0] index_t;
  localparam int LAST = COUNTERS - 1;
  localparam int MESSAGES = counter(REG_COUNT_MESSAGES);
  localparam int PLACES = COUNTERS - 1;
  localparam int PLACE_BITS = $clog2(PLACES);
  typedef logic [PLACE_BITS-1:0] place_t;
  localparam place_t LAST_PLACE = place_t'(PLACES - 1);
  localparam int MOST = 7;
  typedef logic [$clog2(MOST+1)-1:0] pending_t;

  (* ram_style = "distributed" *) logic [31:0] value[2**PLACE_BITS];
  pending_t pending[PLACES];
  logic [PLACES-1:0] happened;
  place_t turn;
  logic [PLACES-1:0] at_turn;  // the same, a bit each: much hangs on it
  always_ff @(posedge clk) begin
    happened <= count[PLACES-1:0];
    happened[MESSAGES] <= count[LAST];
    turn <= (turn == LAST_PLACE) ? '0 : turn + 1;
    at_turn <= {at_turn[PLACES-2:0], at_turn[PLACES-1]};
    for (int i = 0; i < PLACES; i++) begin
      if (at_turn[i]) pending[i] <= pending_t'(happened[i]);
      else if (happened[i] && pending[i] != pending_t'(MOST)) pending[i] <= pending[i] + 1'b1;
      assert (rst || !happened[i] || at_turn[i] || pending[i] != pending_t'(MOST));
    end
    if (rst) begin
      happened <= '0;
      turn <= '0;
      at_turn <= PLACES'(1);
      for (int i = 0; i < PLACES; i++) pending[i] <= '0;
    end
  end

  // Cycle 1: of each four counters what happened to one of them; 2: both parts; 3: their sum; 4: it is written.
  localparam int FOURS = (PLACES + 3) / 4;
  pending_t [FOURS-1:0] one_of_four;
  always_ff @(posedge clk)
    for (int i = 0; i < PLACES; i++) if (turn[1:0] == 2'(i)) one_of_four[i/4] <= pending[i];
  logic [1:0] fresh;  // the first round after a reset: what the memory holds is of before
  place_t chosen, adding, added;
  pending_t part;
  logic [31:0] whole, sum;
  always_ff @(posedge clk) begin
    chosen <= turn;
    adding <= chosen;
    part <= one_of_four[chosen[PLACE_BITS-1:2]];
    whole <= value[chosen];
    if (fresh[0]) whole <= '0;
    added <= adding;
    sum <= whole + 32'(part);
    value[added] <= sum;
    if (chosen == LAST_PLACE) fresh[0] <= 1'b0;
    if (added == LAST_PLACE) fresh[1] <= fresh[0];
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
    place_t place;
  } read_t;
  read_t [HOST_ANSWER_CYCLES-2:2] read;
  logic asked, asks_level;
  index_t index;
  logic [31:0] level;
  localparam int PAGE_BITS = $clog2(int'(LAST_COUNTER) + 4);
  logic nearby, selected;
  logic [PAGE_BITS-1:2] word;
  assign selected = nearby && word >= REG_COUNT_FRAMES[PAGE_BITS-1:2] && word <= LAST_COUNTER[PAGE_BITS-1:2];
  always_ff @(posedge clk) begin
    nearby <= host_req.valid && !host_req.write && host_req.addr[ADDRESS_BITS-1:PAGE_BITS] == '0;
    word <= host_req.addr[PAGE_BITS-1:2];
    {asked, index} <= {selected, index_t'(word - REG_COUNT_FRAMES[PAGE_BITS-1:2])};
    read <= {
      read[HOST_ANSWER_CYCLES-3:2],
      read_t'{asked && int'(index) != MESSAGES && !fresh[1], (int'(index) == LAST) ? place_t'(MESSAGES) : place_t'(index)}
    };
    asks_level <= asked && int'(index) == MESSAGES;
    level <= asks_level ? messages : '0;
    host_rdata <= (read[HOST_ANSWER_CYCLES-2].valid ? value[read[HOST_ANSWER_CYCLES-2].place] : '0) | level;
  end
endmodule
