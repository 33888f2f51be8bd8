// SPDX-License-Identifier: Apache-2.0
// A memory that is written at one port and read at another: the form in which a block RAM is widest. Answers one cycle after
// the address, and keeps the answer while `enable` is off; of a word that is written in that cycle it answers nothing that
// counts.
module simple_ram #(
    parameter  int BITS  = 72,
    parameter  int DEPTH = 512,
    localparam int AW    = $clog2(DEPTH)
) (
    input  logic            clk,
    input  logic            write,
    input  logic [AW-1:0]   write_addr,
    input  logic [BITS-1:0] wdata,
    input  logic            enable,
    input  logic [AW-1:0]   read_addr,
    output logic [BITS-1:0] rdata
);
  (* ram_style = "block" *) logic [BITS-1:0] mem[DEPTH];
`ifdef VERILATOR
  // As in a device that has just been configured.
  initial for (int i = 0; i < DEPTH; i++) mem[i] = '0;
`endif
  always @(posedge clk) begin
    if (write) mem[write_addr] <= wdata;
    if (enable) rdata <= mem[read_addr];
  end
endmodule
