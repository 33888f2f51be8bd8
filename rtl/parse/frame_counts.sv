// SPDX-License-Identifier: Apache-2.0
// Counts events of the frame in progress and, once its verdict is good, gives them out as pulses, one a cycle. So a bad
// frame counts nothing and its retransmission does not count twice.
module frame_counts (
    input  logic       clk,
    input  logic       rst,
    input  logic [1:0] events,   // this cycle
    input  logic       settled,  // the events belong to a frame that has had its good verdict
    input  logic       good,     // verdicts
    input  logic       bad,
    output logic       pulse
);
  // A frame holds less than 2048 events: each takes more than one byte.
  logic [11:0] open, due;
  logic [11:0] added;
  assign added = {10'b0, events};

  always_ff @(posedge clk) begin
    open <= (good || bad) ? '0 : open + (settled ? '0 : added);
    due <= due - {11'b0, pulse} + (good ? open + added : settled ? added : '0);
    pulse <= due > {11'b0, pulse};
    if (rst) begin
      open  <= '0;
      due   <= '0;
      pulse <= 1'b0;
    end
  end
endmodule
