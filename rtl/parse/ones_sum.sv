// SPDX-License-Identifier: Apache-2.0
// Running one's complement sum of 16-bit words that arrive byte by byte (RFC 1071). The carry of each addition enters the
// next one, so no cycle holds two additions. `ok` is valid four cycles after the last byte: the sum is -0.
module ones_sum (
    input  logic       clk,
    input  logic       clear,  // with the first byte
    input  logic       take,
    input  logic       odd,    // the byte is the low half of its word
    input  logic [7:0] data,
    output logic       ok
);
  logic clear_q;
  logic [15:0] addend;
  logic [16:0] sum;  // carry and sum

  always_ff @(posedge clk) begin
    clear_q <= clear;
    addend <= !take ? 16'h0000 : odd ? {8'h00, data} : {data, 8'h00};
    sum <= {1'b0, clear_q ? 16'h0000 : sum[15:0]} + {1'b0, addend} + {16'b0, sum[16] && !clear_q};
    ok <= sum == 17'h0FFFF || sum == 17'h1FFFE;
  end
endmodule
