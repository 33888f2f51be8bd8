// SPDX-License-Identifier: Apache-2.0
// Rules that are armed again after a time: which of them the first message of their instrument at or after it is a hit for.
//
// The host writes when each is due, once its order has been sent, and from then on it is pending until its hit is taken. The
// slots are read one after the other, a cycle each: first whether one is of the message's instrument, as soon as that is
// known, then, if so and once the message is of a good frame, whether it is due. A slot that is written means nothing until
// its last word is. Of two banks the upper one's slots are the upper half.
module rearms
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*;
#(
    parameter  int INSTRUMENTS = 1024,
    parameter  int TRIGGERS    = 16384,
    parameter  int ORDERS      = 4096,
    localparam int AW          = $clog2(REARM_SLOTS)
) (
    input  logic                          clk,
    input  logic                          rst,
    input  host_req_t                     host_req,
    input  logic                          two_banks,
    /* verilator lint_off UNUSEDSIGNAL */  // a board has fewer
    input  logic [15:0]                   instrument,  // of the message that is evaluated, or of the one that arrives
    /* verilator lint_on UNUSEDSIGNAL */
    output logic                          waits,       // something is pending, of any
    output logic                          none,        // nothing of its instrument is pending
    output logic                          some,        // something is. Neither: it is not known yet
    input  logic                          asked,       // level: it is of a good frame. Lost for a cycle ahead of another one
    input  logic [63:0]                   time_ns,     // its time, from the cycle behind on
    output logic                          answered,    // with asked: `due` says whether something is due
    output logic                          due,
    output logic [REARM_TRIGGER_BITS-1:0] trigger,     // with due: what hits
    output logic [REARM_ORDER_BITS-1:0]   order,
    input  logic                          taken        // pulse: what was due last has been taken, and is pending no more
);
  localparam int INSTRUMENT_AW = $clog2(INSTRUMENTS);
  localparam int TRIGGER_AW = $clog2(TRIGGERS);
  localparam int ORDER_AW = $clog2(ORDERS);
  localparam int LAST_WORD = REARM_WORDS - 1;

  // ---- Slots
  logic accesses, writes;
  logic [AW-1:0] written;
  logic [$clog2(REARM_STRIDE)-1:0] word;
  logic [31:0] wdata;
  /* verilator lint_off PINCONNECTEMPTY */  // reads as zero
  host_window #(.DEPTH(REARM_SLOTS), .STRIDE(REARM_STRIDE), .BASE(BASE_REARM)) window (
      .clk, .host_req, .read(), .write(accesses), .index(written), .word, .wdata
  );
  /* verilator lint_on PINCONNECTEMPTY */

  (* ram_style = "distributed" *) logic [31:0] lows[REARM_SLOTS];
  (* ram_style = "distributed" *) logic [31:0] highs[REARM_SLOTS];
  (* ram_style = "distributed" *) logic [INSTRUMENT_AW-1:0] instruments[REARM_SLOTS];
  (* ram_style = "distributed" *) logic [TRIGGER_AW-1:0] triggers[REARM_SLOTS];
  (* ram_style = "distributed" *) logic [ORDER_AW-1:0] orders[REARM_SLOTS];
  (* ram_style = "distributed" *) logic pending[REARM_SLOTS];
`ifdef VERILATOR
  // As in a device that has just been configured.
  initial for (int i = 0; i < REARM_SLOTS; i++) {lows[i], highs[i], instruments[i], triggers[i], orders[i], pending[i]} = '0;
`endif
  logic [AW-1:0] slot;  // of what was due last
  logic clears, changes, begins_pending;
  assign writes = accesses && int'(word) <= LAST_WORD;
  assign changes = writes || clears;
  assign begins_pending = writes && int'(word) == LAST_WORD && wdata[REARM_ORDER_BITS];
  always_ff @(posedge clk) begin
    clears <= !rst && (taken || (clears && writes));
    if (writes && int'(word) == 0) lows[written] <= wdata;
    if (writes && int'(word) == 1) highs[written] <= wdata;
    if (writes && int'(word) == 2) instruments[written] <= INSTRUMENT_AW'(wdata);
    if (writes && int'(word) == 3) triggers[written] <= TRIGGER_AW'(wdata);
    if (writes && int'(word) == LAST_WORD) orders[written] <= ORDER_AW'(wdata);
    if (changes) pending[writes ? written : slot] <= begins_pending;
  end

  // ---- A round: all slots, or up to the first that is due. Stage 1: the slot's record, 2: whether it is the one.
  logic [AW:0] at;  // its highest bit: the round is over
  logic [1:0] reading;
  logic [1:0][AW-1:0] at_q;
  logic begins, over;
  logic [INSTRUMENT_AW-1:0] looked;  // the instrument of the round
  logic asked_q, same;
  logic [63:0] due_at;
  logic [INSTRUMENT_AW-1:0] own;
  logic own_pending, own_upper, is_pending, is_own, is_past, found;
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
  assign same = looked == INSTRUMENT_AW'(instrument);
  assign begins = !same || (asked && !asked_q) || changes;
  assign over = at[AW] && reading == '0;
  assign own_upper = two_banks && at_q[0][AW-1];
  assign found = is_own && is_past && asked_q;
  logic mine, scanned, any, any_mine, any_pending, is_due;
  always_ff @(posedge clk) begin
    looked <= INSTRUMENT_AW'(instrument);
    asked_q <= asked;
    at <= at[AW] ? at : at + 1'b1;
    reading <= {reading[0], !at[AW]};
    at_q <= {at_q[0], at[AW-1:0]};
    due_at <= {highs[at[AW-1:0]], lows[at[AW-1:0]]};
    own <= instruments[at[AW-1:0]];
    own_pending <= pending[at[AW-1:0]];
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
    if (over) begin
      scanned <= 1'b1;
      mine <= any_mine;
      any <= any_pending;
    end
    if (begins) begin
      {at, reading, is_pending, is_own, any_mine, any_pending, is_due} <= '0;
    end
    if (!same) scanned <= 1'b0;
    if (begins_pending || rst) any <= 1'b1;
    if (due) slot <= at[AW-1:0];
  end
  assign waits = any;
  assign none = !any || (scanned && same && !mine);
  assign some = !none && scanned && same;
  assign answered = asked && asked_q && over && same;
  assign due = answered && is_due;

  // Of two banks the upper half is of the upper one.
  always_comb begin
    trigger = REARM_TRIGGER_BITS'(triggers[at[AW-1:0]]);
    order = REARM_ORDER_BITS'(orders[at[AW-1:0]]);
    if (two_banks && at[AW-1]) {trigger[TRIGGER_AW-1], order[ORDER_AW-1]} = '1;
  end
endmodule
