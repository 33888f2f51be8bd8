// SPDX-License-Identifier: Apache-2.0
// The boundary at which the runtime can say that the parser has found the stream: behind the first message that it follows
// while there is a gap, and behind a later one each time that the runtime's word was another.
//
// It is of frames that were kept. What is compared with it is so a cycle ahead.
module resync_point
  import fixaccel_types_pkg::*;
(
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 gap,
    input  logic                 lost,        // the parser does not follow any more
    input  logic                 boundary,    // pulse: a message has ended
    input  frame_length_t        behind,      // with boundary: bytes from there to rcv_nxt
    input  logic          [31:0] rcv_nxt,
    input  logic          [31:0] number,      // with boundary, BCD: MsgSeqNum that is next there
    input  logic          [31:0] word_seq,    // what the runtime says, a cycle ahead of `asked`
    input  logic          [31:0] word_number,
    input  logic                 asked,       // pulse
    output logic                 confirmed,   // combinational, with asked
    output logic                 valid,
    output logic          [31:0] seq
);
  logic [31:0] seq_num;
  logic seq_equal, number_equal, renew;
  always_ff @(posedge clk) begin
    seq_equal <= word_seq == seq;
    number_equal <= word_number == seq_num;
    if (asked && !confirmed) renew <= 1'b1;
    if (boundary && (!valid || renew)) begin
      valid <= 1'b1;
      renew <= 1'b0;
      seq <= rcv_nxt - 32'(behind);
      seq_num <= number;
    end
    if (!gap || confirmed || lost || rst) {valid, renew} <= '0;
  end
  assign confirmed = asked && valid && seq_equal && number_equal;
endmodule
