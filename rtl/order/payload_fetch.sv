// SPDX-License-Identifier: Apache-2.0
// Reads a template and puts the order's characters in: payload bytes into a small queue, ahead of the line, so that no
// memory and no patch stands between a byte and the wire. Six cycles from `start` to the first byte, then one a cycle.
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
    input  fields_t              fields,
    output logic [$clog2(MESSAGE_BYTES)-1:0] offset,  // answered two cycles later
    input  template_byte_t       template_byte,
    output logic                 ready,          // `data` is the next payload byte
    output logic           [7:0] data,
    input  logic                 pop
);
  // A popped byte's place is filled again six cycles later: with eight of them the line never waits.
  localparam int AHEAD = 8;
  localparam int AW = $clog2(AHEAD);

  logic running, issue;
  logic [AW:0] unread;  // asked for and not popped
  assign issue = running && unread != (AW + 1)'(AHEAD);

  // Memory (two cycles), characters of every source, choice between them.
  logic [3:0] pending;
  logic [7:0] literal, seq_num, utc_time, cl_ord_id, checksum, price, qty, symbol, chosen;
  logic [2:0] source;
  logic patch;
  logic [4:0] index;
  logic [4*16-1:0] qty_codes;
  logic [8*16-1:0] symbol_chars;
  assign index = template_byte.value[PATCH_INDEX_BITS-1:0];
  assign qty_codes = 64'(leaving.order.qty);
  assign symbol_chars = 128'(leaving.symbol.key);
  always_ff @(posedge clk) begin
    {patch, literal} <= template_byte;
    source <= template_byte.value[7:PATCH_INDEX_BITS];
    seq_num <= seq_num_char(leaving.seq_num, index[2:0]);
    utc_time <= time_char(leaving.utc, index);
    cl_ord_id <= cl_ord_id_char(fields.epoch, fields.rule, fields.fires, index);
    checksum <= checksum_char(fields.checksum, index[1:0]);
    price <= code_char(leaving.order.price[{index[3:0], 2'b00}+:4]);
    qty <= code_char(qty_codes[{index[3:0], 2'b00}+:4]);
    symbol <= symbol_chars[{index[3:0], 3'b000}+:8];
    if (!patch) chosen <= literal;
    else
      case (source)
        3'(PATCH_SEQ_NUM): chosen <= seq_num;
        3'(PATCH_TIME): chosen <= utc_time;
        3'(PATCH_CL_ORD_ID): chosen <= cl_ord_id;
        3'(PATCH_CHECKSUM): chosen <= checksum;
        3'(PATCH_PRICE): chosen <= price;
        3'(PATCH_QTY): chosen <= qty;
        default: chosen <= symbol;
      endcase
  end

  logic [7:0] queue[AHEAD];
  logic [AW:0] head, tail;
  assign ready = head != tail;
  assign data = queue[head[AW-1:0]];
  always_ff @(posedge clk) begin
    pending <= {pending[2:0], issue};
    if (pending[3]) begin
      queue[tail[AW-1:0]] <= chosen;
      tail <= tail + 1'b1;
    end
    if (issue) offset <= offset + 1'b1;
    if (pop) head <= head + 1'b1;
    unread <= unread + (AW + 1)'(issue) - (AW + 1)'(pop);
    if (start) begin  // what was read beyond the end of the former order is forgotten
      running <= 1'b1;
      {pending, head, tail, unread, offset} <= '0;
    end
    if (rst) {running, pending, head, tail, unread} <= '0;
  end
endmodule
