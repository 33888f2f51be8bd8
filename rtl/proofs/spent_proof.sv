// SPDX-License-Identifier: Apache-2.0
// Any one trigger among live bits that host, fires and links change in any order, while anything is searched.
//  1. Once spent or cancelled it is not live, until links arm or revive it or the host writes its word.
//  2. No search finds it meanwhile that has begun four cycles behind the change or later.
//  3. Links make it live only if it was dormant or they revive it, and then it is dormant no more; it never becomes dormant by
//     itself.
module spent_proof
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, match_pkg::*;
#(
    localparam int AW = 6
) (
    input logic          clk,
    input logic          rst,
    input host_req_t     host_req,
    input logic [AW-1:0] first, last, change_first, change_last,
    input logic          change, change_arms, change_revives,
    input logic [AW-1:0] trigger  // the one that is looked at
);
  logic [31:0] host_rdata;
  logic [AW-1:0] index;
  logic found, changing, under_way;
  live_bits #(.TRIGGERS(2 ** AW)) live (.changing(under_way), .*);
  assign changing = change || under_way;

  // Its bits, as they stand in the memories.
  logic at;
  logic [4:0] place;
  logic is_live, is_copy, is_dormant;
  assign {at, place} = trigger;
  assign is_live = live.words.gen_part[0].mem[at][place];
  assign is_dormant = live.dormant.gen_blocks.memory.gen_part[0].mem[at][place];
  assign is_copy = (live.written && live.written_at == at) ? live.written_word[place] : live.copy[at][place];

  // A change is of one word, and none begins while one is under way. The host writes no word that the fabric is changing: of
  // two banks it is the other one's, else tables are locked while armed, and what it writes disarmed waits for links.
  logic [AW-1:0] trigger_q, from, to;
  logic [2:0] since_access;
  localparam logic [2:0] DONE = 3'd4;  // cycles of a write
  host_req_t host_req_q;
  logic host_word, changed_word;
  assign host_word = host_req.addr[2];  // a record is a word
  assign changed_word = change ? change_first[5] : from[5];
  logic fixed;
  initial fixed = 1'b0;
  always_ff @(posedge clk) begin
    fixed <= 1'b1;
    trigger_q <= trigger;
    host_req_q <= host_req;
    since_access <= host_req.valid ? '0 : (since_access == '1) ? since_access : since_access + 1'b1;
    if (rst) since_access <= '1;
  end
  always_comb begin
    assume (!fixed || trigger == trigger_q);
    assume (fixed || is_live == live.copy[at][place]);  // as in a device that has just been configured
    assume (fixed || (!live.written && live.steps == '0));
    assume (!fixed || !rst);
    assume (!change || (live.steps == '0 && change_first[5] == change_last[5] && change_first <= change_last));
    assume (!host_req.valid || (int'(since_access) >= HOST_PERIOD - 1 && !rst));
    assume (!change || !rst);
    // An access stands on the bus until it is done (axil_slave).
    assume (!fixed || host_req.valid || since_access >= DONE ||
        {host_req.addr, host_req.wdata} == {host_req_q.addr, host_req_q.wdata});
    assume (!(changing && (host_req.valid || since_access < DONE) && host_word == changed_word));
  end

  // What has been asked for, apart from how it is done.
  logic arms, revives, spent;
  logic ours, ends, written;
  assign ours = from <= trigger && trigger <= to;
  assign ends = live.steps[2];
  assign written = live.host_write && live.host_index == at;
  always_ff @(posedge clk) begin
    if (change) {from, to, arms, revives} <= {change_first, change_last, change_arms, change_revives};
    if (ends && ours && !arms && !revives) spent <= 1'b1;
    if (ends && ours && (revives || (arms && is_dormant))) spent <= 1'b0;
    if (written || rst) spent <= 1'b0;
  end

  // Cycles without a change; what a search has found that began before all of them.
  localparam int SEARCH = 9;
  logic [3:0] quiet;
  logic [AW-1:0] index_q;
  logic live_before, dormant_before;
  always_ff @(posedge clk) begin
    quiet <= changing ? '0 : (quiet == '1) ? quiet : quiet + 1'b1;
    index_q <= index;
    {live_before, dormant_before} <= {is_live, is_dormant};
    if (rst) quiet <= '0;
  end
  logic dormant_write, ended, ended_arms, ended_revives, ended_ours, wrote, wrote_dormant;
  assign dormant_write = live.dormant.host_write;
  always_ff @(posedge clk) begin
    {ended, ended_arms, ended_revives, ended_ours} <= {ends, arms, revives, ours};
    wrote <= live.host_write;
    wrote_dormant <= dormant_write;
  end

  always_ff @(posedge clk)
    if (!rst && fixed) begin
      assert (!(spent && is_live));                                                         // 1
      assert (!(spent && found && index_q == trigger && int'(quiet) >= SEARCH + 4));        // 2
      if (is_live && !live_before && !wrote)
        assert (ended && ended_ours && (ended_revives || (ended_arms && dormant_before)));                  // 3
      if (ended && ended_ours) assert (!is_dormant);
      if (is_dormant && !dormant_before) assert (wrote_dormant);
      assert (is_live == is_copy);  // with it, 2 is inductive
      cover (spent && int'(quiet) >= SEARCH + 4);
      cover (found && index_q == trigger && int'(quiet) >= SEARCH + 4);
      cover (is_live && !live_before && !wrote && !ended_revives);
      cover (is_live && !live_before && !wrote && !dormant_before);
    end
endmodule
bind spent_proof from_reset reset (.*);
