// SPDX-License-Identifier: Apache-2.0
// Which triggers are live: a bit each, in words of 32, under two levels of bits that tell which words are not zero.
// Beside them, which are dormant: not live, but to be made so by another's fire.
//
// A search takes as long whatever is live; there may be one a cycle. The word of `first` is looked at, and beside that the
// next word that is not zero, found through the levels above; the nearer one wins. The words are held twice, so that both
// can be read at once.
//
// Host and fabric change words one at a time, the fabric first; the levels above follow three cycles later. An update that
// has begun is finished, whatever happens: none of its registers is reset. The host writes no word that the fabric is changing.
module live_bits
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, match_pkg::*;
#(
    parameter  int TRIGGERS = 16384,
    localparam int AW       = $clog2(TRIGGERS)
) (
    input  logic          clk,
    input  logic          rst,            // nothing begins
    input  host_req_t     host_req,
    output logic [31:0]   host_rdata,
    input  logic [AW-1:0] first,
    input  logic [AW-1:0] last,
    output logic [AW-1:0] index,          // eight cycles later: the lowest live trigger from `first` on
    output logic          found,          // nine: there is one, and it is not beyond `last`
    // Neither live nor dormant, or live if dormant, or live, from `change_first` to `change_last`, which stand in one word.
    input  logic          change,         // pulse, not while changing, and while no search needs the word of its `first`
    input  logic          change_arms,
    input  logic          change_revives,  // whatever change_arms says
    input  logic [AW-1:0] change_first,
    /* verilator lint_off UNUSEDSIGNAL */  // its place in the word
    input  logic [AW-1:0] change_last,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic          changing        // from the cycle behind `change` on. A search that begins four cycles after this sees the change
);
  localparam int WORDS = TRIGGERS / LIVE_WORD_BITS;
  localparam int WORD_AW = $clog2(WORDS);
  localparam int GROUPS = (WORDS > 64) ? WORDS / 32 : 2;
  localparam int GROUP_AW = $clog2(GROUPS);
  if (TRIGGERS % LIVE_WORD_BITS != 0 || TRIGGERS < 64 || TRIGGERS > 32 * 32 * 32) begin : gen_refuse
    $error("live_bits %m: TRIGGERS is a multiple of 32 from 64 to 32,768");
  end

  // A trigger's number: which group of words, which word of it, which bit.
  typedef struct packed {
    logic [4:0] group;
    logic [4:0] word;
  } word_at_t;
  typedef struct packed {
    word_at_t   at;
    logic [4:0] place;
  } trigger_at_t;

  // ---- Words and the levels above
  logic host_read, host_writes, host_due, host_write;
  logic [WORD_AW-1:0] host_index;
  logic [31:0] host_wdata;
  /* verilator lint_off PINCONNECTEMPTY */  // a record is one word
  host_window #(.DEPTH(WORDS), .STRIDE(LIVE_STRIDE), .BASE(BASE_LIVE)) window (
      .clk, .host_req, .read(host_read), .write(host_writes), .index(host_index), .word(), .wdata(host_wdata)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // A change: the words are read in the first two cycles after `change`, and written in the third.
  logic [2:0] steps;
  // What the host writes stands until its next access.
  assign host_write = host_due && !steps[2] && !rst;
  always_ff @(posedge clk) host_due <= !rst && (host_writes || (host_due && !host_write));
  trigger_at_t first_at, last_at, from_at;
  logic [4:0] from, to;
  logic arms, revives;
  logic [31:0] near_q, near, near_dormant, changed, mask;
  logic [WORD_AW-1:0] near_addr;
  assign first_at = 15'(first);
  assign last_at = 15'(last);
  assign from_at = 15'(change_first);
  always_comb begin
    changed = arms ? near | (near_dormant & mask) : near & ~mask;
    if (revives) changed = near | mask;
  end
  always_ff @(posedge clk) begin
    steps <= {steps[1:0], change && !rst};
    changing <= steps[1:0] != '0 || (change && !rst);  // as steps != '0
    if (change) {from, to, arms, revives} <= {from_at.place, 5'(change_last), change_arms, change_revives};
    mask <= bits_from(from) & ~bits_behind(to);
    if (change) near_addr <= WORD_AW'(from_at.at);
    else if (steps == '0) near_addr <= WORD_AW'(first_at.at);
  end

  logic [31:0] host_rq, host_rqq, rdata_live, rdata_dormant;
  logic [1:0] host_read_q;
  dual_port_ram #(
      .BITS(32), .DEPTH(WORDS)
  ) words (
      .clk, .a_write(steps[2]), .a_addr(near_addr), .a_wdata(changed), .a_rdata(near_q),
      .b_write(host_write), .b_addr(host_index), .b_wdata(host_wdata), .b_rdata(host_rq)
  );
  table_ram #(
      .BITS(LIVE_WORD_BITS), .DEPTH(WORDS), .STRIDE(DORMANT_STRIDE), .BASE(BASE_DORMANT)
  ) dormant (
      .clk, .rst, .host_req, .host_rdata(rdata_dormant),
      .core_write(steps[2]), .core_addr(near_addr), .core_wdata(near_dormant & ~mask), .core_rdata(near_dormant)
  );
  always_ff @(posedge clk) begin
    host_read_q <= {host_read_q[0], host_read};
    host_rqq <= host_rq;
    rdata_live <= host_read_q[1] ? host_rqq : '0;
  end
  assign host_rdata = rdata_live | rdata_dormant;

  // A word that was written: its copy, its bit in its group, the group's bit, and a cycle later the group's first word.
  logic written, marking, grouping, placing, word_any;
  logic [WORD_AW-1:0] written_at;
  word_at_t marked;
  logic [GROUP_AW-1:0] grouped, placed;
  eights_t placed_eights;
  lowest_t group_firsts[GROUPS];
  logic [31:0] written_word, copy[WORDS], groups[GROUPS], group_new, group;
  logic [GROUPS-1:0] top;
