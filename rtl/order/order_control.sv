// SPDX-License-Identifier: Apache-2.0
// Takes fires one after the other: asks the gate, reads the order, writes the ring record, starts the frame.
//
//   cycle 0  the fire is taken; if the gate agrees and the window is not tight, the frame starts (its first byte is shown
//            to the arbiter in cycle 1 and is on the wire in cycle 2 if the wire is free)
//   cycle 1  the order record is read
//   cycle 2  the template header is read: length, tight window, ring record, next MsgSeqNum and snd_nxt
// An order whose tables contradict each other is aborted on the wire, uses no numbers and disarms.
module order_control
  import egress_pkg::*;
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
  import host_pkg::*;
  import order_pkg::*;
#(
    parameter int ORDERS    = 16,
    parameter int TEMPLATES = 16
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic                    hit_valid,
    input  hit_t                    hit,
    output logic                    hit_ready,
    input  logic                    hold,           // the CPU has the egress lease
    input  logic                    egress_free,    // no CPU frame has begun that has not ended
    // gate
    input  logic             [ 7:0] gate_outcome,
    input  logic                    gate_before_window,
    input  logic                    gate_tight,
    input  logic             [31:0] gate_room,
    // state that an order takes along
    /* verilator lint_off UNUSEDSIGNAL */  // a few fields of each
    input  flow_state_t             flow,
    input  settings_t               settings,
    input  actions_t                actions,
    /* verilator lint_on UNUSEDSIGNAL */
    input  utc_t                    utc,
    input  logic                    live,
    input  logic                    lease_released,
    // tables, answered one cycle after the address
    output logic [TRIGGER_ORDER_BITS-1:0] order_addr,
    /* verilator lint_off UNUSEDSIGNAL */  // the builder and its sums take the rest
    input  order_t                  order,
    input  template_header_t        header,
    /* verilator lint_on UNUSEDSIGNAL */
    // frame
    output logic                    start,          // pulse
    output logic                    abort,          // level until the frame has ended
    output segment_t                segment,
    output logic             [15:0] length,
    output logic                    sums_start,     // pulse
    output logic             [31:0] seq_num,
    output utc_t                    order_utc,
    output logic             [23:0] rule,
    output logic             [14:0] fires,
    input  logic                    stream_done,    // pulse: the arbiter has the last byte
    input  logic                    order_end,      // pulse: so has the wire
    // effects
    output logic             [31:0] next_seq_num,
    output logic                    sent,           // pulse: snd_nxt moves on by `header.length`
    output count_t                  count,
    input  logic                    ring_full,
    output logic                    record_write,   // pulse
    output ring_t                   record,
    output logic                    ring_overflow,  // pulse
    output logic                    disarm,         // pulse
    output logic                    busy            // an order is pending or leaving
);
  typedef enum logic [2:0] {IDLE, READ, JUDGE, LEAVE, SETTLE} state_t;
  state_t state;
  hit_t fire;
  logic [7:0] outcome;
  logic before_window, tight;
  logic [1:0] settle;
  logic draining;  // the arbiter still adds padding and FCS

  assign hit_ready = state == IDLE && !hold && egress_free;
  assign busy = state != IDLE || draining;

  logic take;
  assign take = hit_valid && hit_ready;
  // The read starts with the fire itself, so that the record can be written with the length in cycle 2.
  assign order_addr = (state == IDLE) ? hit.order : fire.order;

  // JUDGE: the header is there.
  logic sound, fits;
  logic [7:0] verdict;
  assign sound = header.valid && header.length != 0 && header.length <= 16'(MESSAGE_BYTES) &&
      32'(fire.order) < ORDERS && 32'(order.template_index) < TEMPLATES;
  assign fits = {16'b0, header.length} <= gate_room;
  always_comb begin
    verdict = outcome;
    if (!before_window && tight && !fits) verdict = 8'(OUTCOME_WINDOW);
    else if (outcome == 8'(OUTCOME_SENT) && !sound) verdict = 8'(OUTCOME_FAULT);
  end

  logic judge, go;
  assign judge = state == JUDGE;
  assign go = take && gate_outcome == 8'(OUTCOME_SENT) && !gate_tight;
  assign sent = judge && verdict == 8'(OUTCOME_SENT);
  assign start = go || (sent && tight);
  assign sums_start = sent;
  assign record_write = judge && !ring_full;
  assign ring_overflow = judge && ring_full;
  assign disarm = judge && outcome == 8'(OUTCOME_SENT) && verdict == 8'(OUTCOME_FAULT);

  always_comb begin
    count = '0;
    if (judge) count[counter(REG_COUNT_SENT)+:8] = 8'b1 << verdict[2:0];
  end

  logic [15:0] ip_id;
  always_ff @(posedge clk) begin
    case (state)
      IDLE: begin
        // What the order takes along is followed until the fire is taken, then it holds still.
        segment <= '{
            dst_mac: flow.dst_mac,
            src_mac: flow.src_mac,
            ip_id: ip_id,
            src_ip: settings.flow_local_ip,
            dst_ip: settings.flow_remote_ip,
            src_port: settings.flow_ports[FLOW_PORTS_LOCAL_PORT_LSB+:16],
            dst_port: settings.flow_ports[FLOW_PORTS_REMOTE_PORT_LSB+:16],
            seq: flow.snd_nxt,
            ack: flow.cpu_ack,
            window: flow.cpu_window
        };
        seq_num <= next_seq_num;
        order_utc <= utc;
        if (take) begin
          fire <= hit;
          outcome <= gate_outcome;
          before_window <= gate_before_window;
          tight <= gate_tight;
          abort <= 1'b0;
          state <= READ;
        end
      end
      READ: state <= JUDGE;
      JUDGE: begin
        length <= header.length;
        settle <= '1;
        abort <= disarm;
        state <= (sent || (disarm && !tight)) ? LEAVE : SETTLE;
      end
      LEAVE: if (stream_done) state <= IDLE;
      SETTLE: begin  // until the gate has seen what this fire changed
        settle <= settle - 1;
        if (settle == 0) state <= IDLE;
      end
      default: state <= IDLE;
    endcase
    if (order_end) draining <= 1'b0;
    if (stream_done) draining <= 1'b1;
    if (rst) begin
      state <= IDLE;
      draining <= 1'b0;
      abort <= 1'b0;
    end
  end
  assign rule = fire.rule;
  assign fires = fire.fires;

  always_ff @(posedge clk) begin
    if (sent) begin
      next_seq_num <= bcd_next(next_seq_num);
      ip_id <= ip_id + 1;
    end
    if (actions.set_seq_num && !live) next_seq_num <= actions.wdata;
    if (lease_released) next_seq_num <= settings.lease_seq_num;
    if (rst) {next_seq_num, ip_id} <= '0;
  end

  assign record = '{
          entry: '0,
          generation: settings.generation,
          message: fire.message,
          trigger: 32'(fire.trigger),
          rule: 32'(fire.rule),
          order: 32'(fire.order),
          instrument: fire.instrument,
          source: 8'(fire.source),
          outcome: verdict,
          fires: 16'(fire.fires),
          observed: 64'(fire.observed),
          time_ns: fire.time_ns,
          msg_seq_num: sent ? seq_num : '0,
          tcp_seq: sent ? segment.seq : '0,
          length: sent ? header.length : '0,
          message_end_cycle: fire.message_end_cycle,
          frame_end_cycle: fire.frame_end_cycle
      };
endmodule
