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
  logic [2:0] source, source_q, source_qq;
  /* verilator lint_off UNUSEDSIGNAL */  // no character here has a number above 15
  logic [4:0] index;
  /* verilator lint_on UNUSEDSIGNAL */
  // One of each four of a field's characters, then one of these.
  logic [3:0][3:0] prices, qtys;
  logic [3:0][7:0] letters;
  logic [3:0] price, qty;
  logic [1:0] four;
  template_byte_t read;
  (* keep = "true" *) template_byte_t placed;  // the same, for the characters that order_text has: many bits hang on it
  logic [7:0] literal, literal_q, letter, other, chosen;
  logic patch, patch_q;
  logic [TEXT-1:0] odd, of_text;
  logic [4*16-1:0] price_codes, qty_codes;
  logic [8*16-1:0] symbol_chars;
  assign {source, index} = read.value;
  assign price_codes = 64'(leaving.order.price);
  assign qty_codes = 64'(leaving.order.qty);
  assign symbol_chars = 128'(symbol.key);
  assign text_slot = slot_of(placed.value[7:5], placed.value[4:0]);
  always_ff @(posedge clk) begin
    {read, placed} <= {2{template_byte}};
    {patch, literal} <= read;
    {source_q, four} <= {source, index[3:2]};
    for (int i = 0; i < 4; i++) begin
      prices[i] <= price_codes[{2'(i), index[1:0], 2'b00}+:4];
      qtys[i] <= qty_codes[{2'(i), index[1:0], 2'b00}+:4];
      letters[i] <= symbol_chars[{2'(i), index[1:0], 3'b000}+:8];
    end
    {patch_q, literal_q, source_qq} <= {patch, literal, source_q};
    price <= prices[four];
    qty <= qtys[four];
    letter <= letters[four];
    case (source_qq)
      3'(PATCH_PRICE): other <= code_char(price);
      3'(PATCH_QTY): other <= code_char(qty);
      default: other <= letter;
    endcase
    if (!patch_q) other <= literal_q;
    odd <= {odd[TEXT-2:0], index[0]};
    of_text <= {of_text[TEXT-2:0], placed.patch && placed.value[7:5] inside {
        3'(PATCH_SEQ_NUM), 3'(PATCH_TIME), 3'(PATCH_CL_ORD_ID), 3'(PATCH_CHECKSUM)}};
    chosen <= of_text[TEXT-1] ? text[odd[TEXT-1]] : other;
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
