// SPDX-License-Identifier: Apache-2.0
// A memory with a port to write and one to read, one cycle apart; what was read stands until the next read.
module gem_ram #(
    parameter  int BITS  = 32,
    parameter  int DEPTH = 512,
    localparam int AW    = $clog2(DEPTH)
) (
    input  logic            clk,
    input  logic            write,
    input  logic [AW-1:0]   waddr,
    input  logic [BITS-1:0] wdata,
    input  logic            read,
    input  logic [AW-1:0]   raddr,
    output logic [BITS-1:0] rdata
);
  (* ram_style = "block" *) logic [BITS-1:0] mem[DEPTH];
  always_ff @(posedge clk) begin
    if (write) mem[waddr] <= wdata;
    if (read) rdata <= mem[raddr];
  end
endmodule
