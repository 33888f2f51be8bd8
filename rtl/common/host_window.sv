// SPDX-License-Identifier: Apache-2.0
// The host's view of a memory: which record and word an access means, one cycle later.
module host_window
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
#(
    parameter int       DEPTH  = 16,
    parameter int       STRIDE = 1,    // words a record takes in the window, a power of two
    parameter address_t BASE   = '0,
    localparam int      AW      = $clog2(DEPTH),
    localparam int      WORD_AW = (STRIDE > 1) ? $clog2(STRIDE) : 1
) (
    input  logic               clk,
    input  host_req_t          host_req,
    output logic               read,    // pulses
    output logic               write,
    output logic [     AW-1:0] index,
    output logic [WORD_AW-1:0] word,
    output logic [       31:0] wdata
);
  localparam logic [ADDRESS_BITS:0] END = {1'b0, BASE} + (ADDRESS_BITS + 1)'(DEPTH * STRIDE * 4);

  logic selected;
  address_t offset;
  assign selected = host_req.valid && host_req.addr >= BASE && {1'b0, host_req.addr} < END;
  assign offset = host_req.addr - BASE;
  always_ff @(posedge clk) begin
    read <= selected && !host_req.write;
    write <= selected && host_req.write;
    index <= AW'(offset >> ($clog2(STRIDE) + 2));
    word <= (STRIDE > 1) ? WORD_AW'(offset >> 2) : '0;
    wdata <= host_req.wdata;
  end
endmodule
