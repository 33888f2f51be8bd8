// SPDX-License-Identifier: Apache-2.0
// Decides what becomes of a CPU frame on the session's flow, just before it starts to leave: pass, pass with another
// sequence number, or stop. Other frames pass untouched. On the market flow, where no order leaves, the fabric only follows
// the kernel, as it does on the session's before it is spliced; what ends a connection ends the session there, too.
//
// Rules once the flow is spliced (armed for the first time); before that the fabric only follows the kernel:
//   SYN                         passes; a new connection, tracked afresh
//   RST                         gets snd_nxt; the session is lost
//   FIN without data            gets snd_nxt (a repeated one its first number); the session is lost. Its number counts as
//                               committed only right behind what is: what the kernel has between is stopped, now as before
//   pure ACK                    gets snd_nxt, except a probe one below what the kernel knows acknowledged:
//                               with snd_nxt it would be a plain ACK that nobody answers
//   data from snd_nxt           passes and moves snd_nxt; while live it needs the lease, else it is stopped
//   data up to `committed`      a retransmission, passes
//   anything else               would clash with bytes that the fabric sent: stopped
// The judgement is thrown away when something it depends on may have changed: an order was taken or waits, or the host
// wrote such a register. It takes less than the host needs for its next access, so it comes to an end. In its last cycle
// the guard claims the wire: no order is taken then, and one that was taken in the cycle before goes first.
module cpu_guard
  import egress_pkg::*;
  import fixaccel_types_pkg::*;
