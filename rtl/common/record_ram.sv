// SPDX-License-Identifier: Apache-2.0
// A memory of records that the core writes whole and the host only reads, in the same window form as table_ram.
// One write port, one read port: the simple dual-port form that maps to the widest block RAM.
module record_ram
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
#(
    parameter int          BITS   = 32,
    parameter int          DEPTH  = 16,
    parameter int          STRIDE = 1,     // words a record takes in the window, a power of two
    parameter address_t    BASE   = '0,
    localparam int         AW     = $clog2(DEPTH)
) (
    input  logic            clk,
    /* verilator lint_off UNUSEDSIGNAL */  // host writes are ignored, accesses are whole words
    input  host_req_t       host_req,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic     [31:0] host_rdata,
    input  logic            core_write,
    input  logic [AW-1:0]   core_addr,
    input  logic [BITS-1:0] core_wdata
);
  localparam int WORDS = (BITS + 31) / 32;
  localparam int WORD_AW = (STRIDE > 1) ? $clog2(STRIDE) : 1;
  localparam logic [ADDRESS_BITS:0] END = {1'b0, BASE} + (ADDRESS_BITS + 1)'(DEPTH * STRIDE * 4);

  logic [BITS-1:0] mem[DEPTH];
  initial for (int i = 0; i < DEPTH; i++) mem[i] = '0;

  logic selected;
  address_t offset;
  assign selected = host_req.valid && !host_req.write && host_req.addr >= BASE && {1'b0, host_req.addr} < END;
  assign offset = host_req.addr - BASE;

  logic [BITS-1:0] host_rq;
  logic [WORD_AW-1:0] word_q;
  logic read_q;
  always_ff @(posedge clk) begin
    read_q <= selected;
    word_q <= (STRIDE > 1) ? WORD_AW'(offset >> 2) : '0;
    host_rq <= mem[AW'(offset>>($clog2(STRIDE)+2))];
    if (core_write) mem[core_addr] <= core_wdata;
  end

  logic [WORDS*32-1:0] padded;
  assign padded = (WORDS * 32)'(host_rq);
  always_ff @(posedge clk) begin
    host_rdata <= '0;
    for (int i = 0; i < WORDS; i++) if (read_q && int'(word_q) == i) host_rdata <= padded[i*32+:32];
  end
endmodule
