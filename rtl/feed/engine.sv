// SPDX-License-Identifier: Apache-2.0
// The engine: takes the bytes of a datagram as the program says.
//
// A step is a word of the program. It takes a byte a cycle while it wants some, and is done with the last one, or at once if it
// wants none; what it has read goes to the operators behind it, which need a few cycles more but never hold it up. So what
// decides here is only how many bytes are taken: the map, nulls, lengths, the stop bit. Where that hangs on a value that is
// still under way (a length or an exponent that its operator makes) the step waits for it, and a number waits for one that
// writes its slot.
//
// Faults go the same way as values, each as the operation that it stands for: behind the first one nothing counts, whatever the
// engine does until it hears of it. Then the rest of the datagram is passed over. Nothing outlives a datagram but the routine
// that the last message had: it is where the fetch goes at the end of a message, before the next identifier has come.
module engine
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic       clk,
    input  logic       rst,
    input  logic       enable,     // else bytes are dropped, and a program can be loaded
    input  load_t      load,
    input  logic       head_byte,  // a byte is there
    input  logic       head_end,   // the end of the datagram is
    input  logic [7:0] head,
    output logic       take,       // what is there
    output field_t     field,
    output counted_t   counted
);
  phases_t phase, next;

  // The step.
  logic valid, apart, done, advance, redirect, at_last;
  step_t step;
  slot_t initial_slot;
  at_t target;
  logic [FEED_WORD_BITS-1:0] next_word;
  program_fetch fetch (
      .clk, .rst, .load, .at_last, .advance, .redirect, .target, .valid, .step, .initial_slot, .apart, .next_word
  );
  assign advance = phase[RESTART] || !valid || done;
  /* verilator lint_off UNUSEDSIGNAL */  // what a word says depends on its operation
  word_field_t word;
  word_skip_t skip;
  word_raw_t raw;
  word_block_t block;
  word_end_t ending;
  /* verilator lint_on UNUSEDSIGNAL */
  assign word = word_field_t'(step.word);
  assign skip = word_skip_t'(step.word);
  assign raw = word_raw_t'(step.word);
  assign block = word_block_t'(step.word);
  assign ending = word_end_t'(step.word);
  logic may_miss, passed, reset_each;
  assign may_miss = word.may_miss != 0;
  assign passed = word.passed != 0;
  assign reset_each = ending.reset != 0;

  // Numbers on their way to the slot of the step.
  logic hazard;
  logic [WRITE_CYCLES-2:0] writes;
  slot_t [WRITE_CYCLES-2:0] write_slots;
  state_t looked, state;
  /* verilator lint_off UNUSEDSIGNAL */  // its slot
  word_field_t next_field;
  /* verilator lint_on UNUSEDSIGNAL */
  assign next_field = word_field_t'(next_word);
  slots_awaited awaited (
      .clk, .advance, .valid, .step, .next_word, .writes, .write_slots, .looked, .hazard, .state
  );

  logic is_bytes, amid;
  // A length or an exponent that the operators make.
  logic pending, absent, idle, made_absent, made_zero, stopped, length_zero, length_lowers;
  logic [31:0] made_length, length;
  logic go;
  assign go = phase[START] && valid && !hazard && !apart && !(pending && step.waits);

  logic fresh;  // the step's first cycle
  logic entity_first, is_zero, is_one, is_negative, is_longer, is_full, nullable, lowers, is_null, null_now, text_now, keep;
  // Bytes: which are wanted. In the first cycle the map says whether any are, later they are.
  logic begun, raw_begun, bit_now, reads, want, takes, cut, whole, stop, at_end, vector_some;
  map_t map;
  assign bit_now = map.bits[ENTITY_BITS-1];
  assign reads = begun || ((step.reads || (step.reads_if && bit_now)) && !(step.is_mantissa && absent));
  assign want = (go && reads) || phase[SKIP] || phase[SECOND] || phase[CHARACTERS] || phase[VECTOR_LENGTH] || phase[RAW] ||
      phase[MAP] || (phase[ID] && (begun || bit_now)) || (phase[VECTOR] && vector_some);
  assign stop = head[7];
  assign takes = want && head_byte;
  assign whole = takes && stop;
  // The end of the datagram, between messages or elsewhere.
  assign at_end = phase[MAP] && step.shape[SHAPE_END] && entity_first;
  assign cut = want && head_end && !at_end;
  assign take = takes || ((phase[FLUSH] || phase[OFF]) && (head_byte || head_end)) || (at_end && head_end);

  logic [2:0] chunk_count;
  logic chunk_first, chunk_full, needless, restart;
  logic [7:0] character;
  logic made_valid, text_value, value_single, gather, gather_raw, gather_low;
  number_t value;
  offset_t place, entity_place, entity_at, vector_at, id_at, field_place, field_at;
  entity entities (
      .clk, .restart, .take(takes && !phase[VECTOR] && !phase[RAW]), .data(head),
      .is_signed(phase[SECOND] || (phase[START] && step.is_signed)),
      .gather, .gather_raw, .gather_low,
      .raw_first((phase[RAW] || phase[RAW_PAD]) ? !raw_begun : chunk_count == '0), .raw(character),
      .first(entity_first), .is_zero, .is_one, .is_negative, .is_longer, .is_full, .value
  );
  // Many bits hang on what is gathered, so it asks for little: a first byte that is not taken yet, or not wanted, does no harm.
  assign gather = head_byte && ((phase[START] && (step.reads || step.reads_if) && !step.shape[SHAPE_TEXT]) || phase[SECOND] ||
      phase[VECTOR_LENGTH] || phase[MAP] || phase[ID]);
  assign gather_raw = (head_byte && ((text_now && step.plain_text) || (phase[VECTOR] && vector_some) ||
      (phase[RAW] && raw.order == 1'(FEED_ORDER_BIG)))) || (phase[MAKE] && made_valid) || phase[IMPLY];
  assign gather_low = (head_byte && phase[RAW] && raw.order == 1'(FEED_ORDER_LITTLE)) || phase[RAW_PAD];
  assign nullable = may_miss && (phase[START] || (phase[VECTOR_LENGTH] && !step.is_delta));
  assign lowers = nullable && !is_negative && !is_zero;
  assign is_null = nullable && is_zero;
  // A string of zeros is none where it has more than one.
  assign null_now = is_zero && (entity_first || !step.shape[SHAPE_TEXT]);
  assign entity_at = entity_first ? place : entity_place;
  assign field_at = fresh ? place : field_place;

  logic map_clear, map_restore, over;
  logic [3:0] bits_taken;
  block_t around;
  presence_map maps (
      .clk, .put(head_byte && phase[MAP]), .put_first(entity_first), .data(head[6:0]), .clear(map_clear), .take(bits_taken),
      .restore(map_restore), .outer(around.map), .map, .over
  );
  logic skips_at_once, skips_last;
  skipping skips (
      .clk, .word(skip), .window(map.bits[ENTITY_BITS-1-:12]), .start(go && step.shape[SHAPE_SKIP]), .whole,
      .at_once(skips_at_once), .at_last(skips_last)
  );

  // Blocks.
  logic push, pop, in_message;
  logic [31:0] left;
  logic [2:0] depth;  // of dynamic references
  block_stack stack (
      .clk, .clear(phase[RESTART]), .push, .below('{map: map, left: left, at_last: at_last, back: step.at + AT_BITS'(1)}), .pop,
      .top(around)
  );

  // Lengths, exponents, and elements that are left.
  elements counted_off (
      .clk, .restart(phase[RESTART]), .step, .go, .done, .reads, .bit_now, .is_null, .is_one, .is_zero, .value(value[31:0]), .idle,
      .made_absent, .made_zero, .made_length, .push, .pop, .around_left(around.left), .around_last(around.at_last), .pending, .absent,
      .length, .length_zero, .length_lowers, .left, .at_last
  );

  // Templates.
  logic id_known, id_given, lookup_done, lookup_found, same, forgotten;
  at_t found_target;
  template_row_t last_row;
  messages of_templates (
      .clk, .rst, .load, .phase, .ends(go && step.shape[SHAPE_END]), .calls(step.shape[SHAPE_CALL]), .whole, .done,
      .head(head[6:0]), .entity_first, .value, .id_known, .id_given,
      .lookup_done, .lookup_found, .found_target, .same, .last_row, .in_message, .depth, .forgotten
  );

  // Strings.
  logic text_ends, text_null, text_long, too_far, too_long, value_empty, made_empty, text_read, text_run, made_last, text_absent,
      measured_all, forget, length_null, length_wide;
  state_t text_state;
  strings of_strings (
      .clk, .load, .forget, .phase, .step, .initial_slot, .advance, .begins(go && !begun), .given(!step.takes_bit || bit_now), .takes, .whole,
      .head, .entity_first, .is_null, .takes_away(go && step.shape[SHAPE_AWAY] && whole), .lowers, .value, .text_now, .text_ends,
      .text_null, .text_long, .state(text_state), .text_absent, .text_value, .value_empty, .value_single, .measured_all, .too_far,
      .too_long, .made_empty, .text_read, .text_run, .made_valid, .made_last, .character, .gathered(keep), .needless, .chunk_count,
      .chunk_first, .chunk_full, .length_null, .length_wide, .vector_some
  );

  logic [3:0] raw_padded;
  logic [3:0] raw_left;
  logic raw_last;

  // What the step does in this cycle.
  logic number, part, event_one, fault;
  tells_t tells;
  code_t code;
  offset_t offset;
  counted_t found;

  always_comb begin
    next = '0;
    done = 1'b0;
    {number, part, event_one, redirect, push, pop, map_clear, map_restore, text_read, text_run} = '0;
    tells = TELLS_DONE;
    target = block.target;
    found = '0;

    if (go) begin
      if (!reads && step.unread_ends) done = 1'b1;
      if (!reads && (step.shape[SHAPE_TEXT] || step.shape[SHAPE_VECTOR]) && !step.unread_ends) next[IMPLY] = 1'b1;
      if (whole && (step.whole_ends || (step.null_ends && null_now))) done = 1'b1;
      if (reads && !whole && !step.shape[SHAPE_SKIP]) next[START] = 1'b1;
      if (whole && step.limited) found.r6 = is_longer;

      if (step.shape[SHAPE_NUMBER]) number = (!reads || whole) && !(step.is_mantissa && absent);
      if (step.shape[SHAPE_DECIMAL]) begin
        number = !reads || whole;
        part = whole && !is_null;
        next[SECOND] = part;
      end
      if (whole && !is_null && step.shape[SHAPE_PASS_TWO]) next[SECOND] = 1'b1;
      if (whole && !is_null && (step.shape[SHAPE_PASS_VECTOR] || (step.shape[SHAPE_AWAY] && is_bytes))) next[VECTOR_LENGTH] = 1'b1;
      if (whole && !is_null && step.shape[SHAPE_AWAY] && !is_bytes) next[CHARACTERS] = 1'b1;
      if (whole && step.shape[SHAPE_VECTOR]) next[VECTOR_CHECK] = 1'b1;
      if (step.shape[SHAPE_SKIP]) begin
        if (skips_at_once) done = 1'b1;
        else next[SKIP] = 1'b1;
      end
      if (step.shape[SHAPE_RAW]) next[RAW] = 1'b1;
      if (step.shape[SHAPE_GROUP]) begin
        if (step.takes_bit && !bit_now) {done, redirect} = 2'b11;
        else begin
          {event_one, tells} = {1'b1, TELLS_GROUP};
          if (step.with_map) next[MAP] = 1'b1;
          else done = 1'b1;
        end
      end
      if (step.shape[SHAPE_LOOP]) begin
        {event_one, tells} = {!absent, TELLS_SEQUENCE};
        if (absent || length_zero) {done, redirect} = 2'b11;
        else begin
          {push, map_clear} = 2'b11;
          if (step.with_map) next[MAP] = 1'b1;
          else done = 1'b1;
        end
      end
      if (step.shape[SHAPE_NEXT]) begin
        {event_one, tells} = {1'b1, TELLS_ELEMENT};
        found.r8 = over;
        redirect = at_last == step.guessed;
        if (at_last) target = step.at + AT_BITS'(1);
        if (!at_last && step.with_map) next[MAP] = 1'b1;
        else done = 1'b1;
        {pop, map_restore} = {2{at_last}};
      end
      if (step.shape[SHAPE_CALL]) begin
        {redirect, target} = {1'b1, last_row.target};
        next[MAP] = 1'b1;
      end
      if (step.shape[SHAPE_END]) begin
        found.r8 = over;
        redirect = 1'b1;
        if (depth != '0) begin
          {event_one, tells} = {1'b1, TELLS_RETURN};
          {pop, map_restore, done} = 3'b111;
          target = around.back;
        end else begin
          {event_one, tells} = {in_message, TELLS_END};
          target = last_row.target;
          if (reset_each) next[RESET] = 1'b1;
          else next[MAP] = 1'b1;
        end
      end
    end else if (phase[START]) next[START] = 1'b1;

    if (phase[SKIP]) begin
      if (whole && skips_last) done = 1'b1;
      else next[SKIP] = 1'b1;
    end
    if (phase[SECOND]) begin
      if (whole) done = 1'b1;
      else next[SECOND] = 1'b1;
      if (whole && step.shape[SHAPE_DECIMAL]) {number, found.r6} = {1'b1, is_longer};
    end
    if (phase[CHARACTERS] && !whole) next[CHARACTERS] = 1'b1;
    if (phase[VECTOR_LENGTH]) begin
      if (whole) next[VECTOR_CHECK] = 1'b1;
      else next[VECTOR_LENGTH] = 1'b1;
      if (whole) found.r6 = is_longer;
    end
    if (phase[VECTOR_CHECK]) begin
      if (length_null) next[FINISH] = 1'b1;
      else next[VECTOR] = 1'b1;
    end
    if (phase[VECTOR]) begin
      if (vector_some) next[VECTOR] = 1'b1;
      else if (step.plain_text) next[FINISH] = 1'b1;
    end
    // The end of a string as the stream has it, of which more is to be done.
    if (text_ends && !step.plain_text && !text_null) next[MEASURE] = 1'b1;
    if (text_ends && !passed) found.r9 = needless;

    if (phase[IMPLY]) begin
      if (text_value && step.told && !value_empty && !value_single) {next[MAKE], text_read} = 2'b11;
      else next[FINISH] = 1'b1;
    end
    if (phase[MEASURE]) begin
      if (!measured_all) next[MEASURE] = 1'b1;
      else if (made_empty) next[FINISH] = 1'b1;
      else {next[MAKE], text_run} = 2'b11;
    end
    if (phase[MAKE]) begin
      if (made_valid && made_last) next[FINISH] = 1'b1;
      else next[MAKE] = 1'b1;
    end
    if (phase[FINISH]) done = 1'b1;

    if (phase[RAW]) begin
      if (!(takes && raw_last)) next[RAW] = 1'b1;
      else if (step.told && raw.order == 1'(FEED_ORDER_LITTLE) && raw.bytes != 4'(RAW_BYTES)) next[RAW_PAD] = 1'b1;
      else {done, number} = {1'b1, step.told};
    end
    if (phase[RAW_PAD]) begin
      if (raw_last) {done, number} = 2'b11;
      else next[RAW_PAD] = 1'b1;
    end

    if (phase[MAP]) begin
      push = takes && entity_first &&
          (step.shape[SHAPE_GROUP] || (step.shape[SHAPE_CALL] && depth != 3'(FEED_REFERENCES)));
      found.r7 = whole && !entity_first && head[6:0] == '0;
      if (!whole) next[MAP] = 1'b1;
      else if (step.shape[SHAPE_CALL] || step.shape[SHAPE_END]) next[ID] = 1'b1;
      else done = 1'b1;
      if (at_end && head_end) begin
        {event_one, tells} = {1'b1, TELLS_DONE};
        {next[MAP], next[DRAIN]} = 2'b01;
      end
    end
    if (phase[ID]) begin
      if (whole || !(begun || bit_now)) next[RESOLVE] = 1'b1;
      else next[ID] = 1'b1;
      if (whole) found.r6 = is_longer;
    end
    if (phase[RESOLVE]) begin
      {event_one, tells} = {1'b0, step.shape[SHAPE_CALL] ? TELLS_CALL : TELLS_MESSAGE};
      if (id_given && !same) next[LOOKUP] = 1'b1;
      else if (last_row.reset != 0 && !forgotten) next[FORGET] = 1'b1;
      else {event_one, done} = 2'b11;
    end
    if (phase[LOOKUP]) begin
      if (lookup_done) begin
        {redirect, target} = {1'b1, found_target};
        next[RESOLVE] = 1'b1;
      end else next[LOOKUP] = 1'b1;
    end
    if (phase[FORGET]) begin
      if (idle) next[RESOLVE] = 1'b1;
      else next[FORGET] = 1'b1;
    end
    if (phase[RESET]) begin
      if (idle) next[MAP] = 1'b1;
      else next[RESET] = 1'b1;
    end
    if (done) next[START] = 1'b1;

    // Around datagrams.
    if (phase[OFF]) next[(enable && !amid && !head_byte && !head_end) ? RESTART : OFF] = 1'b1;
    if (phase[RESTART]) begin
      {redirect, target, map_clear} = {1'b1, AT_BITS'(0), 1'b1};
      next[START] = 1'b1;
    end
    if (phase[FLUSH]) begin
      if (head_end) {event_one, tells, next[DRAIN]} = {1'b1, TELLS_DONE, 1'b1};
      else next[FLUSH] = 1'b1;
    end
    if (phase[DRAIN]) next[idle ? RESTART : DRAIN] = 1'b1;
    else if (stopped && !next[DRAIN] && !phase[RESTART] && !phase[OFF]) next = phases_t'(1) << FLUSH;
    if (!enable) next = phases_t'(1) << OFF;
  end
  assign restart = phase[RESTART];
  assign forget = phase[RESTART] || ((phase[FORGET] || phase[RESET]) && idle);
  assign bits_taken = (step.bits & {4{go && !begun && !(step.is_mantissa && absent)}}) | 4'(phase[ID] && !begun);
  assign is_bytes = is_of(word.value_type, FEED_TYPE_BYTES);

  // Faults.
  logic limited, too_many;
  assign limited = (phase[START] && step.limited) || (phase[SECOND] && step.shape[SHAPE_DECIMAL]) || phase[VECTOR_LENGTH] ||
      phase[MAP] || phase[ID];
  assign too_many = takes && limited && is_full && !stop;
  always_comb begin
    {fault, code, offset} = {1'b0, code_t'(0), reads || !phase[START] ? entity_at : place};
    if (too_many) {fault, code} = {1'b1, code_t'(FEED_CODE_U3)};
    if (cut) begin
      {fault, code} = {1'b1, code_t'(FEED_CODE_U1)};
      if (phase[VECTOR]) offset = vector_at;
      if (phase[RAW]) offset = place;
    end
    if (go && step.shape[SHAPE_CALL] && depth == 3'(FEED_REFERENCES))
      {fault, code, offset} = {1'b1, code_t'(FEED_CODE_U5), place};
    if (phase[RESOLVE] && !id_known) {fault, code, offset} = {1'b1, code_t'(FEED_CODE_D5), id_at};
    if (phase[LOOKUP] && lookup_done && (!lookup_found || value[ENTITY_BITS:32] != '0))
      {fault, code, offset} = {1'b1, code_t'(FEED_CODE_D9), id_at};
    if (phase[VECTOR_CHECK] && !length_null && length_wide) {fault, code, offset} = {1'b1, code_t'(FEED_CODE_D2), vector_at};
    if (text_ends && step.plain_text && !passed && step.has_entry && !text_null && text_long)
      {fault, code, offset} = {1'b1, code_t'(FEED_CODE_U2), field_at};
    if (phase[IMPLY] && step.has_entry && !may_miss && text_absent) begin
      {fault, offset} = {1'b1, place};
      code = step.is_tail ? (text_state == STATE_EMPTY ? code_t'(FEED_CODE_D7) : code_t'(FEED_CODE_D6)) :
          (text_state == STATE_EMPTY ? code_t'(FEED_CODE_D6) : code_t'(FEED_CODE_D5));
    end
    if (measured_all) begin
      offset = field_place;
      if (too_long) {fault, code} = {1'b1, code_t'(FEED_CODE_U2)};
      if (too_far) {fault, code} = {1'b1, code_t'(FEED_CODE_D7)};
      if (step.is_delta && text_state == STATE_EMPTY) {fault, code} = {1'b1, code_t'(FEED_CODE_D6)};
    end
  end

  // What goes to the operators.
  issue_t issue;
  logic text_last;
  assign text_last = (text_ends && step.plain_text && !text_null) || (text_value && (value_empty || value_single)) || (measured_all && made_empty) ||
      (phase[MAKE] && made_valid && made_last);
  assign issue = '{
          number: number, part: part, second: phase[SECOND], text: step.told && (text_last || chunk_full),
          event_one: event_one, tells: tells, fault: fault, code: code, offset: offset,
          given: !step.takes_bit || bit_now || begun, reads: reads, is_null: is_null && reads && phase[START],
          lowers: lowers, count: 4'(chunk_count) + 4'(keep), first: chunk_first, last: text_last, counted: found
      };
  operators numbers (
      .clk, .rst(phase[RESTART] || phase[OFF]), .load, .forget, .look((hazard && valid) ? slot_t'(word.slot) : slot_t'(next_field.slot)),
      .state(looked), .step, .issue, .step_state(state), .initial_slot, .value, .sequence_length(length),
      .sequence_lowers(length_lowers), .template(last_row), .idle, .writes, .write_slots, .absent(made_absent), .length(made_length),
      .length_zero(made_zero), .field, .stopped, .counted
  );

  always_ff @(posedge clk) begin
    phase <= next;
    fresh <= advance;
    begun <= (go && !advance && !next[IMPLY]) || (phase[ID] && next[ID]);
    raw_begun <= (phase[RAW] || phase[RAW_PAD]) && (raw_begun || takes) && !done;
    if (takes) place <= place + offset_t'(1);
    if (entity_first) entity_place <= place;
    if (fresh) field_place <= place;
    if ((phase[START] || phase[VECTOR_LENGTH]) && entity_first) vector_at <= place;
    if (phase[MAP]) id_at <= place + offset_t'(1);
    if (take) amid <= !head_end;

    if (go) raw_left <= raw.bytes;
    else if (phase[RAW] && takes) raw_left <= raw_left - 4'd1;
    if (phase[RAW_PAD]) raw_padded <= raw_padded - 4'd1;
    else raw_padded <= 4'(RAW_BYTES) - raw.bytes;

    if (phase[RESTART]) {place, begun} <= '0;
    if (rst) begin
      phase <= phases_t'(1) << OFF;
      amid <= 1'b0;
    end
  end
  assign raw_last = phase[RAW_PAD] ? raw_padded == 4'd1 : raw_left == 4'd1;
endmodule
