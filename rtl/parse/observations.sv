// SPDX-License-Identifier: Apache-2.0
// Candidates to observations in price units, and the complete message to the queue.
//
// A price is divided as soon as it is a candidate and the instrument is known; after a rollback or a new symbol all are
// divided again. When the message has closed, it is pushed as soon as no division is under way: one cycle after `closed`
// unless the symbol came last in the message.
module observations
  import fixaccel_hwmap_pkg::*, receive_pkg::*;
(
    input  logic                            clk,
    input  logic                            rst,
    input  rollback_t                       rollback,
    input  logic                            body_begin,
    input  candidate_t        [SOURCES-1:0] candidates,
    input  logic              [SOURCES-1:0] changed,
    input  logic                            lookup_busy,
    input  logic                            found,
    input  logic              [15:0]        instrument,
    input  instrument_t                     unit,
    input  logic              [63:0]        negative_inverse,
    input  logic                            observed,       // with closed: the message is to be observed
    input  logic                            closed,
    input  logic              [31:0]        number,
    input  logic              [31:0]        cycle,
    output logic                            waiting,        // a closed message has not been pushed yet
    output logic                            late,           // its frame has had its good verdict
    output logic                            push,
    output message_t                        message,
    output logic              [1:0]         prices_invalid  // with the last cycle of waiting: prices that are no observation
);
  // Which candidates are to be divided.
  logic [SOURCES-1:0] pending, due, present;
  logic lookup_busy_q, issue, dividing, done, exact_in_range;
  logic [1:0] issue_source, done_source;
  logic signed [PRICE_BITS-1:0] quotient;
  decimal_t issued;

  always_comb begin
    for (int i = 0; i < SOURCES; i++) present[i] = candidates[i].present;
    due = pending | changed;
    issue = due != '0 && !lookup_busy && found;
    issue_source = due[0] ? 2'd0 : due[1] ? 2'd1 : 2'd2;
    issued = candidates[issue_source].price;
  end

  exact_divide divide (
      .clk,
      .rst,
      .flush(rollback.clear || rollback.restore || body_begin),
      .issue,
      .issue_source,
      .price(issued),
      .unit,
      .negative_inverse,
      .busy(dividing),
      .done,
      .done_source,
      .quotient,
      .valid(exact_in_range)
  );

  observation_t [SOURCES-1:0] results;
  logic finished;
  // In the cycle after the lookup the candidates are not yet due.
  assign finished = waiting && !dividing && !lookup_busy && !lookup_busy_q && (due == '0 || !found);

  always_ff @(posedge clk) begin
    lookup_busy_q <= lookup_busy;
    for (int i = 0; i < SOURCES; i++) begin
      pending[i] <= due[i] && !(issue && issue_source == 2'(i));
      if (lookup_busy_q && !lookup_busy && present[i]) pending[i] <= 1'b1;
      if (issue && issue_source == 2'(i)) results[i].valid <= 1'b0;
      if (done && done_source == 2'(i)) results[i] <= '{valid: exact_in_range, price: quotient};
    end
    if (rollback.clear || rollback.restore || body_begin || rst) begin
      pending <= '0;
      for (int i = 0; i < SOURCES; i++) results[i].valid <= 1'b0;
    end
  end

  // A closed message until it is pushed.
  logic [31:0] cycle_q, closed_number, closed_cycle;
  always_ff @(posedge clk) begin
    cycle_q <= cycle;
    if (finished) waiting <= 1'b0;
    if (rollback.keep) late <= 1'b1;
    if (closed) begin
      waiting <= observed;
      late <= 1'b0;
      closed_number <= number;
      closed_cycle <= cycle_q;
    end
    if (rollback.clear || rollback.restore || rst) waiting <= 1'b0;
  end

  logic [SOURCES-1:0] invalid;
  always_comb begin
    message.instrument = instrument;
    message.number = closed_number;
    message.end_cycle = closed_cycle;
    for (int i = 0; i < SOURCES; i++) begin
      message.observed[i] = '{valid: present[i] && results[i].valid, price: results[i].price};
      invalid[i] = present[i] && !results[i].valid;
    end
    prices_invalid = (finished && found) ? 2'(invalid[0]) + 2'(invalid[1]) + 2'(invalid[2]) : '0;
    push = finished && found && (present & ~invalid) != '0;
  end
endmodule
