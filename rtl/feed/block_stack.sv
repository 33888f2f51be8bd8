// SPDX-License-Identifier: Apache-2.0
// What is around a block: the map, the elements that are left, and of a dynamic reference the word behind it.
//
// A program nests as deep as the map says, in each routine: that there is room for all of it is checked here, that a program
// keeps to it where programs are made. What is put on it is there two cycles later: many bits hang on that, so that it is written
// out of registers.
module block_stack
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic   clk,
    input  logic   clear,
    input  logic   push,
    input  block_t below,
    input  logic   pop,
    output block_t top
);
  localparam int DEPTH = FEED_NESTING * (FEED_REFERENCES + 1) + FEED_REFERENCES;
  localparam int AW = $clog2(DEPTH);

  // Two memories, none of them too large to be made of LUTs.
  typedef struct packed {
    logic [31:0] left;
    logic        at_last;
    at_t         back;
  } rest_t;
  (* ram_style = "distributed" *) map_t maps[DEPTH];
  (* ram_style = "distributed" *) rest_t rests[DEPTH];
  logic [AW-1:0] count, last;
  rest_t rest;
  block_t put;
  logic puts;
  logic [AW-1:0] put_at;
  assign rest = rests[last];
  assign top = '{map: maps[last], left: rest.left, at_last: rest.at_last, back: rest.back};
  always_ff @(posedge clk) begin
    {puts, put_at, put} <= {push, count, below};
    if (puts) begin
      maps[put_at] <= put.map;
      rests[put_at] <= '{left: put.left, at_last: put.at_last, back: put.back};
    end
    if (push) begin
      count <= count + AW'(1);
      last <= count;
    end else if (pop) begin
      count <= last;
      last <= last - AW'(1);
    end
    if (clear) {count, last} <= {AW'(0), AW'(-1)};
  end
endmodule
