// SPDX-License-Identifier: Apache-2.0
// From the host bus to the wire: kill and disarming in front of gate and control, under any accesses, any fires and any
// settings. "Silent" is that no order begins, and none that has begun ahead of its frame's verdict is sent.
//  1. From the sixth cycle behind the one in which the AXI slave takes a write that kills the fabric is silent, until a write
//     takes that back. In the fifth an order may still begin.
//  2. From the fifth cycle behind the one in which it takes a write that disarms the fabric is silent, until one arms. In the
//     fourth an order may still begin.
module switches_proof
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, host_pkg::*, order_pkg::*;
(
    input logic         clk,
    input logic         rst,
    input logic [31:0]  elapsed_ns,
    input address_t     s_axil_awaddr, s_axil_araddr,
    input logic         s_axil_awvalid, s_axil_wvalid, s_axil_bready, s_axil_arvalid, s_axil_rready,
    input logic [31:0]  s_axil_wdata,
    input logic [ 3:0]  s_axil_wstrb,
    input logic [31:0]  host_rdata,
    input readback_t    readback,
    input core_state_t  around,   // but for order_busy
    input count_t       counts,
    input logic [31:0]  messages,
    input sticky_t      trip,
    input logic         disarm,
    // orders
    input logic         hit_pending, hit_early, hit_valid, fire_spoiled, closing, messages_wait, ring_room, wire_ready,
    input logic         order_end, fire_exhausted, fire_outside, known, recorded, watch, counting, unlimited_orders,
    input logic         session_lost, clock_setting,
    input violated_t    violated,
    input logic [31:0]  limit_ns, snd_nxt, peer_ack, peer_window, max_unacked,
    input logic [15:0]  length
);
  localparam int KILL_CYCLES = 6, DISARM_CYCLES = 5;  // behind a write that is taken

  logic s_axil_awready, s_axil_wready, s_axil_bvalid, s_axil_arready, s_axil_rvalid;
  logic [1:0] s_axil_bresp, s_axil_rresp;
  logic [31:0] s_axil_rdata, elapsed, cycle;
  host_req_t host_req;
  settings_t settings;
  bank_settings_t [1:0] banks;
  market_settings_t market;
  actions_t actions;
  core_state_t state;
  logic [63:0] now_ns;
  utc_t utc;
  logic clock_valid, clock_hold, windows_current, enabled, dry, kill, live, lease_held, lease_hold, lease_released, hit_waits;
  windows_t [1:0] windows_open;
  sticky_t sticky;
  logic busy, core_disarm;
  always_comb begin
    state = around;
    state.order_busy = busy;
  end
  host_side #(
      .INSTRUMENTS(16), .TRIGGERS(64), .ORDERS(16), .TEMPLATES(16), .GROUPS(16)
  ) host (
      .count(counts), .disarm(disarm || core_disarm), .*);

  reasons_t reasons;
  assign reasons = '{
      kill: kill, watchdog: sticky.watchdog_expired, session: session_lost || sticky.session_lost, clock: !clock_valid,
      fault: sticky.held || sticky.fault_uncommitted || sticky.fault_unleased || sticky.fault_lease
  };
  logic seq_exhausted, roomy, pass, goes, links, hit_ready, held, order_valid, take, start, sends, begun, sure, streaming, sound;
  logic [7:0] outcome;
  logic [31:0] next_seq_num;
  logic [15:0] ip_id;
  count_t count;
  assign sound = recorded && known;
  gate risk (.*);
  order_control control (.disarm(core_disarm), .elapsed_ns(elapsed), .*);
  always_ff @(posedge clk) begin
    streaming <= start || (streaming && !order_end);
    if (rst) streaming <= 1'b0;
  end
  always_comb begin
    assume (!hit_valid || hit_pending);
    assume (!hit_early || !hit_valid);
  end

  // What the bus has said, apart from what the modules make of it.
  typedef logic [3:0] cycles_t;  // that have passed since, up to all ones
  function automatic cycles_t later(cycles_t since);
    return since + cycles_t'(since != '1);
  endfunction
  logic taken, killed, disarmed;
  cycles_t since_kill, since_disarm;
  assign taken = s_axil_awvalid && s_axil_awready && s_axil_wvalid && s_axil_wready && s_axil_wstrb == '1;
  always_ff @(posedge clk) begin
    since_kill <= later(since_kill);
    since_disarm <= later(since_disarm);
    if (taken && s_axil_awaddr == REG_KILL) {killed, since_kill} <= {s_axil_wdata[0], cycles_t'(1)};
    if (taken && s_axil_awaddr == REG_ARM) {disarmed, since_disarm} <= {!(s_axil_wdata inside {1, 2}), cycles_t'(1)};
    if (rst) {killed, disarmed, since_kill, since_disarm} <= '0;
  end

  logic speaks;
  assign speaks = start || sends;
  always_ff @(posedge clk)
    if (!rst) begin
      assert (!(speaks && killed && since_kill >= cycles_t'(KILL_CYCLES)));        // 1
      assert (!(speaks && disarmed && since_disarm >= cycles_t'(DISARM_CYCLES)));  // 2
      cover (start && since_kill == cycles_t'(KILL_CYCLES - 1) && killed);
      cover (start && since_disarm == cycles_t'(DISARM_CYCLES - 1) && disarmed);
    end
endmodule
bind switches_proof from_reset reset (.*);
