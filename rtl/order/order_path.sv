// SPDX-License-Identifier: Apache-2.0
// From a fire to its order on the wire and its record in the event ring: tables, gate, control, checksums, frame, ring.
module order_path
  import egress_pkg::*;
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
  import host_pkg::*;
  import order_pkg::*;
#(
    parameter int INSTRUMENTS = 16,
    parameter int TRIGGERS    = 64,
    parameter int ORDERS      = 16,
    parameter int TEMPLATES   = 16
) (
    input  logic               clk,
    input  logic               rst,
    input  host_req_t          host_req,
    output logic        [31:0] host_rdata,
    // Fires. `hit` stands while one is pending or valid, its two stamps of the frame's end while it is valid.
    input  logic               hit_pending,
    input  logic               hit_early,       // its order may begin ahead of its frame's verdict
    input  logic               hit_valid,
    input  hit_t               hit,
    input  symbol_t            hit_symbol,      // of its instrument, in some cycle of its first ten
    input  logic               hit_symbol_valid,
    output logic               hit_ready,
    output logic               hit_waits,       // one is about to be taken: nothing else may begin on the wire
    output logic               begun,           // the order of the pending one has begun
    // State
    input  settings_t          settings,
    /* verilator lint_off UNUSEDSIGNAL */  // the seeds are the parser's
    input  bank_settings_t [1:0] banks,
    /* verilator lint_on UNUSEDSIGNAL */
    input  actions_t           actions,
    input  logic               enabled,
    input  logic               live,
    input  logic               dry,
    input  logic               two_banks,
    input  logic               messages_wait,   // for a flip that the host has to look at
    input  reasons_t           reasons,
    /* verilator lint_off UNUSEDSIGNAL */  // what the kernel was told plays no part
    input  flow_state_t        flow,
    /* verilator lint_on UNUSEDSIGNAL */
    input  utc_t               utc,
    input  logic               clock_setting,   // `utc` is being set
    input  logic        [31:0] elapsed_ns,
    input  logic        [31:0] cycle,
    input  logic               lease_hold,
    input  logic               lease_released,
    output logic        [31:0] next_seq_num,
    output logic        [31:0] orders_left,
    output bucket_t            bucket,
    output logic        [31:0] ring_head,
    output logic               order_sent,      // pulse: an order has used `order_length` bytes from snd_nxt
    output logic        [15:0] order_length,
    output logic               linked,          // pulse, the cycle after a fire was taken: its order was sent, or dry, or it is a watch
    output logic [ORDER_LINK_BITS-1:0] link,    // with it: its links
    output logic               disarm,          // pulse: tables contradict each other, or a number has no successor
    output logic               held,            // pulse: a fire was held back for too long
    output logic               busy,            // an order is leaving
    output count_t             count,
    // Frames without FCS. Only the first byte may be taken back, by order_valid falling before order_ready.
    input  logic               wire_ready,      // the wire takes a frame's first byte, now and in the next cycle
    output logic               order_valid,
    output logic        [ 7:0] order_data,
    output logic               order_last,
    output logic               order_error,     // with order_last: it was not sent
    output logic               order_aborted,   // pulse: one such has left
    input  logic               order_ready,
    input  logic               order_begin,     // pulses: first and last byte on the wire
    input  logic               order_end
);
  if (ORDERS > 2 ** TRIGGER_ORDER_BITS || TEMPLATES > 2 ** ORDER_TEMPLATE_INDEX_BITS || INSTRUMENTS > 2 ** 16)
  begin : gen_refuse
    $error("order_path %m: more records than an index can tell apart");
  end
  if (2 ** TEMPLATE_SHAPE_LAST_BYTE_BITS != MESSAGE_BYTES) begin : gen_refuse_bytes
    $error("order_path %m: last_byte must be as wide as an offset in message_bytes");
  end

  // ---- Banks: numbers in a hit have theirs as the highest bit, those in a record of the ring count within it.
  logic upper;
  assign upper = two_banks && hit.instrument[$clog2(INSTRUMENTS)-1];
  function automatic logic [31:0] within_bank(logic [31:0] number, int depth);
    return upper ? number & 32'(depth / 2 - 1) : number;
  endfunction

  // ---- Tables, read for the fire that is waiting; template bytes for the order that is leaving
  logic [31:0] rdata_tables, rdata_limits, rdata_ring;
  assign host_rdata = rdata_tables | rdata_limits | rdata_ring;
  order_t order;
  template_shape_t shape;  // of the order that is leaving, two cycles behind it
  template_byte_t template_byte;
  leaving_t leaving;
  logic [$clog2(MESSAGE_BYTES)-1:0] template_offset;
  logic known, recorded, sound;
  order_tables #(
      .INSTRUMENTS(INSTRUMENTS), .ORDERS(ORDERS), .TEMPLATES(TEMPLATES)
  ) tables (
      .clk, .rst, .host_req, .host_rdata(rdata_tables), .two_banks, .order_index(hit.order), .instrument(hit.instrument),
      .template_index(leaving.order.template_index), .byte_offset(template_offset), .order, .shape, .template_byte, .known,
      .recorded, .sound
  );

  // ---- Decision
  logic seq_exhausted, roomy, pass, goes, links, watch;
  // Its last digit tells a watch, by two bits that no digit has both of: all that leaves hangs on it.
  assign watch = order.qty[ORDER_QTY_BITS-1-:2] == 2'(CHAR_BOUND >> 2);
  logic [7:0] outcome;
  logic [15:0] length;  // three cycles behind the order
  always_ff @(posedge clk) length <= 16'(shape.last_byte) + 16'd1;
  violated_t violated;
  logic counting, take, start, sends, sure;
  logic counts_now;  // pulse, the cycle after a fire was taken: its order leaves, or would but for a dry run
  logic ring_drained;
  limits #(
      .INSTRUMENTS(INSTRUMENTS), .ORDERS(ORDERS)
  ) counts (
      .clk, .rst, .host_req, .host_rdata(rdata_limits), .settings, .actions, .live, .hit, .order,
      .number($clog2(ORDERS)'(within_bank(32'(hit.order), ORDERS))), .take, .started(counts_now), .sent_order(leaving.order),
      .drained(ring_drained), .violated, .counting, .orders_left, .bucket
  );
  gate risk (
      .clk, .reasons, .dry, .seq_exhausted, .snd_nxt(flow.snd_nxt), .peer_ack(flow.peer_ack),
      .peer_window(flow.peer_window), .max_unacked(settings.max_unacked), .fire_exhausted(hit.exhausted),
      .fire_outside(hit.outside), .fire_spoiled(hit.spoiled), .known,
      .recorded, .watch,
      .length, .violated, .roomy, .outcome, .goes, .links, .pass
  );
  logic ring_room, streaming, frozen, first_valid, closing;
  logic [15:0] ip_id;
  order_control control (
      .clk, .rst, .hit_pending, .hit_early, .hit_valid, .hit_ready, .hit_waits, .enabled, .messages_wait, .lease_hold, .clock_setting,
      .ring_room, .counting, .unlimited_orders(settings.unlimited_orders), .wire_ready, .elapsed_ns,
      .limit_ns(settings.hold_ns), .held, .pass, .outcome, .sound, .roomy, .actions,
      .settings, .live, .lease_released, .next_seq_num, .seq_exhausted, .ip_id,
      .order_valid(first_valid), .streaming, .closing, .order_end, .take, .start, .sends, .begun, .sure, .disarm, .count, .busy
  );
  // Nobody looks at snd_nxt before the order has left.
  logic [2:0] sent;
  logic begins;  // a cycle behind the first byte
  logic taken, goes_q, links_q;  // both that it is taken and what becomes of it are known late: registers
  always_ff @(posedge clk) begin
    sent <= {sent[1:0], sends};
    begins <= start;
    {taken, goes_q, links_q} <= {take, goes, links};
    if (rst) {sent, begins, taken} <= '0;
  end
  assign counts_now = taken && goes_q;
  assign linked = taken && links_q;
  assign order_sent = sent[2];
  assign order_length = length;
  assign link = leaving.order.link;

  // ---- What leaves
  always_ff @(posedge clk)
    if (!frozen)
      leaving <= '{
          upper: upper,
          segment: '{
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
          },
          order: order,
          seq_num: next_seq_num,
          utc: utc
      };

  // Its symbol is read between lookups of the parser, so it may come later than the rest, long before the line needs it.
  localparam int SYMBOL_WITHIN = 3;  // cycles behind the start; the hit stands for longer
  symbol_t symbol;
  logic [SYMBOL_WITHIN-1:0] streamed;
  always_ff @(posedge clk) begin
    streamed <= {streamed[SYMBOL_WITHIN-2:0], 1'b1} & {SYMBOL_WITHIN{streaming}};
    if (hit_symbol_valid && !(streaming && streamed[SYMBOL_WITHIN-1])) symbol <= hit_symbol;
  end

  logic [31:0] epoch;
  always_ff @(posedge clk) epoch <= banks[leaving.upper].epoch;  // wanted many cycles behind the start
  logic [15:0] ip_checksum, tcp_checksum;
  slot_t text_slot;
  logic [1:0][7:0] text;
  logic text_ready;
  order_sums checksums (
      .clk, .rst, .start(begins), .rule(hit.rule), .fires(hit.fires), .leaving, .shape, .epoch,
      .text_slot, .text, .text_ready, .ip_checksum, .tcp_checksum
  );
  logic fetched_ready, fetched_pop, payload;
  logic [7:0] fetched;
  payload_fetch fetch (
      .clk, .rst, .start(text_ready), .leaving, .symbol, .text_slot, .text, .offset(template_offset), .template_byte,
      .ready(fetched_ready), .data(fetched), .pop(fetched_pop)
  );
  order_builder builder (
      .clk, .rst, .start, .leaving, .length, .ip_checksum, .tcp_checksum, .fetched, .pop(fetched_pop), .streaming, .frozen,
      .data(order_data), .last(order_last), .payload, .closing, .ready(order_ready)
  );
  assign order_valid = streaming || first_valid;
  assign order_error = !sure;
  assign order_aborted = order_end && !sure;

  // ---- Event ring: the hit still stands behind the fire, and so does what an order took along.
  ring_t record;
  logic sent_one;                        // wanted with the last two parts of the record: of an order that is leaving
  logic [7:0] outcome_q, outcome_taken;  // wanted with its last part
  always_ff @(posedge clk) begin
    outcome_q <= outcome;
    if (taken) outcome_taken <= outcome_q;
    if (taken) sent_one <= sent[0];
  end
  assign record = '{
          entry: '0,
          generation: banks[upper].generation,
          message: hit.message,
          trigger: RING_TRIGGER_BITS'(within_bank(32'(hit.trigger), TRIGGERS)),
          sent_at: '0,
          rule: 32'(hit.rule),
          order: within_bank(32'(hit.order), ORDERS),
          message_end_cycle: hit.message_end_cycle,
          instrument: 16'(within_bank(32'(hit.instrument), INSTRUMENTS)),
          fires: 16'(hit.fires),
          observed: 64'(hit.observed),
          msg_seq_num: sent_one ? leaving.seq_num : '0,
          tcp_seq: sent_one ? leaving.segment.seq : '0,
          time_ns: hit.time_ns,
          frame_end_cycle: hit.frame_end_cycle,
          length: sent_one ? length : '0,
          source: 8'(hit.source),
          outcome: outcome_taken
      };
  logic byte_write;
  assign byte_write = streaming && order_ready && payload;
  event_ring events (
      .clk, .rst, .host_req, .host_rdata(rdata_ring), .tail(settings.ring_tail), .head(ring_head), .room(ring_room),
      .drained(ring_drained),
      .record, .take, .begins, .byte_write, .byte_last(order_last), .byte_data(order_data), .order_begin,
      .order_end(order_end && sure), .cycle, .tcp_checksum
  );
endmodule
