// SPDX-License-Identifier: Apache-2.0
// The FIX stream to messages of observations.
//
//   byte, classified -> fix_framing
//                    -> fix_fields -> value_digest, symbol_key, price_text -> session_check
//                                                                          -> observations (with instrument_lookup)
//
// The parser runs ahead of the frame's verdict; every part keeps a copy of its state as of the last good frame.
module fix_parser
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, receive_pkg::*;
#(
    parameter int INSTRUMENTS = 1024
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         flow_reset,
    input  stream_byte_t stream,
    input  logic  [7:0]  ahead,          // what the stream's byte will be in the next cycle
    input  rollback_t    verdict,        // of the frame whose bytes were the last
    input  logic         overflow,       // pulse: a message found no room
    input  logic         gap,            // nothing is to be observed or counted
    input  rx_session_t  session,
    input  logic  [1:0][31:0] hash_seed, // of each bank
    input  logic         two_banks,
    input  logic         forget_bank,    // pulse: messages are the lower bank's
    input  logic         wanted_bank,    // of messages whose body is yet to begin
    output logic         kept_bank,      // of those behind the last good frame
    output logic  [31:0] first_number,   // with kept_bank: MsgSeqNum of the first of them, BCD
    input  logic  [31:0] cycle,
    input  logic         windows,        // set of windows of time that holds
    input  logic         every,          // level: messages that say nothing are pushed, too
    input  logic         armed,
    input  host_req_t    host_req,
    output logic  [31:0] host_rdata,
    output logic         lost,           // level: the stream cannot be followed any more
    output logic         lose,           // pulse, between two frames: the last one's verdict came too early to tell
    output logic         boundary,       // pulse: a message was followed to its end, in a frame that is kept
    output frame_length_t behind,        // with boundary: bytes that the frame has behind it
    output logic         waiting,
    output logic         late,
    output logic         push,
    output message_t     message,
    output logic         preview,
    output logic         incoming,
    output logic  [15:0] incoming_instrument,
    output logic  [31:0] messages,
    output logic  [31:0] seq_num,        // BCD: MsgSeqNum that the next message must have
    output rx_counts_t   counts,
    // What an order is for, from the lookup's memory.
    input  logic  [15:0] order_instrument,
    output symbol_t      order_symbol,        // of the one two cycles before
    output logic         order_symbol_valid
);
  // A copy for each part that has much to take back.
  rollback_t rollback, rollback_fields, rollback_prices, rollback_symbol, rollback_messages, rollback_entries;
  logic settling, busy, cancel, rolls;
  rollback_delay #(
      .COPIES(6)
  ) delay (
      .clk, .rst, .verdict, .busy, .pending(settling), .any(rolls),
      .rollback({rollback_entries, rollback_messages, rollback_symbol, rollback_prices, rollback_fields, rollback})
  );
  assign cancel = flow_reset || verdict.clear || verdict.restore;

  // The byte is classified while it becomes the stream's, so that nothing decides on an undecoded one.
  class_t class_q;
  text_byte_t text;
  always_ff @(posedge clk) class_q <= class_of(ahead);
  assign text = '{
          valid: stream.valid, data: stream.data, digit: class_q.digit, soh: class_q.soh, equals: class_q.equals, nul: class_q.nul
      };

  // Framing and fields.
  logic in_body, between_messages, body_begin, body_end, closed, closes, checksum_ok, closing, stop, refused, anchor, following;
  logic [31:0] number;
  fix_framing framing (
      .clk, .rst, .text, .ahead, .rollback, .gap, .lose(stop || refused), .anchor, .in_body,
      .between(between_messages), .body_begin, .body_end,
      .closed(closes), .checksum_ok, .closing, .number, .messages, .following, .lost, .boundary, .behind
  );
  // What closes while the stream is being given up is no message any more.
  logic given_up, given_up_next, between;
  assign given_up_next = cancel || (given_up && settling);
  assign closed = closes && !given_up;

  text_byte_t value;
  field_t field;
  logic value_first, value_is_price, value_is_symbol, malformed;
  fix_fields fields (
      .clk, .rst, .text, .in_body, .rollback(rollback_fields), .value, .value_first, .value_is_price, .value_is_symbol, .field, .malformed
  );

  // Values.
  logic [31:0] value_crc, value_number;
  logic is_number;
  value_digest digest (
      .clk, .text, .value, .value_first, .rollback(rollback_fields), .crc(value_crc), .number(value_number), .is_number
  );
  decimal_t price;
  price_text prices (
      .clk, .value, .value_first, .selected(value_is_price), .rollback(rollback_prices), .price
  );
  logic symbol_begins, symbol_fresh, named, differs, usable;
  logic [SYMBOL_CHARS*8-1:0] key;
  logic [31:0] crc;
  symbol_key symbol (
      .clk, .rst, .value, .value_first, .selected(value_is_symbol),
      .field_done(field.done && value_is_symbol), .value_crc, .body_begin, .rollback(rollback_symbol), .begins(symbol_begins),
      .fresh(symbol_fresh), .named, .differs, .usable, .key, .crc
  );

  // Messages.
  logic snapshot, update, observe, repeated;
  session_check check (
      .clk, .rst, .rollback(rollback_messages), .start_number(session.seq_num), .sender_crc(session.sender_crc),
      .target_crc(session.target_crc), .body_begin, .field_in(field), .crc(value_crc), .value_number, .is_number,
      .malformed_in(malformed),
      .closed, .checksum_ok, .closing(closing && !given_up_next), .following, .gap, .snapshot, .update, .observe, .repeated, .refused, .anchor,
      .expected(seq_num)
  );

  logic bank, lookup_due;
  logic [31:0] seed;
  message_bank message_of (
      .clk, .rst, .forget(forget_bank), .wanted(wanted_bank), .gap, .body_begin, .lookup_due, .text_valid(text.valid),
      .between(between_messages), .rollback(rollback_messages), .number(seq_num), .bank, .kept(kept_bank), .first_number
  );
  always_ff @(posedge clk) seed <= hash_seed[two_banks && bank];

  logic tables_change, lookup_start, lookup_repeats, lookup_busy, unit_ready, found;
  logic [15:0] instrument;
  instrument_t unit;
  instrument_lookup #(
      .INSTRUMENTS(INSTRUMENTS)
  ) lookup (
      .clk, .rst, .start(lookup_start), .usable, .key, .crc, .hash_seed(seed), .two_banks, .bank, .armed, .host_req, .host_rdata,
      .changing(tables_change), .repeats(lookup_repeats), .busy(lookup_busy), .unit_ready, .found, .instrument, .unit, .order_instrument,
      .order_symbol, .order_symbol_valid
  );

  logic [1:0] body_end_q;  // the last field's end is known a stage behind the framing's, its entry yet a stage later
  logic crowded, unread;
  logic [1:0] prices_invalid;
  observations #(
      .INSTRUMENTS(INSTRUMENTS)
  ) observe_entries (
      .clk, .rst, .rollback(rollback_entries), .rolls, .cancel, .verdict_good(verdict.keep), .cycle, .windows, .tables_change, .body_begin,
      .body_end(body_end_q[1]), .closed, .observe, .number, .every, .snapshot, .update, .field, .price, .symbol_begins,
      .symbol_fresh, .named, .differs, .lookup_start, .lookup_due, .lookup_repeats, .lookup_busy,
      .unit_of_lookup(unit_ready), .found, .instrument, .unit, .busy, .waiting, .late, .push, .message, .preview, .incoming,
      .incoming_instrument, .prices_invalid, .unread, .lose(crowded)
  );

  always_ff @(posedge clk) begin
    body_end_q <= {body_end_q[0], body_end};
    given_up <= given_up_next;
    stop <= overflow || crowded;
    // A message that was more than there is room for: `lost` tells the frame's verdict, unless that has been.
    if (verdict != '0) between <= 1'b1;
    if (stream.valid) between <= 1'b0;
    lose <= crowded && between;
    if (rst) {body_end_q, given_up, stop, between, lose} <= '0;
  end

  // Counters of what stays, and was not read in a gap only.
  frame_counts checksums (
      .clk, .rst, .events({1'b0, closed && !checksum_ok && !gap}), .settled(1'b0), .good(verdict.keep),
      .bad(verdict.restore), .pulse(counts.bad_checksum)
  );
  frame_counts duplicates (
      .clk, .rst, .events({1'b0, repeated && !gap}), .settled(1'b0), .good(verdict.keep), .bad(verdict.restore),
      .pulse(counts.poss_dup)
  );
  frame_counts refusals (
      .clk, .rst, .events({1'b0, refused && !gap}), .settled(1'b0), .good(verdict.keep), .bad(verdict.restore),
      .pulse(counts.refused)
  );
  frame_counts unread_messages (
      .clk, .rst, .events({1'b0, unread}), .settled(late), .good(verdict.keep), .bad(verdict.restore),
      .pulse(counts.unread)
  );
  frame_counts invalid_prices (
      .clk, .rst, .events(prices_invalid), .settled(late), .good(verdict.keep), .bad(verdict.restore),
      .pulse(counts.price_invalid)
  );
endmodule
