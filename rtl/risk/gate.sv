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

  logic sound, watched;
  assign sound = recorded && known;
  reasons_t against;
  logic free, held_back, spent, window;
  // What orders hang on is a LUT each, of which no tool makes one long chain.
  (* keep = "true" *) logic unbroken, fit, orderly;
  always_ff @(posedge clk) begin
    against <= reasons;
    spent <= seq_exhausted;
    free <= reasons == '0 && !seq_exhausted;
    held_back <= dry;
  end
  assign window = roomy || fits;
  assign unbroken = violated == '0;
  assign fit = free && known && !fire_exhausted && !fire_outside && !fire_spoiled && unbroken && window;
  assign orderly = recorded && !watch;  // all that hangs on the record, which comes last
  assign watched = sound && !orderly;
  assign goes = fit && orderly;
  assign pass = goes && !held_back;
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
