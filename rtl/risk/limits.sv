// SPDX-License-Identifier: Apache-2.0
// The strategy's limits on one order, all judged at once for the fire that stands: the bucket of orders and how many may
// still leave two cycles behind it; what the order is worth, whether it would meet one of our own and how much may still
// leave three, for they compare what its record says. An order counts behind its start; the next fire is judged with it.
module limits
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
  import host_pkg::*;
  import order_pkg::*;
#(
    parameter int INSTRUMENTS = 16,
    parameter int ORDERS      = 16
) (
    input  logic             clk,
    input  logic             rst,
    input  host_req_t        host_req,
    output logic      [31:0] host_rdata,
    /* verilator lint_off UNUSEDSIGNAL */  // those of the limits
    input  settings_t        settings,
    input  actions_t         actions,
    input  hit_t             hit,
    input  order_t           order,        // of the fire, two cycles behind it
    input  logic [$clog2(ORDERS)-1:0] number,  // of its record, within its bank
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic             live,
    input  logic             take,         // pulse: it is taken
    input  logic             started,      // pulse, the cycle behind `take`: and its order sent
    input  order_t           sent_order,   // what is leaving, from `started` on
    input  logic             drained,      // level: the host has seen what became of all fires
    output violated_t        violated,     // behind the fire, and behind the first cycle without `counting`
    output logic             counting,     // from the cycle behind `started` on
    output logic      [31:0] orders_left,
    output bucket_t          bucket
);
  // What a market order is worth: its bound is compared with the magnitude of the doubled price. That of a negative one is
  // one more than its bits inverted say; the lowest bit of the comparison is that one.
  logic [BOUND_BITS:0] magnitude;
  logic [BOUND_BITS-1:0] bound;
  logic bounded;
  logic beyond_bound, worth_more, negative;
  logic [PRICE_BITS-1:0] inverted;
  assign negative = hit.observed[PRICE_BITS-1];
  assign inverted = hit.observed ^ {PRICE_BITS{negative}};
  assign bounded = order.price[ORDER_PRICE_BITS-1-:4] == 4'(CHAR_BOUND) && !settings.unlimited_orders;
  assign bound = order.price[BOUND_BITS-1:0];
  assign beyond_bound = {bound, 1'b0} < magnitude;
  if (BOUND_BITS != PRICE_BITS + 1) begin : gen_refuse
    $error("limits %m: a bound is one of doubled prices");
  end
  always_ff @(posedge clk) begin
    magnitude <= (hit.source == 2'(SOURCE_MID)) ? {1'b0, inverted, negative} : {inverted, {2{negative}}};
    // Nothing but a reset of the register is left behind the carry.
    worth_more <= beyond_bound;
    if (!bounded) worth_more <= 1'b0;
  end

  // How many may still leave.
  logic none_left, any_number;
  // An order counts from here on: registers, for much hangs on them. Of a dimension more, or bits that say the same would be
  // narrowed to one whatever is to be kept.
  (* keep = "true" *) logic [3:0][0:0] counted;
  always_ff @(posedge clk) begin
    counted <= {4{started && !rst}};
    none_left <= orders_left == '0;
    any_number <= orders_left == '1;
    if (counted[0] && !any_number) orders_left <= orders_left - 1'b1;
    if (actions.set_orders_left && !live) orders_left <= actions.wdata;
    if (rst) orders_left <= '0;
  end

  logic bucket_empty, bucket_counting, too_much, quantity_counting, meets_own, noting;
  order_bucket rate (
      .clk, .rst, .settings, .actions, .live, .time_ns(hit.time_ns), .take, .started(counted[1]), .full(bucket),
      .empty(bucket_empty), .counting(bucket_counting)
  );
  logic [31:0] rdata_quantity, rdata_resting;
  always_ff @(posedge clk) host_rdata <= rdata_quantity | rdata_resting;
  quantity_left #(
      .INSTRUMENTS(INSTRUMENTS)
  ) quantity (
      .clk, .rst, .host_req, .host_rdata(rdata_quantity), .instrument(hit.instrument), .order, .sent_order,
      .unlimited(settings.unlimited_orders), .started(counted[2]), .too_much,
      .counting(quantity_counting)
  );
  resting_orders #(
      .INSTRUMENTS(INSTRUMENTS), .ORDERS(ORDERS)
  ) resting (
      .clk, .rst, .host_req, .host_rdata(rdata_resting), .instrument(hit.instrument), .number, .order,
      .unlimited(settings.unlimited_orders), .live, .drained, .started(counted[3]), .meets_own, .counting(noting)
  );
  always_ff @(posedge clk) counting <= (started || bucket_counting || quantity_counting || noting) && !rst;
  assign violated = '{
          order_notional: worth_more,
          self_trade: meets_own,
          orders_per_second: bucket_empty,
          total_orders: none_left,
          total_qty: too_much
      };
endmodule
