// SPDX-License-Identifier: Apache-2.0
// Previous and initial values of strings, a byte a cycle.
//
// A slot's previous value has two places, of which the new value takes the one that the old one has not, so that a delta reads
// while it writes. A value that came from an initial one stays there and is only pointed at. New characters of a `tail` or a
// `delta` wait in a place of their own, for where they go depends on how many they are: `measure` finds it out, which takes
// three cycles, then `run` puts the value together. `read` does both. A value of one character, such as a type, is at hand.
module texts
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic       clk,
    input  load_t      load,
    input  logic       forget,
    // The field: it stays for a cycle at least before its state counts.
    input  logic [TEXT_SLOT_BITS-1:0] slot,
    input  logic [TEXT_SLOT_BITS-1:0] initial_slot,
    input  logic       has_entry,
    input  logic       has_initial,
    input  logic       is_tail,
    input  logic       is_delta,
    // Characters of the stream.
    input  logic       clear,        // the field is done
    input  logic       put,
    input  logic [7:0] put_data,
    input  logic       put_apart,    // they wait
    output logic       exceeds,         // with this one they are more than a slot holds
    input  number_t    away,         // how many a delta takes away, below zero in front
    input  logic       away_lowers,  // one less is meant
    input  logic       take_away,
    // What the slot has.
    output state_t     state,
    output logic       is_none,      // the value that it stands for, previous or initial, is empty
    output logic       is_single,    // it has one character
    output logic [7:0] single,       // which is this one
    // The value.
    input  logic       measure,
    output logic       too_far,      // more is taken away than there is
    output logic       too_long,
    output logic       is_empty,
    input  logic       read,         // what the slot stands for, as it is
    input  logic       run,          // as it was measured
    output logic       valid,        // a character of it
    output logic [7:0] data,
    output logic       last,
    // What becomes of the slot.
    input  logic       assign_new,   // the characters, the one that is put now among them
    input  logic       assign_made,  // what was run
    input  logic       assign_initial,
    input  logic       assign_empty
);
  localparam int PLACE_BITS = $clog2(FEED_KEPT_BYTES);
  localparam int ADDRESS_BITS = 2 + TEXT_SLOT_BITS + PLACE_BITS;
  localparam length_t FULL = length_t'(FEED_KEPT_BYTES);
  // Quarters of the memory: two for previous values, then initial ones, then what waits.
  localparam logic [1:0] INITIAL = 2'd2, WAITING = 2'd3;
  if (FEED_KEPT_BYTES != 2 ** PLACE_BITS) begin : gen_refuse
    $error("texts %m: a slot has a power of two bytes");
  end

  typedef logic [TEXT_SLOT_BITS-1:0] text_slot_t;
  typedef logic [ADDRESS_BITS-1:0] address_t;
  typedef struct packed {
    logic       assigned;
    logic       initial_one;  // the value is the initial one of `from`
    logic       bank;
    text_slot_t from;
    length_t    length;
    logic [7:0] first;        // character
  } meta_t;
  (* ram_style = "distributed" *) meta_t metas[FEED_STRINGS];
  (* ram_style = "distributed" *) length_t initial_lengths[FEED_STRINGS];
  logic [FEED_STRINGS-1:0] known;
  meta_t meta, now, next;
  logic meta_known, meta_none, meta_one, initial_none, initial_one;
  length_t initial_length, initial_now;
  (* ram_style = "distributed" *) logic [7:0] initial_firsts[FEED_STRINGS];
  logic [7:0] initial_first, first_new, first_kept;
  // What a slot becomes is written a cycle later; who looks meanwhile sees it.
  meta_t made_meta;
  text_slot_t made_slot;
  logic comes, now_known;
  assign now = (comes && made_slot == slot) ? made_meta : metas[slot];
  assign now_known = known[slot] || (comes && made_slot == slot);

  // New characters.
  length_t made;  // characters of a value that were put together
  length_t count, count_next;
  assign count_next = (put && count <= FULL) ? count + length_t'(1) : count;
  assign exceeds = count_next > FULL;

  // How the value is put together: so many of the base, the new ones, and the base from `from` on.
  length_t base_length, front, news, rest, from, size, news_end;
  logic [TEXT_BITS:0] all;
  logic [1:0] base_quarter;
  text_slot_t base_slot;
  logic is_previous, negative, whole;
  length_t distance;
  assign is_previous = has_entry && meta_known && meta.assigned;
  assign all = (TEXT_BITS + 1)'(front) + (TEXT_BITS + 1)'(news) + (TEXT_BITS + 1)'(rest);
  always_ff @(posedge clk) begin
    count <= clear ? '0 : count_next;
    // More than a slot holds is too far in any case. Below zero it is one less.
    if (take_away) begin
      negative <= away[ENTITY_BITS];
      distance <= (away[ENTITY_BITS:TEXT_BITS] == {(ENTITY_BITS - TEXT_BITS + 1) {away[ENTITY_BITS]}}) ?
          (away[TEXT_BITS-1:0] ^ {TEXT_BITS{away[ENTITY_BITS]}}) - length_t'(away_lowers) : '1;
    end

    if (measure || read) begin
      whole <= read;
      base_length <= is_previous ? meta.length : has_initial ? initial_length : '0;
      base_quarter <= (is_previous && !meta.initial_one) ? {1'b0, meta.bank} : INITIAL;
      base_slot <= !is_previous ? initial_slot : meta.initial_one ? meta.from : slot;
    end
    too_far <= is_delta && distance > base_length;
    from <= distance;
    news <= whole ? '0 : count;
    rest <= (is_delta && negative && !whole) ? base_length - distance : '0;
    front <= whole ? base_length : is_delta ? (negative ? '0 : base_length - distance) :
        (is_tail && base_length > count) ? base_length - count : '0;
    size <= length_t'(all);
    is_empty <= front == '0 && news == '0 && rest == '0;
    too_long <= all > (TEXT_BITS + 1)'(FULL);
    news_end <= front + news;
  end
  assign is_none = is_previous ? meta_none : initial_none;
  assign is_single = is_previous ? meta_one : initial_one;
  assign single = is_previous ? meta.first : initial_first;
  // Of what is put, or put together.
  assign first_new = (put && count == '0) ? put_data : (valid && made == '0) ? data : first_kept;
  always_ff @(posedge clk) first_kept <= first_new;

  // A character a cycle: its address, the memory, a register.
  logic running, in_front, in_news;
  logic [2:0] read_delay;
  length_t at;
  /* verilator lint_off UNUSEDSIGNAL */  // a place is below what a slot holds
  length_t at_base;
  /* verilator lint_on UNUSEDSIGNAL */
  address_t read_address;
  logic [2:0] coming, ending;
  assign in_front = at < front;
  assign in_news = !in_front && at < news_end;
  assign at_base = in_front ? at : in_news ? at - front : at - news_end + from;
  logic [7:0] found;
  always_ff @(posedge clk) begin
    read_delay <= {read_delay[1:0], read};
    if (run || read_delay[2]) begin
      running <= 1'b1;
      at <= '0;
    end else if (running) begin
      at <= at + length_t'(1);
      if (at + length_t'(1) == size) running <= 1'b0;
    end
    read_address <= in_news ? {WAITING, text_slot_t'(0), at_base[PLACE_BITS-1:0]} :
        {base_quarter, base_slot, at_base[PLACE_BITS-1:0]};
    coming <= {coming[1:0], running};
    ending <= {ending[1:0], at + length_t'(1) == size};
    data <= found;
    if (forget) {running, coming, read_delay} <= '0;
  end
  assign valid = coming[2];
  assign last = ending[2];

  // Writes: what the host loads, what the stream has, what is put together.
  logic write;
  address_t write_address;
  logic [7:0] wdata;
  always_ff @(posedge clk) made <= (run || read_delay[2]) ? '0 : made + length_t'(valid);
  always_comb begin
    write = put && count < FULL;
    write_address = {put_apart ? {WAITING, text_slot_t'(0)} : {1'b0, !now.bank, slot}, count[PLACE_BITS-1:0]};
    wdata = put_data;
    if (valid) begin
      write = !whole;
      write_address = {1'b0, !meta.bank, slot, made[PLACE_BITS-1:0]};
      wdata = data;
    end
    if (load.write) begin
      write = load.into == INTO_TEXTS;
      write_address = {INITIAL, load.at[TEXT_SLOT_BITS+PLACE_BITS-1:0]};
      wdata = load.data[7:0];
    end
  end
  simple_ram #(.BITS(8), .DEPTH(2 ** ADDRESS_BITS)) memory (
      .clk, .write, .write_addr(write_address), .wdata, .enable(1'b1), .read_addr(read_address), .rdata(found)
  );

  // The slots.
  always_comb begin
    next = now;
    next.assigned = !assign_empty;
    next.initial_one = assign_initial;
    next.from = initial_slot;
    if (assign_new || assign_made) next.bank = !now.bank;
    next.first = assign_initial ? initial_first : first_new;
    next.length = assign_made ? size : assign_initial ? initial_length : count_next;
  end
  logic assigns;
  assign assigns = assign_new || assign_made || assign_initial || assign_empty;
  always_ff @(posedge clk) begin
    {comes, made_slot, made_meta} <= {assigns && !forget, slot, next};
    if (comes) begin
      metas[made_slot] <= made_meta;
      known[made_slot] <= 1'b1;
    end
    if (forget) known <= '0;
    if (load.write && load.into == INTO_LENGTHS) initial_lengths[load.at[TEXT_SLOT_BITS-1:0]] <= load.data[TEXT_BITS-1:0];
    if (load.write && load.into == INTO_TEXTS && load.at[PLACE_BITS-1:0] == '0)
      initial_firsts[load.at[PLACE_BITS+:TEXT_SLOT_BITS]] <= load.data[7:0];
    initial_first <= initial_firsts[initial_slot];
    meta <= now;
    meta_known <= now_known;
    initial_length <= initial_now;
    {meta_none, meta_one} <= {now.length == '0, now.length == length_t'(1)};
    {initial_none, initial_one} <= {initial_now == '0, initial_now == length_t'(1)};
  end
  assign initial_now = initial_lengths[initial_slot];
  assign state = !meta_known ? STATE_UNDEFINED : meta.assigned ? STATE_ASSIGNED : STATE_EMPTY;
endmodule
