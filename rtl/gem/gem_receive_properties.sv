// SPDX-License-Identifier: Apache-2.0
// What gem_receive promises the core: whole frames as long as their descriptors say, as far apart as on a wire.
module gem_receive_properties #(
    parameter int GAP  = 20,
    parameter int FIFO = 512
) (
    input logic        clk,
    input logic        rst,
    input logic        net_rx_valid,
    input logic        net_rx_last,
    input logic        net_rx_err,
    input logic        push,
    input logic        full,
    input logic        whole,  // a descriptor ends a frame,
    input logic [12:0] length  // of so many bytes
);
  logic [5:0] since;  // cycles since a frame's last byte, saturating
  always_ff @(posedge clk) begin
    if (since < 6'(GAP)) since <= since + 1'b1;
    if (net_rx_valid && net_rx_last) since <= '0;
    if (rst) since <= 6'(GAP);
  end
  // Lengths of whole frames that the core has not seen the end of: no more than the FIFO has entries.
  logic [12:0] lengths[FIFO], bytes;
  logic [$clog2(FIFO)-1:0] first, behind;
  always_ff @(posedge clk) begin
    if (whole) begin
      lengths[behind] <= length;
      behind <= behind + 1'b1;
    end
    if (net_rx_valid) bytes <= net_rx_last ? '0 : bytes + 1'b1;
    if (net_rx_valid && net_rx_last && !net_rx_err) first <= first + 1'b1;
    if (rst) {first, behind, bytes} <= '0;
  end
  always_ff @(posedge clk)
    if (!rst) begin
      // 1. Between two frames the core has the time that a wire gives it.
      if (net_rx_valid) assert (since >= 6'(GAP));
      // 2. An error belongs to a last byte.
      if (net_rx_valid && net_rx_err) assert (net_rx_last);
      // 3. No beat is lost: the bus waits before the FIFO is full.
      if (push) assert (!full);
      // 4. A frame without an error has the length that the controller wrote.
      if (net_rx_valid && net_rx_last && !net_rx_err) assert (first != behind && bytes + 1'b1 == lengths[first]);
    end
endmodule

bind gem_receive gem_receive_properties #(.GAP(GAP), .FIFO(FIFO)) properties (
    .*, .full(head - tail == (FW + 1)'(FIFO)), .whole(beat.verdict && sound), .length(ended.length)
);
