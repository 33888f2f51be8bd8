// SPDX-License-Identifier: Apache-2.0
// What stands in registers a cycle ahead is what it stands for.
module entry_update_properties
  import receive_pkg::*;
(
    input logic       clk,
    /* verilator lint_off UNUSEDSIGNAL */  // a few of their fields
    input rollback_t  rollback,
    input entry_t     entry,
    /* verilator lint_on UNUSEDSIGNAL */
    input logic       idle,
    input logic       looking,
    input logic       reading,
    input logic       writing,
    input logic       owed,
    input logic       divides,
    input logic       issued,
    input logic       hold,
    input logic       settled,
    input logic       single,
    input logic       found,
    input logic       blocks,
    input logic       ready,
    input logic       issue,
    input logic       seek,
    input logic       place,
    input logic       result_now,
    input logic [1:0] now_id,
    input logic       result_kept,
    input logic [1:0] kept_id
);
  logic began;
  initial began = 1'b0;  // registers hold anything before the first reset
  always_ff @(posedge clk) begin
    began <= began || rollback.clear;
    if (began) begin
      one_phase : assert ($onehot({idle, looking, reading, writing}));
      // No lookup starts that would take away what an entry needs, and none waits for nothing.
      blocked : assert (blocks == (!owed && ((looking && entry.named) || (!idle && divides && !issued))));
      // A price is taken by its id.
      taken : assert (idle || ready == (!divides || (issued && !issue && (result_now ? now_id == entry.price_id
                                                                                     : result_kept && kept_id == entry.price_id))));
      // Who makes a slot looks for it in the same cycle, and looks no longer than that.
      sought : assert (!(place && !single) || seek);
      in_its_turn : assert (!(seek && settled) || (place && !hold && found));
    end
  end
endmodule

bind entry_update entry_update_properties properties (.*);
