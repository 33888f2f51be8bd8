// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite slave in front of the host bus: one access at a time, whole 32-bit words only, HOST_PERIOD cycles apart.
// A write is answered when it has taken effect. Refused with SLVERR, and counted: a write with missing byte strobes, for
// records are committed by whole words, and one to a table in use (table_lock). A write to a table waits while `later`,
// but for one that may go on while armed: that is to the bank of tables that nothing changes.
module axil_slave
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
#(
    parameter int INSTRUMENTS = 16,
    parameter int TRIGGERS    = 64,
    parameter int ORDERS      = 16,
    parameter int TEMPLATES   = 16,
    parameter int GROUPS      = 16
) (
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
    input  logic             locked,          // level: tables must not change, but for
    input  logic             two_banks,       // the other bank's,
    input  logic             bank,
    input  logic             flipping,        // unless it is becoming this one
    input  logic             later,           // level: the fabric is changing one, to an end
    output host_req_t        host_req,
    input  logic      [31:0] host_rdata,
    output logic             refused          // pulse
);
  localparam logic [1:0] OKAY = 2'b00;
  localparam logic [1:0] SLVERR = 2'b10;
  // Waits beside IDLE, CHECK and ANSWER: a read for the answer, a write for its effect.
  localparam int WRITE_WAIT = HOST_PERIOD - 4;
  localparam int READ_WAIT = HOST_ANSWER_CYCLES;
  localparam int WAIT_BITS = $clog2(((READ_WAIT > WRITE_WAIT) ? READ_WAIT : WRITE_WAIT) + 1);

  typedef enum logic [2:0] {IDLE, LOOK, SEE, CHECK, WAIT, ANSWER_B, ANSWER_R} state_t;
  state_t state;
  logic [WAIT_BITS-1:0] left;
  logic valid, write, to_table;
  logic in_part;  // a write with bytes missing
  logic [ADDRESS_BITS-1:2] addr;
  logic [31:0] wdata;

  // A write waits for address and data together; it goes before a read that arrives in the same cycle.
  logic take_write, take_read, take_table;
  assign take_write = state == IDLE && s_axil_awvalid && s_axil_wvalid;
  assign take_read = state == IDLE && s_axil_arvalid && !take_write;
  assign take_table = take_write && s_axil_awaddr >= BASE_TABLES;
  assign s_axil_awready = take_write;
  assign s_axil_wready = take_write;
  assign s_axil_arready = take_read;
  assign s_axil_bvalid = state == ANSWER_B;
  assign s_axil_rvalid = state == ANSWER_R;
  assign s_axil_rresp = OKAY;
  assign host_req = '{valid: valid, write: write, addr: {addr, 2'b00}, wdata: wdata};

  logic refuse, in_use;
  logic waits;  // not while locked, for what is in use is refused at once; as old as what the lock says
  assign refuse = in_part || (to_table && in_use);
  table_lock #(
      .INSTRUMENTS(INSTRUMENTS), .TRIGGERS(TRIGGERS), .ORDERS(ORDERS), .TEMPLATES(TEMPLATES), .GROUPS(GROUPS)
  ) tables (
      .clk, .addr({addr, 2'b00}), .locked, .two_banks, .bank, .flipping, .in_use
  );

  always_ff @(posedge clk) begin
    waits <= !locked && later;
    valid <= 1'b0;
    refused <= 1'b0;
    case (state)
      IDLE: begin
        write <= take_write;
        to_table <= take_table;
        in_part <= take_write && (s_axil_wstrb != 4'hF || s_axil_awaddr[1:0] != 2'b00);
        wdata <= s_axil_wdata;
        addr <= s_axil_awvalid && s_axil_wvalid ? s_axil_awaddr[ADDRESS_BITS-1:2] : s_axil_araddr[ADDRESS_BITS-1:2];
        if (take_write || take_read) state <= take_table ? LOOK : CHECK;
      end
      LOOK: state <= SEE;  // of which table it is, takes two cycles
      SEE: state <= CHECK;
      CHECK: if (!to_table || in_part || !waits) begin
        valid <= !refuse;
        refused <= refuse;
        s_axil_bresp <= refuse ? SLVERR : OKAY;
        left <= write ? WAIT_BITS'(WRITE_WAIT) : WAIT_BITS'(READ_WAIT);
        state <= WAIT;
      end
      WAIT: begin
        left <= left - 1;
        s_axil_rdata <= host_rdata;
        if (left == 0) state <= write ? ANSWER_B : ANSWER_R;
      end
      ANSWER_B: if (s_axil_bready) state <= IDLE;
      ANSWER_R: if (s_axil_rready) state <= IDLE;
      default: state <= IDLE;
    endcase
    if (rst) begin
      state <= IDLE;
      valid <= 1'b0;
      refused <= 1'b0;
    end
  end
endmodule
