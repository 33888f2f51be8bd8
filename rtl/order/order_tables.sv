// SPDX-License-Identifier: Apache-2.0
// What orders are made of: records and templates. Each memory answers two cycles after its address, that of the
// templates' shapes one. With two banks, the index of an order has the bank as its highest bit, and so has the template that
// leaves here.
module order_tables
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
#(
    parameter int INSTRUMENTS = 16,
    parameter int ORDERS      = 16,
    parameter int TEMPLATES   = 16
) (
    input  logic                    clk,
    input  logic                    rst,
    input  host_req_t               host_req,
    output logic             [31:0] host_rdata,
    input  logic                    two_banks,
    /* verilator lint_off UNUSEDSIGNAL */  // as wide as a record can say; the tables have fewer
    input  logic             [TRIGGER_ORDER_BITS-1:0] order_index,
    input  logic             [15:0] instrument,
    input  logic             [15:0] template_index,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic             [$clog2(MESSAGE_BYTES)-1:0] byte_offset,
    output order_t                  order,
    output template_shape_t         shape,
    output template_byte_t          template_byte,
    output logic                    known,         // there is such an order, and such an instrument
    output logic                    recorded,      // `order` is one
    output logic                    sound          // both
);
  localparam int ORDER_AW = $clog2(ORDERS);
  localparam int TEMPLATE_AW = $clog2(TEMPLATES);

  logic [31:0] rdata_order, rdata_shape, rdata_byte;
  always_ff @(posedge clk) host_rdata <= rdata_order | rdata_shape | rdata_byte;

  order_t record;
  always_comb begin
    order = record;
    if (two_banks && order_index[ORDER_AW-1]) order.template_index[TEMPLATE_AW-1] = 1'b1;
  end
  table_ram #(
      .BITS(ORDER_BITS), .DEPTH(ORDERS), .STRIDE(ORDER_STRIDE), .BASE(BASE_ORDER), .KEPT(order_kept(TEMPLATES))
  ) orders (
      .clk, .rst, .host_req, .host_rdata(rdata_order),
      .core_write(1'b0), .core_addr(ORDER_AW'(order_index)), .core_wdata('0), .core_rdata(record)
  );
  table_ram #(
      .BITS(TEMPLATE_SHAPE_BITS), .DEPTH(TEMPLATES), .STRIDE(TEMPLATE_SHAPE_STRIDE), .BASE(BASE_TEMPLATE_SHAPE),
      .LATENCY(1), .IN_LUTS(1)
  ) shapes (
      .clk, .rst, .host_req, .host_rdata(rdata_shape),
      .core_write(1'b0), .core_addr(TEMPLATE_AW'(template_index)), .core_wdata('0), .core_rdata(shape)
  );
  table_ram #(
      .BITS(TEMPLATE_BYTE_BITS), .DEPTH(TEMPLATES * MESSAGE_BYTES), .STRIDE(TEMPLATE_BYTE_STRIDE),
      .BASE(BASE_TEMPLATE_BYTE)
  ) bytes (
      .clk, .rst, .host_req, .host_rdata(rdata_byte),
      .core_write(1'b0), .core_addr({TEMPLATE_AW'(template_index), byte_offset}), .core_wdata('0),
      .core_rdata(template_byte)
  );

  always_ff @(posedge clk) known <= 32'(order_index) < ORDERS && 32'(instrument) < INSTRUMENTS;
  assign recorded = order.valid && 32'(order.template_index) < TEMPLATES;
  assign sound = recorded && known;
endmodule
