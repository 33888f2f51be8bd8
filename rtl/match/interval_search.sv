// SPDX-License-Identifier: Apache-2.0
// Looks up in which interval of a decision a price lands, for one observation of a message after the other.
//
// A decision's triggers are the ends of its intervals, rising: of each its lowest price, then its highest. What is looked
// for is the last end that the price has passed: it has passed a lowest price at it, a highest one beyond it. If that end
// is a lowest price, the price lands in its interval.
//
// A round reads three ends, a cycle apart, that part in four what is left, and takes seven cycles; where the ends count up to
// an odd number of bits, the first round parts it in two and takes five. So a search takes the same time for any price.
module interval_search
  import fixaccel_hwmap_pkg::*, receive_pkg::*, match_pkg::*;
#(
    parameter  int TRIGGERS = 16384,
    localparam int AW       = $clog2(TRIGGERS)
) (
    input  logic                                clk,
    input  logic                                run,      // level: what follows stands; otherwise all is forgotten
    input  logic [OBSERVED-1:0]                 wanted,   // observations that a decision is of
    input  logic [OBSERVED-1:0][PRICE_BITS-1:0] prices,   // from the cycle behind `run` on
    output logic                                settled,  // all wanted have been found
    // Triggers of each decision; they stand for OBSERVED + 3 cycles before `run`.
    input  logic [OBSERVED-1:0][AW-1:0]         first,
    input  logic [OBSERVED-1:0][AW-1:0]         last,
    // Trigger memory.
    output logic                                reading,
    output logic [AW-1:0]                       address,
    /* verilator lint_off UNUSEDSIGNAL */  // the rule is known
    input  trigger_t                            record,   // two cycles later
    /* verilator lint_on UNUSEDSIGNAL */
    output logic [OBSERVED-1:0]                 found,    // pulse, of one; settled from the cycle after the last one on
    output logic                                lands,    // with it
    output logic [TRIGGER_ORDER_BITS-1:0]       order     // what it sends, where it lands
);
  // How far each decision spans, one after the other.
  logic [$clog2(OBSERVED)-1:0] turn;
  logic [1:0][$clog2(OBSERVED)-1:0] turn_q;
  logic [AW-1:0] turn_first, turn_last, size;
  span_t [OBSERVED-1:0] span;
  always_ff @(posedge clk) begin
    turn <= (int'(turn) < OBSERVED - 1) ? turn + 1'b1 : '0;
    turn_q <= {turn_q[0], turn};
    turn_first <= first[turn];
    turn_last <= last[turn];
    size <= turn_last - turn_first;
    span[turn_q[1]] <= span_of(CHAIN_FIRST_BITS'(size));
  end

  // Which observation.
  logic busy, start, finish;
  logic [OBSERVED-1:0] left_over, due, chosen, searched;  // left_over: those whose turn has not come yet
  logic [PRICE_BITS-1:0] price;
  logic [AW-1:0] due_first, due_last, end_at;
  span_t due_span;
  logic parity;  // of the first end's address: others of the same are lowest prices
  assign due = left_over & wanted;
  assign start = run && !busy && due != '0;
  always_comb begin
    // The last one needs no choice: whether there is a mid is known late.
    for (int i = 0; i < OBSERVED; i++) chosen[i] = due[i] && (due & ((1 << i) - 1)) == '0;
    due_first = first[OBSERVED-1];
    due_last = last[OBSERVED-1];
    due_span = span[OBSERVED-1];
    for (int i = OBSERVED - 2; i >= 0; i--)
      if (due[i]) begin
        due_first = first[i];
        due_last = last[i];
        due_span = span[i];
      end
  end
  always_ff @(posedge clk) begin
    // Much hangs on `run` already: what need not wait for it does not.
    if (!busy) begin
      searched <= chosen;
      end_at <= due_last;
      parity <= due_first[0];
    end
    // It is compared two cycles later.
    for (int i = 0; i < OBSERVED; i++) if (searched[i]) price <= prices[i];
    if (start) busy <= 1'b1;
    if (!busy) left_over <= left_over & ~chosen;
    if (finish) begin
      busy <= 1'b0;
      settled <= due == '0;
    end
    if (!run) {busy, settled} <= '0;
    if (!run) left_over <= '1;
  end

  // Reads: [0] its address stands, [2] the record, [3] in a register here, [4] whether the price has passed it. The first read
  // is of the first end, for what that sends.
  typedef struct packed {
    logic valid;
    logic adds;  // passing it moves on
    logic ends;  // it is the last of its round
  } read_t;
  read_t [4:0] reads;
  logic [1:0] left;  // further reads of the round
  logic [AW:0] at, stride;  // with a bit more than addresses: ends that there are not lie behind the last one
  // Where the next round begins: where no end of this one is passed, behind the last one that is, and behind each that is read.
  logic [AW:0] base, rest, onward;
  logic [3:0][AW:0] ahead;  // [0] stands with reads[1]
  logic [2:0] reaches, highest;
  logic passed, passed_highest;
  logic [TRIGGER_ORDER_BITS-1:0] passed_order, last_order;
  logic last_lands;

  /* verilator lint_off UNUSEDSIGNAL */  // as that of the record
  trigger_t taken;
  /* verilator lint_on UNUSEDSIGNAL */
  // As `below`, with a bit more: a highest price is passed half a unit above it.
  function automatic logic less(logic [PRICE_BITS:0] one, logic [PRICE_BITS:0] other);
    /* verilator lint_off UNUSEDSIGNAL */  // the borrow only
    logic [PRICE_BITS+1:0] difference;
    /* verilator lint_on UNUSEDSIGNAL */
    difference = {1'b0, !one[PRICE_BITS], one[PRICE_BITS-1:0]} - {1'b0, !other[PRICE_BITS], other[PRICE_BITS-1:0]};
    return difference[PRICE_BITS+1];
  endfunction
  logic reached, falls_short;
  assign passed = reached && !falls_short;

  assign reading = reads[0].valid;
  assign address = AW'(at);
  assign finish = reads[4].ends && stride[0];
  assign lands = passed ? !passed_highest : last_lands;
  assign order = passed ? passed_order : last_order;
  assign found = finish ? searched : '0;
  always_ff @(posedge clk) begin
    reads <= {reads[3:0], read_t'('0)};
    reaches <= {reaches[1:0], !((AW + 1)'(end_at) < at)};
    highest <= {highest[1:0], at[0] != parity};
    taken <= record;
    reached <= reaches[2];
    falls_short <= less({price, 1'b0}, {taken.threshold, highest[2]});
    passed_highest <= highest[2];
    passed_order <= taken.order;
    ahead <= {ahead[2:0], at + (stride >> 2)};
    if (reads[0].valid && !reads[1].valid) base <= at - (reads[0].adds ? stride : '0);
    rest <= base + (stride >> 2);
    if (!reads[4].valid) onward <= rest;
    else if (reads[4].adds && passed) onward <= ahead[3];
    if (reads[4].valid && passed) begin
      last_order <= passed_order;
      last_lands <= !passed_highest;
    end
    if (!busy) begin
      at <= (AW + 1)'(due_first);
      stride <= '0;
      for (int i = 0; 2 * i < AW; i++) stride[2*i] <= due_span.top[i];
      reads[0] <= '{valid: start, adds: 1'b0, ends: 1'b0};
      left <= due_span.odd ? 2'd1 : 2'd3;
      last_lands <= 1'b0;
    end else if (left != '0 || (reads[4].ends && !finish)) begin
      at <= !reads[4].ends ? at + stride : passed ? ahead[3] : onward;
      reads[0] <= '{valid: 1'b1, adds: 1'b1, ends: left == 2'd1};
      left <= reads[4].ends ? 2'd2 : left - 1'b1;
    end
    if (reads[4].ends) stride <= stride >> 2;
    if (!run) reads <= '0;
  end
endmodule
