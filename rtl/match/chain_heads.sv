// SPDX-License-Identifier: Apache-2.0
// The first live triggers of an instrument's eight chains, held in registers.
//
// `load` fetches them in LOAD_CYCLES, whatever is spent: the chains' ends in one read, then chain after chain, a cycle
// apart, the first live trigger (live_bits), its record and its fire count. Those of the mid come last: the others are `ready`
// ahead of them, and all of them `complete`. `spend` clears a trigger's live bit and writes its count; what is held is then no
// longer true, is `present` for a cycle more, and has to be loaded again. So it is when links of an order that was sent change
// live bits.
//
// A chain may be the intervals of one decision. What that sends is looked up for each message, behind the load and through
// the same port of the trigger memory.
//
// With two banks, numbers inside records count within the bank, which is the highest bit of the instrument; those that leave
// here have it as theirs.
module chain_heads
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, receive_pkg::*, match_pkg::*;
#(
    parameter int INSTRUMENTS = 1024,
    parameter int TRIGGERS    = 16384,
    parameter int ORDERS      = 4096,
    parameter int LINKS       = 4096
) (
    input  logic                                    clk,
    input  logic                                    rst,
    input  logic                                    two_banks,
    input  logic                                    invalidate,  // the host may change tables
    input  windows_t [1:0]                          windows_open,
    input  logic                                    load,        // pulse, while not spending; ends a load under way
    input  logic [15:0]                             load_instrument,
    input  logic                                    spend,       // pulse
    /* verilator lint_off UNUSEDSIGNAL */  // a board's triggers need fewer bits
    input  logic [CHAIN_FIRST_BITS-1:0]             spend_trigger,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [FIRE_COUNT_FIRES_BITS-1:0]        spend_fires,  // the count to be written
    input  logic                                    spend_counts,  // with it: it is of a chain, else it has no live bit and no count
    input  logic                                    linked,      // pulse, within three cycles from spend: the order was sent
    input  logic [ORDER_LINK_BITS-1:0]              link,        // with it: its links
    input  logic                                    over,        // the message has been evaluated to its end, or never will be
    output logic                                    spending,    // or links are carried out: nothing is to be loaded
    output logic                                    present,     // `instrument` is loaded or being loaded
    output logic                                    ready,       // all but those of the mid, which are not live yet
    output logic                                    complete,
    output logic                                    mid_arms,    // with ready: one of those has triggers that arm others
    output logic [15:0]                             instrument,  // whose heads these are, with present
    output head_t [CHAINS-1:0]                      heads,       // counts of fires a cycle behind the rest
    output chain_flags_t [CHAINS-1:0]               flags,
    input  logic                                    due,         // level: `observed` is of a message of `instrument`, all is ready
    input  logic [OBSERVED-1:0]                     observed,
    input  logic [OBSERVED-1:0][PRICE_BITS-1:0]     prices,      // a cycle later, that of the mid in half units
    output logic                                    decided,     // heads of decisions are those for `observed`, or there is none
    output logic                                    revives,     // pulse: links of an order revive triggers at once,
    output logic [$clog2(TRIGGERS)-1:0]             revived,     // from this one on
    input  host_req_t                               host_req,
    output logic [31:0]                             host_rdata
);
  localparam int INSTRUMENT_AW = $clog2(INSTRUMENTS);
  localparam int TRIGGER_AW = $clog2(TRIGGERS);
  localparam int CHAIN_SLOTS = 8;  // chains that an instrument has room for
  if ((INSTRUMENTS & (INSTRUMENTS - 1)) != 0 || INSTRUMENTS < 2) begin : gen_refuse
    $error("chain_heads %m: INSTRUMENTS is a power of two from 2 on");
  end

  // Cycles after `load` in which the first chain's data stand: ends in a register, search, record in a register.
  localparam int ENDS = 3;
  localparam int SEARCHED = ENDS + 1 + 8;
  localparam int RECORD = SEARCHED + 2;
  localparam int READY = RECORD + CARRIED_CHAINS;
  localparam int LOAD_CYCLES = RECORD + CHAINS;
  logic [LOAD_CYCLES-1:1] step;  // step[n]: n cycles after `load`

  chain_t [CHAINS-1:0] chains;
  logic [31:0] chain_host, trigger_host, count_host, live_host, link_host;
  table_ram #(
      .BITS(CHAIN_BITS), .DEPTH(CHAIN_SLOTS * INSTRUMENTS), .LANES(CHAINS), .STRIDE(CHAIN_STRIDE), .BASE(BASE_CHAIN),
      .KEPT(chain_kept(TRIGGERS))
  ) chain_memory (
      .clk, .rst, .host_req, .host_rdata(chain_host),
      .core_write(1'b0), .core_addr(INSTRUMENT_AW'(instrument)), .core_wdata('0), .core_rdata(chains)
  );

  // Not taken down with the heads: windows open and close while an instrument's chains stand.
  logic [CHAINS-1:0] has_live;
  logic [OBSERVED-1:0] misses;
  logic [CHAINS-1:0][1:0] open;
  always_ff @(posedge clk)
    for (int i = 0; i < CHAINS; i++)
      for (int set = 0; set < 2; set++) open[i][set] <= windows_open[set][chains[i].window];
  always_comb
    for (int i = 0; i < CHAINS; i++)
      flags[i] = '{
          live: has_live[i],
          arms: chains[i].arms,
          decides: 32'(chains[i].kind) == KIND_DECIDE,
          misses: i % 2 == DIRECTION_GE && misses[i/2],
          confirms: chains[i].confirms,
          open: open[i]
      };

  logic [TRIGGER_AW-1:0] first, last, index, spent, linked_first, linked_last;
  logic [1:0][TRIGGER_AW-1:0] index_q;
  logic found, found_q, clear, clear_counts, linking, link_change, link_arms, link_revives, changing;
  logic upper;  // of two banks it is that one
  assign upper = two_banks && instrument[INSTRUMENT_AW-1];
  function automatic logic [TRIGGER_AW-1:0] of_bank(logic [TRIGGER_AW-1:0] number);
    of_bank = number;
    if (upper) of_bank[TRIGGER_AW-1] = 1'b1;
  endfunction
  // Registers of their own: memories of many blocks are far from where one of them is chosen, and from much else. The first
  // chain is the only one that cannot wait for that.
  logic [CHAINS-1:1][TRIGGER_AW-1:0] firsts, lasts;
  always_ff @(posedge clk) begin
    if (step[ENDS]) {first, last} <= {of_bank(TRIGGER_AW'(chains[0].first)), of_bank(TRIGGER_AW'(chains[0].last))};
    for (int i = 1; i < CHAINS; i++) begin
      {firsts[i], lasts[i]} <= {of_bank(TRIGGER_AW'(chains[i].first)), of_bank(TRIGGER_AW'(chains[i].last))};
      if (step[ENDS+i]) {first, last} <= {firsts[i], lasts[i]};
    end
  end
  live_bits #(
      .TRIGGERS(TRIGGERS)
  ) live (
      .clk, .rst, .host_req, .host_rdata(live_host), .first, .last, .index, .found, .change(clear || link_change),
      .change_arms(!clear && link_arms), .change_revives(!clear && link_revives), .change_first(clear ? spent : linked_first),
      .change_last(clear ? spent : linked_last), .changing
  );
  links #(
      .TRIGGERS(TRIGGERS), .LINKS(LINKS)
  ) walk (
      .clk, .rst, .host_req, .host_rdata(link_host), .start(linked), .link, .two_banks, .upper(spent[TRIGGER_AW-1]),
      .over, .busy(linking), .change(link_change),
      .change_arms(link_arms), .change_revives(link_revives), .change_first(linked_first), .change_last(linked_last), .changing
  );
  assign revives = link_change && link_revives && !link_arms;
  assign revived = linked_first;
  assign spending = clear || link_change || changing || linking;

  logic [OBSERVED-1:0] wanted, searched;
  logic [OBSERVED-1:0][TRIGGER_AW-1:0] decision_first, decision_last;
  logic settled, searching, lands;
  logic [TRIGGER_AW-1:0] searched_at;
  logic [TRIGGER_ORDER_BITS-1:0] landing_order;
  trigger_t record, addressed;
  always_comb begin
    addressed = record;
    if (upper) addressed.order[$clog2(ORDERS)-1] = 1'b1;
  end
  logic [OBSERVED-1:0] deciding;  // the chain is live, and a decision
  assign wanted = deciding & observed;
  always_comb
    for (int i = 0; i < OBSERVED; i++) {decision_first[i], decision_last[i]} = {firsts[2*i+DIRECTION_GE], lasts[2*i+DIRECTION_GE]};
  assign decided = settled || wanted == '0;
  interval_search #(
      .TRIGGERS(TRIGGERS)
  ) search (
      .clk, .run(due && complete), .wanted, .prices, .settled, .first(decision_first), .last(decision_last), .reading(searching),
      .address(searched_at), .record(addressed), .found(searched), .lands, .order(landing_order)
  );
  table_ram #(
      .BITS(TRIGGER_BITS), .DEPTH(TRIGGERS), .STRIDE(TRIGGER_STRIDE), .BASE(BASE_TRIGGER),
      .KEPT(trigger_kept(TRIGGERS, ORDERS)), .BANKS(4)
  ) trigger_memory (
      .clk, .rst, .host_req, .host_rdata(trigger_host),
      .core_write(1'b0), .core_addr(searching ? searched_at : index), .core_wdata('0), .core_rdata(record)
  );

  fire_count_t count, count_q, spent_count;
  logic [CHAINS-1:0] counted;
  table_ram #(
      .BITS(FIRE_COUNT_BITS), .DEPTH(TRIGGERS), .STRIDE(FIRE_COUNT_STRIDE), .BASE(BASE_FIRE_COUNT)
  ) count_memory (
      .clk, .rst, .host_req, .host_rdata(count_host),
      .core_write(clear && clear_counts), .core_addr(clear ? spent : index), .core_wdata(spent_count), .core_rdata(count)
  );
  always_ff @(posedge clk) host_rdata <= chain_host | trigger_host | count_host | live_host | link_host;

  always_ff @(posedge clk) begin
    spent <= TRIGGER_AW'(spend_trigger);
    spent_count <= spend_fires;
    clear <= spend;
    clear_counts <= spend_counts;
  end

  always_ff @(posedge clk) begin
    index_q <= {index_q[0], index};
    found_q <= found;
    for (int i = 0; i < CHAINS; i++) begin
      if (step[RECORD+i]) begin
        has_live[i] <= found_q && chains[i].valid;
        if (i % 2 == DIRECTION_GE)
          deciding[i/2] <= found_q && chains[i].valid && 32'(chains[i].kind) == KIND_DECIDE;
        heads[i].index <= CHAIN_FIRST_BITS'(index_q[1]);
        heads[i].trigger <= addressed;
      end
      // Wanted with the hit only.
      if (counted[i]) begin
        heads[i].fires <= (count_q == '1) ? count_q : count_q + 1'b1;
        heads[i].exhausted <= count_q == '1;
      end
    end
    count_q <= count;
    counted <= step[RECORD+:CHAINS];
    if (load) begin
      has_live[CHAINS-1:CARRIED_CHAINS] <= '0;
      deciding[OBSERVED-1:CARRIED_CHAINS/2] <= '0;
      misses <= '0;
    end
    for (int i = 0; i < OBSERVED; i++)
      if (searched[i]) begin
        misses[i] <= !lands;
        heads[2*i+DIRECTION_GE].trigger.order <= landing_order;
      end
  end

  logic no_mid;
  always_ff @(posedge clk) begin
    {no_mid, mid_arms} <= 2'b10;
    for (int i = CARRIED_CHAINS; i < CHAINS; i++) begin
      if (chains[i].valid) no_mid <= 1'b0;
      if (chains[i].valid && chains[i].arms) mid_arms <= 1'b1;
    end
  end

  always_ff @(posedge clk) begin
    step <= {step[LOAD_CYCLES-2:1], load};
    if (step[READY-1]) {ready, complete} <= {1'b1, no_mid};
    if (step[LOAD_CYCLES-1]) complete <= 1'b1;
    if (load) begin
      instrument <= load_instrument;
      step <= (LOAD_CYCLES - 1)'(1);  // what was under way is forgotten
      present <= 1'b1;
      {ready, complete} <= '0;
    end
    if (clear || link_change || invalidate || rst) begin
      step <= '0;
      present <= 1'b0;
      {ready, complete} <= '0;
    end
  end
endmodule
