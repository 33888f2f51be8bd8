// SPDX-License-Identifier: Apache-2.0
// The Ethernet controller of the processing system as the fabric's wire: its DMA reads and writes this window
// (rtl/hwmap/gem_port.yaml), its net_ctrl is written to send. What is in the window besides are mailboxes, which are the
// CPU's wire. Any doubt about the controller, a bit of port_status each, raises `fault`: the fabric disarms.
module gem_port
  import fixaccel_types_pkg::*;
  import gem_pkg::*;
  import gem_port_hwmap_pkg::*;
#(
    parameter int RECEIVE_SLOTS  = 16,
    parameter int TRANSMIT_SLOTS = 4,
    parameter int TO_CPU_SLOTS   = 8,
    parameter int FROM_CPU_SLOTS = 4,
    parameter int ID_BITS        = 12
) (
    input  logic                             clk,
    input  logic                             rst,  // synchronous
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
    // AXI4 master: writes of net_ctrl, one word each
    output logic [31:0]                      m_axi_awaddr,
    output logic                             m_axi_awvalid,
    input  logic                             m_axi_awready,
    output logic [31:0]                      m_axi_wdata,
    output logic                             m_axi_wvalid,
    input  logic                             m_axi_wready,
    input  logic [1:0]                       m_axi_bresp,
    input  logic                             m_axi_bvalid,
    output logic                             m_axi_bready,
    output logic                             irq,  // level: a frame waits for the CPU
    // the core's ports, by its names
    output logic [7:0]                       net_rx_data,
    output logic                             net_rx_valid,
    output logic                             net_rx_last,
    output logic                             net_rx_err,
    input  logic [7:0]                       net_tx_data,
    input  logic                             net_tx_valid,
    input  logic                             net_tx_last,
    output logic                             net_tx_ready,
    input  frame_length_t                    net_tx_length,
    output logic                             net_fault,
    output logic [7:0]                       cpu_tx_data,
    output logic                             cpu_tx_valid,
    output logic                             cpu_tx_last,
    input  logic                             cpu_tx_ready,
    input  logic                             cpu_tx_started,
    input  logic                             cpu_tx_stopped,
    input  logic [7:0]                       cpu_rx_data,
    input  logic                             cpu_rx_valid,
    input  logic                             cpu_rx_last,
    output logic                             cpu_rx_ready
);
  gem_write_t write;
  gem_port_address_t read_addr;
  logic room, refused, step, hold, read_valid;
  logic [31:0] answer;
  gem_window #(
      .ID_BITS(ID_BITS)
  ) window (
      .clk, .rst, .s_axi_awid, .s_axi_awaddr, .s_axi_awlen, .s_axi_awsize, .s_axi_awburst, .s_axi_awvalid, .s_axi_awready,
      .s_axi_wdata, .s_axi_wstrb, .s_axi_wlast, .s_axi_wvalid, .s_axi_wready, .s_axi_bid, .s_axi_bresp, .s_axi_bvalid,
      .s_axi_bready, .s_axi_arid, .s_axi_araddr, .s_axi_arlen, .s_axi_arsize, .s_axi_arburst, .s_axi_arvalid,
      .s_axi_arready, .s_axi_rid, .s_axi_rdata, .s_axi_rresp, .s_axi_rlast, .s_axi_rvalid, .s_axi_rready,
      .write, .room, .refused, .read_addr, .read_valid, .step, .hold, .answer
  );

  // ---- Registers
  logic [31:GEM_PORT_ADDRESS_BITS] window_base;
  logic [31:0] answer_registers, start_address, start_value, slot_limit;
  logic [31:0] to_cpu_head, to_cpu_tail, from_cpu_head, from_cpu_tail;
  logic refused_register, refused_mail, receive_on, transmit_on, clear, failed;
  faults_t faults;
  gem_count_t count;
  gem_registers #(
      .RECEIVE_SLOTS(RECEIVE_SLOTS), .TRANSMIT_SLOTS(TRANSMIT_SLOTS), .TO_CPU_SLOTS(TO_CPU_SLOTS),
      .FROM_CPU_SLOTS(FROM_CPU_SLOTS)
  ) page (
      .clk, .rst, .write, .refused(refused_register), .read_addr, .step, .answer(answer_registers), .window_base,
      .start_address, .start_value, .slot_limit, .receive_on, .transmit_on, .clear, .faults, .failed, .to_cpu_head,
      .to_cpu_tail, .from_cpu_head, .from_cpu_tail, .count, .mail(irq)
  );
  assign net_fault = failed;

  // ---- From and to the controller
  logic [31:0] answer_receive, answer_transmit;
  gem_receive #(
      .SLOTS(RECEIVE_SLOTS)
  ) receive_side (
      .clk, .rst, .on(receive_on), .window_base, .write, .room, .read_addr, .step, .answer(answer_receive),
      .net_rx_data, .net_rx_valid, .net_rx_last, .net_rx_err, .received(count.received), .aborted(count.aborted),
      .fault_order(faults[GEM_PORT_PORT_STATUS_RECEIVE_ORDER_LSB]),
      .fault_length(faults[GEM_PORT_PORT_STATUS_RECEIVE_LENGTH_LSB]),
      .fault_span(faults[GEM_PORT_PORT_STATUS_RECEIVE_SPAN_LSB])
  );
  logic start, started, crowded, discarded_frame, discarded_mail;
  gem_transmit #(
      .SLOTS(TRANSMIT_SLOTS)
  ) transmit_side (
      .clk, .rst, .clear, .on(transmit_on), .failed, .window_base, .slot_limit, .net_tx_data, .net_tx_valid,
      .net_tx_last, .net_tx_ready, .net_tx_length, .cpu_started(cpu_tx_started), .write, .read_addr, .read_valid, .step,
      .hold, .answer(answer_transmit), .start,
      .started, .crowded, .queued(count.queued), .sent(count.sent), .restarted(count.restarts),
      .discarded(discarded_frame), .fault_order(faults[GEM_PORT_PORT_STATUS_TRANSMIT_ORDER_LSB]),
      .fault_error(faults[GEM_PORT_PORT_STATUS_TRANSMIT_ERROR_LSB]),
      .fault_late(faults[GEM_PORT_PORT_STATUS_TRANSMIT_LATE_LSB])
  );
  gem_start starter (
      .clk, .rst, .start, .started, .refused(faults[GEM_PORT_PORT_STATUS_START_REFUSED_LSB]), .address(start_address),
      .value(start_value), .m_axi_awaddr, .m_axi_awvalid, .m_axi_awready, .m_axi_wdata, .m_axi_wvalid, .m_axi_wready,
      .m_axi_bresp, .m_axi_bvalid, .m_axi_bready
  );
  assign count.starts = started;
  assign count.discarded = discarded_frame || discarded_mail;

  // ---- From and to the CPU
  logic [31:0] answer_to_cpu;
  gem_to_cpu #(
      .SLOTS(TO_CPU_SLOTS)
  ) to_cpu (
      .clk, .rst, .clear, .cpu_rx_data, .cpu_rx_valid, .cpu_rx_last, .cpu_rx_ready, .read_addr, .step,
      .answer(answer_to_cpu), .head(to_cpu_head), .tail(to_cpu_tail)
  );
  gem_from_cpu #(
      .SLOTS(FROM_CPU_SLOTS)
  ) from_cpu (
      .clk, .rst, .clear, .on(transmit_on), .crowded, .write, .refused(refused_mail), .head(from_cpu_head),
      .tail(from_cpu_tail), .cpu_tx_data, .cpu_tx_valid, .cpu_tx_last, .cpu_tx_ready, .cpu_started(cpu_tx_started),
      .cpu_stopped(cpu_tx_stopped), .discarded(discarded_mail)
  );
  assign answer = answer_registers | answer_receive | answer_transmit | answer_to_cpu;
  assign refused = refused_register || refused_mail;
endmodule
