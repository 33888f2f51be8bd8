// SPDX-License-Identifier: Apache-2.0
// The best of our own orders that rest, of each instrument and side, as numbers of order records: a number tells the price,
// so whether one order would meet another is which of two numbers is higher. An order that was sent and rests is noted
// behind it.
//
// The host knows what has become of orders, and of those that it has sent itself. While armed its word counts only if it
// knows of all that has fired: what it does not know of must not be forgotten.
module resting_orders
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
#(
    parameter int INSTRUMENTS = 16,
    parameter int ORDERS      = 16
) (
    input  logic                      clk,
    input  logic                      rst,
    input  host_req_t                 host_req,
    output logic               [31:0] host_rdata,
    /* verilator lint_off UNUSEDSIGNAL */  // the tables have fewer; of an order its side and whether it rests
    input  logic               [15:0] instrument,  // of the fire that stands
    input  order_t                    order,       // its order, two cycles behind
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [$clog2(ORDERS)-1:0] number,      // of its record, within its bank
    input  logic                      unlimited,   // level: nothing waits for the comparison
    input  logic                      live,
    input  logic                      drained,     // level: the host has seen what became of all fires but the last
    input  logic                      started,     // pulse, two cycles behind the one in which the fire's order is sent
    output logic                      meets_own,   // three cycles behind the fire
    output logic                      counting     // an order is being noted
);
  localparam int AW = $clog2(INSTRUMENTS);
  localparam int NUMBER_BITS = $clog2(ORDERS);
  typedef logic [NUMBER_BITS-1:0] number_t;

  // An order is noted when what the host began to write before is there, and the ring's head has moved.
  localparam int WRITE = 9;
  logic [WRITE:0] step;  // the first is `started`
  logic later_step;      // any behind that
  assign step[0] = started;
  assign counting = started || later_step;

  // What has been sent, taken down until it has been noted.
  logic [AW-1:0] counted;
  number_t noted;
  logic sell, rests;
  always_ff @(posedge clk) begin
    step[WRITE:1] <= step[WRITE-1:0];
    later_step <= step[WRITE-1:0] != '0;
    if (!counting) {counted, noted, sell, rests} <= {AW'(instrument), number, order.sell, order.rests};
    if (rst) {step[WRITE:1], later_step} <= '0;
  end

  // Memory: that of the fire, or of the order that is being noted. Buys stand first.
  host_req_t request;
  logic seen;
  always_comb begin
    request = host_req;
    request.valid = host_req.valid && (!host_req.write || !live || seen);
  end
  always_ff @(posedge clk) seen <= drained && !counting;
  resting_t [1:0] best, best_next;
  logic write;
  table_ram #(
      .BITS(RESTING_BITS), .DEPTH(2 * INSTRUMENTS), .LANES(2), .STRIDE(RESTING_STRIDE), .BASE(BASE_RESTING),
      .KEPT(resting_kept(ORDERS))
  ) memory (
      .clk, .rst, .host_req(request), .host_rdata,
      .core_write(write), .core_addr(counting ? counted : AW'(instrument)), .core_wdata(best_next), .core_rdata(best)
  );

  // A fire is compared with the best of the other side, an order that is noted with that of its own. All is compared, and
  // then chosen: nothing stands before the carry, and little behind it.
  number_t own, buy, sale;
  assign buy = number_t'(best[0].order);
  assign sale = number_t'(best[1].order);
  logic meets_buy, meets_sale, below_buy, above_sale, better;
  always_ff @(posedge clk) begin
    own <= number;
    meets_buy <= best[0].valid && !(buy < own);
    meets_sale <= best[1].valid && !(own < sale);
    if (unlimited || !order.sell) meets_buy <= 1'b0;
    if (unlimited || order.sell) meets_sale <= 1'b0;
    below_buy <= noted < buy;
    above_sale <= sale < noted;
    better <= sell ? !best[1].valid || !above_sale : !best[0].valid || !below_buy;
  end
  assign meets_own = meets_buy || meets_sale;
  assign write = step[WRITE] && rests && better;
  always_comb begin
    best_next = best;
    best_next[sell] = '{valid: 1'b1, order: RESTING_ORDER_BITS'(noted)};
  end
endmodule
