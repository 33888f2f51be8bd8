// SPDX-License-Identifier: Apache-2.0
// What becomes of a fire: sent, or the first reason against it. All reasons are registers, so the answer is there in the
// cycle in which the fire is.
//
// The window takes the order's length, which is known two cycles later. With room for the longest message it need not
// be known; only a `tight` window makes the fire wait for it. ACK and window of the very frame that fires count from
// the next fire on; its FIN or RST counts at once.
module gate
  import fixaccel_hwmap_pkg::*;
(
    input  logic        clk,
    input  logic        kill,
    input  logic        watchdog,
    input  logic        session,
    input  logic        clock,
    input  logic        ring,
    input  logic        fault,
    input  logic [31:0] snd_nxt,
    input  logic [31:0] peer_ack,
    input  logic [31:0] peer_window,
    input  logic [31:0] max_unacked,
    output logic [ 7:0] outcome,      // without the window
    output logic        before_window,  // the outcome goes before `window`
    output logic        tight,        // room may be too small for some message
    output logic [31:0] room          // bytes that may still leave
);
  always_comb begin
    before_window = kill || watchdog || session || clock;
    if (kill) outcome = 8'(OUTCOME_KILL);
    else if (watchdog) outcome = 8'(OUTCOME_WATCHDOG);
    else if (session) outcome = 8'(OUTCOME_SESSION);
    else if (clock) outcome = 8'(OUTCOME_CLOCK);
    else if (ring) outcome = 8'(OUTCOME_RING);
    else if (fault) outcome = 8'(OUTCOME_FAULT);
    else outcome = 8'(OUTCOME_SENT);
  end

  // Sequence numbers subtract modulo 2^32; an acknowledgement beyond snd_nxt looks like a huge flight and closes the gate.
  logic [31:0] unacked, limit;
  always_ff @(posedge clk) begin
    unacked <= snd_nxt - peer_ack;
    limit <= (peer_window < max_unacked) ? peer_window : max_unacked;
    room <= (limit > unacked) ? limit - unacked : '0;
    tight <= room < MESSAGE_BYTES;
  end
endmodule
