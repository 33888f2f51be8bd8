// SPDX-License-Identifier: Apache-2.0
// What becomes of a fire: sent, or the first reason against it. A reason is one cycle old here: it silences the fabric
// from the second cycle on. In a dry run none is sent; `goes` says that one would have been. ACK and window of the very
// frame that fires count from the next fire on. A fire whose frame turned out bad when its order had begun is that before all
// else. A watch sends nothing: only its own count rejects it.
module gate
  import fixaccel_hwmap_pkg::*;
  import order_pkg::*;
(
    input  logic            clk,
    input  reasons_t        reasons,
    input  logic            dry,
    input  logic            seq_exhausted,   // MsgSeqNum has no successor
    input  logic     [31:0] snd_nxt,
    input  logic     [31:0] peer_ack,
    input  logic     [31:0] peer_window,
    input  logic     [31:0] max_unacked,
    // of the order
    input  logic            fire_exhausted,  // the fire count has no successor
    input  logic            fire_outside,    // what was observed lies beyond the collar
    input  logic            fire_spoiled,    // its frame was bad
    input  logic            known,           // the tables have its record, and its instrument
    input  logic            recorded,        // that record is one
    input  logic            watch,           // of a watch
    input  logic     [15:0] length,          // payload bytes
    input  violated_t       violated,        // of the limits
    output logic            roomy,           // the window takes the longest message: `length` plays no part
    output logic     [ 7:0] outcome,         // with a window that is not, two cycles behind `length`
    output logic            goes,            // the outcome is `sent` or `dry`
    output logic            links,           // or it is a watch's own
    output logic            pass             // the outcome is `sent`
);
  // Sequence numbers subtract modulo 2^32; an acknowledgement beyond snd_nxt looks like a huge flight and closes it.
  logic [31:0] unacked, limit, room;
  logic closed, fits;
  always_ff @(posedge clk) begin
    unacked <= snd_nxt - peer_ack;
    limit <= (peer_window < max_unacked) ? peer_window : max_unacked;
    {closed, room} <= {1'b0, limit} - {1'b0, unacked};
    roomy <= !closed && room >= MESSAGE_BYTES;
    fits <= !closed && !(room < {16'b0, length});
  end

  logic sound, watched, orderly, may;
  assign sound = recorded && known;
  reasons_t against;
  logic unopposed, free, free_to_send, held_back, spent, window;
  // Most of it stands in registers, and only the record comes late: each way ends in a LUT ahead of that.
  (* keep = "true" *) logic fit, fit_to_send;
  always_ff @(posedge clk) begin
    against <= reasons;
    spent <= seq_exhausted;
    free <= unopposed;
    free_to_send <= unopposed && !dry;
    held_back <= dry;
  end
  assign unopposed = reasons == '0 && !seq_exhausted;
  assign window = roomy || fits;
  assign may = known && !fire_exhausted && !fire_outside && !fire_spoiled && violated == '0 && window;
  assign fit = free && may;
  assign fit_to_send = free_to_send && may;
  assign orderly = recorded && !watch;  // all that hangs on the record, which comes last
  assign watched = sound && !orderly;
  assign goes = fit && orderly;
  assign pass = fit_to_send && orderly;
  assign links = goes || (watched && !fire_exhausted && !fire_spoiled);

  always_comb begin
    if (fire_spoiled) outcome = 8'(OUTCOME_FRAME);
    else if (watched) outcome = fire_exhausted ? 8'(OUTCOME_EXHAUSTED) : 8'(OUTCOME_WATCH);
    else if (against.kill) outcome = 8'(OUTCOME_KILL);
    else if (against.watchdog) outcome = 8'(OUTCOME_WATCHDOG);
    else if (against.session) outcome = 8'(OUTCOME_SESSION);
    else if (against.clock) outcome = 8'(OUTCOME_CLOCK);
    else if (sound && !window) outcome = 8'(OUTCOME_WINDOW);
    else if (spent || fire_exhausted) outcome = 8'(OUTCOME_EXHAUSTED);
    else if (against.fault || !sound) outcome = 8'(OUTCOME_FAULT);
    else if (violated.order_notional) outcome = 8'(OUTCOME_ORDER_NOTIONAL);
    else if (fire_outside) outcome = 8'(OUTCOME_COLLAR);
    else if (violated.self_trade) outcome = 8'(OUTCOME_SELF_TRADE);
    else if (violated.orders_per_second) outcome = 8'(OUTCOME_ORDERS_PER_SECOND);
    else if (violated.total_orders) outcome = 8'(OUTCOME_TOTAL_ORDERS);
    else if (violated.total_qty) outcome = 8'(OUTCOME_TOTAL_QTY);
    else if (held_back) outcome = 8'(OUTCOME_DRY);
    else outcome = 8'(OUTCOME_SENT);
  end
endmodule
