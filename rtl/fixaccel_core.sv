// SPDX-License-Identifier: Apache-2.0
// The fixaccel fabric with the `wire` interface, one byte a beat: a bump in the wire between exchange and CPU that reads
// the session's market data and sends orders on the same TCP connection. Registers and memories: rtl/hwmap/fixaccel.yaml.
module fixaccel_core
  import egress_pkg::*;
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
  import host_pkg::*;
  import order_pkg::*;
#(
    parameter int INSTRUMENTS    = 1024,
    parameter int TRIGGERS       = 16384,
    parameter int ORDERS         = 4096,
    parameter int TEMPLATES      = 64,
    parameter int BYTES_PER_BEAT = 1
) (
    input  logic        clk,
    input  logic        rst,            // synchronous
    input  logic [31:0] elapsed_ns,     // nanoseconds that passed in this cycle
    // from the exchange: whole frames with FCS, no back pressure; err belongs to the last byte
    input  logic [ 7:0] net_rx_data,
    input  logic        net_rx_valid,
    input  logic        net_rx_last,
    input  logic        net_rx_err,
    // to the exchange: frames with FCS, no bubbles inside one
    output logic [ 7:0] net_tx_data,
    output logic        net_tx_valid,
    output logic        net_tx_last,
    output logic        net_tx_err,
    input  logic        net_tx_ready,
    // from the CPU: frames with FCS
    input  logic [ 7:0] cpu_tx_data,
    input  logic        cpu_tx_valid,
    input  logic        cpu_tx_last,
    output logic        cpu_tx_ready,
    // to the CPU: frames with FCS
    output logic [ 7:0] cpu_rx_data,
    output logic        cpu_rx_valid,
    output logic        cpu_rx_last,
    input  logic        cpu_rx_ready,
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
    input  logic        s_axil_rready
);
  if (BYTES_PER_BEAT != 1) begin : gen_refuse
    $error("fixaccel_core: BYTES_PER_BEAT must be 1 for the wire interface");
  end

  logic [31:0] cycle;
  always_ff @(posedge clk) cycle <= rst ? '0 : cycle + 1;

  // ---- Host
  host_req_t host_req;
  logic [31:0] rdata_registers, rdata_counters, rdata_receive, rdata_orders;
  axil_slave axil (
      .clk, .rst, .host_req,
      .s_axil_awaddr, .s_axil_awvalid, .s_axil_awready, .s_axil_wdata, .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready,
      .s_axil_bresp, .s_axil_bvalid, .s_axil_bready, .s_axil_araddr, .s_axil_arvalid, .s_axil_arready,
      .s_axil_rdata, .s_axil_rresp, .s_axil_rvalid, .s_axil_rready,
      .host_rdata(rdata_registers | rdata_counters | rdata_receive | rdata_orders)
  );

  settings_t settings;
  actions_t actions;
  readback_t readback;
  registers #(
      .INSTRUMENTS(INSTRUMENTS), .TRIGGERS(TRIGGERS), .ORDERS(ORDERS), .TEMPLATES(TEMPLATES)
  ) register_page (
      .clk, .rst, .host_req, .host_rdata(rdata_registers), .settings, .actions, .readback
  );

  count_t count, order_count;
  rx_status_t rx_status;
  counters event_counters (
      .clk, .rst, .host_req, .host_rdata(rdata_counters), .count, .messages(rx_status.messages)
  );

  logic [63:0] now_ns;
  utc_t utc;
  logic clock_valid;
  utc_clock wall_clock (
      .clk, .rst, .elapsed_ns, .set(actions.clock_set), .settings, .now_ns, .utc, .valid(clock_valid)
  );

  // ---- Arming
  sticky_t trip, sticky;
  logic enabled, kill, live, arm_taken, order_disarm, held;
  arming arm (
      .clk, .rst, .actions, .trip, .disarm(order_disarm || held), .enabled, .kill, .live, .arm_taken, .sticky
  );
  logic watchdog_expired;
  watchdog dog (
      .clk, .rst, .enabled, .restart(actions.watchdog_kick || arm_taken), .elapsed_ns,
      .limit_ns(settings.watchdog_ns), .expired(watchdog_expired)
  );

  // ---- Receive and match
  flow_t match_flow;
  assign match_flow = '{
          valid: settings.flow_valid,
          local_ip: settings.flow_local_ip,
          remote_ip: settings.flow_remote_ip,
          local_port: settings.flow_ports[FLOW_PORTS_LOCAL_PORT_LSB+:16],
          remote_port: settings.flow_ports[FLOW_PORTS_REMOTE_PORT_LSB+:16]
      };
  rx_verdict_t verdict;
  logic hit_pending, hit_valid, hit_ready, hit_waits;
  hit_t hit;
  receive #(.INSTRUMENTS(INSTRUMENTS), .TRIGGERS(TRIGGERS), .ORDERS(ORDERS)) receiver (
      .clk, .rst, .net_rx_data, .net_rx_valid, .net_rx_last, .net_rx_err,
      .flow(match_flow), .flow_reset(actions.flow_reset), .resync(actions.resync), .resync_seq(actions.wdata),
      .armed(enabled), .hash_seed(settings.hash_seed), .cycle, .time_ns(now_ns),
      .host_req, .host_rdata(rdata_receive),
      .verdict, .hit_pending, .hit_valid, .hit, .hit_ready, .status(rx_status)
  );

  // ---- The session's flow
  cpu_frame_t cpu_frame;
  cpu_effect_t cpu_effect;
  logic cpu_start, order_sent, peer_lost, flow_lost, told;
  logic [31:0] told_ack;
  flow_state_t flow;
  logic [15:0] order_length;
  flow_state session (
      .clk, .rst, .actions, .verdict, .cpu_frame, .flow_valid(settings.flow_valid),
      .peer_wscale(settings.peer_wscale), .enabled, .live, .order_sent, .order_length,
      .cpu_start, .cpu_effect, .told, .told_ack, .peer_lost, .lost(flow_lost), .flow
  );

  // ---- Lease
  logic lease_requested, lease_held, lease_hold, lease_refused, lease_released, lease_expired, order_busy;
  lease egress_lease (
      .clk, .rst, .actions, .settings, .elapsed_ns, .snd_nxt(flow.snd_nxt), .quiet(!order_busy),
      .hit_waits, .fault(sticky.fault_lease), .requested(lease_requested), .held(lease_held),
      .hold(lease_hold), .refused(lease_refused), .released(lease_released), .expired(lease_expired)
  );

  // ---- Orders
  reasons_t reasons;
  assign reasons = '{
          kill: kill,
          watchdog: sticky.watchdog_expired,
          session: !settings.flow_valid || !flow.learned || !flow.snd_known || flow.closed || sticky.session_lost ||
              peer_lost,
          clock: !clock_valid,
          fault: sticky.held || sticky.fault_uncommitted || sticky.fault_unleased || sticky.fault_lease
      };
  logic egress_idle, wire_ready, cpu_active;
  logic order_valid, order_last, order_ready, order_begin, order_end;
  logic [7:0] order_data;
  logic [31:0] next_seq_num;
  // A first byte is only shown to a wire that takes it: until then kill, disarm and a lost session stop it.
  assign wire_ready = egress_idle && !cpu_active && !net_tx_valid && net_tx_ready;
  order_path #(
      .INSTRUMENTS(INSTRUMENTS), .ORDERS(ORDERS), .TEMPLATES(TEMPLATES)
  ) orders (
      .clk, .rst, .host_req, .host_rdata(rdata_orders), .hit_pending, .hit_valid, .hit, .hit_ready, .hit_waits,
      .settings, .actions, .enabled, .live, .reasons, .flow, .utc,
      .clock_setting(actions.clock_set), .elapsed_ns, .cycle, .lease_hold, .lease_released, .next_seq_num,
      .ring_head(readback.ring_head), .order_sent, .order_length, .disarm(order_disarm), .held, .busy(order_busy),
      .count(order_count), .wire_ready, .order_valid, .order_data, .order_last, .order_ready, .order_begin, .order_end
  );

  // ---- CPU frames and egress
  logic cpu_waits, cpu_received, cpu_dropped, cpu_done, cpu_rewrite, cpu_last, cpu_ready, cpu_stop;
  logic [10:0] cpu_addr;
  logic [7:0] cpu_rdata, cpu_data;
  logic [31:0] cpu_seq;
  logic [15:0] cpu_checksum;
  logic fault_uncommitted, fault_unleased;
  cpu_ingress ingress (
      .clk, .rst, .flow(match_flow), .cpu_tx_data, .cpu_tx_valid, .cpu_tx_last, .cpu_tx_ready,
      .frame_valid(cpu_waits), .frame(cpu_frame), .frame_done(cpu_done || cpu_stop), .read_addr(cpu_addr),
      .read_data(cpu_rdata), .received(cpu_received), .dropped(cpu_dropped)
  );
  // A fire that is held back does not hold back the CPU: lease and full ring are there for what it does meanwhile.
  cpu_guard guard (
      .clk, .rst, .allow(egress_idle && !cpu_active && !order_busy && !hit_waits),
      .disturbed(actions.any), .frame_valid(cpu_waits), .frame(cpu_frame), .flow, .live, .leased(lease_held),
      .start(cpu_start), .effect(cpu_effect), .rewrite(cpu_rewrite), .seq(cpu_seq), .checksum(cpu_checksum),
      .stop(cpu_stop), .fault_uncommitted, .fault_unleased
  );
  cpu_sender sender (
      .clk, .rst, .start(cpu_start), .length(cpu_frame.length), .tcp_base(cpu_frame.tcp_base), .rewrite(cpu_rewrite),
      .seq(cpu_seq), .checksum(cpu_checksum), .read_addr(cpu_addr), .read_data(cpu_rdata),
      .active(cpu_active), .done(cpu_done), .data(cpu_data), .last(cpu_last), .ready(cpu_ready)
  );
  /* verilator lint_off PINCONNECTEMPTY */  // an order waits until the wire is free
  arbiter egress (
      .clk, .rst, .order_valid, .order_data, .order_last, .order_error(1'b0), .order_ready,
      .cpu_valid(cpu_active), .cpu_data, .cpu_last, .cpu_ready,
      .net_tx_data, .net_tx_valid, .net_tx_last, .net_tx_err, .net_tx_ready,
      .idle(egress_idle), .tail(), .order_begin, .order_end
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // ---- To the CPU
  logic gate_timeout, gate_drop;
  rx_gate receive_gate (
      .clk, .rst, .net_rx_data, .net_rx_valid, .net_rx_last, .verdict, .flow, .elapsed_ns,
      .limit_ns(settings.rx_gate_ns), .cpu_rx_data, .cpu_rx_valid, .cpu_rx_last, .cpu_rx_ready,
      .told, .told_ack, .timed_out(gate_timeout), .dropped(gate_drop)
  );

  // ---- Status and counters
  assign trip = '{
          watchdog_expired: watchdog_expired,
          session_lost: flow_lost,
          held: held,
          fault_uncommitted: fault_uncommitted,
          fault_unleased: fault_unleased,
          fault_lease: lease_expired
      };

  logic [31:0] status;
  always_comb begin
    status = '0;
    status[STATUS_ARMED_LSB] = live && !kill && settings.flow_valid && !flow.closed && clock_valid && !rx_status.gap;
    status[STATUS_KILL_LSB] = kill;
    status[STATUS_FLOW_LSB] = settings.flow_valid;
    status[STATUS_SYNCED_LSB] = rx_status.synced;
    status[STATUS_GAP_LSB] = rx_status.gap;
    status[STATUS_LEASE_REQUESTED_LSB] = lease_requested;
    status[STATUS_LEASE_HELD_LSB] = lease_held;
    status[STATUS_RELEASE_REFUSED_LSB] = lease_refused;
    status[STATUS_CLOCK_VALID_LSB] = clock_valid;
    status[STATUS_WATCHDOG_EXPIRED_LSB] = sticky.watchdog_expired;
    status[STATUS_SESSION_LOST_LSB] = sticky.session_lost;
    status[STATUS_HELD_LSB] = sticky.held;
    status[STATUS_FAULT_UNCOMMITTED_LSB] = sticky.fault_uncommitted;
    status[STATUS_FAULT_UNLEASED_LSB] = sticky.fault_unleased;
    status[STATUS_FAULT_LEASE_LSB] = sticky.fault_lease;
    status[STATUS_ORDER_BUSY_LSB] = order_busy;
  end
  assign readback.status = status;
  assign readback.cycle = cycle;
  assign readback.rcv_nxt = rx_status.rcv_nxt;
  assign readback.wire_nxt = rx_status.wire_nxt;
  assign readback.snd_nxt = flow.snd_nxt;
  assign readback.committed = flow.committed;
  assign readback.peer_ack = flow.peer_ack;
  assign readback.peer_window = flow.peer_window;
  assign readback.next_seq_num = next_seq_num;
  assign readback.now_ns = now_ns;

  always_comb begin
    count = order_count;
    count[counter(REG_COUNT_FRAMES)] = verdict.done;
    count[counter(REG_COUNT_FRAMES_BAD)] = verdict.done && !verdict.good;
    count[counter(REG_COUNT_SEGMENTS_OLD)] = rx_status.segment_old;
    count[counter(REG_COUNT_SEGMENTS_HOLE)] = rx_status.segment_hole;
    count[counter(REG_COUNT_BAD_CHECKSUM)] = rx_status.bad_checksum;
    count[counter(REG_COUNT_DESYNC)] = rx_status.desync;
    count[counter(REG_COUNT_POSS_DUP)] = rx_status.poss_dup;
    count[counter(REG_COUNT_PRICES_INVALID)] = rx_status.price_invalid;
    count[counter(REG_COUNT_CPU_FRAMES)] = cpu_received;
    count[counter(REG_COUNT_ACK_REWRITES)] = cpu_start && cpu_rewrite;
    count[counter(REG_COUNT_GUARD_STOPS)] = cpu_stop || cpu_dropped;
    count[counter(REG_COUNT_GATE_TIMEOUTS)] = gate_timeout;
    count[counter(REG_COUNT_GATE_DROPS)] = gate_drop;
  end
endmodule
