// SPDX-License-Identifier: Apache-2.0
// The fabric with the `gem-bram` interface: gem_port in the place of the wire's two ends, the same core behind it, a byte a
// beat. Frames of the exchange and of the CPU pass the window on `s_axi`, what sends them `m_axi`; `s_axil` are the
// registers and tables of the core.
module fixaccel_gem
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
  import gem_port_hwmap_pkg::*;
#(
    parameter int INSTRUMENTS    = 1024,
    parameter int TRIGGERS       = 16384,
    parameter int ORDERS         = 4096,
    parameter int TEMPLATES      = 128,
    parameter int GROUPS         = 1024,
    parameter int RECEIVE_SLOTS  = 16,
    parameter int TRANSMIT_SLOTS = 4,
    parameter int TO_CPU_SLOTS   = 8,
    parameter int FROM_CPU_SLOTS = 4,
    parameter int ID_BITS        = 12
) (
    input  logic                             clk,
    input  logic                             rst,         // synchronous
    input  logic [31:0]                      elapsed_ns,  // nanoseconds that passed in this cycle
    // AXI4 slave: the window
    input  logic [ID_BITS-1:0]               s_axi_awid,
    input  logic [GEM_PORT_ADDRESS_BITS-1:0] s_axi_awaddr,
    input  logic [7:0]                       s_axi_awlen,
    input  logic [2:0]                       s_axi_awsize,
    input  logic [1:0]                       s_axi_awburst,
    input  logic                             s_axi_awvalid,
    output logic                             s_axi_awready,
    input  logic [31:0]                      s_axi_wdata,
    input  logic [3:0]                       s_axi_wstrb,
    input  logic                             s_axi_wlast,
    input  logic                             s_axi_wvalid,
    output logic                             s_axi_wready,
    output logic [ID_BITS-1:0]               s_axi_bid,
    output logic [1:0]                       s_axi_bresp,
    output logic                             s_axi_bvalid,
    input  logic                             s_axi_bready,
    input  logic [ID_BITS-1:0]               s_axi_arid,
    input  logic [GEM_PORT_ADDRESS_BITS-1:0] s_axi_araddr,
    input  logic [7:0]                       s_axi_arlen,
    input  logic [2:0]                       s_axi_arsize,
    input  logic [1:0]                       s_axi_arburst,
    input  logic                             s_axi_arvalid,
    output logic                             s_axi_arready,
    output logic [ID_BITS-1:0]               s_axi_rid,
    output logic [31:0]                      s_axi_rdata,
    output logic [1:0]                       s_axi_rresp,
    output logic                             s_axi_rlast,
    output logic                             s_axi_rvalid,
    input  logic                             s_axi_rready,
    // AXI4 master: single writes of net_ctrl
    output logic [31:0]                      m_axi_awaddr,
    output logic [7:0]                       m_axi_awlen,
    output logic [2:0]                       m_axi_awsize,
    output logic [1:0]                       m_axi_awburst,
    output logic                             m_axi_awvalid,
    input  logic                             m_axi_awready,
    output logic [31:0]                      m_axi_wdata,
    output logic [3:0]                       m_axi_wstrb,
    output logic                             m_axi_wlast,
    output logic                             m_axi_wvalid,
    input  logic                             m_axi_wready,
    input  logic [1:0]                       m_axi_bresp,
    input  logic                             m_axi_bvalid,
    output logic                             m_axi_bready,
    output logic                             irq,   // level: a frame waits for the CPU
    // AXI4-Lite slave
    input  address_t                         s_axil_awaddr,
    input  logic                             s_axil_awvalid,
    output logic                             s_axil_awready,
    input  logic [31:0]                      s_axil_wdata,
    input  logic [3:0]                       s_axil_wstrb,
    input  logic                             s_axil_wvalid,
    output logic                             s_axil_wready,
    output logic [1:0]                       s_axil_bresp,
    output logic                             s_axil_bvalid,
    input  logic                             s_axil_bready,
    input  address_t                         s_axil_araddr,
    input  logic                             s_axil_arvalid,
    output logic                             s_axil_arready,
    output logic [31:0]                      s_axil_rdata,
    output logic [1:0]                       s_axil_rresp,
    output logic                             s_axil_rvalid,
    input  logic                             s_axil_rready
);
  localparam logic [2:0] WORD = 3'd2;
  localparam logic [1:0] INCR = 2'b01;
  assign {m_axi_awlen, m_axi_awsize, m_axi_awburst, m_axi_wstrb, m_axi_wlast} = {8'd0, WORD, INCR, 4'hF, 1'b1};

  logic [7:0] net_rx_data, net_tx_data, cpu_tx_data, cpu_rx_data;
  logic net_rx_valid, net_rx_last, net_rx_err, net_tx_valid, net_tx_last, net_tx_ready, net_fault;
  logic cpu_tx_valid, cpu_tx_last, cpu_tx_ready, cpu_tx_started, cpu_tx_stopped;
  logic cpu_rx_valid, cpu_rx_last, cpu_rx_ready;
  /* verilator lint_off UNUSEDSIGNAL */  // a frame with an error has a wrong FCS, which it keeps
  logic net_tx_err;
  /* verilator lint_on UNUSEDSIGNAL */
  frame_length_t net_tx_length;
  gem_port #(
      .RECEIVE_SLOTS(RECEIVE_SLOTS), .TRANSMIT_SLOTS(TRANSMIT_SLOTS), .TO_CPU_SLOTS(TO_CPU_SLOTS),
      .FROM_CPU_SLOTS(FROM_CPU_SLOTS), .ID_BITS(ID_BITS)
  ) port (
      .clk, .rst, .s_axi_awid, .s_axi_awaddr, .s_axi_awlen, .s_axi_awsize, .s_axi_awburst, .s_axi_awvalid, .s_axi_awready,
      .s_axi_wdata, .s_axi_wstrb, .s_axi_wlast, .s_axi_wvalid, .s_axi_wready, .s_axi_bid, .s_axi_bresp, .s_axi_bvalid,
      .s_axi_bready, .s_axi_arid, .s_axi_araddr, .s_axi_arlen, .s_axi_arsize, .s_axi_arburst, .s_axi_arvalid,
      .s_axi_arready, .s_axi_rid, .s_axi_rdata, .s_axi_rresp, .s_axi_rlast, .s_axi_rvalid, .s_axi_rready,
      .m_axi_awaddr, .m_axi_awvalid, .m_axi_awready, .m_axi_wdata, .m_axi_wvalid, .m_axi_wready, .m_axi_bresp,
      .m_axi_bvalid, .m_axi_bready, .irq, .net_rx_data, .net_rx_valid, .net_rx_last, .net_rx_err, .net_tx_data,
      .net_tx_valid, .net_tx_last, .net_tx_ready, .net_tx_length, .net_fault, .cpu_tx_data, .cpu_tx_valid, .cpu_tx_last,
      .cpu_tx_ready, .cpu_tx_started, .cpu_tx_stopped, .cpu_rx_data, .cpu_rx_valid, .cpu_rx_last, .cpu_rx_ready
  );
  fixaccel_core #(
      .INSTRUMENTS(INSTRUMENTS), .TRIGGERS(TRIGGERS), .ORDERS(ORDERS), .TEMPLATES(TEMPLATES), .GROUPS(GROUPS)
  ) core (
      .clk, .rst, .elapsed_ns, .net_rx_data, .net_rx_valid, .net_rx_last, .net_rx_err, .net_tx_data, .net_tx_valid,
      .net_tx_last, .net_tx_err, .net_tx_ready, .net_tx_length, .net_fault, .cpu_tx_data, .cpu_tx_valid, .cpu_tx_last,
      .cpu_tx_ready, .cpu_tx_started, .cpu_tx_stopped, .cpu_rx_data, .cpu_rx_valid, .cpu_rx_last, .cpu_rx_ready,
      .s_axil_awaddr, .s_axil_awvalid, .s_axil_awready, .s_axil_wdata, .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready,
      .s_axil_bresp, .s_axil_bvalid, .s_axil_bready, .s_axil_araddr, .s_axil_arvalid, .s_axil_arready, .s_axil_rdata,
      .s_axil_rresp, .s_axil_rvalid, .s_axil_rready
  );
endmodule
