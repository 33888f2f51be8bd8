// SPDX-License-Identifier: Apache-2.0
// Operators of numbers, and the field bus: what the engine reads becomes a value in three cycles.
//
// The word of the slot, previous or initial, is read while the step takes its bytes, with the state that the slot has.
// 1: one less where it is nullable. 2: both are added.
// 3: it is looked at and told. All that a datagram says passes here, in its order: so the first fault is the first one that
// comes, and what is behind it is not told.
//
// The engine looks at the state of a slot a cycle before the operation; what is under way is its business (WRITE_CYCLES).
module operators
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic       clk,
    input  logic       rst,         // a new datagram
    input  load_t      load,
    input  logic       forget,
    input  slot_t      look,
    output state_t     state,
    // The step, what it has found in this cycle, the state of its slot, and where its initial value stands.
    input  step_t      step,
    input  issue_t     issue,
    input  state_t     step_state,
    input  slot_t      initial_slot,
    // A cycle later: what was read, and what events say.
    input  number_t    value,
    input  logic [31:0] sequence_length,
    input  logic       sequence_lowers,
    /* verilator lint_off UNUSEDSIGNAL */  // the engine has the rest
    input  template_row_t template,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic       idle,
    output logic  [WRITE_CYCLES-2:0] writes,  // the operation of so many cycles ago may write this slot
    output slot_t [WRITE_CYCLES-2:0] write_slots,
    // What the last exponent or length was; counts when idle.
    output logic       absent,
    output logic [31:0] length,
    output logic       length_zero,
    output field_t     field,
    output logic       stopped,     // by a fault
    output counted_t   counted
);
  localparam int MOST_EXPONENT = 63;
  // An exponent beyond what base and delta can bring back into its bounds.
  localparam int EXPONENT_BITS = 9;
  typedef logic signed [EXPONENT_BITS-1:0] exponent_t;

  // Slots: initial values, then previous ones.
  typedef struct packed {
    logic [6:0]  exponent;
    logic [63:0] mantissa;
  } row_t;
  typedef struct packed {
    logic  write;
    logic  empty;
    slot_t slot;
    row_t  row;
  } keep_t;
  keep_t keep;
  row_t found;
  logic previous;
  slot_states states (
      .clk, .forget, .look, .state,
      .write(keep.write), .write_slot(keep.slot), .empty(keep.empty)
  );

  /* verilator lint_off UNUSEDSIGNAL */  // its slot
  word_field_t step_word;
  /* verilator lint_on UNUSEDSIGNAL */
  assign step_word = word_field_t'(step.word);
  assign previous = step.keeps_number && step_state == STATE_ASSIGNED;
  simple_ram #(.BITS($bits(row_t)), .DEPTH(2 * FEED_NUMBERS)) memory (
      .clk,
      .write(keep.write || (load.write && load.into == INTO_NUMBERS)),
      .write_addr(load.write ? {1'b0, load.at[SLOT_BITS-1:0]} : {1'b1, keep.slot}),
      .wdata(load.write ? load.data : keep.row),
      .enable(1'b1), .read_addr({previous, previous ? slot_t'(step_word.slot) : initial_slot}), .rdata(found)
  );

  /* verilator lint_off UNUSEDSIGNAL */  // not all of it lives to the end
  operation_t first, second, third;
  /* verilator lint_on UNUSEDSIGNAL */
  logic assigned, counts;
  assign assigned = first.has_entry && first.state == STATE_ASSIGNED;

  // What the step has found, as an operation.
  issue_t issued;
  /* verilator lint_off UNUSEDSIGNAL */  // what the engine does is done
  step_t issued_step;
  /* verilator lint_on UNUSEDSIGNAL */
  state_t issued_state;
  /* verilator lint_off UNUSEDSIGNAL */  // what a word says depends on its operation
  word_field_t word;
  word_raw_t raw;
  /* verilator lint_on UNUSEDSIGNAL */
  logic is_raw, is_decimal_step, unsigned_type, narrow_type;
  assign word = word_field_t'(issued_step.word);
  assign raw = word_raw_t'(issued_step.word);
  assign is_raw = issued_step.shape[SHAPE_RAW];
  assign is_decimal_step = issued_step.shape[SHAPE_DECIMAL];
  assign unsigned_type = is_of(word.value_type, FEED_TYPE_UINT32) || is_of(word.value_type, FEED_TYPE_UINT64) ||
      is_of(word.value_type, FEED_TYPE_LENGTH);
  assign narrow_type = is_of(word.value_type, FEED_TYPE_INT32) || is_of(word.value_type, FEED_TYPE_UINT32) ||
      is_of(word.value_type, FEED_TYPE_EXPONENT) || is_of(word.value_type, FEED_TYPE_LENGTH);
  always_comb begin
    first.valid = issued.event_one || issued.number || issued.text || issued.fault || issued.counted != '0;
    first.does = issued.fault ? DO_FAULT : issued.event_one ? DO_EVENT : issued.text ? DO_TEXT : !issued.number ? DO_NOTHING :
        issued.part ? DO_DECIMAL_EXPONENT : is_decimal_step ? DO_DECIMAL : issued_step.is_exponent ? DO_EXPONENT :
        issued_step.is_mantissa ? DO_MANTISSA : issued_step.is_length ? DO_LENGTH : DO_NUMBER;
    first.tells = issued.tells;
    first.code = issued.code;
    first.value = !issued.event_one ? value : issued.tells == TELLS_SEQUENCE ? number_t'(sequence_length) :
        number_t'({template.kind, template.id});
    first.reads = issued.event_one || issued.text || issued.reads || issued.second || is_raw;
    first.lowers = issued.event_one ? issued.tells == TELLS_SEQUENCE && sequence_lowers : issued.number && issued.lowers;
    first.null_value = issued.number && issued.is_null;
    first.given = issued.given || issued.second || is_raw;
    first.is_constant = issued_step.is_constant && !is_raw;
    first.is_delta = issued_step.is_delta && !is_raw;
    first.is_increment = word.field_operator == 3'(FEED_OPERATOR_INCREMENT);
    first.has_entry = issued_step.keeps_number;
    first.may_miss = word.may_miss != 0;
    first.has_initial = word.has_initial != 0 && !is_raw;
    first.is_unsigned = is_raw || (issued.number && unsigned_type);
    first.narrow = issued.number && !is_raw && (narrow_type || issued.part);
    first.state = issued_state;
    first.slot = slot_t'(word.slot);
    first.told = issued_step.told;
    first.tag = is_raw ? raw.tag : word.tag;
    first.role = word.role;
    first.at = issued_step.at;
    first.offset = issued.offset;
    {first.count, first.first, first.last} = {issued.count, issued.first, issued.last};
    first.counted = issued.counted;
  end

  // 1
  number_t read, base, sum, decreased;
  logic [6:0] base_exponent, apart_exponent;
  logic based;
  assign counts = first.is_increment && !first.given && assigned;
  assign decreased = first.value - number_t'(first.lowers);
  assign based = first.does != DO_EVENT && first.does != DO_TEXT && first.does != DO_DECIMAL_EXPONENT &&
      (!first.given || first.is_delta || first.is_constant) && (assigned || first.has_initial);

  // 3
  exponent_t held, whole_exponent;
  offset_t held_offset;
  logic wild, same_high, high_zero, fits;
  logic [63:0] result;
  code_t code;
  offset_t offset;
  logic is_number, is_decimal, implied, absent_here;
  always_comb begin
    // Bits beyond the type say nothing that its highest one does not say.
    same_high = third.narrow ? (sum[ENTITY_BITS:31] == '0 || &sum[ENTITY_BITS:31]) :
        (sum[ENTITY_BITS:63] == '0 || &sum[ENTITY_BITS:63]);
    high_zero = third.narrow ? sum[ENTITY_BITS:32] == '0 : sum[ENTITY_BITS:64] == '0;
    fits = third.is_unsigned ? high_zero : same_high;
    result = !third.narrow ? sum[63:0] : {{32{!third.is_unsigned && sum[31]}}, sum[31:0]};

    is_decimal = third.does == DO_DECIMAL;
    is_number = third.does == DO_NUMBER || third.does == DO_EXPONENT || third.does == DO_MANTISSA ||
        third.does == DO_LENGTH || is_decimal;
    implied = !third.given;
    // Not from -63 to 63.
    wild = is_decimal ? whole_exponent < -EXPONENT_BITS'(MOST_EXPONENT) || whole_exponent > EXPONENT_BITS'(MOST_EXPONENT) :
        !(sum[ENTITY_BITS:6] == '0 || &sum[ENTITY_BITS:6]) || (sum[ENTITY_BITS] && sum[5:0] == '0);

    // Absent by its null, or by what its slot says.
    absent_here = third.null_value || (implied && (third.is_constant ||
        !(third.has_entry && third.state == STATE_ASSIGNED) && !(third.has_initial && !(third.has_entry && third.state == STATE_EMPTY))));

    code = '0;
    offset = third.offset;
    if (third.does == DO_FAULT) code = third.code;
    else if (third.does == DO_DECIMAL_EXPONENT) begin
      if (!third.is_delta && !fits) code = code_t'(FEED_CODE_D2);
    end else if (is_number && !third.null_value) begin
      if (third.is_constant) begin
        // It is what the program says.
      end else if (implied) begin
        if (third.has_entry && !third.may_miss) begin
          if (third.state == STATE_EMPTY) code = code_t'(FEED_CODE_D6);
          if (third.state == STATE_UNDEFINED && !third.has_initial) code = code_t'(FEED_CODE_D5);
        end
      end else if (third.is_delta) begin
        if (third.state == STATE_EMPTY) code = code_t'(FEED_CODE_D6);
        else if (!fits) code = is_decimal ? code_t'(FEED_CODE_R1) : code_t'(FEED_CODE_R4);
        if (is_decimal) offset = held_offset;
      end else if (!fits) code = code_t'(FEED_CODE_D2);
      if (code == '0 && !absent_here && (third.does == DO_EXPONENT || (is_decimal && !implied && !third.is_constant)) && wild) begin
        code = code_t'(FEED_CODE_R1);
        if (is_decimal) offset = held_offset;
      end
    end
  end

  always_ff @(posedge clk) begin
    issued <= issue;
    issued_step <= step;
    issued_state <= step_state;
    second <= first;
    third <= second;
    read <= first.reads ? decreased : number_t'(counts);
    base <= based ? {{ENTITY_BITS - 63{!first.is_unsigned && found.mantissa[63]}}, found.mantissa} : '0;
    base_exponent <= based ? found.exponent : '0;
    sum <= read + base;
    // What the decimal's mantissa, or the engine, waits for. One beyond what can be added to stays beyond.
    if (second.valid && second.does == DO_DECIMAL_EXPONENT) begin
      held <= (read[ENTITY_BITS:EXPONENT_BITS-1] == '0 || &read[ENTITY_BITS:EXPONENT_BITS-1]) ? exponent_t'(read) :
          {1'b0, {EXPONENT_BITS - 1{1'b1}}};
      held_offset <= second.offset;
    end
    // Of a decimal: what stood there, what its slot has, or both together.
    whole_exponent <= ((second.given && !second.is_constant) ? held : '0) +
        ((!second.given || second.is_constant || second.is_delta) ? EXPONENT_BITS'($signed(base_exponent)) : '0);
    if (third.valid && third.does == DO_EXPONENT) apart_exponent <= sum[6:0];
    if (third.valid && (third.does == DO_EXPONENT || third.does == DO_LENGTH)) begin
      absent <= absent_here;
      length <= result[31:0];
      length_zero <= result[31:0] == '0;
    end

    keep.write <= third.valid && is_number && third.has_entry && code == '0 && !(third.is_delta && third.null_value);
    keep.empty <= absent_here;
    keep.slot <= third.slot;
    keep.row <= '{exponent: is_decimal ? whole_exponent[6:0] : '0, mantissa: result};

    stopped <= stopped || (third.valid && code != '0);
    counted <= third.counted & {$bits(counted_t) {third.valid && !stopped}};
    field.valid <= third.valid && (!stopped || (third.does == DO_EVENT && third.tells == TELLS_DONE)) &&
        (code != '0 || third.does == DO_EVENT || (third.told && (third.does == DO_TEXT ||
            ((third.does == DO_NUMBER || third.does == DO_MANTISSA || is_decimal) && !absent_here))));
    field.tells <= code != '0 ? TELLS_FAULT : third.does == DO_EVENT ? third.tells : third.does == DO_TEXT ? TELLS_TEXT :
        third.does == DO_NUMBER ? TELLS_NUMBER : TELLS_DECIMAL;
    field.tag <= third.tag;
    field.role <= third.role;
    field.at <= third.at;
    field.value <= result;
    field.exponent <= is_decimal ? whole_exponent[6:0] : apart_exponent;
    {field.count, field.first, field.last} <= {third.count, third.first, third.last};
    field.code <= code;
    field.offset <= offset;

    if (rst) begin
      {issued.number, issued.text, issued.event_one, issued.fault, issued.counted} <= '0;
      {second.valid, third.valid, keep.write, stopped, field.valid, counted} <= '0;
    end
  end

  assign idle = !(first.valid || second.valid || third.valid || keep.write);
  assign writes = {keep.write, third.valid && third.has_entry, second.valid && second.has_entry, first.valid && first.has_entry};
  assign write_slots = {keep.slot, third.slot, second.slot, first.slot};
endmodule
