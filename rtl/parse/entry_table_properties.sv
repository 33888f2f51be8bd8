// SPDX-License-Identifier: Apache-2.0
// After a bad frame the table is what it was after the last good one, slot by slot.
module entry_table_properties
  import receive_pkg::*;
#(
    parameter int AW = 10
) (
    input logic       clk,
    input logic       rst,
    input rollback_t  rollback,
    input logic       busy,
    input logic       place,
    input logic       write,
    input logic [$clog2(SLOTS):0] count,
    input candidate_t bid[2*SLOTS],
    input candidate_t ask[2*SLOTS],
    input candidate_t last[2*SLOTS],
    input rank_t      bid_rank[2*SLOTS],
    input rank_t      ask_rank[2*SLOTS],
    input rank_t      last_rank[2*SLOTS],
    input logic [AW-1:0] owners[SLOTS]
);
  candidates_t shadow[SLOTS];
  ranks_t shadow_ranks[SLOTS];
  logic [AW-1:0] shadow_owners[SLOTS];
  logic [$clog2(SLOTS):0] shadow_count;
  logic restoring, busy_q;
  always_ff @(posedge clk) begin
    busy_q <= busy;
    if (rollback.keep) begin
      shadow_count <= count;
      for (int i = 0; i < SLOTS; i++) begin
        shadow[i] <= {last[i], ask[i], bid[i]};
        shadow_ranks[i] <= {last_rank[i], ask_rank[i], bid_rank[i]};
      end
      shadow_owners <= owners;
    end
    if (rollback.clear) shadow_count <= '0;
    restoring <= !rst && (rollback.restore || (restoring && (busy || busy_q)));

    if (!rst) begin
      // No entry comes while copies are moved.
      assert (!(busy && (place || write)));
      if (restoring && !busy && !busy_q) begin
        assert (count == shadow_count);
        for (int i = 0; i < SLOTS; i++)
          if (i < int'(shadow_count)) begin
            assert ({last[i], ask[i], bid[i]} == shadow[i]);
            assert ({last_rank[i], ask_rank[i], bid_rank[i]} == shadow_ranks[i]);
            assert (owners[i] == shadow_owners[i]);
          end
      end
    end
    if (rst) shadow_count <= '0;
  end
endmodule

bind entry_table entry_table_properties #(.AW(AW)) properties (.*);
