// SPDX-License-Identifier: Apache-2.0
// Trails: stops that follow the market.
//
// An instrument's trails stand in a list, by source and as declared. As its chains are loaded the list is walked once, for
// which of them are live; an instrument without any is known by then, and its messages wait for nothing here. For a message
// of another one all are looked at, two cycles each: whether it reaches a stop, and whether it would move one. The first
// that is reached hits, behind the chains of its source and before those of the next. Nothing is written for that: what a
// message moves it moves once, when it fires nothing more and its frame is good (`write`), by looking at all of them again.
//
// So a bad frame has nothing to be taken back; and what stands behind a message that moves a stop is looked at behind that.
module trails
  import compare_pkg::*, fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, receive_pkg::*, match_pkg::*;
#(
    parameter int INSTRUMENTS = 1024
) (
    input  logic                                clk,
    input  logic                                rst,
    input  host_req_t                           host_req,
    output logic [31:0]                         host_rdata,
    input  logic                                two_banks,
    input  windows_t [1:0]                      windows_open,
    input  logic                                forget,         // level: there is no message, or it is dropped unseen
    // Whose: as the chains.
    input  logic                                load,           // pulse
    /* verilator lint_off UNUSEDSIGNAL */  // as many bits as there are instruments
    input  logic [15:0]                         load_instrument,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic                                present,        // what was loaded still holds
    // Whether a trigger is live; and its record and count, with fetch.
    output logic                                probe,          // pulse
    output logic                                fetch,
    output logic [TRAIL_TRIGGER_BITS-1:0]       probe_trigger,
    input  logic                                probed,         // pulses, in order
    input  logic                                probed_live,    // with probed
    // The message.
    input  logic                                run,            // level: what follows stands; otherwise what was seen is forgotten
    input  logic [OBSERVED-1:0]                 observed,
    input  logic                                crossed,        // a few cycles later: there is no mid
    input  logic                                windows,
    input  logic [OBSERVED-1:0][PRICE_BITS-1:0] prices,         // a cycle later, that of the mid in half units
    input  logic                                write,          // level: it fires nothing more, and its frame is good
    input  logic                                next,           // pulse: it is done with
    output logic                                ready,          // what follows is true
    output logic                                some,           // its instrument has live trails
    output logic                                arms,           // with an order of some that arms others
    output logic                                hits,           // it reaches a stop; what that is has been fetched
    output logic [1:0]                          source,         // of that
    output logic                                moves,          // it moves a stop, and has not yet
    // The hit.
    input  logic                                picked,         // pulse: that one
    input  logic                                taken           // pulse: what was picked last has been taken
);
  localparam int AW = $clog2(TRAIL_SLOTS);
  localparam int INSTRUMENT_AW = $clog2(INSTRUMENTS);
  localparam int OWN = TRAILS_AN_INSTRUMENT;
  localparam int COUNT_BITS = $clog2(OWN + 1);
  localparam int LANES = 4;  // instruments whose lists stand in one word
  localparam int LANE_BITS = 8;
  // Of one memory the lower half are trails, two words each, the upper half lists.
  localparam int HALF = (INSTRUMENTS / LANES > 2 * TRAIL_SLOTS) ? INSTRUMENTS / LANES : 2 * TRAIL_SLOTS;
  localparam int ADDRESS_AW = $clog2(HALF) + 1;
  if (TRAIL_BITS != 64 || TRAIL_LIST_BITS > LANE_BITS || STOP_BITS > 64 || 2 ** TRAIL_STOP_BITS != TRAIL_SLOTS)
  begin : gen_refuse
    $error("trails %m: a trail is two words, a list's beginning a byte, a stop two words");
  end

  // ---- Trails and lists: the host writes them while they are not in use.
  logic slot_write, list_write;
  logic [AW-1:0] slot_index;
  logic slot_word;
  logic [INSTRUMENT_AW-1:0] list_index;
  logic [31:0] slot_wdata;
  /* verilator lint_off UNUSEDSIGNAL */  // a list's record is narrower
  logic [31:0] list_wdata;
  /* verilator lint_on UNUSEDSIGNAL */
  /* verilator lint_off PINCONNECTEMPTY */  // they read as zero
  host_window #(.DEPTH(TRAIL_SLOTS), .STRIDE(TRAIL_STRIDE), .BASE(BASE_TRAIL)) slot_window (
      .clk, .host_req, .read(), .write(slot_write), .index(slot_index), .word(slot_word), .wdata(slot_wdata)
  );
  host_window #(.DEPTH(INSTRUMENTS), .STRIDE(TRAIL_LIST_STRIDE), .BASE(BASE_TRAIL_LIST)) list_window (
      .clk, .host_req, .read(), .write(list_write), .index(list_index), .word(), .wdata(list_wdata)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  typedef logic [ADDRESS_AW-1:0] address_within_t;
  function automatic address_within_t list_at(logic [INSTRUMENT_AW-1:0] number);
    list_at = address_within_t'(32'(number) >> $clog2(LANES));
    list_at[ADDRESS_AW-1] = 1'b1;
  endfunction
  (* ram_style = "block" *) logic [LANES-1:0][LANE_BITS-1:0] memory[2*HALF];
