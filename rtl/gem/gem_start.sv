// SPDX-License-Identifier: Apache-2.0
// AXI master of one purpose: a single write of net_ctrl with start_tx.
module gem_start (
    input  logic        clk,
    input  logic        rst,
    input  logic        start,          // level: one is wanted
    output logic        started,        // pulse: one begins
    output logic        refused,        // pulse: it was answered with an error
    input  logic [31:0] address,
    input  logic [31:0] value,
    output logic [31:0] m_axi_awaddr,
    output logic        m_axi_awvalid,
    input  logic        m_axi_awready,
    output logic [31:0] m_axi_wdata,
    output logic        m_axi_wvalid,
    input  logic        m_axi_wready,
    input  logic [ 1:0] m_axi_bresp,
    input  logic        m_axi_bvalid,
    output logic        m_axi_bready
);
  assign m_axi_awaddr = address;
  assign m_axi_wdata = value;
  // Address, data and answer of the last write are over: `started` hangs on nothing but registers.
  assign started = start && !m_axi_awvalid && !m_axi_wvalid && !m_axi_bready;
  assign refused = m_axi_bvalid && m_axi_bready && m_axi_bresp != '0;
  always_ff @(posedge clk) begin
    if (m_axi_awready) m_axi_awvalid <= 1'b0;
    if (m_axi_wready) m_axi_wvalid <= 1'b0;
    if (m_axi_bvalid) m_axi_bready <= 1'b0;
    if (started) {m_axi_awvalid, m_axi_wvalid, m_axi_bready} <= '1;
    if (rst) {m_axi_awvalid, m_axi_wvalid, m_axi_bready} <= '0;
  end
endmodule
