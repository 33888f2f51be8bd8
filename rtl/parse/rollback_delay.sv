// SPDX-License-Identifier: Apache-2.0
// Holds a frame's verdict back until all of the frame has gone through the parser, so that every stage keeps or restores the
// state of the same moment. The next frame's headers take longer than that.
module rollback_delay
  import receive_pkg::*;
(
    input  logic      clk,
    input  logic      rst,
    input  rollback_t verdict,   // at least two cycles after the frame's last byte of the stream
    input  logic      busy,      // what the frame has brought is not yet in the state
    output rollback_t rollback,
    output logic      pending
);
  // Stages between the byte and the last state that it changes.
  localparam int STAGES = 6;

  rollback_t held;
  logic [STAGES-1:0] passing;
  logic ready;
  assign pending = held != '0;
  assign ready = passing == '0 && !(busy && held.keep);
  always_ff @(posedge clk) begin
    passing <= passing << 1;
    rollback <= (pending && ready) ? held : '0;
    if (pending && ready) held <= '0;
    if (verdict != '0) begin
      held <= verdict;
      rollback <= '0;
      passing <= STAGES'(1);
    end
    if (rst) {held, rollback, passing} <= '0;
  end
endmodule
