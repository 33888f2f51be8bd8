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
    input  logic    [63:0] time_ns,   // of the message that fires; it stands for two cycles behind `take`
    input  logic           take,      // pulse: its fire is taken
    input  logic           started,   // pulse, two cycles behind `take`: and its order sent
    output bucket_t        full,      // it stands while not `counting`
    output logic           empty,     // a cycle behind time_ns
    output logic           counting   // `full` and `empty` follow an order
);
  // The clock is set now and then: a message that seems to be older than one before it is as old as that.
  logic [63:0] latest;
  logic taken, later, resting;
  always_ff @(posedge clk) begin
    taken <= take;
    later <= latest < time_ns;
    if (taken && later) latest <= time_ns;
    resting <= !live && !counting && !taken && !take;
    if (rst || resting) latest <= '0;
  end

  // The moment moves in steps: to the message's time if that is later, by an order's time, by a whole of parts. Times are
  // added in halves: one carry chain would be too long.
  localparam int SETTLE = 13;  // cycles from the start to `empty`
  logic [SETTLE-2:0] step;  // the first is `started`
  logic later_step;         // any behind that, and the one behind the last
  logic catches_up, wraps, carry;
  logic [20:0] parts;
  logic [29:0] ahead;
  always_ff @(posedge clk) begin
    step[SETTLE-2:1] <= step[SETTLE-3:0];
    later_step <= step != '0;
    catches_up <= full.ns < latest;
    if (!step[1]) catches_up <= 1'b0;
    parts <= {1'b0, full.part} + {1'b0, settings.order_gap_part};
    wraps <= parts >= {1'b0, settings.order_rate};
    ahead <= step[3] ? settings.order_gap_ns : 30'(step[5] && wraps);
    {carry, full.ns[31:0]} <= {1'b0, full.ns[31:0]} + {3'b0, ahead};
    full.ns[63:32] <= full.ns[63:32] + 32'(carry);
    if (catches_up) full <= '{ns: latest, part: '0};
    if (step[5]) full.part <= wraps ? 20'(parts - {1'b0, settings.order_rate}) : parts[19:0];
    if (actions.set_bucket_lo && !live) full.ns[31:0] <= actions.wdata;
    if (actions.set_bucket_hi && !live) full.ns[63:32] <= actions.wdata;
    if (actions.set_bucket_part && !live) full.part <= actions.wdata[19:0];
    if (rst) {step[SETTLE-2:1], later_step, ahead, carry, full} <= '0;
  end

  // The earliest message that may have an order: one order behind `full`, rounded up, is a second ahead of it.
  logic [1:0] round_up;
  logic signed [31:0] most_lead, lead;  // by which it is ahead of `full`
  logic signed [33:0] low;
  logic [63:0] open_at;
  logic at_once;               // that would be before time began
  logic reached;               // one has come already
  logic limited;               // there is a bucket
  always_ff @(posedge clk) begin
    round_up <= (parts == '0) ? 2'd0 : ({1'b0, settings.order_rate} < parts) ? 2'd2 : 2'd1;
    most_lead <= 32'(BUCKET_COST) - {2'b0, settings.order_gap_ns};
    lead <= most_lead - {30'b0, round_up};
    low <= $signed({2'b0, full.ns[31:0]}) - 34'(lead);
    open_at[31:0] <= low[31:0];
    {at_once, open_at[63:32]} <= {1'b0, full.ns[63:32]} + {{31{low[33]}}, low[33:32]};
    reached <= at_once || !(latest < open_at);
    limited <= settings.order_rate != '0;
    empty <= time_ns < open_at;  // nothing but a reset of the register is left behind the carry
    if (!limited || reached) empty <= 1'b0;
  end
  assign step[0] = started;
  assign counting = started || later_step;
endmodule
