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
  // A window begins at a multiple of its size: the upper bits of an address name it, the lower ones the word.
  localparam int SPAN_BITS = $clog2(DEPTH * STRIDE * 4);
  if (DEPTH != 2 ** AW || STRIDE != 2 ** $clog2(STRIDE) || BASE % address_t'(2 ** SPAN_BITS) != '0) begin : gen_refuse
    $error("host_window %m: DEPTH and STRIDE are powers of two, and BASE is a multiple of the window's size");
  end

  logic selected;
  assign selected = host_req.valid && in_memory(host_req.addr, BASE, DEPTH * STRIDE);
  always_ff @(posedge clk) begin
    read <= selected && !host_req.write;
    write <= selected && host_req.write;
    index <= host_req.addr[SPAN_BITS-1-:AW];
    word <= (STRIDE > 1) ? host_req.addr[2+:WORD_AW] : '0;
    wdata <= host_req.wdata;
  end
endmodule
