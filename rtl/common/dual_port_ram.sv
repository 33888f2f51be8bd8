// SPDX-License-Identifier: Apache-2.0
// A true dual-port memory, one process a port: the form that synthesis maps to block RAM. Answers one cycle after the
// address, the old word in the cycle of a write.
module dual_port_ram #(
    parameter  int BITS  = 32,
    parameter  int DEPTH = 16,
    localparam int AW    = $clog2(DEPTH)
) (
    input  logic            clk,
    input  logic            a_write,
    input  logic [AW-1:0]   a_addr,
    input  logic [BITS-1:0] a_wdata,
    output logic [BITS-1:0] a_rdata,
    input  logic            b_write,
    input  logic [AW-1:0]   b_addr,
    input  logic [BITS-1:0] b_wdata,
    output logic [BITS-1:0] b_rdata
);
  // A block is nine bits wide at 4,096 words and ever narrower beyond. What is over nines takes fewer blocks by itself. A
  // memory of few bits is cut into bits as deep as it is, which takes a block more than nines, but no multiplexer behind them.
  localparam int PART = (DEPTH >= 16384 && BITS <= 9) ? 1 : (DEPTH > 4096 && BITS > 9) ? BITS - BITS % 9 : BITS;
  for (genvar i = 0; i * PART < BITS; i++) begin : gen_part
    localparam int LSB = i * PART;
    localparam int WIDTH = (BITS - LSB < PART) ? BITS - LSB : PART;
    (* ram_style = "block" *) logic [WIDTH-1:0] mem[DEPTH];
`ifdef VERILATOR
    // As in a device that has just been configured.
    initial for (int i = 0; i < DEPTH; i++) mem[i] = '0;
`endif
    always @(posedge clk) begin
      if (a_write) mem[a_addr] <= a_wdata[LSB+:WIDTH];
      a_rdata[LSB+:WIDTH] <= mem[a_addr];
    end
    always @(posedge clk) begin
      if (b_write) mem[b_addr] <= b_wdata[LSB+:WIDTH];
      b_rdata[LSB+:WIDTH] <= mem[b_addr];
    end
  end
endmodule
