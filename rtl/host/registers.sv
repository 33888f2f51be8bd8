// SPDX-License-Identifier: Apache-2.0
// The register page of the hwmap: settings kept here, actions as pulses, everything else read back from the core.
// Settings and actions change in the same cycle, one after the host's access. Answers take HOST_ANSWER_CYCLES.
module registers
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
  import host_pkg::*;
#(
    parameter int INSTRUMENTS = 16,
    parameter int TRIGGERS    = 16,
    parameter int ORDERS      = 16,
    parameter int TEMPLATES   = 16
) (
    input  logic             clk,
    input  logic             rst,
    input  host_req_t        host_req,
    output logic      [31:0] host_rdata,
    output settings_t        settings,
    output actions_t         actions,
    input  readback_t        readback
);
  localparam logic [31:0] MAGIC = 32'h46584143;
  localparam address_t REG_END = REG_COUNT_FRAMES;  // the counters answer for themselves

  logic read, write;
  assign read = host_req.valid && !host_req.write && host_req.addr < REG_END;
  assign write = host_req.valid && host_req.write && host_req.addr < REG_END;

  always_ff @(posedge clk) begin
    if (write)
      case (host_req.addr)
        REG_WATCHDOG_NS: settings.watchdog_ns <= host_req.wdata;
        REG_GENERATION: settings.generation <= host_req.wdata;
        REG_HASH_SEED: settings.hash_seed <= host_req.wdata;
        REG_EPOCH: settings.epoch <= host_req.wdata;
        REG_FLOW_LOCAL_IP: settings.flow_local_ip <= host_req.wdata;
        REG_FLOW_REMOTE_IP: settings.flow_remote_ip <= host_req.wdata;
        REG_FLOW_PORTS: settings.flow_ports <= host_req.wdata;
        REG_FLOW_VALID: settings.flow_valid <= host_req.wdata[0];
        REG_PEER_WSCALE: settings.peer_wscale <= host_req.wdata[3:0];
        REG_MAX_UNACKED: settings.max_unacked <= host_req.wdata;
        REG_LEASE_SEQ_NUM: settings.lease_seq_num <= host_req.wdata;
        REG_LEASE_SND_NXT: settings.lease_snd_nxt <= host_req.wdata;
        REG_LEASE_NS: settings.lease_ns <= host_req.wdata;
        REG_HOLD_NS: settings.hold_ns <= host_req.wdata;
        REG_RX_GATE_NS: settings.rx_gate_ns <= host_req.wdata;
        REG_CLOCK_DATE: settings.clock_date <= host_req.wdata;
        REG_CLOCK_HMS: settings.clock_hms <= host_req.wdata;
        REG_CLOCK_MS: settings.clock_ms <= host_req.wdata;
        REG_CLOCK_SUB_NS: settings.clock_sub_ns <= host_req.wdata;
        REG_CLOCK_NS_LO: settings.clock_ns_lo <= host_req.wdata;
        REG_CLOCK_NS_HI: settings.clock_ns_hi <= host_req.wdata;
        REG_CLOCK_MAX_AGE_NS: settings.clock_max_age_ns <= host_req.wdata;
        REG_RING_TAIL: settings.ring_tail <= host_req.wdata;
        default: ;
      endcase
    if (rst) settings <= '0;
  end

  logic one;
  assign one = host_req.wdata[0];
  always_ff @(posedge clk) begin
    actions <= '0;
    actions.wdata <= host_req.wdata;
    actions.any <= write;
    if (write && !rst)
      case (host_req.addr)
        REG_ARM: {actions.arm, actions.disarm} <= {one, !one};
        REG_KILL: {actions.kill_on, actions.kill_off} <= {one, !one};
        REG_WATCHDOG_KICK: actions.watchdog_kick <= 1'b1;
        REG_FLOW_VALID: actions.flow_reset <= 1'b1;
        REG_RESYNC_SEQ: actions.resync <= 1'b1;
        REG_SND_NXT: actions.set_snd_nxt <= 1'b1;
        REG_COMMITTED: actions.set_committed <= 1'b1;
        REG_NEXT_SEQ_NUM: actions.set_seq_num <= 1'b1;
        REG_LEASE_REQUEST: {actions.lease_request, actions.lease_cancel} <= {one, !one};
        REG_LEASE_RELEASE: actions.lease_release <= one;
        REG_CLOCK_SET: actions.clock_set <= 1'b1;
        default: ;
      endcase
  end

  logic [31:0] answer, now_hi;
  logic [HOST_ANSWER_CYCLES-3:0][31:0] answers;
  always_ff @(posedge clk) begin
    {host_rdata, answers} <= {answers, answer};
    answer <= '0;
    if (read)
      case (host_req.addr)
        REG_MAGIC: answer <= MAGIC;
        REG_HWMAP_HASH: answer <= HWMAP_HASH;
        REG_CAP_INSTRUMENTS: answer <= INSTRUMENTS;
        REG_CAP_TRIGGERS: answer <= TRIGGERS;
        REG_CAP_ORDERS: answer <= ORDERS;
        REG_CAP_TEMPLATES: answer <= TEMPLATES;
        REG_CYCLE: answer <= readback.cycle;
        REG_STATUS: answer <= readback.status;
        REG_WATCHDOG_NS: answer <= settings.watchdog_ns;
        REG_GENERATION: answer <= settings.generation;
        REG_HASH_SEED: answer <= settings.hash_seed;
        REG_EPOCH: answer <= settings.epoch;
        REG_FLOW_LOCAL_IP: answer <= settings.flow_local_ip;
        REG_FLOW_REMOTE_IP: answer <= settings.flow_remote_ip;
        REG_FLOW_PORTS: answer <= settings.flow_ports;
        REG_FLOW_VALID: answer <= {31'b0, settings.flow_valid};
        REG_RCV_NXT: answer <= readback.rcv_nxt;
        REG_WIRE_NXT: answer <= readback.wire_nxt;
        REG_SND_NXT: answer <= readback.snd_nxt;
        REG_COMMITTED: answer <= readback.committed;
        REG_PEER_ACK: answer <= readback.peer_ack;
        REG_PEER_WINDOW: answer <= readback.peer_window;
        REG_PEER_WSCALE: answer <= {28'b0, settings.peer_wscale};
        REG_MAX_UNACKED: answer <= settings.max_unacked;
        REG_NEXT_SEQ_NUM: answer <= readback.next_seq_num;
        REG_LEASE_SEQ_NUM: answer <= settings.lease_seq_num;
        REG_LEASE_SND_NXT: answer <= settings.lease_snd_nxt;
        REG_LEASE_NS: answer <= settings.lease_ns;
        REG_HOLD_NS: answer <= settings.hold_ns;
        REG_RX_GATE_NS: answer <= settings.rx_gate_ns;
        REG_CLOCK_DATE: answer <= settings.clock_date;
        REG_CLOCK_HMS: answer <= settings.clock_hms;
        REG_CLOCK_MS: answer <= settings.clock_ms;
        REG_CLOCK_SUB_NS: answer <= settings.clock_sub_ns;
        REG_CLOCK_NS_LO: {now_hi, answer} <= readback.now_ns;  // both halves from one moment
        REG_CLOCK_NS_HI: answer <= now_hi;
        REG_CLOCK_MAX_AGE_NS: answer <= settings.clock_max_age_ns;
        REG_RING_HEAD: answer <= readback.ring_head;
        REG_RING_TAIL: answer <= settings.ring_tail;
        default: ;
      endcase
    if (rst) now_hi <= '0;
  end
endmodule
