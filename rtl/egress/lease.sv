// SPDX-License-Identifier: Apache-2.0
// The egress lease: while the CPU holds it no order leaves. Held too long, it trips a fault and holds nothing back any
// more; it is still the CPU's to return, so that the numbers it carries are not lost.
module lease
  import host_pkg::*;
(
    input  logic            clk,
    input  logic            rst,
    /* verilator lint_off UNUSEDSIGNAL */  // the lease's own actions and settings
    input  actions_t        actions,
    input  settings_t       settings,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic     [31:0] elapsed_ns,
    input  logic     [31:0] snd_nxt,
    input  logic            quiet,         // no order pending or leaving
    input  logic            hit_waits,
    input  logic            fault,         // sticky: it was held too long
    output logic            requested,
    output logic            held,
    output logic            hold,          // fires wait
    output logic            refused,       // the last release named another snd_nxt
    output logic            released,      // pulse
    output logic            expired        // level: held longer than allowed
);
  // Nothing moves snd_nxt in the cycle of the comparison: orders are held, and the action keeps CPU frames back.
  logic releasing, agree;
  assign released = releasing && agree;
  assign hold = held && !fault;

  age_limit since_grant (.clk, .restart(rst || !held || released), .elapsed_ns, .limit_ns(settings.lease_ns), .expired);

  always_ff @(posedge clk) begin
    releasing <= actions.lease_release && held;
    agree <= settings.lease_snd_nxt == snd_nxt;
    if (actions.lease_request && !held) requested <= 1'b1;
    if (actions.lease_cancel) requested <= 1'b0;

    // A fire that waits goes first: it came before the lease.
    if (requested && !held && quiet && !hit_waits && !actions.lease_cancel) begin
      held <= 1'b1;
      requested <= 1'b0;
      refused <= 1'b0;
    end
    if (releasing) refused <= !agree;
    if (released) held <= 1'b0;
    if (rst) {requested, held, releasing, refused} <= '0;
  end
endmodule