`ifdef VERILATOR
  // As in a device that has just been configured: nothing is live, on every level.
  initial begin
    for (int i = 0; i < WORDS; i++) copy[i] = '0;
    for (int i = 0; i < GROUPS; i++) {groups[i], group_firsts[i]} = '0;
    top = '0;
    {steps, changing, written, marking, grouping, placing} = '0;
  end
`endif
  always_comb begin
    group_new = groups[GROUP_AW'(marked.group)];
    group_new[marked.word] = word_any;
  end
  always_ff @(posedge clk) begin
    written <= steps[2] || host_write;
    written_at <= steps[2] ? near_addr : host_index;
    written_word <= steps[2] ? changed : host_wdata;
    if (written) copy[written_at] <= written_word;

    marking <= written;
    marked <= 10'(written_at);
    word_any <= written_word != '0;
    if (marking) groups[GROUP_AW'(marked.group)] <= group_new;

    grouping <= marking;
    grouped <= GROUP_AW'(marked.group);
    group <= group_new;
    if (grouping) top[grouped] <= group != '0;

    placing <= grouping;
    placed <= grouped;
    placed_eights <= lowest_of_eights(group);
    if (placing) group_firsts[placed] <= lowest_among(placed_eights);
  end

  // ---- Search. Stage n holds what is known n cycles after `first` and `last` stand. What is found is compared with `last`
  // at the end: the lowest live one is beyond it if and only if no other is there.
  localparam int STAGES = 8;
  trigger_at_t firsts[1:STAGES-1], lasts[1:STAGES];
  logic [31:0] in_group, near_mask, near_mask_q, near_masked, far_q, far;
  logic [GROUPS-1:0] in_top;
  lowest_t group_place, top_place, top_place_q, next_place, near_place[6:7], far_place;
  eights_t group_eights, near_eights, far_eights;
  word_at_t far_at[4:7];
  logic far_any[4:7];
  trigger_at_t lowest_at;
  logic any;
  assign far_place = lowest_among(far_eights);
  assign index = AW'(lowest_at);
  always_ff @(posedge clk) begin
    firsts[1] <= first_at;
    lasts[1] <= last_at;
    for (int i = 2; i < STAGES; i++) firsts[i] <= firsts[i-1];
    for (int i = 2; i <= STAGES; i++) lasts[i] <= lasts[i-1];

    // 1: words behind that of `first` in its group; groups behind its group. 2: the first of them.
    in_group <= groups[GROUP_AW'(first_at.at.group)] & bits_behind(first_at.at.word);
    in_top <= top & GROUPS'(bits_behind(first_at.at.group));
    group_eights <= lowest_of_eights(in_group);
    top_place <= lowest(32'(in_top));
    near_mask <= bits_from(firsts[1].place);
    // 3: the word of `first`; the first word of the next group.
    group_place <= lowest_among(group_eights);
    top_place_q <= top_place;
    near <= near_q;
    near_mask_q <= near_mask;
    next_place <= group_firsts[GROUP_AW'(top_place.place)];
    // 4: the next word that is not zero.
    near_masked <= near & near_mask_q;
    far_any[4] <= group_place.any || (top_place_q.any && next_place.any);
    far_at[4] <= group_place.any ? {firsts[3].at.group, group_place.place} : {top_place_q.place, next_place.place};
    // 5, 6: it is read.
    far_q <= copy[WORD_AW'(far_at[4])];
    far <= far_q;
    near_eights <= lowest_of_eights(near_masked);
    near_place[6] <= lowest_among(near_eights);
    // 7, 8: the first of it.
    far_eights <= lowest_of_eights(far);
    for (int i = 7; i < STAGES; i++) near_place[i] <= near_place[i-1];
    for (int i = 5; i < STAGES; i++) begin
      far_any[i] <= far_any[i-1];
      far_at[i] <= far_at[i-1];
    end
    // 8, 9: the nearer one, and whether it counts.
    any <= near_place[7].any || (far_any[7] && far_place.any);
    lowest_at <= near_place[7].any ? {firsts[7].at, near_place[7].place} : {far_at[7], far_place.place};
    found <= any && lowest_at <= lasts[STAGES];
  end
endmodule
