// SPDX-License-Identifier: Apache-2.0
// FCS, length and PHY error of a frame. `ended` is the cycle after the last byte; `good` and `end_cycle` are valid with
// it.
module frame_check
  import crc32_pkg::*, fixaccel_types_pkg::*;
#(
    parameter int MOST_BYTES = MAX_FRAME_BYTES  // of a frame with its FCS; longer ones are not good
) (
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
  localparam int COUNT_BITS = $clog2(MOST_BYTES + 1);

  // A byte changes the state by its sum with the state's low byte. Of an FCS, whose bytes are the state's inverted, these sums
  // are always the same: the last four are compared as they come, not the state behind them.
  localparam int FCS_BYTES = 4;
  typedef logic [FCS_BYTES-1:0][7:0] sums_t;
  function automatic sums_t sums_of_fcs();
    logic [31:0] running;
    running = '0;
    for (int i = 0; i < FCS_BYTES; i++) begin
      sums_of_fcs[i] = ~running[7:0];
      running = crc32_byte(running, 8'hFF);
    end
  endfunction
  localparam sums_t FCS_SUMS = sums_of_fcs();

  logic [31:0] crc, state;
  logic [7:0] sum;
  logic [FCS_BYTES-2:0] right;  // bit i: the last i + 1 bytes may be an FCS's first ones
  logic [FCS_BYTES-1:0] matching;
  logic [COUNT_BITS-1:0] seen;  // bytes so far
  logic first, failed, failing;
  assign state = first ? CRC32_START : crc;
  assign sum = state[7:0] ^ data;
  assign failing = (!first && (failed || seen == COUNT_BITS'(MOST_BYTES))) || err;
  always_comb
    for (int i = 0; i < FCS_BYTES; i++) matching[i] = sum == FCS_SUMS[i] && (i == 0 || (right[i-1] && !first));

  always_ff @(posedge clk) begin
    ended <= valid && last;
    if (valid) begin
      crc <= crc32_byte(state, data);
      right <= matching[FCS_BYTES-2:0];
      good <= matching[FCS_BYTES-1] && !failing;
      failed <= failing;
      seen <= first ? COUNT_BITS'(1) : seen + COUNT_BITS'(1);
      first <= last;
      end_cycle <= cycle;
    end
    if (rst) begin
      ended <= 1'b0;
      first <= 1'b1;
    end
    assert (rst || !ended || good == (crc == CRC32_RESIDUE && !failed));
  end
endmodule
