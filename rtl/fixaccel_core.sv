// SPDX-License-Identifier: Apache-2.0
// The fixaccel fabric with the `wire` interface, one byte a beat: a bump in the wire between exchange and CPU that reads
// the session's market data and sends orders on the same TCP connection, or reads another one's. Registers and memories: rtl/hwmap/fixaccel.yaml.
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
    parameter int GROUPS         = 1024,
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
    output frame_length_t net_tx_length,  // of the frame that leaves, FCS included, from its third byte on
    input  logic        net_fault,      // level: the wire is no longer to be trusted; disarms, and nothing arms
    // from the CPU: frames with FCS
    input  logic [ 7:0] cpu_tx_data,
    input  logic        cpu_tx_valid,
    input  logic        cpu_tx_last,
    output logic        cpu_tx_ready,
    output logic        cpu_tx_started,  // pulse: one of them leaves,
    output logic        cpu_tx_stopped,  // or does not
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
    $error("fixaccel_core %m: BYTES_PER_BEAT must be 1 for the wire interface");
  end

  // Records are indexed by bits of counters and addresses, and a window has room for so many.
  if (INSTRUMENTS < 2 || INSTRUMENTS != 2 ** $clog2(INSTRUMENTS)) begin : gen_refuse_instruments
    $error("fixaccel_core %m: INSTRUMENTS is %0d, not a power of two", INSTRUMENTS);
  end
  if (TRIGGERS < 2 || TRIGGERS != 2 ** $clog2(TRIGGERS)) begin : gen_refuse_triggers
    $error("fixaccel_core %m: TRIGGERS is %0d, not a power of two", TRIGGERS);
  end
  if (ORDERS < 2 || ORDERS != 2 ** $clog2(ORDERS)) begin : gen_refuse_orders
    $error("fixaccel_core %m: ORDERS is %0d, not a power of two", ORDERS);
  end
  if (TEMPLATES < 2 || TEMPLATES != 2 ** $clog2(TEMPLATES)) begin : gen_refuse_templates
    $error("fixaccel_core %m: TEMPLATES is %0d, not a power of two", TEMPLATES);
  end
  if (GROUPS < 2 || GROUPS != 2 ** $clog2(GROUPS)) begin : gen_refuse_groups
    $error("fixaccel_core %m: GROUPS is %0d, not a power of two", GROUPS);
  end

  // Of each part its own, a cycle later: thousands of registers hang on it.
  (* keep = "true" *) logic rst_host, rst_receiver, rst_flows, rst_orders, rst_cpu;
  always_ff @(posedge clk) {rst_host, rst_receiver, rst_flows, rst_orders, rst_cpu} <= {5{rst}};
