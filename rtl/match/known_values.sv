// SPDX-License-Identifier: Apache-2.0
// What is known of each instrument: bid, ask and last, as of the messages that have been taken from the queue, and the newest
// observation of each. From it the collar around the reference: `last`, else the mid.
//
// A source that becomes unknown keeps its newest observation, for that is the one before the next.
//
// Held are those of the instrument at the queue's head, or of the message that is arriving, five cycles after it is known. A
// message changes them when it is popped. What messages of a frame without a verdict change is logged: a bad verdict replays
// the log, newest first. Behind a gap, and when the flow is forgotten, there is nothing.
//
// With two banks an instrument has one number in both: what is known of it does not change with the bank.
module known_values
  import compare_pkg::*, fixaccel_hwmap_pkg::*, receive_pkg::*, match_pkg::*;
#(
    parameter int INSTRUMENTS = 1024,
    parameter int LOG         = 64     // messages of a frame; more wait for its verdict
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        clear,         // pulse: forget everything
    input  logic        gap,           // level: the parser has lost the stream
    input  logic        two_banks,
    input  logic [63:0] collar,        // share of the reference in 2^-62, rounded up, at most one; 0: there is no collar
    input  logic        incoming,
    /* verilator lint_off UNUSEDSIGNAL */  // as many bits as there are instruments; of the message what it says
    input  logic [15:0] incoming_instrument,
    input  logic        message_valid,
    input  message_t    message,       // the queue's head
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic        unseen,        // there is one that is not to be judged yet
    input  logic        lap,
    input  logic        committed,
    input  logic        good,          // pulses: verdict of the frame
    input  logic        bad,
    input  logic        pop,           // not with `bad`, and only where it was ready the cycle before
    output logic        ready,         // what follows is of the message at the head; it may be taken
    output market_t     market,        // before the message
    output collar_t     bounds         // around the reference before it
);
  localparam int AW = $clog2(INSTRUMENTS);
  localparam int LOG_AW = $clog2(LOG);
  if ((INSTRUMENTS & (INSTRUMENTS - 1)) != 0 || (LOG & (LOG - 1)) != 0) begin : gen_refuse
    $error("known_values %m: INSTRUMENTS and LOG are powers of two");
  end

  typedef logic [AW-1:0] instrument_t;

  typedef enum logic [1:0] {
    WORK, UNDO, WALK
  } duty_t;
  duty_t duty;

  // Memory: read by itself, written a cycle after what is held has changed.
  (* ram_style = "block" *) market_t memory[INSTRUMENTS];
  market_t read, read_q, held;  // nothing is between the memory's word and its register
  instrument_t instrument;
  logic store;
  always_ff @(posedge clk) begin
    read <= memory[instrument];
    read_q <= read;
    if (store) memory[instrument] <= held;
  end

  // The log: what was held before each pop. The place behind the newest is free: what is held may stand there.
  (* ram_style = "distributed" *) market_t log_values[LOG];
  (* ram_style = "distributed" *) instrument_t log_instrument[LOG];
  logic [LOG_AW:0] logged, logged_before;  // the second is one less
  logic log_full, logs;  // a few cycles ahead
  assign logs = pop && !committed && !good;
  always_ff @(posedge clk) begin
    log_values[logged[LOG_AW-1:0]] <= held;
    log_instrument[logged[LOG_AW-1:0]] <= instrument;
  end

  // Which instrument's.
  instrument_t wanted;
  logic present, loaded, load, stale, dirty, same;
  logic own_lap;  // of the last message
  logic [2:0] stage;
  always_comb begin
    wanted = instrument_t'(message_valid ? message.instrument : incoming_instrument);
    if (two_banks) wanted[AW-1] = 1'b0;
  end
  assign same = present && instrument == wanted;
  assign stale = message_valid && lap != own_lap && dirty;
  assign load = duty == WORK && (message_valid || incoming) && !same && !pop;

  logic walks, last;
  assign walks = duty == WORK && !pop && !bad && (stale || (gap && !message_valid && !unseen && dirty));
  assign last = instrument == instrument_t'(INSTRUMENTS - 1);
  always_ff @(posedge clk) begin
    store <= 1'b0;
    stage <= load ? 3'b001 : stage << 1;  // what was under way is forgotten
    if (message_valid && !stale) own_lap <= lap;
    if (load) {present, loaded} <= 2'b10;
    if (load) instrument <= wanted;
    if (stage[2] && !load) loaded <= 1'b1;
    if (duty != WORK) stage <= '0;

    if (logs) {logged, logged_before} <= {logged + 1'b1, logged};
    if (good) {logged, logged_before} <= {(LOG_AW + 1)'(0), (LOG_AW + 1)'(-1)};
    log_full <= logged[LOG_AW] || logged[LOG_AW-1:1] == '1;

    unique case (duty)
      WORK: begin
        if (stage[2]) held <= read_q;
        for (int i = 0; i < SOURCES; i++)
          if (pop && message.touched[i]) begin
            held.known[i] <= message.observed[i].valid;
            if (message.observed[i].valid) held.newest[i] <= message.observed[i];
          end
        if (pop) {store, dirty} <= 2'b11;
        if (bad && logged != '0) duty <= UNDO;
      end
      UNDO: begin
        held <= log_values[logged_before[LOG_AW-1:0]];
        instrument <= log_instrument[logged_before[LOG_AW-1:0]];
        {logged, logged_before} <= {logged_before, logged_before - 1'b1};
        {store, dirty} <= 2'b11;
        {present, loaded} <= '0;
        if (logged_before == '0) duty <= WORK;
      end
      WALK: begin
        held <= '0;
        instrument <= store ? instrument + 1'b1 : '0;
        store <= 1'b1;
        if (store && last) begin
          store <= 1'b0;
          duty  <= WORK;
        end
        {present, loaded} <= '0;
      end
      default: duty <= WORK;
    endcase
    if (walks || clear || rst) begin
      // What it would take back is forgotten.
      duty <= WALK;
      {logged, logged_before} <= {(LOG_AW + 1)'(0), (LOG_AW + 1)'(-1)};
      store <= 1'b0;
      dirty <= 1'b0;
      if (message_valid && !clear) own_lap <= lap;
      {present, loaded} <= '0;
    end
    if (rst) own_lap <= 1'b0;
    assert (rst || logged_before == logged - 1'b1);
  end

  // The collar, from what is held: half units, in which mid and prices are whole.
  localparam halves_t EVERYTHING = {2'b00, {(HALF_BITS - 2) {1'b1}}};
  logic limited, anew, bounded;
  logic bid_known, ask_known, last_known, both_known;
  halves_t reference;
  logic signed [PRICE_BITS-1:0] bid, ask;
  assign {bid_known, ask_known, last_known} = {held.known[SOURCE_BID], held.known[SOURCE_ASK], held.known[SOURCE_LAST]};
  assign {bid, ask} = {held.newest[SOURCE_BID].price, held.newest[SOURCE_ASK].price};
  assign market = held;
  stages_t crossed_stages;  // whether there is a mid is said long after what it is, for the distance takes longer
  logic with_last, with_mid, found;
  halves_t mid, last_price, distance;
  logic measured;
  always_ff @(posedge clk) begin
    limited <= collar != '0;
    anew <= (stage[2] && !load) || pop;
    with_last <= last_known;
    both_known <= bid_known && ask_known;
    crossed_stages <= stages_below(ask, bid);
    with_mid <= both_known && !carry_of(crossed_stages);
    mid <= halves_t'(bid) + halves_t'(ask);
    last_price <= halves(held.newest[SOURCE_LAST].price);

    reference <= with_last ? last_price : mid;
    found <= with_last || with_mid;
  end
  collar_distance share (
      .clk, .rst, .start(anew), .collar, .reference, .done(measured), .distance
  );
  always_ff @(posedge clk) begin
    bounds.admits <= !limited || found;
    if (measured) {bounds.low, bounds.high} <= {reference - distance, reference + distance};
    if (!limited) {bounds.low, bounds.high} <= {~EVERYTHING, EVERYTHING};
    bounded <= (bounded || measured) && loaded && !pop && !load && !anew;
  end

  assign ready = duty == WORK && same && loaded && !stale && (bounded || !limited) && (committed || !log_full);
endmodule
