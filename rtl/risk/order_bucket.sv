// SPDX-License-Identifier: Apache-2.0
// The bucket of orders: it holds order_rate of them, gains as many a second, and an order takes one. Exact, in the time of
// messages, without a multiplication: kept is the moment at which it is full again, in parts of a nanosecond of which
// order_rate make one. An order moves that moment by one order's time, from the message's own where that is later; the
// bucket has no order as long as that would be more than a second ahead of the message.
module order_bucket
  import fixaccel_hwmap_pkg::*;
  import host_pkg::*;
(
    input  logic           clk,
    input  logic           rst,
    /* verilator lint_off UNUSEDSIGNAL */  // the bucket's own
    input  settings_t      settings,
    input  actions_t       actions,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic           live,
    input  logic    [63:0] time_ns,   // of the message that fires; it stands for two cycles behind `start`
    input  logic           start,     // pulse: an order is sent
    output bucket_t        full,      // it stands while not `counting`
    output logic           empty,     // a cycle behind time_ns
    output logic           counting   // `full` and `empty` follow an order
);
  // The moment moves in steps: from the message's time if that is later, by an order's time, by a whole of parts.
  localparam int SETTLE = 8;  // cycles from the start to `empty`
  logic [SETTLE-1:0] step;
  logic past, wraps;
  logic [20:0] parts;
  logic [29:0] ahead;
  always_ff @(posedge clk) begin
    step <= {step[SETTLE-2:0], start};
    past <= full.ns < time_ns;
    parts <= {1'b0, full.part} + {1'b0, settings.order_gap_part};
    wraps <= parts >= {1'b0, settings.order_rate};
    ahead <= step[1] ? settings.order_gap_ns : 30'(step[3] && wraps);
    if (step[0] && past) full <= '{ns: time_ns, part: '0};
    else full.ns <= full.ns + {34'b0, ahead};
    if (step[3]) full.part <= wraps ? 20'(parts - {1'b0, settings.order_rate}) : parts[19:0];
    if (actions.set_bucket_lo && !live) full.ns[31:0] <= actions.wdata;
    if (actions.set_bucket_hi && !live) full.ns[63:32] <= actions.wdata;
    if (actions.set_bucket_part && !live) full.part <= actions.wdata[19:0];
    if (rst) {step, ahead} <= '0;
    if (rst) full <= '0;
  end

  // The earliest message that may have an order: one order behind `full`, rounded up, is a second ahead of it.
  logic [29:0] burst;
  logic [64:0] opens;
  logic [63:0] open_at;
  logic [1:0] round_up;
  logic before_all_time;
  always_ff @(posedge clk) begin
    burst <= 30'(BUCKET_COST) - settings.order_gap_ns;
    opens <= {1'b0, full.ns} - {35'b0, burst};
    round_up <= (parts == '0) ? 2'd0 : (parts > {1'b0, settings.order_rate}) ? 2'd2 : 2'd1;
    {before_all_time, open_at} <= opens + {63'b0, round_up};
    empty <= settings.order_rate != '0 && !before_all_time && time_ns < open_at;
  end
  assign counting = step != '0;
endmodule
