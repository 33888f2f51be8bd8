// SPDX-License-Identifier: Apache-2.0
// Reads a template and puts the order's characters in: payload bytes into a small queue, ahead of the line, so that no
// memory and no patch stands between a byte and the wire. Nine cycles from `start` to the first byte, then one a cycle.
module payload_fetch
  import fixaccel_hwmap_pkg::*;
  import order_pkg::*;
(
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 start,          // pulse: values below hold still from here on
    /* verilator lint_off UNUSEDSIGNAL */  // the characters only
    input  leaving_t             leaving,
    /* verilator lint_on UNUSEDSIGNAL */
    input  symbol_t              symbol,
    output slot_t                text_slot,
    input  logic      [1:0][7:0] text,           // three cycles behind `text_slot`
    output logic [$clog2(MESSAGE_BYTES)-1:0] offset,  // answered two cycles later
    input  template_byte_t       template_byte,
    output logic                 ready,          // `data` is the next payload byte
    output logic           [7:0] data,
    input  logic                 pop
);
  // A popped byte's place is filled again nine cycles later: with more of them the line never waits.
  localparam int AHEAD = 16;
  localparam int AW = $clog2(AHEAD);

  logic running, issue;
  logic [AW:0] unread;  // asked for and not popped
  assign issue = running && !unread[AW];

  // The memory, a register far from it, then the characters: of the field that order_text has, and meanwhile of all else; then
  // their choice.
  localparam int MEMORY = 3;
  localparam int TEXT = 3;
  logic [MEMORY+TEXT:0] pending;
  logic [2:0] source, source_q;
  logic [4:0] index;
  logic [3:0] price, qty;
  template_byte_t read;
  logic [7:0] literal, letter, other, other_q, chosen;
  logic patch;
  logic [TEXT-1:0] odd, of_text;
  logic [4*16-1:0] qty_codes;
  logic [8*16-1:0] symbol_chars;
  assign {source, index} = read.value;
  assign qty_codes = 64'(leaving.order.qty);
  assign symbol_chars = 128'(symbol.key);
  assign text_slot = slot_of(source, index);
  always_ff @(posedge clk) begin
    read <= template_byte;
    {patch, literal} <= read;
    source_q <= source;
    price <= leaving.order.price[{index[3:0], 2'b00}+:4];
    qty <= qty_codes[{index[3:0], 2'b00}+:4];
    letter <= symbol_chars[{index[3:0], 3'b000}+:8];
    case (source_q)
      3'(PATCH_PRICE): other <= code_char(price);
      3'(PATCH_QTY): other <= code_char(qty);
      default: other <= letter;
    endcase
    if (!patch) other <= literal;
    other_q <= other;
    odd <= {odd[TEXT-2:0], index[0]};
    of_text <= {of_text[TEXT-2:0], read.patch && source inside {
        3'(PATCH_SEQ_NUM), 3'(PATCH_TIME), 3'(PATCH_CL_ORD_ID), 3'(PATCH_CHECKSUM)}};
    chosen <= of_text[TEXT-1] ? text[odd[TEXT-1]] : other_q;
  end

  logic [7:0] queue[AHEAD];
  logic [AW:0] head, tail;
  assign ready = head != tail;
  assign data = queue[head[AW-1:0]];
  always_ff @(posedge clk) begin
    pending <= {pending[MEMORY+TEXT-1:0], issue};
    if (pending[MEMORY+TEXT]) begin
      queue[tail[AW-1:0]] <= chosen;
      tail <= tail + 1'b1;
    end
    if (issue) offset <= offset + 1'b1;
    if (pop) head <= head + 1'b1;
    if (issue && !pop) unread <= unread + 1'b1;
    if (pop && !issue) unread <= unread - 1'b1;
    if (start) begin  // what was read beyond the end of the former order is forgotten
      running <= 1'b1;
      {pending, head, tail, unread, offset} <= '0;
    end
    if (rst) {running, pending, head, tail, unread} <= '0;
  end
endmodule
