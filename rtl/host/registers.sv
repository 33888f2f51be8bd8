// SPDX-License-Identifier: Apache-2.0
// The register page of the hwmap: settings kept here, actions as pulses, everything else read back from the core.
//
//   cycle 1  the access is registered
//   cycle 2  a write changes settings and raises actions; a read knows which of the core's words it means
//   cycle 3  one of each four of them is chosen
//   cycle 4  the answer, and on until HOST_ANSWER_CYCLES
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

  // Words of the core by their addresses.
  localparam int WORDS = 20;
  localparam address_t WORD_AT[WORDS] = '{
      REG_MAGIC, REG_HWMAP_HASH, REG_CAP_INSTRUMENTS, REG_CAP_TRIGGERS, REG_CAP_ORDERS, REG_CAP_TEMPLATES, REG_CYCLE,
      REG_STATUS, REG_RX_SEQ_NUM, REG_RCV_NXT, REG_FOUND_SEQ, REG_SND_NXT, REG_COMMITTED, REG_PEER_ACK, REG_PEER_WINDOW,
      REG_NEXT_SEQ_NUM, REG_RING_HEAD, REG_CLOCK_NS_LO, REG_CLOCK_NS_HI, REG_END
  };
  logic [31:0] now_hi;
  logic [31:0] words[WORDS];
  assign words = '{
      MAGIC, HWMAP_HASH, INSTRUMENTS, TRIGGERS, ORDERS, TEMPLATES, readback.cycle,
      readback.status, readback.rx_seq_num, readback.rcv_nxt, readback.found_seq, readback.snd_nxt, readback.committed,
      readback.peer_ack, readback.peer_window,
      readback.next_seq_num, readback.ring_head, readback.now_ns[31:0], now_hi, '0
  };

  localparam int FOURS = WORDS / 4;
  localparam int WORD_BITS = $clog2(WORDS);
  typedef logic [WORD_BITS-1:0] word_t;
  localparam word_t NONE = word_t'(WORDS - 1);  // the last word is zero
  word_t of_address, word;
  logic [WORD_BITS-3:0] four;
  logic latch_now, kept;
  logic [31:0] chosen[FOURS], from_copy, from_copy_q;
  always_comb begin
    of_address = NONE;
    for (int i = 0; i < WORDS - 1; i++) if (read_address == WORD_AT[i]) of_address = word_t'(i);
  end

  logic [HOST_ANSWER_CYCLES-4:0][31:0] answer;
  always_ff @(posedge clk) begin
    word <= read ? of_address : NONE;
    latch_now <= read && read_address == REG_CLOCK_NS_LO;
    kept <= read && of_address == NONE && written[read_slot];
    from_copy <= copy[read_slot];

    for (int i = 0; i < FOURS; i++) chosen[i] <= words[4*i+int'(word[1:0])];
    if (latch_now) now_hi <= readback.now_ns[63:32];  // both halves from one moment
    four <= word[WORD_BITS-1:2];
    from_copy_q <= kept ? from_copy : '0;

    answer[0] <= chosen[four] | from_copy_q;
    for (int i = 1; i < HOST_ANSWER_CYCLES - 3; i++) answer[i] <= answer[i-1];
  end
  assign host_rdata = answer[HOST_ANSWER_CYCLES-4];
endmodule
