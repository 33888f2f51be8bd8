// SPDX-License-Identifier: Apache-2.0
// Decodes the FAST bytes of datagrams, a byte a cycle, as a program says that the host has loaded.
//
// Bytes wait in two registers, so that whoever brings them need not look at what the engine does in the same cycle. While
// `enable` is off bytes are dropped and the program may be written; when it comes on the decoder begins with the next datagram.
module feed_decoder
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic       clk,
    input  logic       rst,
    input  logic       enable,
    input  load_t      load,
    input  feed_byte_t in,
    output logic       in_ready,
    output field_t     field,
    output counted_t   counted   // faults that are not fatal, in the cycle in which they were found
);
  feed_byte_t spare, next;
  /* verilator lint_off UNUSEDSIGNAL */  // whether it is the end has a register of its own
  feed_byte_t head;
  /* verilator lint_on UNUSEDSIGNAL */
  logic take, head_byte, head_end;
  assign next = spare.valid ? spare : in;
  assign in_ready = !spare.valid;
  always_ff @(posedge clk) begin
    if (take || !head.valid) begin
      head <= next;
      head_byte <= next.valid && !next.last;
      head_end <= next.valid && next.last;
      spare.valid <= 1'b0;
    end else if (in_ready) begin
      spare <= in;
    end
    if (rst) {head.valid, head_byte, head_end, spare.valid} <= '0;
  end
  engine decoder (
      .clk, .rst, .enable, .load, .head_byte, .head_end, .head(head.data), .take, .field, .counted
  );
endmodule
