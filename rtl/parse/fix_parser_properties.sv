// SPDX-License-Identifier: Apache-2.0
// What the parser relies on and what it promises to the queue behind it, checked in every simulation.
module fix_parser_properties
  import fixaccel_types_pkg::*, receive_pkg::*;
(
    input logic       clk,
    input logic       rst,
    input text_byte_t text,
    input rollback_t  verdict,
    input rollback_t  rollback,
    input logic       settling,
    input logic       cancel,
    input logic       closed,
    input logic       observe,
    input logic       refused,
    input logic       waiting,
    input logic       late,
    input logic       lost,
    input logic       following,
    input logic       gap,
    input logic       push,
    /* verilator lint_off UNUSEDSIGNAL */  // one field
    input message_t   message
    /* verilator lint_on UNUSEDSIGNAL */
);
  logic began, cancel_q, due_q, verdict_q, refused_q;
  logic [31:0] observed_number;   // of the message that is being pushed
  logic [$clog2(SLOTS+1)-1:0] pushes;  // of this message
  always_ff @(posedge clk) begin
    began <= !rst;
    cancel_q <= cancel;
    due_q <= waiting || observe;
    refused_q <= refused;
    verdict_q <= verdict != '0;
    if (push) begin
      pushes <= pushes + 1'b1;
      observed_number <= message.number;
    end
    if (observe && !waiting) pushes <= '0;

    if (began && !rst) begin
      // The class that came beside the byte is the byte's.
      assert (!text.valid || class_of(text.data) == '{digit: text.digit, soh: text.soh, equals: text.equals, nul: text.nul});
      // What is evaluated is followed.
      assert (!text.valid || gap || following);
      // All of a frame has settled before the next frame's first byte is there.
      assert (!(text.valid && (settling || rollback != '0)));
      // And one verdict before the next.
      assert (!(verdict_q && settling && verdict != '0 && !verdict.clear));
      // What is pushed is of a message that was closed, taken and is market data.
      assert (!push || due_q);
      // Nothing is pushed once its frame was taken back or the stream begins anew.
      assert (!(push && cancel_q));
      // A message is pushed under one number, once for each of its instruments.
      assert (!push || pushes == '0 || message.number == observed_number);
      assert (!push || int'(pushes) < SLOTS);
      // The frame of a late message is the last one that was good.
      assert (!(verdict.keep && waiting && late));
      // What the session refuses is not observed, and stops the parser.
      assert (!(refused && observe));
      assert (!refused_q || lost);
      // A message closes in the frame that its last byte came with.
      assert (!(closed && (verdict.keep || verdict.restore)));
    end
  end
endmodule

bind fix_parser fix_parser_properties properties (.*);
