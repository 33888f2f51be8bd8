// SPDX-License-Identifier: Apache-2.0
// Receive side: frames from the exchange in, verdicts and hits out.
//
//   frame_check, frame_headers -> tcp_order -> fix_parser -> message_queue -> matcher (chain_heads, known_values), bank_flip
//   beside them
//
// The parser runs a few cycles behind the port and ahead of the frame's verdict: behind a message's last field come its
// CheckSum and the FCS, eleven bytes in which its last price is divided and compared.
module receive
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, receive_pkg::*, match_pkg::*;
#(
    parameter int INSTRUMENTS = 1024,
    parameter int TRIGGERS    = 16384,
    parameter int ORDERS      = 4096,
    parameter int LINKS       = 4096,
    parameter int PARKED      = 512
) (
    input  logic               clk,
    input  logic               rst,
    input  logic        [7:0]  net_rx_data,
    input  logic               net_rx_valid,
    input  logic               net_rx_last,
    input  logic               net_rx_err,
    input  flow_t              flow,            // the session's
    input  flow_t              market_flow,
    input  logic        [47:0] local_mac,
    input  logic               local_mac_known,
    input  rx_window_t         window,          // of the session's flow
    input  market_flow_t       market_sent,
    input  logic        [3:0]  market_wscale,
    input  logic               session_reset,   // of the session's flow
    input  logic               flow_reset,      // of the one of them that is parsed
    input  logic               resync,
    input  logic        [31:0] resync_seq,
    input  logic               known_forget,
    input  logic               armed,
    input  logic [COMMIT_BITS-1:0] commit_ahead,
    input  logic               windows_current,  // set of windows of time that holds
    input  windows_t [1:0] windows_open,
    input  rx_session_t        session,
    input  bank_request_t      banks,
    input  logic        [31:0] ring_head,
    input  logic        [63:0] collar,
    input  logic        [31:0] cycle,
    input  logic        [63:0] time_ns,
    input  host_req_t          host_req,
    output logic        [31:0] host_rdata,
    output rx_verdict_t        verdict,
    output logic               hit_pending,
    output logic               hit_early,     // pending; its order may begin to leave ahead of the verdict
    output logic               hit_valid,
    output hit_t               hit,
    output symbol_t            hit_symbol,    // of its instrument, if valid: from its third cycle on in most cycles
    output logic               hit_symbol_valid,
    input  logic               hit_ready,
    input  logic               begun,         // it has
    input  logic               linked,        // pulse: the order of the hit that was taken has been sent
    input  logic [ORDER_LINK_BITS-1:0] link,  // with it: its links
    output logic               spending,      // the states of triggers are changing
    output rx_status_t         status
);
  // Frame.
  logic ended, fcs_good;
  logic [31:0] end_cycle;
  header_t header;
  logic ending;
  stream_byte_t payload;
  frame_check check (
      .clk, .rst, .data(net_rx_data), .valid(net_rx_valid), .last(net_rx_last), .err(net_rx_err), .cycle,
      .ended, .good(fcs_good), .end_cycle
  );
  frame_headers headers (
      .clk, .rst, .data(net_rx_data), .valid(net_rx_valid), .last(net_rx_last), .flow, .market(market_flow), .local_mac, .local_mac_known,
      .commit_ahead, .header, .ending, .payload
  );

  // Stream.
  stream_byte_t stream;
  rollback_t rollback;
  logic lost, overflow, crowded, boundary;
  frame_length_t behind;
  tcp_order order (
      .clk, .rst, .flow_valid(flow.valid || market_flow.valid), .flow_reset, .resync, .resync_seq,
      .resync_number(session.seq_num), .window, .session_reset, .apart(market_flow.valid), .market(market_sent), .market_wscale, .header, .payload,
      .ended, .fcs_good, .end_cycle, .parser_lost(lost), .overflow(overflow || crowded), .boundary, .behind,
      .number(status.seq_num), .stream, .rollback, .verdict, .gap(status.gap), .synced(status.synced), .found(status.found),
      .found_seq(status.found_seq), .rcv_nxt(status.rcv_nxt), .segment_old(status.segment_old),
      .segment_hole(status.segment_hole), .desync(status.desync)
  );

  // Messages.
  logic rearms_wait;  // any message of an instrument may be waited for
  logic waiting, late, push, preview, incoming;
  logic [15:0] incoming_instrument;
  message_t message;
  rx_counts_t counts;
  logic [31:0] parser_rdata;
  logic wanted_bank, kept_bank;
  logic [31:0] first_number;
  fix_parser #(
      .INSTRUMENTS(INSTRUMENTS)
  ) parser (
      .clk, .rst, .flow_reset, .stream, .ahead(payload.data), .verdict(rollback), .overflow, .gap(status.gap), .session, .hash_seed(banks.hash_seed),
      .two_banks(status.banks.two), .forget_bank(banks.set && !armed), .wanted_bank, .kept_bank, .first_number, .cycle,
      .windows(windows_current), .every(rearms_wait), .armed, .host_req,
      .host_rdata(parser_rdata), .lost, .lose(crowded), .boundary, .behind, .waiting, .late, .push, .message, .preview, .incoming, .incoming_instrument,
      .messages(status.messages), .seq_num(status.seq_num), .counts, .order_instrument(hit.instrument),
      .order_symbol(hit_symbol), .order_symbol_valid(hit_symbol_valid)
  );
  assign status.bad_checksum = counts.bad_checksum;
  assign status.poss_dup = counts.poss_dup;
  assign status.price_invalid = counts.price_invalid;
  assign status.refused = counts.refused;
  assign status.unread = counts.unread;

  logic pop, head_valid, head_preview, unseen, discard, committed, lap;
  message_t head;
  logic [31:0] head_end_cycle;
  logic [63:0] head_time_ns;
  message_queue #(
      .INSTRUMENTS(INSTRUMENTS)
  ) queue (
      .clk, .rst, .clear(flow_reset), .gap(status.gap), .frame_byte(net_rx_valid), .frame_last(net_rx_last), .cycle, .time_ns,
      .good(rollback.keep), .bad(rollback.restore), .waiting, .push, .push_late(late), .push_message(message), .push_preview(preview && armed), .overflow,
      .two_banks(status.banks.two), .bank(status.banks.bank), .discard, .pop, .valid(head_valid), .preview(head_preview), .unseen, .message(head), .lap,
      .committed, .frame_end_cycle(head_end_cycle), .frame_time_ns(head_time_ns)
  );

  // What is known ahead of the message at the queue's head. What is dropped there without having been seen is missing in it.
  logic known;
  market_t market;
  collar_t bounds;
  known_values #(
      .INSTRUMENTS(INSTRUMENTS)
  ) values (
      .clk, .rst, .clear(flow_reset || known_forget || (discard && unseen)), .gap(status.gap), .two_banks(status.banks.two), .collar,
      .incoming, .incoming_instrument, .message_valid(head_valid), .message(head), .unseen, .lap, .committed,
      .good(rollback.keep), .bad(rollback.restore), .pop, .ready(known), .market, .bounds
  );

  // Chains.
  logic load, spend, over, chains_present, chains_ready, chains_complete, mid_arms, quiet, flipped;
  logic incoming_here;  // its chains may be read: of the bank that is evaluated
  assign incoming_here = incoming && !(status.banks.two && incoming_instrument[$clog2(INSTRUMENTS)-1] != status.banks.bank);
  logic [15:0] load_instrument, chains_instrument;
  logic [CHAIN_FIRST_BITS-1:0] spend_trigger;
  logic [FIRE_COUNT_FIRES_BITS-1:0] spend_fires;
  logic spend_counts;
  head_t [CHAINS-1:0] chain_firsts;
  chain_flags_t [CHAINS-1:0] chain_flags;
  logic due, decided;
  logic [OBSERVED-1:0] subject_observed;
  logic [OBSERVED-1:0][PRICE_BITS-1:0] subject_prices;
  logic [31:0] chains_rdata;
  logic [15:0] rearm_instrument;
  logic rearm_none, rearm_some, rearm_asked, rearm_answered, rearm_due, rearm_taken;
  logic [TRIGGER_ORDER_BITS-1:0] rearm_order;
  logic [CHAIN_FIRST_BITS-1:0] rearm_trigger;
  logic revives;
  logic [$clog2(TRIGGERS)-1:0] revived;
  matcher #(
      .INSTRUMENTS(INSTRUMENTS), .PARKED(PARKED)
  ) match (
      .clk, .rst, .armed, .clear(flow_reset), .incoming(incoming_here), .incoming_instrument,
      .good(rollback.keep), .bad(rollback.restore), .message_valid(head_valid), .preview(head_preview), .message(head), .committed,
      .frame_end_cycle(head_end_cycle), .frame_time_ns(head_time_ns), .pop, .known, .market, .bounds, .load, .load_instrument, .spend,
      .spend_trigger, .spend_fires, .spend_counts, .over, .spending, .chains_present, .chains_ready, .chains_complete, .mid_arms,
      .chains_instrument, .heads(chain_firsts), .flags(chain_flags), .quiet,
      .due, .observed(subject_observed), .prices(subject_prices), .decided,
      .rearm_waits(rearms_wait), .rearm_instrument, .rearm_none, .rearm_some, .rearm_asked, .rearm_answered, .rearm_due, .rearm_order, .rearm_trigger,
      .rearm_taken,
      .ending, .begun, .hit_pending, .hit_early, .hit_valid, .hit, .hit_ready
  );
  rearms #(
      .INSTRUMENTS(INSTRUMENTS), .TRIGGERS(TRIGGERS), .ORDERS(ORDERS)
  ) again (
      .clk, .rst, .host_req, .two_banks(status.banks.two), .instrument(rearm_instrument), .revives, .revived, .fires(hit.fires), .waits(rearms_wait), .none(rearm_none), .some(rearm_some),
      .asked(rearm_asked), .time_ns(hit.time_ns), .answered(rearm_answered), .due(rearm_due), .trigger(rearm_trigger),
      .order(rearm_order), .taken(rearm_taken)
  );
  chain_heads #(
      .INSTRUMENTS(INSTRUMENTS), .TRIGGERS(TRIGGERS), .ORDERS(ORDERS), .LINKS(LINKS)
  ) loader (
      .clk, .rst, .two_banks(status.banks.two), .invalidate(!armed || flipped), .windows_open, .load, .load_instrument, .spend,
      .spend_trigger, .spend_fires, .spend_counts, .linked, .link, .over, .spending, .present(chains_present), .ready(chains_ready),
      .complete(chains_complete), .mid_arms, .instrument(chains_instrument), .heads(chain_firsts), .flags(chain_flags),
      .due, .observed(subject_observed), .prices(subject_prices), .decided, .revives, .revived, .host_req, .host_rdata(chains_rdata)
  );
  bank_flip flip (
      .clk, .rst, .request(banks), .armed, .ring_head, .wanted(wanted_bank), .kept(kept_bank), .first_number,
      .arriving(waiting || push), .queued(head_valid), .unseen, .quiet, .spending, .discard, .flipped,
      .status(status.banks)
  );
  assign host_rdata = parser_rdata | chains_rdata;
endmodule
