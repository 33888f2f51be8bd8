// SPDX-License-Identifier: Apache-2.0
// How soon each reason silences: the core asks `kill` and `live` in the cycle in which it would take a fire.
module host_side_properties
  import fixaccel_types_pkg::*;
  import host_pkg::*;
(
    input logic        clk,
    input logic        rst,
    /* verilator lint_off UNUSEDSIGNAL */  // a few fields
    input host_req_t   host_req,
    input actions_t    actions,
    input settings_t   settings,
    input sticky_t     sticky,
    /* verilator lint_on UNUSEDSIGNAL */
    input logic        enabled,
    input logic        kill,
    input logic        live,
    input logic        lease_held,
    input logic [31:0] elapsed,
    input logic        arm_taken
);
  localparam int WATCHDOG_CYCLES = 4;  // from an age beyond the limit to a core that is not live
  localparam int LEASE_CYCLES = 4;     // likewise of the lease

  // Ages as they are meant, apart from the modules that keep them; a change of the limit starts the count anew.
  logic [63:0] dog_age, lease_age;
  logic [3:0] dog_late, lease_late;
  logic [31:0] watchdog_ns, lease_ns;
  logic [6:0] since_req;
  logic kill_on_q, disarm_q;
  always_ff @(posedge clk) begin
    watchdog_ns <= settings.watchdog_ns;
    lease_ns <= settings.lease_ns;
    dog_age <= (!enabled || actions.watchdog_kick || arm_taken) ? '0 : dog_age + 64'(elapsed);
    lease_age <= lease_held ? lease_age + 64'(elapsed) : '0;
    dog_late <= (enabled && !arm_taken && settings.watchdog_ns != '0 && watchdog_ns == settings.watchdog_ns &&
        dog_age > 64'(settings.watchdog_ns)) ? dog_late + 4'(dog_late != '1) : '0;
    lease_late <= (lease_held && lease_ns == settings.lease_ns && lease_age > 64'(settings.lease_ns)) ?
        lease_late + 4'(lease_late != '1) : '0;
    since_req <= host_req.valid ? '0 : since_req + 7'(since_req != '1);
    {kill_on_q, disarm_q} <= {actions.kill_on, actions.disarm};
    if (rst) begin
      {dog_age, lease_age, dog_late, lease_late, kill_on_q, disarm_q} <= '0;
      since_req <= '1;
    end
  end

  always_ff @(posedge clk)
    if (!rst) begin
      assert (!kill_on_q || kill);
      assert (!disarm_q || !live);
      assert (!(dog_late > 4'(WATCHDOG_CYCLES)) || !live);
      assert (!(lease_late > 4'(LEASE_CYCLES)) || (sticky.fault_lease && !live));
      // The host leaves room between its accesses; what a write disturbs has come to an end by the next one.
      assert (!host_req.valid || since_req >= 7'(HOST_PERIOD - 1));
    end
endmodule

bind host_side host_side_properties properties (.*);
