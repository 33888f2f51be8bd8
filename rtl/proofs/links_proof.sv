// SPDX-License-Identifier: Apache-2.0
// Lists of links of any content, walked for orders that are sent and messages that end in any order.
//  1. A change is of triggers of one word, in order, and begins only when the one before has ended.
//  2. Nothing is armed unless a message has been over since the order was sent. What is revived at once stands ahead of that.
//  3. What links change, they change while `busy` or in the cycle behind it.
//  4. Of two banks, orders of one change no trigger of the other.
module links_proof
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, match_pkg::*;
(
    input logic      clk,
    input logic      rst,
    input host_req_t host_req,
    input logic      start,
    input logic [ORDER_LINK_BITS-1:0] link,
    input logic      two_banks,
    input logic      upper,
    input logic      over
);
  localparam int AW = 6;
  logic [31:0] host_rdata;
  logic busy, change, change_arms, change_revives, changing;
  logic [AW-1:0] change_first, change_last;
  links #(
      .TRIGGERS(2 ** AW), .LINKS(8), .DEFERRED(4)
  ) walk (.*);

  // As live_bits: a change takes this cycle and three more.
  logic [2:0] steps;
  assign changing = steps != '0;
  logic busy_q, due, sane;
  always_ff @(posedge clk) begin
    steps <= {steps[1:0], change};
    busy_q <= busy;
    if (start) due <= 1'b0;
    if (over) due <= 1'b1;
    if (rst) {steps, busy_q, due} <= '0;
  end
  // Ranges are in order; an order is sent when the links of the one before have been walked, as the matcher sees to it.
  // A bank's ranges and lists are within it, and the banks stay what they are.
  logic [1:0] banks;
  assign sane = walk.record.first <= walk.record.last &&
      !(two_banks && (walk.record.first[AW-1] || walk.record.last[AW-1] || (walk.record.more && walk.at[1:0] == '1)));
  always_ff @(posedge clk) banks <= {two_banks, upper};
  always_comb begin
    assume (sane);
    assume (rst || banks == {two_banks, upper});
    assume (!start || (!busy && !change && !changing && !rst));
  end

  always_ff @(posedge clk)
    if (!rst && change) begin
      assert (change_first[AW-1:5] == change_last[AW-1:5] && change_first <= change_last);  // 1
      assert (steps == '0);
      assert (!change_arms || due);                                                         // 2
      assert (busy || busy_q);                                                              // 3
      assert (!two_banks || change_first[AW-1] == upper);                                   // 4
      cover (two_banks && upper && change_arms);
      cover (change_arms);
      cover (change_revives && !due);
      cover (change_revives && change_arms);
      cover (!change_arms && change_first != '0);
    end
endmodule
bind links_proof from_reset reset (.*);
