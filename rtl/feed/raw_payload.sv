// SPDX-License-Identifier: Apache-2.0
// Payloads undecoded, as fields of the field bus: eight bytes a value, the first one lowest, behind the last one zeros.
module raw_payload
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic       clk,
    input  logic       rst,
    input  logic       enable,
    input  feed_byte_t in,
    output logic       in_ready,
    output field_t     field
);
  localparam int BYTES = 8;
  logic [63:8] value;  // bytes so far, the last one highest
  logic [2:0] count;
  logic ends;  // what is there is told, then the end
  assign in_ready = !ends;
  logic takes;
  logic [63:0] whole;
  assign whole = {ends ? 8'd0 : in.data, value};
  assign takes = enable && in.valid && in_ready;
  always_ff @(posedge clk) begin
    field <= '0;
    if (takes && in.last) begin
      ends <= 1'b1;
    end else if (takes || (ends && count != '0)) begin
      // Zeros move the last bytes to where they belong.
      value <= whole[63:8];
      count <= count + 3'd1;
      if (count == 3'(BYTES - 1)) begin
        {field.valid, field.tells, field.tag} <= {1'b1, TELLS_NUMBER, 8'(FEED_TAG_RAW)};
        field.value <= whole;
      end
    end else if (ends) begin
      ends <= 1'b0;
      {field.valid, field.tells} <= {1'b1, TELLS_DONE};
    end
    if (rst || !enable) {count, ends} <= '0;
  end
endmodule
