// SPDX-License-Identifier: Apache-2.0
// FCS and PHY error of a frame. `done` is the cycle after the last byte; `good` and `end_cycle` are valid with it.
module frame_check
  import crc32_pkg::*;
(
    input  logic        clk,
    input  logic        rst,
    input  logic [7:0]  data,
    input  logic        valid,
    input  logic        last,
    input  logic        err,
    input  logic [31:0] cycle,
    output logic        done,
    output logic        good,
    output logic [31:0] end_cycle
);
  logic [31:0] crc;
  logic start, failed;

  always_ff @(posedge clk) begin
    done <= valid && last;
    if (valid) begin
      crc <= crc32_byte(start ? CRC32_START : crc, data);
      failed <= (start ? 1'b0 : failed) || err;
      start <= last;
      end_cycle <= cycle;
    end
    if (rst) begin
      done  <= 1'b0;
      start <= 1'b1;
    end
  end

  assign good = crc == CRC32_RESIDUE && !failed;
endmodule
