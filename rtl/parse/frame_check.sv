// SPDX-License-Identifier: Apache-2.0
// FCS, length and PHY error of a frame. `ended` is the cycle after the last byte; `good` and `end_cycle` are valid with
// it. `good` is not a register: it is compared and combined in one cycle.
module frame_check
  import crc32_pkg::*, fixaccel_types_pkg::*;
(
    input  logic        clk,
    input  logic        rst,
    input  logic [7:0]  data,
    input  logic        valid,
    input  logic        last,
    input  logic        err,
    input  logic [31:0] cycle,
    output logic        ended,
    output logic        good,
    output logic [31:0] end_cycle
);
  localparam int COUNT_BITS = $clog2(MAX_FRAME_BYTES + 1);

  logic [31:0] crc;
  logic [COUNT_BITS-1:0] seen;  // bytes so far
  logic first, failed;

  always_ff @(posedge clk) begin
    ended <= valid && last;
    if (valid) begin
      crc <= crc32_byte(first ? CRC32_START : crc, data);
      failed <= (!first && (failed || seen == COUNT_BITS'(MAX_FRAME_BYTES))) || err;
      seen <= first ? COUNT_BITS'(1) : seen + COUNT_BITS'(1);
      first <= last;
      end_cycle <= cycle;
    end
    if (rst) begin
      ended <= 1'b0;
      first <= 1'b1;
    end
  end

  assign good = crc == CRC32_RESIDUE && !failed;
endmodule
