// SPDX-License-Identifier: Apache-2.0
// Receive side: frames from the exchange in, verdicts and hits out.
//
//   frame_check, frame_headers -> tcp_order -> fix_framing -> fix_fields -> price_text, symbol_key -> market_data
//     -> instrument_lookup, observations (exact_divide) -> message_queue -> matcher (chain_heads)
//
// A byte is used in the cycle in which it is on the port. With the trigger message last in its frame, `10=` begins eleven
// cycles before the frame's end; the last price is divided and compared in that time, so the hit stands in the cycle of
// the verdict, whatever the instrument, the number of triggers and the length of the message.
module receive
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, receive_pkg::*;
#(
    parameter int INSTRUMENTS = 1024,
    parameter int TRIGGERS    = 16384,
    parameter int ORDERS      = 4096
) (
    input  logic               clk,
    input  logic               rst,
    input  logic        [7:0]  net_rx_data,
    input  logic               net_rx_valid,
    input  logic               net_rx_last,
    input  logic               net_rx_err,
    input  flow_t              flow,
    input  logic               flow_reset,
    input  logic               resync,
    input  logic        [31:0] resync_seq,
    input  logic               armed,
    input  logic        [31:0] hash_seed,
    input  logic        [31:0] cycle,
    input  logic        [63:0] time_ns,
    input  host_req_t          host_req,
    output logic        [31:0] host_rdata,
    output rx_verdict_t        verdict,
    output logic               hit_pending,
    output logic               hit_valid,
    output hit_t               hit,
    input  logic               hit_ready,
    output rx_status_t         status
);
  // Frame.
  logic done, frame_good, good, payload;
  logic [31:0] end_cycle;
  header_t header;
  frame_check check (
      .clk, .rst, .data(net_rx_data), .valid(net_rx_valid), .last(net_rx_last), .err(net_rx_err), .cycle,
      .done, .good(frame_good), .end_cycle
  );
  frame_headers headers (
      .clk, .rst, .data(net_rx_data), .valid(net_rx_valid), .last(net_rx_last), .flow, .header, .payload
  );
  assign good = frame_good && (header.sound || !header.is_flow);

  // Stream.
  stream_byte_t stream;
  rollback_t rollback;
  logic lost, overflow;
  tcp_order order (
      .clk, .rst, .flow_valid(flow.valid), .flow_reset, .resync, .resync_seq, .header, .payload, .data(net_rx_data),
      .done, .good, .parser_lost(lost), .overflow, .stream, .rollback,
      .gap(status.gap), .synced(status.synced), .rcv_nxt(status.rcv_nxt), .wire_nxt(status.wire_nxt),
      .segment_old(status.segment_old), .segment_hole(status.segment_hole), .desync(status.desync)
  );

  // Message and fields.
  stream_byte_t body, value;
  logic body_begin, closed, checksum_ok, value_first, malformed;
  logic [31:0] number;
  field_kind_t value_kind;
  field_t field;
  fix_framing framing (
      .clk, .rst, .stream, .rollback, .lose(overflow), .body, .body_begin, .closed, .checksum_ok, .number,
      .messages(status.messages), .lost
  );
  fix_fields fields (
      .clk, .rst, .body, .body_begin, .rollback, .value, .value_kind, .value_first, .field, .malformed
  );

  // Price, symbol, entries.
  decimal_t price;
  price_text prices (
      .clk, .rst, .value, .value_first, .selected(value_kind == FIELD_PRICE), .rollback, .price
  );
  logic symbol_known, symbol_known_q, restored;
  logic [SYMBOL_CHARS*8-1:0] key;
  logic [31:0] crc;
  symbol_key symbol (
      .clk, .rst, .value, .value_first, .selected(value_kind == FIELD_SYMBOL),
      .field_done(field.done && field.kind == FIELD_SYMBOL), .body_begin, .rollback, .known(symbol_known), .key, .crc
  );
  logic snapshot, poss_dup;
  candidate_t [SOURCES-1:0] candidates;
  logic [SOURCES-1:0] changed;
  market_data entries (
      .clk, .rst, .field, .price, .body_begin, .rollback, .snapshot, .poss_dup, .candidates, .changed
  );

  // Instrument. What it yields is not rolled back but looked up again.
  logic lookup_busy, found;
  logic [15:0] instrument;
  instrument_t unit;
  logic [63:0] negative_inverse;
  logic [31:0] lookup_rdata;
  always_ff @(posedge clk) begin
    symbol_known_q <= symbol_known;
    restored <= rollback.restore;
  end
  instrument_lookup #(
      .INSTRUMENTS(INSTRUMENTS)
  ) lookup (
      .clk, .rst, .cancel(!symbol_known), .start(symbol_known && (!symbol_known_q || restored)), .key, .crc, .hash_seed,
      .host_req, .host_rdata(lookup_rdata), .busy(lookup_busy), .found, .instrument, .unit, .negative_inverse
  );

  // Observations and messages.
  logic observed, waiting, late, push;
  logic [1:0] prices_invalid;
  message_t message;
  assign observed = checksum_ok && snapshot && !poss_dup && !malformed;
  observations observe (
      .clk, .rst, .rollback, .body_begin, .candidates, .changed, .lookup_busy, .found, .instrument, .unit,
      .negative_inverse, .observed, .closed, .number, .cycle, .waiting, .late, .push, .message, .prices_invalid
  );

  logic pop, head_valid, committed;
  message_t head;
  logic [31:0] head_end_cycle;
  logic [63:0] head_time_ns;
  message_queue queue (
      .clk, .rst, .clear(flow_reset), .frame_last(net_rx_valid && net_rx_last), .cycle, .time_ns,
      .good(rollback.keep), .bad(rollback.restore), .waiting, .push, .push_late(late), .push_message(message), .overflow,
      .pop, .valid(head_valid), .message(head), .committed, .frame_end_cycle(head_end_cycle), .frame_time_ns(head_time_ns)
  );

  // Chains.
  logic load, take, chains_idle, chains_ready;
  logic [15:0] load_instrument, chains_instrument;
  logic [2:0] take_chain;
  chain_t [CHAINS-1:0] chains;
  trigger_t [CHAINS-1:0] triggers;
  latch_t [CHAINS-1:0] latches;
  logic [31:0] chains_rdata;
  matcher match (
      .clk, .rst, .armed, .incoming(snapshot && found), .incoming_instrument(instrument), .bad(rollback.restore),
      .message_valid(head_valid), .message(head), .committed, .frame_end_cycle(head_end_cycle),
      .frame_time_ns(head_time_ns), .pop, .load, .load_instrument, .take, .take_chain, .chains_idle, .chains_ready,
      .chains_instrument, .chains, .triggers, .latches, .hit_pending, .hit_valid, .hit, .hit_ready
  );
  chain_heads #(
      .INSTRUMENTS(INSTRUMENTS), .TRIGGERS(TRIGGERS), .ORDERS(ORDERS)
  ) heads (
      .clk, .rst, .invalidate(!armed), .load, .load_instrument, .take, .take_chain, .idle(chains_idle),
      .ready(chains_ready), .instrument(chains_instrument), .chains, .triggers, .latches,
      .host_req, .host_rdata(chains_rdata)
  );
  assign host_rdata = lookup_rdata | chains_rdata;

  // Counters.
  frame_counts checksums (
      .clk, .rst, .events({1'b0, closed && !checksum_ok}), .settled(1'b0), .good(rollback.keep), .bad(rollback.restore),
      .pulse(status.bad_checksum)
  );
  frame_counts duplicates (
      .clk, .rst, .events({1'b0, closed && checksum_ok && poss_dup}), .settled(1'b0), .good(rollback.keep),
      .bad(rollback.restore), .pulse(status.poss_dup)
  );
  frame_counts invalid_prices (
      .clk, .rst, .events(prices_invalid), .settled(late), .good(rollback.keep), .bad(rollback.restore),
      .pulse(status.price_invalid)
  );

  assign verdict = '{
          done: done, good: good, is_flow: header.is_flow, syn: header.syn, fin: header.fin, rst: header.rst,
          ack_flag: header.ack_flag, seq: header.seq, ack: header.ack, window: header.window, length: header.length,
          cycle: end_cycle
      };
endmodule
