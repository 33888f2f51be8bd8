// SPDX-License-Identifier: Apache-2.0
// Everything that faces software: AXI4-Lite slave, registers, counters, wall clock, arming, watchdog and egress lease.
module host_side
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
  import host_pkg::*;
#(
    parameter int INSTRUMENTS = 16,
    parameter int TRIGGERS    = 16,
    parameter int ORDERS      = 16,
    parameter int TEMPLATES   = 16,
    parameter int GROUPS      = 16
) (
    input  logic        clk,
    input  logic        rst,
    input  logic [31:0] elapsed_ns,
    // AXI4-Lite slave
    input  address_t    s_axil_awaddr,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  address_t    s_axil_araddr,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    // host bus, for the memories of the core
    output host_req_t   host_req,
    input  logic [31:0] host_rdata,     // of all of them, ORed
    output settings_t   settings,
    output bank_settings_t [1:0] banks,
    output market_settings_t market,
    output actions_t    actions,
    // state of the core
    input  readback_t   readback,       // status is made here
    input  core_state_t state,
    input  count_t      count,
    input  logic [31:0] messages,
    input  sticky_t     trip,           // pulses; watchdog and lease are added here
    input  logic        disarm,         // pulse
    input  logic        hit_waits,
    // clock
    output logic [31:0] elapsed,        // elapsed_ns, registered
    output logic [31:0] cycle,
    output logic [63:0] now_ns,
    output utc_t        utc,
    output logic        clock_valid,
    output logic        clock_hold,
    // windows of time
    output logic        windows_current,
    output windows_t [1:0] windows_open,
    // permission to send
    output logic        enabled,
    output logic        dry,
    output logic        kill,
    output logic        live,
    output sticky_t     sticky,
    output logic        lease_held,
    output logic        lease_hold,
    output logic        lease_released
);
  always_ff @(posedge clk) begin
    elapsed <= elapsed_ns;
    cycle <= rst ? '0 : cycle + 1;
  end

  logic [31:0] rdata_registers, rdata_counters;
  logic write_refused;
  axil_slave #(
      .INSTRUMENTS(INSTRUMENTS), .TRIGGERS(TRIGGERS), .ORDERS(ORDERS), .TEMPLATES(TEMPLATES), .GROUPS(GROUPS)
  ) axil (
      .clk, .rst, .locked(enabled), .two_banks(state.two_banks), .bank(state.bank),
      .flipping(state.flip_asked && !state.flip_waits), .later(state.spending), .refused(write_refused), .host_req,
      .s_axil_awaddr, .s_axil_awvalid, .s_axil_awready, .s_axil_wdata, .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready,
      .s_axil_bresp, .s_axil_bvalid, .s_axil_bready, .s_axil_araddr, .s_axil_arvalid, .s_axil_arready,
      .s_axil_rdata, .s_axil_rresp, .s_axil_rvalid, .s_axil_rready,
      .host_rdata(rdata_registers | rdata_counters | host_rdata)
  );

  readback_t shown;
  registers #(
      .INSTRUMENTS(INSTRUMENTS), .TRIGGERS(TRIGGERS), .ORDERS(ORDERS), .TEMPLATES(TEMPLATES), .GROUPS(GROUPS)
  ) register_page (
      .clk, .rst, .host_req, .host_rdata(rdata_registers), .settings, .banks, .market, .actions, .readback(shown)
  );

  count_t counted;
  always_comb begin
    counted = count;
    counted[counter(REG_COUNT_WRITES_REFUSED)] = write_refused;
  end
  counters event_counters (
      .clk, .rst, .host_req, .host_rdata(rdata_counters), .count(counted), .messages
  );

  utc_clock wall_clock (
      .clk, .rst, .elapsed_ns(elapsed), .set(actions.clock_set), .settings, .now_ns, .utc, .valid(clock_valid),
      .hold(clock_hold)
  );

  logic [31:0] windows_word;
  windows times (
      .clk, .rst, .now_ns, .set(actions.windows_set), .next(settings.windows_next),
      .at_ns({settings.windows_at_hi, settings.windows_at_lo}), .current(windows_current), .open(windows_open),
      .word(windows_word)
  );

  logic arm_taken, watchdog_expired, lease_requested, lease_refused, lease_expired;
  sticky_t tripped;
  always_comb begin
    tripped = trip;
    tripped.watchdog_expired = watchdog_expired;
    tripped.fault_lease = lease_expired;
  end
  arming arm (
      .clk, .rst, .actions, .trip(tripped), .disarm, .enabled, .dry, .kill, .live, .arm_taken, .sticky
  );
  age_limit #(
      .ZERO_IS_NONE(1)
  ) watchdog (
      .clk, .restart(rst || !enabled || actions.watchdog_kick || arm_taken), .elapsed_ns(elapsed),
      .limit_ns(settings.watchdog_ns), .expired(watchdog_expired)
  );
  lease egress_lease (
      .clk, .rst, .actions, .settings, .elapsed_ns(elapsed), .snd_nxt(readback.snd_nxt), .quiet(!state.order_busy),
      .hit_waits, .fault(sticky.fault_lease), .requested(lease_requested), .held(lease_held), .hold(lease_hold),
      .refused(lease_refused), .released(lease_released), .expired(lease_expired)
  );

  logic [31:0] status;
  always_ff @(posedge clk) begin
    status <= '0;
    status[STATUS_ARMED_LSB] <= live && !kill && settings.flow_valid && !state.closed && clock_valid && !state.gap;
    status[STATUS_KILL_LSB] <= kill;
    status[STATUS_FLOW_LSB] <= settings.flow_valid;
    status[STATUS_SYNCED_LSB] <= state.synced;
    status[STATUS_GAP_LSB] <= state.gap;
    status[STATUS_LEASE_REQUESTED_LSB] <= lease_requested;
    status[STATUS_LEASE_HELD_LSB] <= lease_held;
    status[STATUS_RELEASE_REFUSED_LSB] <= lease_refused;
    status[STATUS_CLOCK_VALID_LSB] <= clock_valid;
    status[STATUS_WATCHDOG_EXPIRED_LSB] <= sticky.watchdog_expired;
    status[STATUS_SESSION_LOST_LSB] <= sticky.session_lost;
    status[STATUS_HELD_LSB] <= sticky.held;
    status[STATUS_FAULT_UNCOMMITTED_LSB] <= sticky.fault_uncommitted;
    status[STATUS_FAULT_UNLEASED_LSB] <= sticky.fault_unleased;
    status[STATUS_FAULT_LEASE_LSB] <= sticky.fault_lease;
    status[STATUS_ORDER_BUSY_LSB] <= state.order_busy;
    status[STATUS_CLOSED_LSB] <= state.closed;
    status[STATUS_FOUND_LSB] <= state.found;
    status[STATUS_DRY_LSB] <= enabled && dry;
    status[STATUS_BANKED_LSB] <= state.two_banks;
    status[STATUS_BANK_LSB] <= state.bank;
    status[STATUS_FLIP_ASKED_LSB] <= state.flip_asked;
    status[STATUS_FLIP_BEGUN_LSB] <= state.flip_begun;
    status[STATUS_FLIP_WAITS_LSB] <= state.flip_waits;
  end
  always_comb begin
    shown = readback;
    shown.status = status;
    shown.cycle = cycle;
    shown.now_ns = now_ns;
    shown.windows = windows_word;
  end
endmodule
