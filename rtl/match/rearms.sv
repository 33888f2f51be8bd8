// SPDX-License-Identifier: Apache-2.0
// Rules that are armed again after a time: which of them the first message of their instrument at or after it is a hit for.
//
// Once its order has been sent a rule is pending, until its hit is taken. That begins with the order's links: they revive the
// trigger that hits, and the slot that its lowest bits name is due when the time of the fire and what the slot says have
// passed, unless the rule has fired for the last time. Or the host says so, and when.
//
// The slots are read one after the other, a cycle each: first whether one is of the message's instrument, as soon as that is
// known, then, if so and once the message is of a good frame, whether it is due. A slot that is written means nothing until
// its last word is. Of two banks the upper one's slots are the upper half.
//
// A time that the host writes goes the way of a sum, from the place where the span belongs that is written behind it: no
// word is chosen between the two.
module rearms
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*;
#(
    parameter  int INSTRUMENTS = 1024,
    parameter  int TRIGGERS    = 16384,
    parameter  int ORDERS      = 4096,
    parameter  int SLOTS       = REARM_SLOTS,
    localparam int AW          = $clog2(SLOTS),
    localparam int TRIGGER_AW  = $clog2(TRIGGERS)
) (
    input  logic                          clk,
    input  logic                          rst,
    input  host_req_t                     host_req,
    input  logic                          two_banks,
    /* verilator lint_off UNUSEDSIGNAL */  // a board has fewer
    input  logic [15:0]                   instrument,  // of the message that is evaluated, or of the one that arrives
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic                          revives,     // pulse: links make triggers live, of
    input  logic [TRIGGER_AW-1:0]         revived,     // this one on; `fires` and `time_ns` are of the fire whose they are
    input  logic [REARM_LAST_BITS-1:0]    fires,
    output logic                          waits,       // something is pending or may come to be, of any
    output logic                          none,        // nothing of the instrument of the cycle before is pending
    output logic                          some,        // something is. Neither: it is not known yet
    input  logic                          asked,       // level: it is of a good frame. Lost for a cycle ahead of another one
    input  logic [63:0]                   time_ns,     // its time, from the cycle behind on
    output logic                          answered,    // it was asked the cycle before: `due` says whether something is due
    output logic                          due,
    output logic [REARM_TRIGGER_BITS-1:0] trigger,     // with due: what hits
    output logic [REARM_ORDER_BITS-1:0]   order,
    input  logic                          taken        // pulse: what was due last has been taken, and is pending no more
);
  localparam int INSTRUMENT_AW = $clog2(INSTRUMENTS);
  localparam int ORDER_AW = $clog2(ORDERS);
  localparam int LAST_WORD = REARM_WORDS - 1;
  localparam int FLAGS = REARM_ORDER_BITS;  // of the last word: pending, then again

  // ---- Slots
  logic accesses, writes;
  logic [AW-1:0] written;
  logic [$clog2(REARM_STRIDE)-1:0] word;
  logic [31:0] wdata;
  /* verilator lint_off PINCONNECTEMPTY */  // reads as zero
  host_window #(.DEPTH(SLOTS), .STRIDE(REARM_STRIDE), .BASE(BASE_REARM)) window (
      .clk, .host_req, .read(), .write(accesses), .index(written), .word, .wdata
  );
  /* verilator lint_on PINCONNECTEMPTY */

  (* ram_style = "distributed" *) logic [31:0] lows[SLOTS];  // when it is due
  (* ram_style = "distributed" *) logic [31:0] highs[SLOTS];
  (* ram_style = "distributed" *) logic [31:0] low_spans[SLOTS];  // how long after the fire
  (* ram_style = "distributed" *) logic [31:0] high_spans[SLOTS];
  (* ram_style = "distributed" *) logic [REARM_LAST_BITS-1:0] lasts[SLOTS];
  (* ram_style = "distributed" *) logic [INSTRUMENT_AW-1:0] instruments[SLOTS];
  (* ram_style = "distributed" *) logic [TRIGGER_AW-1:0] triggers[SLOTS];
  (* ram_style = "distributed" *) logic [ORDER_AW-1:0] orders[SLOTS];
  (* ram_style = "distributed" *) logic agains[SLOTS];
  (* ram_style = "distributed" *) logic pending[SLOTS];
