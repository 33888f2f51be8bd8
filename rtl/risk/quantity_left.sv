// SPDX-License-Identifier: Apache-2.0
// What of each instrument and side may still leave, in BCD: digits compare as the bits that they are. An order that was
// sent is taken away behind it, a digit a cycle.
module quantity_left
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
#(
    parameter int INSTRUMENTS = 16
) (
    input  logic             clk,
    input  logic             rst,
    input  host_req_t        host_req,
    output logic      [31:0] host_rdata,
    /* verilator lint_off UNUSEDSIGNAL */  // the tables have fewer; quantity and side of an order
    input  logic      [15:0] instrument,  // of the fire that stands
    input  order_t           order,       // its order, two cycles behind
    input  order_t           sent_order,  // the one that is leaving, from `started` on
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic             unlimited,   // level: nothing waits for the comparison
    input  logic             started,     // pulse, two cycles behind the one in which the fire's order is sent
    output logic             too_much,    // three cycles behind the fire
    output logic             counting     // what is left follows an order
);
  localparam int AW = $clog2(INSTRUMENTS);
  localparam int BITS = 4 * TOTAL_QTY_DIGITS;
  if (BITS != QUANTITY_LEFT_BUY_BITS || BITS != QUANTITY_LEFT_SELL_BITS || TOTAL_QTY_DIGITS > QTY_TEXT_CHARS)
  begin : gen_refuse
    $error("quantity_left %m: a side has total_qty_digits");
  end
  typedef logic [BITS-1:0] quantity_t;
  // All ones mean any quantity; no number begins with such a digit.
  function automatic logic is_any(logic [3:0] first_digit);
    return first_digit == '1;
  endfunction

  // Memory: that of the fire, or of the order that is being counted.
  logic [AW-1:0] index, counted;
  quantity_left_t left, left_next;
  logic write;
  assign index = counting ? counted : AW'(instrument);
  table_ram #(
      .BITS(QUANTITY_LEFT_BITS), .DEPTH(INSTRUMENTS), .STRIDE(QUANTITY_LEFT_STRIDE), .BASE(BASE_QUANTITY_LEFT)
  ) memory (
      .clk, .rst, .host_req, .host_rdata,
      .core_write(write), .core_addr(index), .core_wdata(left_next), .core_rdata(left)
  );

  // An order's first digit is its lowest nibble.
  quantity_t wanted;
  logic beyond;  // more digits than are counted
  always_comb begin
    for (int i = 0; i < TOTAL_QTY_DIGITS; i++) wanted[4*i+:4] = order.qty[4*(QTY_TEXT_CHARS-1-i)+:4];
    beyond = order.qty[4*(QTY_TEXT_CHARS-TOTAL_QTY_DIGITS)-1:0] != '0;
  end
  // Both sides are compared and one of them counts: nothing but a reset of the register is left behind a carry.
  logic too_long, too_much_to_sell, too_much_to_buy;
  always_ff @(posedge clk) begin
    too_long <= !unlimited && beyond && !is_any(order.sell ? left.sell[BITS-1-:4] : left.buy[BITS-1-:4]);
    too_much_to_sell <= left.sell < wanted;
    too_much_to_buy <= left.buy < wanted;
    if (unlimited || !order.sell) too_much_to_sell <= 1'b0;
    if (unlimited || order.sell) too_much_to_buy <= 1'b0;
  end
  assign too_much = too_long || too_much_to_sell || too_much_to_buy;

  // Digit by digit, the lowest first: the rest shifts in from above.
  localparam int LOAD = 0, FIRST = 1, WRITE = FIRST + TOTAL_QTY_DIGITS, SETTLE = WRITE + 2;
  logic [SETTLE-2:0] step;  // the first is `started`
  logic later_step;         // any behind that, and the one behind the last
  logic [4*QTY_TEXT_CHARS-1:0] taken;
  quantity_t rest;
  logic borrow, any, borrows;
  logic [4:0] digit;  // with the borrow
  assign digit = {1'b0, rest[3:0]} - {1'b0, taken[4*QTY_TEXT_CHARS-1-:4]} - {4'b0, borrow};
  assign borrows = digit[4];
  always_ff @(posedge clk) begin
    step[SETTLE-2:1] <= step[SETTLE-3:0];
    later_step <= step != '0;
    if (!counting) counted <= AW'(instrument);
    if (step[LOAD]) begin
      rest <= sent_order.sell ? left.sell : left.buy;
      any <= is_any(sent_order.sell ? left.sell[BITS-1-:4] : left.buy[BITS-1-:4]);
      taken <= sent_order.qty;
      borrow <= 1'b0;
    end else begin
      rest <= {borrows ? digit[3:0] + 4'd10 : digit[3:0], rest[BITS-1:4]};
      taken <= taken << 4;
      borrow <= borrows;
    end
    if (rst) {step[SETTLE-2:1], later_step} <= '0;
  end
  assign write = step[WRITE] && !any;
  assign left_next = sent_order.sell ? '{sell: rest, buy: left.buy} : '{sell: left.sell, buy: rest};
  assign step[LOAD] = started;
  assign counting = started || later_step;
endmodule
