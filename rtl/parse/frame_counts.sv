// SPDX-License-Identifier: Apache-2.0
// Counts events of the frame in progress and, once its verdict is good, gives them out as pulses, APART cycles apart. So a
// bad frame counts nothing and its retransmission does not count twice.
module frame_counts (
    input  logic       clk,
    input  logic       rst,
    input  logic [1:0] events,   // this cycle
    input  logic       settled,  // the events belong to a frame that has had its good verdict
    input  logic       good,     // verdicts
    input  logic       bad,
    output logic       pulse
);
  // What happens is known late in its cycle, so it counts in the next; verdicts with it.
  logic [1:0] happened;
  logic whole, kept, dropped;
  always_ff @(posedge clk) begin
    {happened, whole, kept, dropped} <= {events, settled, good, bad};
    if (rst) {happened, kept, dropped} <= '0;
  end

  localparam int APART = 5;  // less than an event takes of a frame, more than the event counters need
  // A frame holds less than 128 events, each of more than twelve bytes; those of the frame before may still be due.
  logic [7:0] open, due, added, moved;
  logic [APART-1:1] earlier;  // a pulse, so many cycles ago
  logic next;
  assign added = {6'b0, happened};
  assign next = due != '0 && !pulse && earlier == '0;

  always_ff @(posedge clk) begin
    open <= (kept || dropped) ? '0 : open + (whole ? '0 : added);
    // Nothing hangs on a cycle here: both are a cycle late.
    moved <= kept ? open + added : whole ? added : '0;
    due <= due + moved - {7'b0, pulse};
    pulse <= next;
    earlier <= {earlier[APART-2:1], pulse};
    if (rst) begin
      open  <= '0;
      due   <= '0;
      moved <= '0;
      pulse <= 1'b0;
      earlier <= '0;
    end
  end
endmodule
