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
    input  host_req_t       host_req,
    output logic     [31:0] host_rdata,
    input  logic            core_write,
    input  logic [AW-1:0]   core_addr,
    input  logic [BITS-1:0] core_wdata
);
  localparam int WORDS = (BITS + 31) / 32;
  localparam int WORD_AW = (STRIDE > 1) ? $clog2(STRIDE) : 1;

  logic read_q;
  logic [AW-1:0] index;
  logic [WORD_AW-1:0] word;
  /* verilator lint_off PINCONNECTEMPTY */  // host writes are ignored
  host_window #(.DEPTH(DEPTH), .STRIDE(STRIDE), .BASE(BASE)) window (
      .clk, .host_req, .read(read_q), .write(), .index, .word, .wdata()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  logic [BITS-1:0] mem[DEPTH];
`ifdef VERILATOR
  // As in a device that has just been configured.
  initial for (int i = 0; i < DEPTH; i++) mem[i] = '0;
`endif
  logic [BITS-1:0] host_rq, host_rqq;
  logic [1:0] read_qq;
  (* keep = "true" *) logic [1:0][WORD_AW-1:0] word_qq;  // of each memory its own: many bits hang on it
  always_ff @(posedge clk) begin
    read_qq <= {read_qq[0], read_q};
    word_qq <= {word_qq[0], word};
    host_rq <= mem[index];
    host_rqq <= host_rq;
    if (core_write) mem[core_addr] <= core_wdata;
  end

  logic [WORDS*32-1:0] padded;
  assign padded = (WORDS * 32)'(host_rqq);
  always_ff @(posedge clk) begin
    host_rdata <= '0;
    for (int i = 0; i < WORDS; i++) if (read_qq[1] && int'(word_qq[1]) == i) host_rdata <= padded[i*32+:32];
  end
endmodule
