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
    parameter int TEMPLATES      = 128,
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
  logic [31:0] rdata_registers, rdata_counters, rdata_receive, rdata_order, rdata_header, rdata_template, rdata_ring;
  axil_slave axil (
      .clk, .rst, .host_req,
      .s_axil_awaddr, .s_axil_awvalid, .s_axil_awready, .s_axil_wdata, .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready,
      .s_axil_bresp, .s_axil_bvalid, .s_axil_bready, .s_axil_araddr, .s_axil_arvalid, .s_axil_arready,
      .s_axil_rdata, .s_axil_rresp, .s_axil_rvalid, .s_axil_rready,
      .host_rdata(rdata_registers | rdata_counters | rdata_receive | rdata_order | rdata_header | rdata_template |
                  rdata_ring)
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
  logic enabled, kill, live, arm_taken, table_fault;
  arming arm (
      .clk, .rst, .actions, .trip, .disarm(table_fault), .enabled, .kill, .live, .arm_taken, .sticky
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
  logic hit_valid, hit_ready;
  hit_t hit;
  flow_state_t flow;
  rx_window_t rx_window;
  assign rx_window = '0;
  receive #(.INSTRUMENTS(INSTRUMENTS), .TRIGGERS(TRIGGERS), .ORDERS(ORDERS)) receiver (
      .clk, .rst, .net_rx_data, .net_rx_valid, .net_rx_last, .net_rx_err,
      .flow(match_flow), .local_mac(flow.src_mac), .local_mac_known(flow.learned), .window(rx_window), .flow_reset(actions.flow_reset), .resync(actions.resync), .resync_seq(actions.wdata),
      .armed(enabled),
      .session('{
          seq_num: settings.rx_seq_num, sender_crc: settings.sender_comp_crc, target_crc: settings.target_comp_crc
      }),
      .hash_seed(settings.hash_seed), .cycle, .time_ns(now_ns),
      .host_req, .host_rdata(rdata_receive),
      .verdict, .hit_valid, .hit, .hit_ready, .status(rx_status)
  );

  // ---- The session's flow
  cpu_frame_t cpu_frame;
  cpu_effect_t cpu_effect;
  logic cpu_start, order_sent, peer_lost, flow_lost, told;
  logic [31:0] told_ack;
  template_header_t header;
  flow_state session (
      .clk, .rst, .actions, .verdict, .cpu_frame, .flow_valid(settings.flow_valid),
      .peer_wscale(settings.peer_wscale), .enabled, .live, .order_sent, .order_length(header.length),
      .cpu_start, .cpu_effect, .told, .told_ack, .peer_lost, .lost(flow_lost), .flow
  );

  // ---- Gate
  logic ring_full, gate_before_window, gate_tight;
  logic [7:0] gate_outcome;
  logic [31:0] gate_room;
  gate risk (
      .clk, .kill, .watchdog(sticky.watchdog_expired),
      .session(!enabled || !settings.flow_valid || !flow.learned || !flow.snd_known || flow.closed ||
               sticky.session_lost || peer_lost),
      .clock(!clock_valid), .ring(ring_full || sticky.ring_overflow),
      .fault(sticky.fault_uncommitted || sticky.fault_unleased || sticky.fault_lease),
      .snd_nxt(flow.snd_nxt), .peer_ack(flow.peer_ack), .peer_window(flow.peer_window),
      .max_unacked(settings.max_unacked),
      .outcome(gate_outcome), .before_window(gate_before_window), .tight(gate_tight), .room(gate_room)
  );

  // ---- Lease
  logic lease_requested, lease_held, lease_hold, lease_refused, lease_released, lease_expired, order_busy;
  lease egress_lease (
      .clk, .rst, .actions, .settings, .elapsed_ns, .snd_nxt(flow.snd_nxt), .quiet(!order_busy),
      .hit_waits(hit_valid), .fault(sticky.fault_lease), .requested(lease_requested), .held(lease_held),
      .hold(lease_hold), .refused(lease_refused), .released(lease_released), .expired(lease_expired)
  );

  // ---- Orders
  localparam int ORDER_AW = $clog2(ORDERS);
  localparam int TEMPLATE_AW = $clog2(TEMPLATES);
  /* verilator lint_off UNUSEDSIGNAL */  // order_control refuses an order beyond the table
  logic [TRIGGER_ORDER_BITS-1:0] order_addr;
  /* verilator lint_on UNUSEDSIGNAL */
  order_t order;
  table_ram #(
      .BITS(ORDER_BITS), .DEPTH(ORDERS), .STRIDE(ORDER_STRIDE), .BASE(BASE_ORDER), .KEPT(order_kept(TEMPLATES)), .LATENCY(1)
  ) order_ram (
      .clk, .rst, .host_req, .host_rdata(rdata_order),
      .core_write(1'b0), .core_addr(ORDER_AW'(order_addr)), .core_wdata('0), .core_rdata(order)
  );
  table_ram #(
      .BITS(TEMPLATE_HEADER_BITS), .DEPTH(TEMPLATES), .STRIDE(TEMPLATE_HEADER_STRIDE), .BASE(BASE_TEMPLATE_HEADER),
      .LATENCY(1)
  ) header_ram (
      .clk, .rst, .host_req, .host_rdata(rdata_header),
      .core_write(1'b0), .core_addr(order.template_index[TEMPLATE_AW-1:0]), .core_wdata('0), .core_rdata(header)
  );
  logic [8:0] template_offset;
  template_byte_t template_byte;
  table_ram #(
      .BITS(TEMPLATE_BYTE_BITS), .DEPTH(TEMPLATES * MESSAGE_BYTES), .STRIDE(TEMPLATE_BYTE_STRIDE),
      .BASE(BASE_TEMPLATE_BYTE), .LATENCY(1)
  ) template_ram (
      .clk, .rst, .host_req, .host_rdata(rdata_template),
      .core_write(1'b0), .core_addr({order.template_index[TEMPLATE_AW-1:0], template_offset}), .core_wdata('0),
      .core_rdata(template_byte)
  );

  logic egress_free, order_start, order_abort, sums_start, sums_done;
  logic order_valid, order_last, order_error, order_payload, order_ready, order_begin, order_end;
  logic [7:0] order_data;
  logic [15:0] order_length, ip_checksum, tcp_checksum;
  logic [31:0] order_seq_num, next_seq_num;
  logic [23:0] order_rule;
  logic [14:0] order_fires;
  segment_t segment;
  utc_t order_utc;
  fields_t fields;
  logic record_write, ring_overflow;
  ring_t record;
  order_control #(.ORDERS(ORDERS), .TEMPLATES(TEMPLATES)) control (
      .clk, .rst, .hit_valid, .hit, .hit_ready, .hold(lease_hold), .egress_free,
      .gate_outcome, .gate_before_window, .gate_tight, .gate_room,
      .flow, .settings, .actions, .utc, .live, .lease_released, .order_addr, .order, .header,
      .start(order_start), .abort(order_abort), .segment, .length(order_length), .sums_start,
      .seq_num(order_seq_num), .order_utc, .rule(order_rule), .fires(order_fires),
      .stream_done(order_valid && order_ready && order_last), .order_end,
      .next_seq_num, .sent(order_sent), .count(order_count), .ring_full, .record_write, .record, .ring_overflow,
      .disarm(table_fault), .busy(order_busy)
  );
  order_sums checksums (
      .clk, .rst, .start(sums_start), .segment, .seq_num(order_seq_num), .utc(order_utc), .epoch(settings.epoch),
      .rule(order_rule), .fires(order_fires), .length(order_length), .order_tcp_sum(order.tcp_sum),
      .order_fix_sum(order.fix_sum), .header, .fields, .ip_checksum, .tcp_checksum, .done(sums_done)
  );
  order_builder builder (
      .clk, .rst, .start(order_start), .abort(order_abort), .segment, .length(order_length), .ip_checksum,
      .tcp_checksum, .fields, .order, .template_offset, .template_byte,
      .valid(order_valid), .data(order_data), .last(order_last), .error(order_error), .payload(order_payload),
      .ready(order_ready)
  );

  // ---- Event ring
  logic order_byte, first_payload;
  assign order_byte = order_valid && order_ready && order_payload;
  always_ff @(posedge clk)
    if (rst || order_start) first_payload <= 1'b1;
    else if (order_byte) first_payload <= 1'b0;
  event_ring events (
      .clk, .rst, .host_req, .host_rdata(rdata_ring), .tail(settings.ring_tail), .head(readback.ring_head),
      .full(ring_full), .record_write, .record,
      .byte_write(order_byte), .byte_last(order_last), .byte_data(order_data),
      .order_begin, .order_end(order_end && !net_tx_err), .cycle,
      .checksum_write(order_byte && first_payload), .tcp_checksum
  );

  // ---- CPU frames and egress
  logic cpu_waits, cpu_received, cpu_dropped, cpu_done, cpu_active, cpu_rewrite, cpu_last, cpu_ready, cpu_stop;
  logic [10:0] cpu_addr;
  logic [7:0] cpu_rdata, cpu_data;
  logic [31:0] cpu_seq;
  logic [15:0] cpu_checksum;
  logic egress_idle, egress_tail, fault_uncommitted, fault_unleased;
  cpu_ingress ingress (
      .clk, .rst, .flow(match_flow), .cpu_tx_data, .cpu_tx_valid, .cpu_tx_last, .cpu_tx_ready,
      .frame_valid(cpu_waits), .frame(cpu_frame), .frame_done(cpu_done || cpu_stop), .read_addr(cpu_addr),
      .read_data(cpu_rdata), .received(cpu_received), .dropped(cpu_dropped)
  );
  // A fire that the lease holds back does not hold back the CPU, whose frames the lease is for.
  cpu_guard guard (
      .clk, .rst, .allow(egress_idle && !cpu_active && !order_busy && !(hit_valid && !lease_hold)),
      .disturbed(actions.any), .frame_valid(cpu_waits), .frame(cpu_frame), .flow, .live, .leased(lease_held),
      .start(cpu_start), .effect(cpu_effect), .rewrite(cpu_rewrite), .seq(cpu_seq), .checksum(cpu_checksum),
      .stop(cpu_stop), .fault_uncommitted, .fault_unleased
  );
  cpu_sender sender (
      .clk, .rst, .start(cpu_start), .length(cpu_frame.length), .tcp_base(cpu_frame.tcp_base), .rewrite(cpu_rewrite),
      .seq(cpu_seq), .checksum(cpu_checksum), .read_addr(cpu_addr), .read_data(cpu_rdata),
      .active(cpu_active), .done(cpu_done), .data(cpu_data), .last(cpu_last), .ready(cpu_ready)
  );
  assign egress_free = !cpu_active && (egress_idle || egress_tail);
  arbiter egress (
      .clk, .rst, .order_valid, .order_data, .order_last, .order_error, .order_ready,
      .cpu_valid(cpu_active), .cpu_data, .cpu_last, .cpu_ready,
      .net_tx_data, .net_tx_valid, .net_tx_last, .net_tx_err, .net_tx_ready,
      .idle(egress_idle), .tail(egress_tail), .order_begin, .order_end
  );

  // ---- To the CPU
  // The gate takes a frame's last byte with its verdict, which is two cycles behind the port; it keeps one itself.
  logic [7:0] late_data;
  logic late_valid, late_last;
  always_ff @(posedge clk) begin
    late_data <= net_rx_data;
    late_valid <= net_rx_valid && !rst;
    late_last <= net_rx_last;
  end
  logic gate_timeout, gate_drop;
  rx_gate receive_gate (
      .clk, .rst, .net_rx_data(late_data), .net_rx_valid(late_valid), .net_rx_last(late_last), .verdict, .flow, .elapsed_ns,
      .limit_ns(settings.rx_gate_ns), .cpu_rx_data, .cpu_rx_valid, .cpu_rx_last, .cpu_rx_ready,
      .told, .told_ack, .timed_out(gate_timeout), .dropped(gate_drop)
  );

  // ---- Status and counters
  assign trip = '{
          watchdog_expired: watchdog_expired,
          session_lost: flow_lost,
          ring_overflow: ring_overflow,
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
    status[STATUS_RING_OVERFLOW_LSB] = sticky.ring_overflow;
    status[STATUS_FAULT_UNCOMMITTED_LSB] = sticky.fault_uncommitted;
    status[STATUS_FAULT_UNLEASED_LSB] = sticky.fault_unleased;
    status[STATUS_FAULT_LEASE_LSB] = sticky.fault_lease;
    status[STATUS_ORDER_BUSY_LSB] = order_busy;
  end
  assign readback.status = status;
  assign readback.cycle = cycle;
  assign readback.rx_seq_num = rx_status.seq_num;
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
    count[counter(REG_COUNT_REFUSED)] = rx_status.refused;
    count[counter(REG_COUNT_UNREAD)] = rx_status.unread;
    count[counter(REG_COUNT_PRICES_INVALID)] = rx_status.price_invalid;
    count[counter(REG_COUNT_CPU_FRAMES)] = cpu_received;
    count[counter(REG_COUNT_ACK_REWRITES)] = cpu_start && cpu_rewrite;
    count[counter(REG_COUNT_GUARD_STOPS)] = cpu_stop || cpu_dropped;
    count[counter(REG_COUNT_GATE_TIMEOUTS)] = gate_timeout;
    count[counter(REG_COUNT_GATE_DROPS)] = gate_drop;
  end

  // The schedule of order_sums ends before the checksum's byte, however fast the wire takes bytes.
  always_ff @(posedge clk) assert (rst || !order_byte || sums_done);
endmodule
