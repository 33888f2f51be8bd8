// SPDX-License-Identifier: Apache-2.0
// The host's side of the unit: registers, what is loaded, and what is counted, by the map.
//
// A record that is loaded comes word by word, the lowest first; its last one, which is the one that the map gives it, writes it.
// A word of a string is four writes of the byte-wide memory behind it: the next access comes four cycles later at the earliest.
module feed_window
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic          clk,
    input  logic          rst,
    input  feed_request_t request,
    output logic   [31:0] answer,      // ANSWER_CYCLES later; 0 for what is not here
    output load_t         load,
    output logic          decode,
    output logic          exports_raw,
    output numbering_t    numbering,
    output logic   [23:0] wait_cycles,
    output logic   [15:0] silence_ticks,
    output channels_t     channel_start,
    input  logic   [31:0] ring_head,
    output logic   [31:0] ring_tail,
    input  logic   [31:0] lines_lost,
    /* verilator lint_off UNUSEDSIGNAL */  // values are the ring's
    input  field_t        field,
    input  verdict_t      verdict,
    input  channel_t [FEED_CHANNELS-1:0] channels,
    /* verilator lint_on UNUSEDSIGNAL */
    input  counted_t      counted,
    input  logic [FEED_CHANNELS-1:0][15:0] epochs,
    input  channels_t     behind,
    input  channels_t     waits,
    output logic [LINE_BITS+2:0] tally_address,
    input  logic   [31:0] tally
);
  localparam int BYTES_OF_REGISTERS = 128;
  localparam int WORD = 4;
  if (int'(FEED_REG_CHANNEL_START) >= BYTES_OF_REGISTERS) begin : gen_refuse
    $error("feed_window %m: more registers than the page has words");
  end

  // What the datagrams were, and the last fault.
  code_t code;
  logic [31:0] fault_template, begun;
  logic [FEED_FAULT_OFFSET_LSB+15:0] fault;
  logic told, ended;
  assign told = field.valid && field.tells == TELLS_FAULT;
  assign ended = verdict.valid && !verdict.vain;
  always_ff @(posedge clk) begin
    if (field.valid && field.tells == TELLS_MESSAGE) begun <= field.value[31:0];
    if (told) code <= field.code;
    if (verdict.valid || rst) code <= '0;
    if (told) begin
      fault <= {field.offset, field.at, field.code};
      fault_template <= begun;
    end
    if (rst) {fault, fault_template, begun} <= '0;
  end

  feed_request_t asked;
  logic [31:0] count;
  logic of_register;  // an access to one
  assign of_register = asked.addr < FEED_BASE_WORDS;
  feed_counts counters (
      .clk, .rst, .ended, .code, .counted, .address({of_register || asked.addr[6], asked.addr[5:2]}), .count
  );

  // Writes. The words of a record in front of its last one wait here.
  logic [1:0][31:0] waiting;
  logic [31:0] bytes;
  logic [1:0] bytes_left;
  at_t byte_at, text_at;
  assign text_at = {1'b0, asked.addr[10:6], 5'((asked.addr[5:2] - 4'd1) << 2)};
  // Of the record's words the last one first.
  at_t filter_at;
  assign filter_at = at_t'({asked.addr[5:4], ~(asked.addr[3:2] + 2'd1), 2'b00});
  assign tally_address = asked.addr[2+:LINE_BITS+3];
  function automatic logic is_in(feed_address_t base, int size);
    return in_window(asked.addr, base, size);
  endfunction
  // The other bytes of a word follow, one a cycle.
  into_t byte_into;
  task automatic spread(into_t into, at_t at);
    byte_into <= into;
    bytes <= asked.wdata >> 8;
    bytes_left <= 2'(WORD - 1);
    byte_at <= at + at_t'(1);
  endtask
  always_ff @(posedge clk) begin
    asked <= request;
    load <= '0;
    channel_start <= '0;
    if (asked.valid && asked.write) begin
      waiting <= {waiting[0], asked.wdata};
      if (asked.addr == FEED_REG_CONTROL)
        {exports_raw, decode} <= {asked.wdata[FEED_CONTROL_WHAT_LSB], asked.wdata[FEED_CONTROL_DECODE_LSB]};
      if (asked.addr == FEED_REG_RING_TAIL) ring_tail <= asked.wdata;
      if (asked.addr == FEED_REG_WAIT_CYCLES) wait_cycles <= asked.wdata[23:0];
      if (asked.addr == FEED_REG_SILENCE_TICKS) silence_ticks <= asked.wdata[15:0];
      if (asked.addr == FEED_REG_CHANNEL_START) channel_start <= asked.wdata[FEED_CHANNELS-1:0];
      if (!decode) begin
        if (asked.addr == FEED_REG_NUMBERING)
          numbering <= '{
              numbered: asked.wdata[FEED_NUMBERING_NUMBERED_LSB], each_message: asked.wdata[FEED_NUMBERING_EACH_MESSAGE_LSB],
              bytes: asked.wdata[FEED_NUMBERING_BYTES_LSB+:3]
          };
        if (is_in(FEED_BASE_LINE_FILTERS, FEED_LINES * FEED_LINE_FILTER_BYTES)) begin
          load <= '{write: 1'b1, into: INTO_FILTERS, at: filter_at, data: 71'(asked.wdata[7:0])};
          spread(INTO_FILTERS, filter_at);
        end
        if (asked.addr == FEED_REG_MULTIPLIER) load <= '{write: 1'b1, into: INTO_MULTIPLIER, at: '0, data: 71'(asked.wdata)};
        if (is_in(FEED_BASE_WORDS, FEED_INSTRUCTIONS * FEED_PROGRAM_WORD_BYTES))
          load <= '{write: asked.addr[2], into: INTO_PROGRAM, at: at_t'(asked.addr >> 3), data: 71'({asked.wdata, waiting[0]})};
        if (is_in(FEED_BASE_TEMPLATE_ROWS, FEED_TEMPLATE_SLOTS * FEED_TEMPLATE_ROW_BYTES))
          load <= '{write: 1'b1, into: INTO_ROWS, at: at_t'(asked.addr[10:2]), data: 71'(asked.wdata)};
        if (is_in(FEED_BASE_INITIAL_NUMBERS, FEED_NUMBERS * FEED_NUMBER_ROW_BYTES))
          load <= '{
              write: asked.addr[3:2] == 2'd2, into: INTO_NUMBERS, at: at_t'(asked.addr[11:4]),
              data: {asked.wdata[6:0], waiting[0], waiting[1]}
          };
        if (is_in(FEED_BASE_INITIAL_TEXTS, FEED_STRINGS * FEED_TEXT_ROW_BYTES)) begin
          if (asked.addr[5:2] == '0) load <= '{write: 1'b1, into: INTO_LENGTHS, at: at_t'(asked.addr[10:6]), data: 71'(asked.wdata)};
          else if (asked.addr[5:2] <= 4'(FEED_KEPT_BYTES / WORD)) begin
            load <= '{write: 1'b1, into: INTO_TEXTS, at: text_at, data: 71'(asked.wdata[7:0])};
            spread(INTO_TEXTS, text_at);
          end
        end
      end
    end
    if (bytes_left != '0) begin
      load <= '{write: 1'b1, into: byte_into, at: byte_at, data: 71'(bytes[7:0])};
      bytes <= bytes >> 8;
      byte_at <= byte_at + at_t'(1);
      bytes_left <= bytes_left - 2'd1;
    end
    if (rst) begin
      {asked.valid, load.write, bytes_left, decode, exports_raw, ring_tail, numbering, wait_cycles, silence_ticks, channel_start} <= '0;
    end
  end

  // Reads.
  logic [31:0] word, standing;
  logic [CHANNEL_BITS-1:0] channel;
  channel_state_t state;
  assign channel = asked.addr[3+:CHANNEL_BITS];
  always_comb begin
    state = '0;
    {state.expected, state.epoch, state.begun} = {channels[channel].expected, epochs[channel], channels[channel].begun};
    {state.behind, state.waits} = {behind[channel], waits[channel]};
    standing = asked.addr[2] ? state[63:32] : state[31:0];
  end
  logic reads;
  always_ff @(posedge clk) begin
    case (asked.addr)
      FEED_REG_MAGIC: word <= FEED_MAGIC_WORD;
      FEED_REG_HWMAP_HASH: word <= FEED_HASH;
      FEED_REG_CAP_INSTRUCTIONS: word <= FEED_INSTRUCTIONS;
      FEED_REG_CAP_NUMBERS: word <= FEED_NUMBERS;
      FEED_REG_CAP_STRINGS: word <= FEED_STRINGS;
      FEED_REG_CONTROL: begin
        word <= '0;
        {word[FEED_CONTROL_WHAT_LSB], word[FEED_CONTROL_DECODE_LSB]} <= {exports_raw, decode};
      end
      FEED_REG_RING_HEAD: word <= ring_head;
      FEED_REG_RING_TAIL: word <= ring_tail;
      FEED_REG_LINES_LOST: word <= lines_lost;
      FEED_REG_COUNT_DATAGRAMS, FEED_REG_COUNT_BAD, FEED_REG_COUNT_R6, FEED_REG_COUNT_R7, FEED_REG_COUNT_R8, FEED_REG_COUNT_R9: word <= count;
      FEED_REG_NUMBERING: begin
        word <= '0;
        {word[FEED_NUMBERING_NUMBERED_LSB], word[FEED_NUMBERING_EACH_MESSAGE_LSB]} <= {numbering.numbered, numbering.each_message};
        word[FEED_NUMBERING_BYTES_LSB+:3] <= numbering.bytes;
      end
      FEED_REG_WAIT_CYCLES: word <= 32'(wait_cycles);
      FEED_REG_SILENCE_TICKS: word <= 32'(silence_ticks);
      FEED_REG_FAULT: word <= fault;
      FEED_REG_FAULT_TEMPLATE: word <= fault_template;
      default: word <= is_in(FEED_BASE_FAULT_COUNTS, FEED_FAULT_CODES * FEED_FAULT_COUNT_BYTES) ? count :
          is_in(FEED_BASE_LINE_COUNTS, FEED_LINES * FEED_LINE_COUNT_BYTES) ? tally :
          is_in(FEED_BASE_CHANNEL_STATES, FEED_CHANNELS * FEED_CHANNEL_STATE_BYTES) ? standing : '0;
    endcase
    answer <= word & {32{reads}};
    reads <= asked.valid && !asked.write;
  end
endmodule