`ifdef VERILATOR
  // A device that has just been configured begins with zeros everywhere, a simulation with anything.
  initial {rst_host, rst_receiver, rst_flows, rst_orders, rst_cpu} = '1;
`endif

  // ---- Host
  host_req_t host_req;
  logic [31:0] rdata_receive, rdata_orders;
  settings_t settings;
  bank_settings_t [1:0] banks;
  market_settings_t market_settings;
  actions_t actions;
  readback_t readback;
  count_t count, order_count;
  rx_status_t rx_status;
  logic [31:0] elapsed, cycle;
  logic [63:0] now_ns;
  utc_t utc;
  logic clock_valid, clock_hold, windows_current;
  windows_t [1:0] windows_open;
  sticky_t trip, sticky;
  logic enabled, dry, kill, live, order_disarm, held, order_busy, spending, hit_waits;
  logic lease_held, lease_hold, lease_released;
  flow_state_t flow;
  market_flow_t market;
  host_side #(
      .INSTRUMENTS(INSTRUMENTS), .TRIGGERS(TRIGGERS), .ORDERS(ORDERS), .TEMPLATES(TEMPLATES), .GROUPS(GROUPS)
  ) host (
      .clk, .rst(rst_host), .elapsed_ns,
      .s_axil_awaddr, .s_axil_awvalid, .s_axil_awready, .s_axil_wdata, .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready,
      .s_axil_bresp, .s_axil_bvalid, .s_axil_bready, .s_axil_araddr, .s_axil_arvalid, .s_axil_arready,
      .s_axil_rdata, .s_axil_rresp, .s_axil_rvalid, .s_axil_rready,
      .host_req, .host_rdata(rdata_receive | rdata_orders),
      .settings, .banks, .market(market_settings), .actions, .readback,
      .state('{
          synced: rx_status.synced, gap: rx_status.gap, found: rx_status.found, closed: flow.closed || market.closed,
          order_busy: order_busy, spending: spending,
          two_banks: rx_status.banks.two, bank: rx_status.banks.bank, flip_asked: rx_status.banks.asked,
          flip_begun: rx_status.banks.begun, flip_waits: rx_status.banks.waits}),
      .count, .messages(rx_status.messages), .trip, .disarm(order_disarm || held || net_fault), .hit_waits,
      .elapsed, .cycle, .now_ns, .utc, .clock_valid, .clock_hold, .windows_current, .windows_open,
      .enabled, .dry, .kill, .live, .sticky, .lease_held, .lease_hold, .lease_released
  );

  // ---- Receive and match
  flow_t match_flow, match_market;
  assign match_flow = '{
          valid: settings.flow_valid,
          local_ip: settings.flow_local_ip,
          remote_ip: settings.flow_remote_ip,
          local_port: settings.flow_ports[FLOW_PORTS_LOCAL_PORT_LSB+:16],
          remote_port: settings.flow_ports[FLOW_PORTS_REMOTE_PORT_LSB+:16]
      };
  assign match_market = '{
          valid: market_settings.valid,
          local_ip: market_settings.local_ip,
          remote_ip: market_settings.remote_ip,
          local_port: market_settings.ports[MARKET_PORTS_LOCAL_PORT_LSB+:16],
          remote_port: market_settings.ports[MARKET_PORTS_REMOTE_PORT_LSB+:16]
      };
  rx_verdict_t verdict;
  logic hit_pending, hit_early, hit_valid, hit_ready, begun, linked;
  logic [ORDER_LINK_BITS-1:0] link;
  hit_t hit;
  symbol_t hit_symbol;
  logic hit_symbol_valid;
  rx_window_t rx_window;
  receive #(
      .INSTRUMENTS(INSTRUMENTS), .TRIGGERS(TRIGGERS), .ORDERS(ORDERS), .LINKS(GROUPS * LINKS_A_GROUP)
  ) receiver (
      .clk, .rst(rst_receiver), .net_rx_data, .net_rx_valid, .net_rx_last, .net_rx_err,
      .flow(match_flow), .market_flow(match_market), .local_mac(flow.src_mac), .local_mac_known(flow.learned),
      .window(rx_window), .market_sent(market), .market_wscale(market_settings.local_wscale),
      .session_reset(actions.flow_reset), .flow_reset(actions.parser_reset), .resync(actions.resync), .resync_seq(actions.wdata),
      .known_forget(actions.known_forget), .armed(enabled), .commit_ahead(settings.commit_ahead), .windows_current, .windows_open,
      .session('{
          seq_num: settings.rx_seq_num, sender_crc: settings.sender_comp_crc, target_crc: settings.target_comp_crc
      }),
      .banks('{
          set: actions.set_banked, two: actions.wdata[0], flip: actions.flip, flip_head: settings.flip_head,
          hash_seed: {banks[1].hash_seed, banks[0].hash_seed}
      }),
      .ring_head(readback.ring_head), .collar({settings.collar_hi, settings.collar_lo}), .cycle, .time_ns(now_ns),
      .host_req, .host_rdata(rdata_receive),
      .verdict, .hit_pending, .hit_early, .hit_valid, .hit, .hit_symbol, .hit_symbol_valid, .hit_ready, .begun, .linked, .link, .spending,
      .status(rx_status)
  );

  // ---- The session's flow and the market flow, which no order leaves on
  cpu_frame_t cpu_frame;
  cpu_effect_t cpu_effect;
  logic cpu_start, order_sent, peer_lost, flow_lost, market_peer_lost, market_lost, told;
  logic [31:0] told_ack;
  logic [15:0] order_length;
  flow_state session (
      .clk, .rst(rst_flows), .actions, .verdict, .cpu_frame, .flow_valid(settings.flow_valid),
      .peer_wscale(settings.peer_wscale), .local_wscale(settings.local_wscale), .enabled, .live, .order_sent,
      .order_length, .cpu_start(cpu_start && !cpu_effect.market), .cpu_effect, .told, .told_ack, .peer_lost,
      .lost(flow_lost), .flow, .window(rx_window)
  );
  market_flow market_session (
      .clk, .rst(rst_flows), .reset(actions.market_reset), .valid(market_settings.valid), .enabled, .verdict, .cpu_effect, .cpu_start,
      .peer_lost(market_peer_lost), .lost(market_lost), .flow(market)
  );

  // ---- Orders
  reasons_t reasons;
  assign reasons = '{
          kill: kill,
          watchdog: sticky.watchdog_expired,
          session: !settings.flow_valid || !flow.learned || !flow.snd_known || flow.closed || market.closed ||
              sticky.session_lost || peer_lost || market_peer_lost,
          clock: !clock_valid,
          fault: sticky.held || sticky.fault_uncommitted || sticky.fault_unleased || sticky.fault_lease
      };
  logic wire_ready, order_valid, order_last, order_error, order_aborted, order_ready, order_begin, order_end;
  logic [7:0] order_data;
  logic [31:0] next_seq_num;
  order_path #(
      .INSTRUMENTS(INSTRUMENTS), .TRIGGERS(TRIGGERS), .ORDERS(ORDERS), .TEMPLATES(TEMPLATES)
  ) orders (
      .clk, .rst(rst_orders), .host_req, .host_rdata(rdata_orders), .hit_pending, .hit_early, .hit_valid, .hit, .hit_symbol,
      .hit_symbol_valid, .hit_ready, .hit_waits, .begun,
      .settings, .banks, .actions, .enabled, .live, .dry, .two_banks(rx_status.banks.two),
      .messages_wait(rx_status.banks.waits), .reasons, .flow, .utc,
      .clock_setting(clock_hold), .elapsed_ns(elapsed), .cycle, .lease_hold, .lease_released, .next_seq_num,
      .orders_left(readback.orders_left), .bucket(readback.bucket), .ring_head(readback.ring_head), .order_sent,
      .order_length, .linked, .link, .disarm(order_disarm), .held, .busy(order_busy),
      .count(order_count), .wire_ready, .order_valid, .order_data, .order_last, .order_error, .order_aborted, .order_ready, .order_begin, .order_end
  );

  // ---- CPU frames and egress
  logic cpu_rewritten, cpu_received, cpu_stopped, fault_uncommitted, fault_unleased;
  logic gate_timed_out, gate_lowered, gate_dropped;
  // A fire that is held back does not hold back the CPU: lease and full ring are there for what it does meanwhile.
  cpu_path cpu (
      .clk, .rst(rst_cpu), .match_flow, .match_market, .flow, .market, .verdict,
      .net_rx_data, .net_rx_valid, .net_rx_last,
      .net_tx_data, .net_tx_valid, .net_tx_last, .net_tx_err, .net_tx_ready,
      .cpu_tx_data, .cpu_tx_valid, .cpu_tx_last, .cpu_tx_ready,
      .cpu_rx_data, .cpu_rx_valid, .cpu_rx_last, .cpu_rx_ready,
      .order_busy, .order_waits(hit_waits), .disturbed(actions.disturbs), .live, .leased(lease_held),
      .cpu_start, .cpu_frame, .cpu_effect, .cpu_rewritten, .cpu_received, .cpu_stopped,
      .fault_uncommitted, .fault_unleased,
      .wire_ready, .order_valid, .order_data, .order_last, .order_error, .order_ready, .order_begin, .order_end,
      .committing(actions.set_committed), .elapsed_ns(elapsed), .rx_gate_ns(settings.rx_gate_ns), .told, .told_ack,
      .gate_timed_out, .gate_lowered, .gate_dropped
  );

  // The length of what leaves, for a wire that wants it ahead of the frame's end.
  localparam int ORDER_HEADERS = ETHERNET_BYTES + IP_BYTES + TCP_BYTES;
  frame_length_t body;  // without FCS
  always_ff @(posedge clk) begin
    body <= order_busy ? frame_length_t'(order_length) + frame_length_t'(ORDER_HEADERS) : cpu_frame.length;
    net_tx_length <= (body < frame_length_t'(MIN_FRAME_BYTES)) ? frame_length_t'(MIN_FRAME_BYTES + FCS_BYTES) :
        body + frame_length_t'(FCS_BYTES);
  end
  assign cpu_tx_started = cpu_start;
  assign cpu_tx_stopped = cpu_stopped;

  // ---- Status and counters
  assign trip = '{
          watchdog_expired: 1'b0,  // these two are the host side's own
          fault_lease: 1'b0,
          session_lost: flow_lost || market_lost,
          held: held,
          fault_uncommitted: fault_uncommitted,
          fault_unleased: fault_unleased
      };
  assign {readback.status, readback.cycle, readback.now_ns, readback.windows} = '0;  // so are these
  assign readback.rx_seq_num = rx_status.seq_num;
  assign readback.rcv_nxt = rx_status.rcv_nxt;
  assign readback.found_seq = rx_status.found_seq;
  assign readback.snd_nxt = flow.snd_nxt;
  assign readback.committed = flow.committed;
  assign readback.peer_ack = flow.peer_ack;
  assign readback.peer_window = flow.peer_window;
  assign readback.next_seq_num = next_seq_num;
  always_ff @(posedge clk) begin
    if (order_aborted) readback.orders_aborted <= readback.orders_aborted + 1;
    if (rst_orders) readback.orders_aborted <= '0;
  end
  assign readback.flip_seq_num = rx_status.banks.first_number;
  assign readback.flip_cycles = rx_status.banks.waited;

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
    count[counter(REG_COUNT_ACK_REWRITES)] = cpu_rewritten;
    count[counter(REG_COUNT_GUARD_STOPS)] = cpu_stopped;
    count[counter(REG_COUNT_GATE_TIMEOUTS)] = gate_timed_out;
    count[counter(REG_COUNT_GATE_LOWERED)] = gate_lowered;
    count[counter(REG_COUNT_GATE_DROPS)] = gate_dropped;
  end
endmodule
