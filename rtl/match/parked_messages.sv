// SPDX-License-Identifier: Apache-2.0
// Messages that have something to fire, in order, while the orders of the ones before them leave.
//
// `resume` reads the oldest again. `look` asks what a later message can add: a chain is covered if a parked message of
// the same instrument and windows of time has an observation there that is as extreme, for that one will have fired by
// then whatever the later one satisfies. The newest WINDOW are looked at; where an older one would have covered it, the message is parked
// and finds nothing to fire when its turn comes.
module parked_messages
  import compare_pkg::*, fixaccel_hwmap_pkg::*, receive_pkg::*, match_pkg::*;
#(
    parameter int INSTRUMENTS = 1024,
    parameter int DEPTH       = 512,
    parameter int WINDOW      = 32
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              clear,
    input  logic              push,
    input  committed_t        pushed,
    output logic              full,
    output logic              occupied,
    input  logic              resume,         // level
    output logic              resumed_valid,  // five cycles after resume or drop
    output committed_t        resumed,
    output observation_t [SOURCES-1:0] resumed_next,   // what it observes and what was so before, a cycle ahead
    output observation_t [SOURCES-1:0] previous_next,
    input  logic              drop,           // pulse: the oldest is done with
    input  logic              look,           // level, not with resume
    input  logic              look_anew,      // another message is looked at from the next cycle on
    input  logic [15:0]                looked_instrument,
    input  logic                       looked_windows,
    input  observation_t [SOURCES-1:0] looked_observed,
    input  logic              looked_has_mid,
    input  halves_t           looked_mid,     // bid and ask
    output logic              looked,         // `covered` stands; not to be asked in the cycle after look_anew
    output logic [CHAINS-1:0] covered
);
  localparam int AW = $clog2(DEPTH);
  localparam int INSTRUMENT_AW = $clog2(INSTRUMENTS);
  if ((DEPTH & (DEPTH - 1)) != 0 || (WINDOW & (WINDOW - 1)) != 0 || DEPTH < WINDOW) begin : gen_refuse
    $error("parked_messages %m: DEPTH and WINDOW are powers of two, DEPTH of at least WINDOW");
  end

  typedef logic [AW:0] pointer_t;  // one bit more than an address: full and empty differ
  typedef struct packed {
    logic [INSTRUMENT_AW-1:0]   instrument;
    logic [31:0]                number;
    logic [31:0]                end_cycle;
    logic                       windows;
    observation_t [SOURCES-1:0] observed;
    observation_t [SOURCES-1:0] previous;
    logic                       has_mid;
    logic [SOURCES:0]           outside;
    logic [31:0]                frame_end_cycle;
    logic [63:0]                time_ns;
  } entry_t;

  pointer_t oldest, oldest_after, behind, count;  // count: a cycle late
  logic more;          // two cycles ago there were two
  logic [1:0] recent;  // pushes since then
  assign oldest_after = oldest + 1'b1;
  always_ff @(posedge clk) begin
    if (drop) oldest <= oldest_after;
    if (push) behind <= behind + 1'b1;
    recent <= {recent[0], push};
    more <= count > pointer_t'(1);
    occupied <= push || recent != '0 || (drop ? more : occupied);
    count <= behind - oldest;
    full <= behind - oldest == pointer_t'(DEPTH);  // a cycle late: messages come further apart
    if (clear || rst) begin
      {oldest, behind, count} <= '0;
      {occupied, recent, more, full} <= '0;
    end
  end

  // Memory, with a register before its address, its own behind it, and one where the word is used.
  entry_t entries[DEPTH], read, entry_q, entry;
  (* keep = "true" *) observation_t [SOURCES-1:0] beside;  // what it observed once more: what is compared stands apart
  logic [AW-1:0] address, newest, place;
  entry_t parking;
  logic write;  // a cycle late: what is pushed is read two cycles later at the earliest
  always_ff @(posedge clk) begin
    address <= resume ? oldest[AW-1:0] : newest;
    read <= entries[address];
    entry_q <= read;
    entry <= entry_q;
    beside <= entry_q.observed;
    write <= push;
    place <= behind[AW-1:0];
    if (write) entries[place] <= parking;
    parking <= '{
          instrument: INSTRUMENT_AW'(pushed.message.instrument),
          number: pushed.message.number,
          end_cycle: pushed.message.end_cycle,
          windows: pushed.message.windows,
          observed: pushed.message.observed,
          previous: pushed.previous,
          has_mid: pushed.has_mid,
          outside: pushed.outside,
          frame_end_cycle: pushed.frame_end_cycle,
          time_ns: pushed.time_ns
      };
  end

  logic [3:0] fetching;
  always_ff @(posedge clk) begin
    fetching <= {fetching[2:0], 1'b1};
    if (!resume || drop || clear || rst) fetching <= '0;
  end
  assign resumed_valid = fetching[3];
  assign {resumed_next, previous_next} = {entry_q.observed, entry_q.previous};
  assign resumed = '{
          message: '{
              instrument: 16'(entry.instrument), number: entry.number, end_cycle: entry.end_cycle,
              windows: entry.windows, touched: '0, observed: entry.observed
          },
          previous: entry.previous,
          has_mid: entry.has_mid,
          outside: entry.outside,
          frame_end_cycle: entry.frame_end_cycle,
          time_ns: entry.time_ns
      };

  // Looking: entries from the newest on, one a cycle.
  localparam int LEFT_BITS = $clog2(WINDOW + 1);
  logic begun, anew;
  logic [LEFT_BITS-1:0] left;
  // An entry is at: the address, the memory, its register, the register, two of the comparison, one more of that of the mid.
  logic [6:0] passing;
  always_ff @(posedge clk) begin
    passing <= {passing[5:0], begun && left != '0};
    newest <= newest - 1'b1;
    if (left != '0) left <= left - 1'b1;
    if (look && !begun) begin
      begun <= 1'b1;
      newest <= behind[AW-1:0] - 1'b1;
      left <= (count / pointer_t'(WINDOW) != '0) ? LEFT_BITS'(WINDOW) : LEFT_BITS'(count);
    end
    looked <= begun && left == '0 && passing == '0;
    anew <= look_anew || drop;  // `count` is late
    if (!look || anew || rst) begin
      begun <= 1'b0;
      looked <= 1'b0;
      passing <= '0;
    end
  end

  // Compared in two cycles, the mid behind its sum.
  logic same, same_here, same_mid, mid_above, mid_beneath;
  stages_t mid_above_stages, mid_beneath_stages;
  halves_t mid;
  logic [SOURCES-1:0][PRICE_BITS-1:0] looked_price;  // nearby
  stages_t [SOURCES-1:0] above_stages, beneath_stages;
  logic [SOURCES-1:0] valid, valid_here, above, beneath;
  logic has_mid, has_mid_here;
  always_ff @(posedge clk) begin
    same <= 16'(entry.instrument) == looked_instrument && entry.windows == looked_windows;
    for (int i = 0; i < SOURCES; i++) begin
      looked_price[i] <= looked_observed[i].price;
      valid[i] <= beside[i].valid;
      valid_here[i] <= valid[i];
      above_stages[i] <= stages_below(looked_price[i], beside[i].price);
      beneath_stages[i] <= stages_below(beside[i].price, looked_price[i]);
      above[i] <= carry_of(above_stages[i]);
      beneath[i] <= carry_of(beneath_stages[i]);
      if (passing[5] && same_here && valid_here[i] && !above[i]) covered[2*i+DIRECTION_LE] <= 1'b1;
      if (passing[5] && same_here && valid_here[i] && !beneath[i]) covered[2*i+DIRECTION_GE] <= 1'b1;
    end
    mid <= halves_t'(beside[SOURCE_BID].price) + halves_t'(beside[SOURCE_ASK].price);
    has_mid <= entry.has_mid && looked_has_mid;
    {same_here, has_mid_here} <= {same, has_mid};
    same_mid <= same_here && has_mid_here;
    mid_above_stages <= stages_halves_below(looked_mid, mid);
    mid_beneath_stages <= stages_halves_below(mid, looked_mid);
    mid_above <= carry_of(mid_above_stages);
    mid_beneath <= carry_of(mid_beneath_stages);
    if (passing[6] && same_mid && !mid_above) covered[CARRIED_CHAINS+DIRECTION_LE] <= 1'b1;
    if (passing[6] && same_mid && !mid_beneath) covered[CARRIED_CHAINS+DIRECTION_GE] <= 1'b1;
    if (!begun) covered <= '0;
  end
endmodule
