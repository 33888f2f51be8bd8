// SPDX-License-Identifier: Apache-2.0
// What gem_window promises the bus: an answer that was shown stands until it is taken.
module gem_window_properties (
    input logic        clk,
    input logic        rst,
    input logic        s_axi_rvalid,
    input logic        s_axi_rready,
    input logic        s_axi_rlast,
    input logic [31:0] s_axi_rdata,
    input logic        s_axi_bvalid,
    input logic        s_axi_bready,
    input logic [1:0]  s_axi_bresp
);
  logic read_waits, write_waits, last;
  logic [31:0] data;
  logic [1:0] response;
  always_ff @(posedge clk) begin
    read_waits <= s_axi_rvalid && !s_axi_rready;
    {last, data} <= {s_axi_rlast, s_axi_rdata};
    write_waits <= s_axi_bvalid && !s_axi_bready;
    response <= s_axi_bresp;
    if (rst) {read_waits, write_waits} <= '0;
  end
  always_ff @(posedge clk)
    if (!rst) begin
      // 1. A beat that was not taken stays as it is.
      if (read_waits) assert (s_axi_rvalid && s_axi_rlast == last && s_axi_rdata == data);
      // 2. So does the answer to a write.
      if (write_waits) assert (s_axi_bvalid && s_axi_bresp == response);
    end
endmodule

bind gem_window gem_window_properties properties (.*);
