// SPDX-License-Identifier: Apache-2.0
// From one bank of tables to the other, between two messages.
//
// The parser gives messages the new bank from the next one that begins; they wait at the head of the queue until all that is
// older is done: fires, parked messages, links, ring records. The host has said which ring record the new bank's tables
// take account of. If that is still the newest, the new bank is evaluated from then on; else the host has to look again.
//
// Disarming ends it: on the new bank if messages have begun that are its, and else on the old one.
module bank_flip
  import fixaccel_types_pkg::*;
(
    input  logic          clk,
    input  logic          rst,
    /* verilator lint_off UNUSEDSIGNAL */  // the parser takes the seeds
    input  bank_request_t request,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic          armed,
    input  logic [31:0]   ring_head,
    // The parser.
    output logic          wanted,        // messages that begin are of this bank
    input  logic          kept,          // the newest that has begun, in good frames
    input  logic [31:0]   first_number,
    input  logic          arriving,      // a message has closed and is not in the queue yet
    // The queue and behind it.
    input  logic          queued,        // there is a message of the bank that is evaluated
    input  logic          unseen,        // of the other one, at the head
    input  logic          quiet,         // nothing is parked, nothing has been fired and not taken
    input  logic          spending,
    output logic          discard,       // what is of the other bank then: begun before a flip that was not
    output logic          flipped,       // pulse: what has been read ahead is of the bank before
    output bank_status_t  status
);
  // Behind a fire its links follow at once, its record within these.
  localparam int SETTLED = 16;
  logic [$clog2(SETTLED+1)-1:0] calm;
  logic settled, older, done, same;
  logic two, bank, asked;
  logic [31:0] waited;
  assign settled = calm == ($bits(calm))'(SETTLED);
  assign older = queued || (!unseen && arriving);
  assign flipped = asked && done && same;
  always_ff @(posedge clk) begin
    discard <= !asked;  // a cycle late, as `unseen` is behind `bank`
    same <= ring_head == request.flip_head;
    if (!settled) calm <= calm + 1'b1;
    if (!quiet || spending) calm <= '0;

    if (request.flip && armed && two && !asked && same && quiet && kept == bank && wanted == bank) begin
      asked <= 1'b1;
      wanted <= !bank;
      waited <= '0;
    end
    // Where the new bank's first message began in a good frame, nothing older can come back: it stays done.
    done <= asked && (done || (kept != bank && settled && !older));
    if (asked && unseen) waited <= waited + 32'd1;
    if (flipped) begin
      bank <= !bank;
      asked <= 1'b0;
    end
    if (!armed && asked) begin
      asked <= 1'b0;
      {bank, wanted} <= {2{kept}};
    end
    if (request.set && !armed) {two, bank, wanted} <= {request.two, 2'b00};
    if (rst) {calm, two, bank, wanted, asked, done, waited} <= '0;
  end
  assign status = '{
          two: two, bank: bank, asked: asked, begun: asked && kept != bank, waits: done && !same,
          first_number: first_number, waited: waited
      };
endmodule
