// SPDX-License-Identifier: Apache-2.0
// Watchdog and lease in front of gate and control, whatever software writes and when, whatever fires and however much time
// passes in a cycle. "Silent" is that no order begins, and none that has begun ahead of its frame's verdict is sent.
//  1. While armed, the fabric is silent from the fifth cycle behind the one whose `elapsed_ns` brings an age beyond the
//     watchdog's limit, until it is armed anew. In the fourth an order may still begin.
//  2. So it is behind an age of the lease beyond its own limit, whether that is given back meanwhile or not.
//  3. While the lease is held, and not beyond its limit, no order begins at all.
// A limit that has just been written counts from the next cycle on.
module ages_proof
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
  // Behind the cycle in which the age has been added up, which is the second one: the comparison, the reason, the gate.
  localparam int SILENT = 3;

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

  // Ages as they are meant, apart from the modules that keep them. What is beyond all limits stays there.
  typedef logic [32:0] age_t;
  typedef logic [1:0] cycles_t;  // up to all ones
  function automatic age_t older(age_t age);
    age_t sum;
    sum = {1'b0, age[31:0]} + {1'b0, elapsed};
    return {age[32] || sum[32], sum[31:0]};
  endfunction
  function automatic cycles_t later(cycles_t since);
    return since + cycles_t'(since != '1);
  endfunction
  age_t dog_age, lease_age;
  cycles_t dog_late, lease_late;      // how long they have been beyond
  logic [31:0] watchdog_ns, lease_ns;
  logic restarted, dog_beyond, lease_beyond;
  assign restarted = !enabled || actions.watchdog_kick || host.arm_taken;
  assign dog_beyond = enabled && settings.watchdog_ns != '0 && watchdog_ns == settings.watchdog_ns &&
      dog_age > age_t'(settings.watchdog_ns);
  assign lease_beyond = lease_held && lease_ns == settings.lease_ns && lease_age > age_t'(settings.lease_ns);
  // Once it was beyond when nothing could take that back any more, it counts until arming.
  always_ff @(posedge clk) begin
    watchdog_ns <= settings.watchdog_ns;
    lease_ns <= settings.lease_ns;
    dog_age <= restarted ? '0 : older(dog_age);
    lease_age <= (lease_held && !lease_released) ? older(lease_age) : '0;
    dog_late <= host.arm_taken || !enabled ? '0 : (dog_late != '0 || (dog_beyond && !actions.watchdog_kick)) ? later(dog_late) : '0;
    lease_late <= host.arm_taken || !enabled ? '0 : (lease_late != '0 || (lease_beyond && !lease_released)) ? later(lease_late) : '0;
    if (rst) {dog_age, lease_age, dog_late, lease_late} <= '0;
  end

  logic speaks;
  assign speaks = start || sends;
  always_ff @(posedge clk)
    if (!rst) begin
      assert (!(speaks && dog_late >= cycles_t'(SILENT)));                // 1
      assert (!(speaks && lease_late >= cycles_t'(SILENT)));              // 2
      assert (!(start && lease_held && !sticky.fault_lease));             // 3
      // What makes them inductive: the modules' ages are the same, and what they have found stays.
      assert (host.watchdog.age == dog_age);
      assert (host.egress_lease.since_grant.age == lease_age);
      assert (dog_late == '0 || host.watchdog_expired || sticky.watchdog_expired);
      assert (dog_late <= cycles_t'(1) || sticky.watchdog_expired);
      assert (lease_late == '0 || host.lease_expired || sticky.fault_lease);
      assert (lease_late <= cycles_t'(1) || sticky.fault_lease);
      cover (start && dog_late == cycles_t'(SILENT - 1));
      cover (sends && !start && dog_late == cycles_t'(SILENT - 1));
      cover (dog_late == cycles_t'(SILENT) && hit_valid && wire_ready);
      cover (lease_late == cycles_t'(SILENT) && hit_valid && wire_ready && !lease_held);
    end
endmodule
bind ages_proof from_reset reset (.*);
