// SPDX-License-Identifier: Apache-2.0
// What is known.
//  1. A message leaves the queue only where what is known ahead of it stood the cycle before, and its frame did not turn
//     out bad.
//  2. The log has a place for each message that may be taken back.
//  3. What is told of it stands until a message leaves.
//  4. While changes are taken back, or all is forgotten, no message is judged.
module known_values_properties
  import match_pkg::*;
#(
    parameter int LOG_AW = 6
) (
    input logic            clk,
    input logic            rst,
    input logic            clear,
    input logic            message_valid,
    input logic            bad,
    input logic            pop,
    input logic            ready,
    input logic            same,
    input market_t         market,
    input logic            logs,
    input logic [LOG_AW:0] logged,
    input logic            undoing,
    input logic            walking
);
  logic stood, popped, forgotten;
  market_t told;
  always_ff @(posedge clk) begin
    stood <= ready;
    popped <= pop;
    told <= market;
    forgotten <= clear;
    if (!rst) begin
      assert (!pop || (stood && message_valid && (same || forgotten) && !bad));
      assert (!(stood && ready && !popped) || market == told);
      assert (!logs || !logged[LOG_AW]);
      assert (!(ready && (undoing || walking)));
    end
  end
endmodule
bind known_values known_values_properties #(.LOG_AW(LOG_AW)) properties (
    .*, .undoing(duty == UNDO), .walking(duty == WALK)
);