`ifdef VERILATOR
  // As in a device that has just been configured.
  initial
    for (int i = 0; i < SLOTS; i++) begin
      {lows[i], highs[i], low_spans[i], high_spans[i], lasts[i]} = '0;
      {instruments[i], triggers[i], orders[i], agains[i], pending[i]} = '0;
    end
`endif
  logic [AW-1:0] slot;  // of what was due last
  logic [AW-1:0] summed_slot;
  logic clears, sets, changes, told_pending, told_used;
  assign writes = accesses && int'(word) <= LAST_WORD;
  assign changes = writes || sets || clears;
  assign told_pending = writes && int'(word) == LAST_WORD && wdata[FLAGS];
  assign told_used = writes && int'(word) == LAST_WORD && |wdata[FLAGS+:2];
  always_ff @(posedge clk) begin
    clears <= !rst && (taken || (clears && (writes || sets)));
    if (writes && int'(word) inside {0, 4}) low_spans[written] <= wdata;
    if (writes && int'(word) inside {1, 5}) high_spans[written] <= wdata;
    if (writes && int'(word) == 2) instruments[written] <= INSTRUMENT_AW'(wdata);
    if (writes && int'(word) == 2) lasts[written] <= wdata[16+:REARM_LAST_BITS];
    if (writes && int'(word) == 3) triggers[written] <= TRIGGER_AW'(wdata);
    if (writes && int'(word) == LAST_WORD) orders[written] <= ORDER_AW'(wdata);
    if (writes && int'(word) == LAST_WORD) agains[written] <= wdata[FLAGS+1];
    if (changes) pending[writes ? written : sets ? summed_slot : slot] <= writes ? told_pending : sets;
  end

  logic [AW:0] at;  // what is read; its highest bit: the round is over
  logic [1:0][AW-1:0] at_q;

  // ---- When a slot is due: step 1 reads it, 2 and 3 add, half by half, and the cycle behind writes the upper one.
  logic tells, adds, adding;
  logic [AW-1:0] told;
  logic [3:1] step, fired;  // `fired`: by an order, not by the host
  logic [TRIGGER_AW-1:0] revived_own, own_trigger;
  logic [REARM_LAST_BITS-1:0] own_last;
  logic own_again, counts, sums;
  logic [31:0] low_span, high_span, high_span_q, low_time, high_time, high_sum;
  logic [32:0] low_sum;
  logic [AW-1:0] slot_of;
  assign adds = revives || tells;
  assign slot_of = !revives ? told : two_banks ? {revived[TRIGGER_AW-1], revived[AW-2:0]} : revived[AW-1:0];
  assign low_time = fired[2] ? time_ns[31:0] : '0;
  assign high_time = fired[3] ? time_ns[63:32] : '0;
  always_ff @(posedge clk) begin
    tells <= !rst && ((writes && int'(word) == 2) || (tells && revives));
    if (writes) told <= written;
    step <= rst ? '0 : {step[2:1], adds};
    fired <= {fired[2:1], revives};
    adding <= adds || step[1] || step[2];
    if (revives) revived_own <= revived;
    if (two_banks) revived_own[TRIGGER_AW-1] <= 1'b0;
    {high_span, low_span} <= {high_spans[at[AW-1:0]], low_spans[at[AW-1:0]]};
    {own_again, own_last} <= {agains[at[AW-1:0]], lasts[at[AW-1:0]]};
    own_trigger <= triggers[at[AW-1:0]];

    low_sum <= 33'(low_time) + 33'(low_span);
    high_span_q <= high_span;
    counts <= !fired[2] || (own_again && own_trigger == revived_own && own_last != fires);

    if (step[3] && counts) lows[at_q[1]] <= low_sum[31:0];
    if (step[3]) summed_slot <= at_q[1];
    high_sum <= high_time + high_span_q + 32'(low_sum[32]);
    sums <= !rst && step[3] && counts;
    sets <= !rst && ((step[3] && counts && fired[3]) || (sets && writes));
    if (sums) highs[summed_slot] <= high_sum;
  end

  // ---- A round: all slots, or up to the first that is due. Stage 1: the slot's record, 2: whether it is the one.
  logic [1:0] reading;
  logic begins, over;
  logic [INSTRUMENT_AW-1:0] looked;  // the instrument of the round
  logic asked_q, same;
  logic [63:0] due_at;
  logic [INSTRUMENT_AW-1:0] own;
  logic own_pending, own_upper, is_used, is_pending, is_own, is_past, found;
  // The time is compared by halves: a borrow of all of it would be the longest chain of the receive side.
  function automatic logic less(logic [31:0] left, logic [31:0] right);
    /* verilator lint_off UNUSEDSIGNAL */  // the borrow only
    logic [32:0] difference;
    /* verilator lint_on UNUSEDSIGNAL */
    difference = {1'b0, left} - {1'b0, right};
    return difference[32];
  endfunction
  logic high_before, high_behind, low_before;
  assign is_past = !(high_before || (!high_behind && low_before));
  assign begins = !same || (asked && !asked_q) || changes || adds || adding || rst;
  assign over = at[AW] && reading == '0;
  assign own_upper = two_banks && at_q[0][AW-1];
  assign found = is_own && is_past && asked_q;
  logic mine, scanned, any, any_mine, any_pending, any_used, is_due;
  always_ff @(posedge clk) begin
    looked <= INSTRUMENT_AW'(instrument);
    same <= looked == INSTRUMENT_AW'(instrument);
    asked_q <= asked;
    at <= at[AW] ? at : at + 1'b1;
    reading <= {reading[0], !at[AW]};
    at_q <= {at_q[0], at[AW-1:0]};
    due_at <= {highs[at[AW-1:0]], lows[at[AW-1:0]]};
    own <= instruments[at[AW-1:0]];
    own_pending <= pending[at[AW-1:0]];
    is_used <= reading[0] && (own_pending || own_again);
    is_pending <= reading[0] && own_pending;
    is_own <= reading[0] && own_pending && own == {looked[INSTRUMENT_AW-1] ^ own_upper, looked[INSTRUMENT_AW-2:0]};
    high_before <= less(time_ns[63:32], due_at[63:32]);
    high_behind <= less(due_at[63:32], time_ns[63:32]);
    low_before <= less(time_ns[31:0], due_at[31:0]);

    // The first that is due stays addressed.
    if (found && !is_due) begin
      is_due <= 1'b1;
      at <= {1'b1, at_q[1]};
    end
    any_mine <= any_mine || is_own;
    any_pending <= any_pending || is_pending;
    any_used <= any_used || is_used;
    if (over) begin
      scanned <= 1'b1;
      mine <= any_mine;
      any <= any_pending;
      waits <= any_used;
    end
    if (begins) begin
      {at, reading, is_used, is_pending, is_own, any_mine, any_pending, any_used, is_due} <= '0;
    end
    if (adds) at <= {1'b0, slot_of};
    // What was known before may not be true any more.
    if (!same || sets || told_pending || rst) scanned <= 1'b0;
    if (told_pending || sets || rst) any <= 1'b1;
    if (told_used || rst) waits <= 1'b1;
    if (due) slot <= at[AW-1:0];
  end
  assign none = !any || (scanned && same && !mine);
  assign some = !none && scanned && same;
  assign answered = asked_q && over && same;
  assign due = answered && is_due;

  // Of two banks the upper half is of the upper one.
  always_comb begin
    trigger = REARM_TRIGGER_BITS'(triggers[at[AW-1:0]]);
    order = REARM_ORDER_BITS'(orders[at[AW-1:0]]);
    if (two_banks && at[AW-1]) {trigger[TRIGGER_AW-1], order[ORDER_AW-1]} = '1;
  end
endmodule
