// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite slave in front of the host bus: one access at a time, whole 32-bit words only.
// A write with missing byte strobes is refused with SLVERR: records are committed by whole words.
module axil_slave
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
(
    input  logic             clk,
    input  logic             rst,
    input  address_t         s_axil_awaddr,
    input  logic             s_axil_awvalid,
    output logic             s_axil_awready,
    input  logic      [31:0] s_axil_wdata,
    input  logic      [ 3:0] s_axil_wstrb,
    input  logic             s_axil_wvalid,
    output logic             s_axil_wready,
    output logic      [ 1:0] s_axil_bresp,
    output logic             s_axil_bvalid,
    input  logic             s_axil_bready,
    /* verilator lint_off UNUSEDSIGNAL */  // a read answers with the word that holds the byte
    input  address_t         s_axil_araddr,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic             s_axil_arvalid,
    output logic             s_axil_arready,
    output logic      [31:0] s_axil_rdata,
    output logic      [ 1:0] s_axil_rresp,
    output logic             s_axil_rvalid,
    input  logic             s_axil_rready,
    output host_req_t        host_req,
    input  logic      [31:0] host_rdata
);
  localparam logic [1:0] OKAY = 2'b00;
  localparam logic [1:0] SLVERR = 2'b10;

  typedef enum logic [2:0] {IDLE, WRITE, READ, WAIT, ANSWER_B, ANSWER_R} state_t;
  localparam int WAIT_BITS = $clog2(HOST_ANSWER_CYCLES);
  state_t state;
  logic [WAIT_BITS-1:0] left;
  logic [ADDRESS_BITS-1:2] addr;

  // A write waits for address and data together; it goes before a read that arrives in the same cycle.
  logic take_write, take_read;
  assign take_write = state == IDLE && s_axil_awvalid && s_axil_wvalid;
  assign take_read = state == IDLE && s_axil_arvalid && !take_write;
  assign s_axil_awready = take_write;
  assign s_axil_wready = take_write;
  assign s_axil_arready = take_read;
  assign s_axil_bvalid = state == ANSWER_B;
  assign s_axil_rvalid = state == ANSWER_R;
  assign s_axil_rresp = OKAY;

  logic [31:0] wdata;
  assign host_req = '{
          valid: (state == WRITE && s_axil_bresp == OKAY) || state == READ,
          write: state == WRITE,
          addr: {addr, 2'b00},
          wdata: wdata
      };

  always_ff @(posedge clk) begin
    case (state)
      IDLE: begin
        if (take_write) begin
          addr <= s_axil_awaddr[ADDRESS_BITS-1:2];
          wdata <= s_axil_wdata;
          s_axil_bresp <= (s_axil_wstrb == 4'hF && s_axil_awaddr[1:0] == 2'b00) ? OKAY : SLVERR;
          state <= WRITE;
        end else if (take_read) begin
          addr <= s_axil_araddr[ADDRESS_BITS-1:2];
          state <= READ;
        end
      end
      WRITE: state <= ANSWER_B;
      READ: begin
        left <= WAIT_BITS'(HOST_ANSWER_CYCLES - 1);
        state <= WAIT;
      end
      WAIT: begin
        left <= left - 1;
        s_axil_rdata <= host_rdata;
        if (left == 0) state <= ANSWER_R;
      end
      ANSWER_B: if (s_axil_bready) state <= IDLE;
      ANSWER_R: if (s_axil_rready) state <= IDLE;
      default: state <= IDLE;
    endcase
    if (rst) state <= IDLE;
  end
endmodule
