// SPDX-License-Identifier: Apache-2.0
// Arm, kill and the sticky reasons. `enabled` is the last arm write that was taken; `live` is enabled with no sticky reason.
// `dry` says for what it was: it changes only while disarmed, and asking for the other one while armed disarms.
module arming
  import host_pkg::*;
(
    input  logic     clk,
    input  logic     rst,
    /* verilator lint_off UNUSEDSIGNAL */  // other actions belong to other modules
    input  actions_t actions,
    /* verilator lint_on UNUSEDSIGNAL */
    input  sticky_t  trip,          // pulses
    input  logic     disarm,        // pulse: something that software must look at before it arms again
    output logic     enabled,
    output logic     dry,           // the last time it was armed, it was for a dry run
    output logic     kill,
    output logic     live,
    output logic     arm_taken,     // pulse
    output sticky_t  sticky
);
  logic other;  // not as it is armed
  assign other = enabled && actions.dry != dry;
  assign arm_taken = actions.arm && !kill && !other;
  sticky_t next_sticky;
  logic stuck;  // some bit of `sticky` is set: much hangs on it
  // A reason that arises in the cycle of the arm write stays: doubt wins.
  assign next_sticky = (arm_taken ? '0 : sticky) | trip;
  assign live = enabled && !stuck;

  always_ff @(posedge clk) begin
    if (actions.kill_on) kill <= 1'b1;
    if (actions.kill_off) kill <= 1'b0;

    if (arm_taken) {enabled, dry} <= {1'b1, actions.dry};
    if (actions.disarm || disarm || (actions.arm && other)) enabled <= 1'b0;

    sticky <= next_sticky;
    stuck <= (stuck && !arm_taken) || trip != '0;

    if (rst) begin
      kill <= 1'b0;
      enabled <= 1'b0;
      dry <= 1'b0;
      sticky <= '0;
      stuck <= 1'b0;
    end
  end
endmodule
