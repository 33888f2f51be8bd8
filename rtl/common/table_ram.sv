// SPDX-License-Identifier: Apache-2.0
// A memory of records with a full-width core port and the host's word window.
//
// Host writes are staged word by word; the write of the last used word commits the record, so the core never sees half of
// one. Reads of either port take one cycle; host answers are registered once more (two cycles in all) and are zero while
// this memory is not addressed, so that answers of many memories can be ORed.
module table_ram
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
    input  host_req_t       host_req,
    output logic     [31:0] host_rdata,
    input  logic            core_write,
    input  logic [AW-1:0]   core_addr,
    input  logic [BITS-1:0] core_wdata,
    output logic [BITS-1:0] core_rdata
);
  localparam int WORDS = (BITS + 31) / 32;
  localparam int WORD_AW = (STRIDE > 1) ? $clog2(STRIDE) : 1;
  localparam logic [ADDRESS_BITS:0] END = {1'b0, BASE} + (ADDRESS_BITS + 1)'(DEPTH * STRIDE * 4);

  logic [BITS-1:0] mem[DEPTH];
  initial for (int i = 0; i < DEPTH; i++) mem[i] = '0;

  logic selected;
  address_t offset;
  logic [AW-1:0] host_addr;
  logic [WORD_AW-1:0] word;
  assign selected = host_req.valid && host_req.addr >= BASE && {1'b0, host_req.addr} < END;
  assign offset = host_req.addr - BASE;
  assign host_addr = AW'(offset >> ($clog2(STRIDE) + 2));
  assign word = (STRIDE > 1) ? WORD_AW'(offset >> 2) : '0;

  logic [WORDS*32-1:0] staged, merged;
  always_comb begin
    merged = staged;
    for (int i = 0; i < WORDS; i++) if (int'(word) == i) merged[i*32+:32] = host_req.wdata;
  end

  logic commit;
  assign commit = selected && host_req.write && int'(word) == WORDS - 1;

  logic [BITS-1:0] host_rq;
  logic read_q;
  logic [WORD_AW-1:0] word_q;
  always_ff @(posedge clk) begin
    if (selected && host_req.write) staged <= merged;
    read_q <= selected && !host_req.write;
    word_q <= word;
  end

  logic [WORDS*32-1:0] padded;
  assign padded = (WORDS * 32)'(host_rq);
  always_ff @(posedge clk) begin
    host_rdata <= '0;
    for (int i = 0; i < WORDS; i++) if (read_q && int'(word_q) == i) host_rdata <= padded[i*32+:32];
  end

  // Two processes, one a port: the true dual-port form that synthesis maps to one block RAM.
  always @(posedge clk) begin
    if (core_write) mem[core_addr] <= core_wdata;
    core_rdata <= mem[core_addr];
  end
  always @(posedge clk) begin
    if (commit) mem[host_addr] <= merged[BITS-1:0];
    host_rq <= mem[host_addr];
  end
endmodule