`ifdef VERILATOR
  // As in a device that has just been configured.
  initial for (int i = 0; i < 2 * HALF; i++) memory[i] = '0;
`endif
  address_within_t write_at, read_at;
  logic [LANES-1:0] lanes;
  logic [LANES-1:0][LANE_BITS-1:0] written;
  logic [31:0] word;
  always_ff @(posedge clk) begin
    write_at <= slot_write ? address_within_t'({slot_index, slot_word}) : list_at(list_index);
    written <= slot_write ? slot_wdata : {LANES{LANE_BITS'(list_wdata)}};
    lanes <= slot_write ? '1 : list_write ? LANES'(1) << 2'(list_index) : '0;
    if (rst) lanes <= '0;
  end
  always @(posedge clk) begin
    for (int i = 0; i < LANES; i++) if (lanes[i]) memory[write_at][i] <= written[i];
    word <= memory[read_at];
  end

  // ---- Stops: what the core writes goes first.
  // Where a stop was hit it stays to be read, until it is set again.
  typedef struct packed {
    logic set;
    logic active;
  } standing_t;
  logic [PRICE_BITS-1:0] stops[TRAIL_SLOTS];
  standing_t standings[TRAIL_SLOTS];
`ifdef VERILATOR
  initial for (int i = 0; i < TRAIL_SLOTS; i++) {stops[i], standings[i]} = '0;
`endif
  logic stop_read, stop_writes, host_due;
  logic [AW-1:0] stop_index;
  logic stop_word;
  logic [31:0] stop_wdata, stop_low, host_q, host_qq;
  logic [STOP_BITS-1:32] stop_high;
  logic [AW-1:0] stop_at;
  logic reading_stop;
  stop_t host_stop;
  logic high_word;
  host_window #(.DEPTH(TRAIL_SLOTS), .STRIDE(STOP_STRIDE), .BASE(BASE_STOP)) stop_window (
      .clk, .host_req, .read(stop_read), .write(stop_writes), .index(stop_index), .word(stop_word), .wdata(stop_wdata)
  );
  logic moves_now, ends_now;  // registers: a stop is written, one that was hit is forgotten
  logic [AW-1:0] moved_at, hit_at, picked_at;
  stop_t moved_to;
  localparam standing_t ANEW = '{active: 1'b1, set: 1'b0};
  stop_t host_written;
  assign host_written = {stop_high, stop_low};
  logic core_writes;
  assign core_writes = moves_now || ends_now;
  always_ff @(posedge clk) begin
    if (stop_writes && !stop_word) stop_low <= stop_wdata;
    if (stop_writes && stop_word) {stop_high, stop_at} <= {(STOP_BITS - 32)'(stop_wdata), stop_index};
    host_due <= !rst && ((stop_writes && stop_word) || (host_due && core_writes));
    if (moves_now || (host_due && !ends_now))
      stops[moves_now ? moved_at : stop_at] <= moves_now ? moved_to.price : host_written.price;
    if (moves_now) standings[moved_at] <= '{active: moved_to.active, set: moved_to.set};
    else if (ends_now) standings[picked_at] <= ANEW;
    else if (host_due) standings[stop_at] <= '{active: host_written.active, set: host_written.set};

    host_stop <= '{price: stops[stop_index], active: standings[stop_index].active, set: standings[stop_index].set};
    reading_stop <= stop_read;
    high_word <= stop_word;
    host_q <= !reading_stop ? '0 : high_word ? 32'(host_stop >> 32) : host_stop[31:0];
    host_qq <= host_q;
    host_rdata <= host_qq;
  end

  // ---- Which trails: the list's beginning, then all of it, a trail a cycle.
  localparam int LIST_STANDS = 2, PROBES = 7;  // cycles behind `load`, with the chains' own probes ahead
  logic [3:0] since;
  logic [INSTRUMENT_AW-1:0] instrument;
  logic upper, has, listed, ended, counted;
  logic [AW-1:0] first;
  logic [OWN-1:0] live;
  logic [COUNT_BITS-1:0] count, issued, answered;
  logic [2:0] issuing;  // its address stands, its word, that in a register
  assign upper = two_banks && instrument[INSTRUMENT_AW-1];
  trail_list_t beginning;
  assign beginning = trail_list_t'(word[LANE_BITS*2'(instrument)+:LANE_BITS]);

  // A trail's second word.
  typedef struct packed {
    logic                          more;
    logic [TRAIL_STOP_BITS-1:0]    stop;
    logic [TRAIL_TRIGGER_BITS-1:0] trigger;
    logic [TRAIL_WINDOW_BITS-1:0]  window;
    logic                          wait_direction;
    logic [1:0]                    wait_source;
    logic                          arms;
    logic [1:0]                    source;
  } follows_t;
  follows_t follows;

  localparam int FETCH_CYCLES = 13;  // from `probe` until the head of the chains is that of the trail

  // ---- Looking at a message: of each trail, by cycles from the address of its second word on.
  typedef enum logic [2:0] {IDLE, LOOK, FETCH, SEEN, WRITE} state_t;
  state_t state;
  logic starts, looks, writes, second;
  logic [5:0] at;
  logic [COUNT_BITS-1:0] looked, judged;
  logic [COUNT_BITS-2:0] looked_at;
  logic [AW-1:0] slot;
  assign writes = state == WRITE;
  assign looks = state == LOOK || writes;
  always_ff @(posedge clk) begin
    if (load) read_at <= list_at(INSTRUMENT_AW'(load_instrument));
    else if (looks) read_at <= address_within_t'({slot, !second});
    else read_at <= address_within_t'({slot, 1'b1});
  end

  // 2: the stop stands, the prices are chosen. 3: both are compared. 4, 5: the carry chains end.
  logic sell, alive;
  logic [TRAIL_DISTANCE_BITS-1:0] distance;
  logic signed [PRICE_BITS-1:0] held, own, tested, target;
  stages_t reach, better;
  logic rises;  // what is tested is satisfied at and above the stop
  logic reached, betters;
  typedef struct packed {
    logic                          alive;
    logic                          active;
    logic                          set;
    logic                          sell;
    logic                          own_seen;
    logic                          wait_seen;
    logic                          own_counts;
    logic [1:0]                    source;
    logic [TRAIL_TRIGGER_BITS-1:0] trigger;
    logic [AW-1:0]                 stop;
  } flags_t;
  flags_t chosen, flags;
  function automatic logic carries(stages_t stages, logic carry);
    /* verilator lint_off UNUSEDSIGNAL */  // the carry only
    logic [STAGES:0] sum;
    /* verilator lint_on UNUSEDSIGNAL */
    sum = {1'b0, stages.less} + {1'b0, stages.less_or_equal} + (STAGES + 1)'(carry);
    return sum[STAGES];
  endfunction
  standing_t found;
  logic [OBSERVED-1:0] seen;
  logic open;
  logic [1:0] tested_source;
  assign found = standings[follows.stop];
  assign open = windows_open[windows][follows.window];
  assign seen = observed & {!crossed, {SOURCES{1'b1}}};
  assign tested_source = found.active ? follows.source : follows.wait_source;
  always_ff @(posedge clk) begin
    if (at[1] || issuing[1]) follows <= follows_t'(word);
    if (at[2]) begin
      {sell, distance} <= word;
      held <= stops[follows.stop];
      own <= prices[follows.source];
      tested <= prices[tested_source];
      rises <= found.active ? !word[31] : 32'(follows.wait_direction) == DIRECTION_GE;
      chosen <= '{
          alive: alive, active: found.active, set: found.set, sell: word[31], own_seen: seen[follows.source] && open,
          wait_seen: seen[follows.wait_source] && open, own_counts: follows.source >= follows.wait_source,
          source: follows.source, trigger: follows.trigger, stop: follows.stop
      };
    end
    if (at[3]) begin
      reach <= stages_below(held, tested);
      target <= sell ? own - PRICE_BITS'(distance) : own + PRICE_BITS'(distance);
    end
    if (at[4]) begin
      reached <= carries(reach, rises) == rises;
      better <= stages_below(held, target);
      flags <= chosen;
    end
  end
  // A sell's stop rises, a buy's falls.
  assign betters = carries(better, !flags.sell) == flags.sell;
  logic hit_here, moves_here, last;
  assign hit_here = flags.alive && flags.active && flags.set && flags.own_seen && reached;
  always_comb begin
    moves_here = flags.wait_seen && reached;
    if (flags.active) moves_here = flags.own_seen && (!flags.set || (!reached && betters));
    if (!flags.alive) moves_here = 1'b0;
  end
  assign last = at[5] && judged + 1'b1 == count;
  assign alive = live[looked_at];

  logic [FETCH_CYCLES-1:0] fetching;
  logic seen_all, hit_some, done;  // `done`: it has moved what it moves
  logic next_q;
  logic [TRAIL_TRIGGER_BITS-1:0] hit_trigger;
  assign some = live != '0;
  assign ready = listed && (!has || (counted && (!some || seen_all)));
  assign hits = seen_all && hit_some;
  assign starts = state == IDLE && run && listed && has && counted && some && !next_q;
  always_ff @(posedge clk) begin
    // The list.
    since <= (since == '1) ? since : since + 1'b1;
    issuing <= {issuing[1:0], 1'b0};
    {probe, fetch} <= '0;
    if (int'(since) == LIST_STANDS - 1) begin
      listed <= 1'b1;
      has <= beginning.valid;
      first <= beginning.first;
      if (two_banks) first[AW-1] <= upper;
    end
    if (int'(since) == LIST_STANDS) slot <= first;
    if (int'(since) >= PROBES - 1 && has && !ended && issued != COUNT_BITS'(OWN)) begin
      issuing[0] <= 1'b1;
      issued <= issued + 1'b1;
      slot <= slot + 1'b1;
    end
    if (issuing[2] && !ended) begin
      probe <= 1'b1;
      probe_trigger <= follows.trigger;
      count <= count + 1'b1;
      if (follows.arms) arms <= 1'b1;
      ended <= !follows.more;
    end
    if (probed && !counted) begin
      live[answered[COUNT_BITS-2:0]] <= probed_live;
      answered <= answered + 1'b1;
    end
    counted <= counted || (answered != '0 && answered == count && issuing == '0 && !probe && (ended || issued == COUNT_BITS'(OWN)));

    // The message.
    fetching <= {fetching[FETCH_CYCLES-2:0], state == LOOK && last};
    next_q <= next;
    at <= {at[4:0], 1'b0};
    moves_now <= 1'b0;
    ends_now <= taken;
    if (picked) picked_at <= hit_at;
    if (at[2]) looked_at <= looked_at + 1'b1;
    if (looks && looked != count) begin
      second <= !second;
      if (!second) at[0] <= 1'b1;
      else begin
        looked <= looked + 1'b1;
        slot <= slot + 1'b1;
      end
    end
    if (at[5]) begin
      judged <= judged + 1'b1;
      if (hit_here && !hit_some) begin
        hit_some <= 1'b1;
        source <= flags.source;
        hit_trigger <= flags.trigger;
        hit_at <= flags.stop;
      end
      if (moves_here) moves <= 1'b1;
      moves_now <= moves_here && writes;
      moved_at <= flags.stop;
      moved_to <= '{price: target, active: 1'b1, set: flags.active || (flags.own_seen && flags.own_counts)};
    end
    unique case (state)
      LOOK:
      if (last) begin
        state <= (hit_some || hit_here) ? FETCH : SEEN;
        if (hit_some || hit_here) {probe, fetch} <= '1;
        probe_trigger <= hit_some ? hit_trigger : flags.trigger;
        seen_all <= !(hit_some || hit_here);
      end
      FETCH:
      if (fetching[FETCH_CYCLES-1]) begin
        state <= SEEN;
        seen_all <= 1'b1;
      end
      WRITE:
      if (last) begin
        state <= SEEN;
        {seen_all, moves, done} <= 3'b101;
      end
      default: ;
    endcase
    if (starts || (state == SEEN && write && moves && !hit_some && run)) begin
      state <= starts ? LOOK : WRITE;
      slot <= first;
      {looked, looked_at, judged, second, at, seen_all} <= '0;
    end
    if ((!run && !writes && !done) || next_q) begin
      state <= IDLE;
      {seen_all, hit_some, moves, done, at, fetching} <= '0;
    end
    if (load || !present || forget || rst) begin
      state <= IDLE;
      {seen_all, hit_some, moves, done, at, fetching, moves_now} <= '0;
    end
    if (load || !present || rst) begin
      {listed, has, ended, counted, arms, live, count, issued, answered, issuing, probe, fetch} <= '0;
      since <= load ? '0 : '1;
    end
    if (load) instrument <= INSTRUMENT_AW'(load_instrument);
    if (rst) ends_now <= 1'b0;
  end
endmodule