(
    input  logic        clk,
    input  logic        rst,
    input  logic        wire_free,    // nothing between first byte and FCS
    input  logic        order_busy,   // an order was taken and has not left
    input  logic        order_waits,  // a fire could be taken
    input  logic        disturbed,    // pulse: the host writes what the judgement depends on
    input  logic        frame_valid,
    /* verilator lint_off UNUSEDSIGNAL */  // the sender and the flow state need the rest
    input  cpu_frame_t  frame,
    input  flow_state_t flow,
    input  market_flow_t market,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic        live,
    input  logic        leased,
    output logic        claim,        // no order may be taken in this cycle
    output logic        start,        // pulse: the frame leaves now
    output cpu_effect_t effect,
    output logic        rewrite,      // with `seq` and `checksum` instead of its own
    output logic [31:0] seq,
    output logic [15:0] checksum,
    output logic        stop,         // pulse: the frame is thrown away
    output logic        fault_uncommitted,  // pulse, with stop
    output logic        fault_unleased      // pulse, with stop
);
  typedef enum logic [2:0] {WAIT, COMPARE, DECIDE, SUM, SAME, GO, STOP} state_t;
  state_t state;
  localparam int JUDGE_CYCLES = 6;  // from a disturbance to GO
  if (JUDGE_CYCLES >= HOST_PERIOD) begin : gen_refuse
    $error("cpu_guard %m: the host could disturb every judgement");
  end

  // WAIT: what depends on the frame alone. COMPARE: everything that needs a 32-bit carry chain.
  logic [31:0] frame_end, frame_end_q, behind_probe;
  logic [17:0] unsummed;  // of the checksum and the frame's own sequence number
  logic has_data, is_next, is_behind, is_ahead, is_probe, is_committed;
  logic followed_known;
  logic [31:0] followed_snd_nxt;
  always_ff @(posedge clk) begin
    {followed_known, followed_snd_nxt} <= frame.is_market ? {market.snd_known, market.snd_nxt} : {flow.snd_known, flow.snd_nxt};
    frame_end <= frame.seq + {16'b0, frame.payload} + {31'b0, frame.fin} + {31'b0, frame.syn};
    behind_probe <= frame.seq + 1;
    unsummed <= {2'b0, ~frame.checksum} + {2'b0, ~frame.seq[31:16]} + {2'b0, ~frame.seq[15:0]};
    if (state == COMPARE) begin
      frame_end_q <= frame_end;
      has_data <= frame.payload != 0;
      is_next <= frame.seq == flow.snd_nxt;
      is_committed <= frame.seq == flow.committed;
      is_behind <= seq_reached(flow.committed, frame_end);
      is_ahead <= !followed_known || !seq_reached(followed_snd_nxt, frame_end);
      is_probe <= flow.told_known && behind_probe == flow.told_ack;
    end
  end

  // DECIDE.
  logic spliced;  // as far as SYN is concerned
  assign spliced = frame.is_market ? market.spliced : flow.spliced;
  logic decided_stop, decided_rewrite, decided_unleased;
  logic [31:0] decided_seq;
  cpu_effect_t decided;
  (* keep = "true" *) logic own_fin;  // a FIN alone on the spliced session: it follows what the fabric has sent
  assign own_fin = frame.fin && !has_data && !frame.syn && !frame.is_market && flow.spliced;
  always_comb begin
    decided = '0;
    decided_stop = 1'b0;
    decided_unleased = 1'b0;
    decided_rewrite = 1'b0;
    // Of what is not rewritten they play no part.
    decided_seq = (frame.fin && !frame.rst && flow.fin_sent) ? flow.fin_seq : flow.snd_nxt;
    decided.snd_nxt = own_fin ? flow.snd_nxt + 1 : frame_end_q;
    decided.committed = frame_end_q;
    if (frame.is_flow || frame.is_market) begin
      decided.market = frame.is_market;
      decided.learn = 1'b1;
      decided.lost = frame.fin || frame.rst || (frame.syn && spliced);
      decided.syn = frame.syn;
      if (frame.malformed) decided_stop = 1'b1;
      else if (frame.syn || frame.is_market || !flow.spliced) begin
        decided.set_snd_nxt = !frame.rst && (frame.syn || is_ahead);
        decided.set_committed = decided.set_snd_nxt;
        decided.set_fin = frame.fin;
      end else if (frame.rst) decided_rewrite = 1'b1;
      else if (!has_data && frame.fin) begin
        decided_rewrite = 1'b1;
        if (!flow.fin_sent) {decided.set_snd_nxt, decided.set_committed, decided.set_fin} = {1'b1, is_committed, 1'b1};
      end else if (!has_data) decided_rewrite = !is_probe;
      else if (is_next) begin
        {decided.set_snd_nxt, decided.set_committed} = 2'b11;
        decided.set_fin = frame.fin;
        decided_unleased = live && !leased;
        decided_stop = decided_unleased;
      end else decided_stop = !is_behind;
    end
  end

  // From SUM on: RFC 1624, checksum' = ~(~checksum + ~old + new) for both halves of the sequence number. Its bytes leave
  // long after the first one.
  logic [18:0] sum;
  logic [16:0] folded;
  always_ff @(posedge clk) begin
    folded <= {1'b0, sum[15:0]} + {14'b0, sum[18:16]};
    checksum <= ~(folded[15:0] + {15'b0, folded[16]});
  end

  logic abandon, unleased, same;
  assign abandon = disturbed || order_busy || order_waits || !frame_valid;
  assign claim = state == GO;
  assign start = claim && !disturbed && !order_busy;
  assign stop = state == STOP;
  assign fault_unleased = stop && unleased;
  assign fault_uncommitted = stop && !unleased;

  always_ff @(posedge clk) begin
    case (state)
      WAIT: if (wire_free) state <= COMPARE;
      COMPARE: state <= DECIDE;
      DECIDE: begin
        effect <= decided;
        rewrite <= decided_rewrite;
        seq <= decided_seq;
        unleased <= decided_unleased;
        state <= decided_stop ? STOP : SUM;
      end
      SUM: begin
        same <= seq == frame.seq;
        sum <= {1'b0, unsummed} + {3'b0, seq[31:16]} + {3'b0, seq[15:0]};
        state <= SAME;
      end
      SAME: begin
        if (same) rewrite <= 1'b0;
        state <= GO;
      end
      default: state <= WAIT;  // GO and STOP take one cycle
    endcase
    if (rst || (abandon && state != STOP)) state <= WAIT;  // GO: the fire that waits is taken behind this frame
  end
endmodule
