// SPDX-License-Identifier: Apache-2.0
// Windows of time: which are open now, by the clock.
//
// Two sets take turns. The host writes the set that is to come and when: at that time it takes over. A message keeps the
// number of the set that held when its body began, so the other one has to stand until all of those are done with: the
// host gives no next set before it has to, and sets change a minute apart.
module windows
  import compare_pkg::*, fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*;
(
    input  logic           clk,
    input  logic           rst,
    input  logic [63:0]    now_ns,
    input  logic           set,       // pulse: the settings below are new
    input  windows_t       next,
    input  logic [63:0]    at_ns,
    output logic           current,   // the set that holds
    output windows_t [1:0] open,
    output logic [31:0]    word       // the register `windows`
);
  localparam windows_t ALWAYS = windows_t'(1);
  localparam int COMPARE = 2;  // cycles from the time to `reached`
  if (WINDOWS != WINDOWS_PENDING_LSB - WINDOWS_OPEN_LSB) begin : gen_refuse
    $error("windows %m: a chain names any of the register's windows, and no other");
  end

  logic pending, reached;
  stages_t earlier;
  logic [COMPARE-1:0] compared;
  always_ff @(posedge clk) begin
    earlier <= stages_of({now_ns, (LOWER_BITS - 64)'(0)}, {at_ns, (LOWER_BITS - 64)'(0)});
    reached <= !carry_of(earlier);
    compared <= {compared[COMPARE-2:0], 1'b1};
    if (pending && compared[COMPARE-1] && reached) begin
      pending <= 1'b0;
      current <= !current;
      open[!current] <= next | ALWAYS;
    end
    if (set) pending <= 1'b1;
    if (set || rst) compared <= '0;
    if (rst) begin
      {pending, current} <= '0;
      open <= {2{ALWAYS}};
    end
  end

  always_comb begin
    word = '0;
    word[WINDOWS_OPEN_LSB+:WINDOWS] = open[current];
    word[WINDOWS_PENDING_LSB] = pending;
  end
endmodule
