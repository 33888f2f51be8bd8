// SPDX-License-Identifier: Apache-2.0
// Holds a frame's verdict back until all of the frame has gone through the parser, so that every stage keeps or restores the
// state of the same moment. The next frame's headers take longer than that.
//
// Much hangs on it: it is there COPIES times, and a reset is a `clear`, so nobody looks at both.
module rollback_delay
  import receive_pkg::*;
#(
    parameter int COPIES = 1
) (
    input  logic      clk,
    input  logic      rst,
    input  rollback_t verdict,   // at least two cycles after the frame's last byte of the stream
    input  logic      busy,      // what the frame has brought is not yet in the state
    output rollback_t [COPIES-1:0] rollback,
    output logic      any,       // one of its pulses
    output logic      pending
);
  // Stages between the byte and the last state that it changes.
  localparam int STAGES = 6;

  rollback_t held, next;
  (* keep = "true" *) rollback_t [COPIES-1:0] copies;
  logic [STAGES-1:0] passing;
  logic ready;
  assign pending = held != '0;
  assign ready = passing == '0 && !(busy && held.keep);
  always_comb begin
    next = (pending && ready && verdict == '0) ? held : '0;
    if (rst) next = '{clear: 1'b1, default: '0};
  end
  assign rollback = copies;
  always_ff @(posedge clk) begin
    passing <= passing << 1;
    copies <= {COPIES{next}};
    any <= next != '0;
    if (pending && ready) held <= '0;
    if (verdict != '0) begin
      held <= verdict;
      passing <= STAGES'(1);
    end
    if (rst) {held, passing} <= '0;
  end
endmodule
