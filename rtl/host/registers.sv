// SPDX-License-Identifier: Apache-2.0
// The register page of the hwmap: settings kept here, actions as pulses, everything else read back from the core.
//
//   cycle 1  the access is registered
//   cycle 2  a write changes settings and raises actions; a read has chosen among few
//   cycle 3  the answer, and on until HOST_ANSWER_CYCLES
// What the host has written is read back from a copy in a small memory, so that no wide multiplexer hangs on the settings.
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
  localparam int SLOT_BITS = $clog2(int'(REG_END) / 4);

  if (HOST_ANSWER_CYCLES < 4) begin : gen_refuse
    $error("registers %m: an answer takes 4 cycles");
  end

  logic ours, read, write, resetting;
  (* keep = "true" *) logic [SLOT_BITS-1:0] slot, read_slot;  // the same twice: many bits hang on each
  logic [31:0] wdata;
  address_t address, read_address;
  assign ours = host_req.valid && host_req.addr < REG_END;
  assign address = address_t'({slot, 2'b00});
  assign read_address = address_t'({read_slot, 2'b00});
  always_ff @(posedge clk) begin
    read <= ours && !host_req.write;
    write <= ours && host_req.write;
    slot <= host_req.addr[SLOT_BITS+1:2];
    read_slot <= host_req.addr[SLOT_BITS+1:2];
    wdata <= host_req.wdata;
    case (host_req.addr)  // what a narrow register keeps
      REG_FLOW_VALID: wdata <= {31'b0, host_req.wdata[0]};
      REG_PEER_WSCALE, REG_LOCAL_WSCALE: wdata <= {28'b0, host_req.wdata[3:0]};
      default: ;
    endcase
    resetting <= rst;  // a copy of its own: many settings
    if (rst) {read, write} <= '0;
  end

  always_ff @(posedge clk) begin
    if (write)
      case (address)
        REG_WATCHDOG_NS: settings.watchdog_ns <= wdata;
        REG_GENERATION: settings.generation <= wdata;
        REG_HASH_SEED: settings.hash_seed <= wdata;
        REG_EPOCH: settings.epoch <= wdata;
        REG_FLOW_LOCAL_IP: settings.flow_local_ip <= wdata;
        REG_FLOW_REMOTE_IP: settings.flow_remote_ip <= wdata;
        REG_FLOW_PORTS: settings.flow_ports <= wdata;
        REG_FLOW_VALID: settings.flow_valid <= wdata[0];
        REG_RX_SEQ_NUM: settings.rx_seq_num <= wdata;
        REG_SENDER_COMP_CRC: settings.sender_comp_crc <= wdata;
        REG_TARGET_COMP_CRC: settings.target_comp_crc <= wdata;
        REG_PEER_WSCALE: settings.peer_wscale <= wdata[3:0];
        REG_LOCAL_WSCALE: settings.local_wscale <= wdata[3:0];
        REG_MAX_UNACKED: settings.max_unacked <= wdata;
        REG_LEASE_SEQ_NUM: settings.lease_seq_num <= wdata;
        REG_LEASE_SND_NXT: settings.lease_snd_nxt <= wdata;
        REG_LEASE_NS: settings.lease_ns <= wdata;
        REG_HOLD_NS: settings.hold_ns <= wdata;
        REG_RX_GATE_NS: settings.rx_gate_ns <= wdata;
        REG_CLOCK_DATE: settings.clock_date <= wdata;
        REG_CLOCK_HMS: settings.clock_hms <= wdata;
        REG_CLOCK_MS: settings.clock_ms <= wdata;
        REG_CLOCK_SUB_NS: settings.clock_sub_ns <= wdata;
        REG_CLOCK_NS_LO: settings.clock_ns_lo <= wdata;
        REG_CLOCK_NS_HI: settings.clock_ns_hi <= wdata;
        REG_CLOCK_MAX_AGE_NS: settings.clock_max_age_ns <= wdata;
        REG_RING_TAIL: settings.ring_tail <= wdata;
        default: ;
      endcase
    if (resetting) settings <= '0;
  end

  actions_t next;
  logic one, keep;  // keep: reads back what was written
  assign one = wdata[0];
  always_comb begin
    next = '0;
    keep = 1'b0;
    case (address)
      REG_ARM: {next.arm, next.disarm, next.disturbs} = {one, !one, 1'b1};
      REG_KILL: {next.kill_on, next.kill_off} = {one, !one};
      REG_WATCHDOG_KICK: next.watchdog_kick = 1'b1;
      REG_FLOW_VALID: {next.flow_reset, next.disturbs, keep} = '1;
      REG_RESYNC_SEQ: next.resync = 1'b1;
      REG_SND_NXT: {next.set_snd_nxt, next.disturbs} = '1;
      REG_COMMITTED: {next.set_committed, next.disturbs} = '1;
      REG_NEXT_SEQ_NUM: next.set_seq_num = 1'b1;
      REG_LEASE_REQUEST: {next.lease_request, next.lease_cancel, next.disturbs} = {one, !one, 1'b1};
      REG_LEASE_RELEASE: {next.lease_release, next.disturbs} = {one, 1'b1};
      REG_CLOCK_SET: next.clock_set = 1'b1;
      default: keep = 1'b1;
    endcase
    if (!write) {next, keep} = '0;
    next.wdata = wdata;
  end
  always_ff @(posedge clk) begin
    actions <= next;
    if (rst) actions <= '0;
  end

  (* ram_style = "distributed" *) logic [31:0] copy[2**SLOT_BITS];  // a block RAM would be slower, and nearly empty
  logic [2**SLOT_BITS-1:0] written;
  logic store;
  logic [SLOT_BITS-1:0] store_slot;
  logic [31:0] store_word;
  always_ff @(posedge clk) begin
    {store, store_slot, store_word} <= {keep, slot, wdata};
    if (store) copy[store_slot] <= store_word;
    if (store) written[store_slot] <= 1'b1;
    if (resetting) written <= '0;
  end

  logic of_core, of_core_q, read_q, written_q;
  logic [31:0] from_core, from_core_q, from_copy_q, now_hi;
  always_comb begin
    of_core = 1'b1;
    case (read_address)
      REG_MAGIC: from_core = MAGIC;
      REG_HWMAP_HASH: from_core = HWMAP_HASH;
      REG_CAP_INSTRUMENTS: from_core = INSTRUMENTS;
      REG_CAP_TRIGGERS: from_core = TRIGGERS;
      REG_CAP_ORDERS: from_core = ORDERS;
      REG_CAP_TEMPLATES: from_core = TEMPLATES;
      REG_CYCLE: from_core = readback.cycle;
      REG_STATUS: from_core = readback.status;
      REG_RX_SEQ_NUM: from_core = readback.rx_seq_num;
      REG_RCV_NXT: from_core = readback.rcv_nxt;
      REG_FOUND_SEQ: from_core = readback.found_seq;
      REG_SND_NXT: from_core = readback.snd_nxt;
      REG_COMMITTED: from_core = readback.committed;
      REG_PEER_ACK: from_core = readback.peer_ack;
      REG_PEER_WINDOW: from_core = readback.peer_window;
      REG_NEXT_SEQ_NUM: from_core = readback.next_seq_num;
      REG_CLOCK_NS_LO: from_core = readback.now_ns[31:0];
      REG_CLOCK_NS_HI: from_core = now_hi;
      REG_RING_HEAD: from_core = readback.ring_head;
      default: {of_core, from_core} = '0;
    endcase
  end

  logic [HOST_ANSWER_CYCLES-3:0][31:0] answer;
  always_ff @(posedge clk) begin
    read_q <= read;
    of_core_q <= of_core;
    from_core_q <= from_core;
    from_copy_q <= copy[read_slot];
    written_q <= written[read_slot];
    if (read && read_address == REG_CLOCK_NS_LO) now_hi <= readback.now_ns[63:32];  // both halves from one moment
    answer[0] <= !read_q ? '0 : of_core_q ? from_core_q : written_q ? from_copy_q : '0;
    for (int i = 1; i < HOST_ANSWER_CYCLES - 2; i++) answer[i] <= answer[i-1];
  end
  assign host_rdata = answer[HOST_ANSWER_CYCLES-3];
endmodule
