// SPDX-License-Identifier: Apache-2.0
// What gem_receive promises the core: whole frames, as far apart as on a wire.
module gem_receive_properties #(
    parameter int GAP = 20
) (
    input logic clk,
    input logic rst,
    input logic net_rx_valid,
    input logic net_rx_last,
    input logic net_rx_err,
    input logic push,
    input logic full
);
  logic [5:0] since;  // cycles since a frame's last byte, saturating
  always_ff @(posedge clk) begin
    if (since < 6'(GAP)) since <= since + 1'b1;
    if (net_rx_valid && net_rx_last) since <= '0;
    if (rst) since <= 6'(GAP);
  end
  always_ff @(posedge clk)
    if (!rst) begin
      // 1. Between two frames the core has the time that a wire gives it.
      if (net_rx_valid) assert (since >= 6'(GAP));
      // 2. An error belongs to a last byte.
      if (net_rx_valid && net_rx_err) assert (net_rx_last);
      // 3. No beat is lost: the bus waits before the FIFO is full.
      if (push) assert (!full);
    end
endmodule

bind gem_receive gem_receive_properties #(.GAP(GAP)) properties (.*, .full(head - tail == (FW + 1)'(FIFO)));
