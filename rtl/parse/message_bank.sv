// SPDX-License-Identifier: Apache-2.0
// Of which bank of tables the message is whose body began last: the one that was wanted then. Where the stream stands still
// at a boundary, all that comes is at once the wanted one's.
module message_bank
  import receive_pkg::*;
(
    input  logic        clk,
    input  logic        rst,
    input  logic        forget,     // pulse: begin with the lower bank
    input  logic        wanted,
    input  logic        gap,        // what is read now may be no message
    input  logic        body_begin,
    input  logic        lookup_due, // level: of the message before, with its bank
    input  logic        text_valid,
    input  logic        between,    // level: what has been read ends with a message
    input  rollback_t   rollback,
    input  logic [31:0] number,     // BCD: MsgSeqNum that the message must have
    output logic        bank,
    output logic        kept,       // the same as of the last good frame
    output logic [31:0] first_number  // with kept: of the first message that was the other bank's
);
  logic fresh;  // something of a frame has been read that is not kept yet
  logic ended;  // a cycle behind `between`: nothing has been read since, or it is fresh
  logic begins, quiet;
  assign begins = body_begin && !lookup_due && !gap;
  assign quiet = ended && !fresh && !text_valid && !lookup_due && !gap;
  always_ff @(posedge clk) begin
    ended <= between && rollback == '0;
    if (text_valid) fresh <= 1'b1;
    if (rollback != '0) fresh <= 1'b0;

    if (begins || quiet) begin
      bank <= wanted;
      if (bank != wanted) first_number <= number;
    end
    if (rollback.keep || quiet) kept <= quiet ? wanted : bank;
    if (rollback.restore || rollback.clear) bank <= kept;
    if (forget || rst) {bank, kept} <= '0;
    if (rst) {fresh, ended} <= '0;
  end
endmodule
