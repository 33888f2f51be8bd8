// SPDX-License-Identifier: Apache-2.0
// Any one trigger among the heads of chains, whatever is loaded, spent and linked in any order. Memories are cut: what they
// say is anything, and so is what a search finds, but for what spent_proof has shown of it.
//  1. Once spent, or cancelled by links, it stands in no head that a message may be judged by, until something arms it.
//  2. What a message is judged by stands for a cycle more, in which its hit is taken down; its count of fires from then on.
//  3. Thresholds of chains that are ready stand, those of the mid apart.
module heads_proof
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, receive_pkg::*, match_pkg::*;
#(
    localparam int AW = 6
) (
    input logic                                clk,
    input logic                                rst,
    input logic                                two_banks, invalidate, load, spend, spend_counts, linked, over, due,
    input windows_t [1:0]                      windows_open,
    input logic [15:0]                         load_instrument,
    input logic [CHAIN_FIRST_BITS-1:0]         spend_trigger,
    input logic [FIRE_COUNT_FIRES_BITS-1:0]    spend_fires,
    input logic [ORDER_LINK_BITS-1:0]          link,
    input logic [OBSERVED-1:0]                 observed,
    input logic [OBSERVED-1:0][PRICE_BITS-1:0] prices,
    input host_req_t                           host_req,
    input logic [AW-1:0]                       trigger,  // the one that is looked at
    input logic                                armed_by_host
);
  logic spending, present, ready, complete, mid_arms, decided;
  logic revives;
  logic [AW-1:0] revived;
  logic [15:0] instrument;
  head_t [CHAINS-1:0] heads;
  chain_flags_t [CHAINS-1:0] flags;
  logic [31:0] host_rdata;
  chain_heads #(.INSTRUMENTS(2), .TRIGGERS(2 ** AW), .ORDERS(16), .LINKS(8)) chains (.*);

  logic [AW-1:0] trigger_q;
  logic fixed;
  initial fixed = 1'b0;
  always_ff @(posedge clk) begin
    fixed <= 1'b1;
    trigger_q <= trigger;
  end
  always_comb assume (!fixed || (trigger == trigger_q && !rst));

  // The matcher (fires_proof) loads and spends only while nothing is being spent; it judges by what is ready, and loads
  // nothing then.
  logic change;
  logic [2:0] steps;
  always_comb begin
    assume (!(load && spending));
    assume (!spend || !(spending || rst));
    assume (!due || (ready && !spend && !spending && !load));
  end
  // As live_bits and links have it: a change takes this cycle and three more, none begins meanwhile, and links change while
  // they are busy or in the cycle behind that.
  logic linking_q;
  assign change = chains.clear || chains.link_change;
  always_ff @(posedge clk) begin
    steps <= {steps[1:0], change};
    linking_q <= chains.linking;
    if (rst) {steps, linking_q} <= '0;
  end
  always_comb begin
    assume (chains.changing == (steps != '0));
    assume (!chains.link_change || (steps == '0 && !chains.clear && !spend && (chains.linking || linking_q)));
  end

  // Gone from the end of the change on; before that nothing is judged.
  logic gone, ours, arms;
  always_ff @(posedge clk) begin
    if (change) begin
      ours <= chains.clear ? chains.spent == trigger : chains.linked_first <= trigger && trigger <= chains.linked_last;
      arms <= !chains.clear && (chains.link_arms || chains.link_revives);
    end
    if (steps[2] && ours) gone <= !arms;
    if (armed_by_host || rst) gone <= 1'b0;
  end
  logic [3:0] quiet;
  logic [AW-1:0] index_q;
  always_ff @(posedge clk) begin
    quiet <= (change || chains.changing) ? '0 : (quiet == '1) ? quiet : quiet + 1'b1;
    index_q <= chains.index;
    if (rst) quiet <= '0;
  end
  localparam int SEARCH = 9;
  always_comb assume (!(gone && chains.found && index_q == trigger && int'(quiet) >= SEARCH + 4));  // spent_proof, 2

  // A decision's head may change until it is decided, with what is looked up for the message; nothing is, when it is.
  logic judged, judged_q, ready_q;
  head_t [CHAINS-1:0] judged_by;
  chain_flags_t [CHAINS-1:0] flags_then, flags_before;
  chain_t [CHAINS-1:0] read;
  always_ff @(posedge clk) begin
    judged <= due && decided;
    judged_q <= judged;
    ready_q <= ready;
    judged_by <= heads;
    {flags_before, flags_then} <= {flags_then, flags};
    read <= chains.chains;
    if (rst) {judged, judged_q, ready_q, flags_then} <= '0;
  end
  always_comb begin
    assume (!(due && decided) || chains.searched == '0);  // interval_search is settled, or nothing is wanted
    assume (!judged || chains.chains == read);  // read long ago; the host writes none that is in use
  end

  logic [CHAINS-1:0] ours_live;
  always_comb
    for (int i = 0; i < CHAINS; i++) ours_live[i] = flags[i].live && heads[i].index == CHAIN_FIRST_BITS'(trigger);
  always_ff @(posedge clk)
    if (!rst) begin
      for (int i = 0; i < CHAINS; i++) begin
        assert (!(ready && !spend && !spending && gone && ours_live[i]));                   // 1
        if (judged && flags_then[i].live) begin                                             // 2
          assert (heads[i].index == judged_by[i].index && heads[i].trigger == judged_by[i].trigger && flags[i].live);
          assert (!(judged_q && flags_before[i].live)
                  || {heads[i].fires, heads[i].exhausted} == {judged_by[i].fires, judged_by[i].exhausted});
          assert ({flags[i].decides, flags[i].misses} == {flags_then[i].decides, flags_then[i].misses});
          assert (flags[i].confirms == flags_then[i].confirms);
        end
      end
      for (int i = 0; i < CARRIED_CHAINS; i++)                                              // 3
        assert (!(ready && ready_q) || heads[i].trigger.threshold == judged_by[i].trigger.threshold);
      for (int i = CARRIED_CHAINS; i < CHAINS; i++)
        assert (!(flags_then[i].live && flags[i].live) || heads[i].trigger.threshold == judged_by[i].trigger.threshold);
      assert (!judged || ready_q);
      for (int i = 0; i < CHAINS; i++)
        assert (!chains.counted[i] || !(i < CARRIED_CHAINS ? ready_q : flags_then[i].live));
      assert (present || !(ready || chains.step != '0));
      // With these, 1 is inductive: one load at most is under way, begun behind the last change; what it has brought is sound.
      assert ((chains.step & (chains.step - 1'b1)) == '0);
      assert (steps == '0 || (chains.step == '0 && !ready));
      assert (!(gone && chains.found_q && chains.index_q[1] == trigger && int'(quiet) > SEARCH + 4));
      for (int n = 1; n < chains.LOAD_CYCLES; n++)
        assert (!chains.step[n] || ((int'(quiet) >= n || quiet == '1) && (!ready || n >= chains.READY)));
      for (int i = 0; i < CHAINS; i++) begin
        assert (!(gone && ours_live[i] && (ready || (chains.step >> (chains.RECORD + i)) != '0)));
        if (i >= CARRIED_CHAINS)
          for (int n = 1; n <= chains.RECORD + i; n++) assert (!chains.step[n] || !flags[i].live);
      end
      cover (ready && gone && complete && flags[0].live);
      cover (ready && ours_live[7] && complete);
    end
endmodule
bind heads_proof from_reset reset (.*);
