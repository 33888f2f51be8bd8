// SPDX-License-Identifier: Apache-2.0
// AXI slave in front of the window: a write and a read at a time, independent of each other, bursts of the kind INCR of
// whole words, or single beats of parts of one. Anything else, and a beat that nobody takes, is answered with SLVERR.
//
// A write beat is on `write` the cycle after it was taken; who refuses it says so a cycle later. Read beats pass three
// registers, a beat a cycle: whose it is decided at `read_addr`, the memory behind it, the answer. All move with `step`.
// `hold` makes a read wait: what it asks for does not stand yet.
module gem_window
  import gem_pkg::*;
  import gem_port_hwmap_pkg::*;
#(
    parameter int ID_BITS = 12
) (
    input  logic                             clk,
    input  logic                             rst,
    input  logic [ID_BITS-1:0]               s_axi_awid,
    /* verilator lint_off UNUSEDSIGNAL */  // bytes of a word are in its strobes
    input  logic [GEM_PORT_ADDRESS_BITS-1:0] s_axi_awaddr,
    input  logic [GEM_PORT_ADDRESS_BITS-1:0] s_axi_araddr,
    /* verilator lint_on UNUSEDSIGNAL */
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
    output gem_write_t                       write,
    input  logic                             room,     // two more beats will be taken
    input  logic                             refused,  // pulse: nobody takes the beat of the cycle before
    output gem_port_address_t                read_addr,
    output logic                             read_valid,
    output logic                             step,
    input  logic                             hold,
    input  logic [31:0]                      answer    // to the beat of one step ago
);
  localparam logic [1:0] OKAY = 2'b00, SLVERR = 2'b10, INCR = 2'b01;
  localparam logic [2:0] WORD = 3'd2;

  function automatic logic served(logic [1:0] burst, logic [2:0] size, logic [7:0] len);
    return (burst == INCR && size == WORD) || len == '0;
  endfunction

  // ---- Write
  typedef enum logic [1:0] {W_IDLE, W_DATA, W_SETTLE, W_ANSWER} write_state_t;
  write_state_t wstate;
  logic wserved, wbad;
  logic [1:0] settle;
  gem_port_address_t waddr;
  assign s_axi_awready = wstate == W_IDLE;
  assign s_axi_wready = wstate == W_DATA && room;
  assign s_axi_bvalid = wstate == W_ANSWER;
  assign s_axi_bresp = wbad ? SLVERR : OKAY;
  always_ff @(posedge clk) begin
    write.valid <= s_axi_wvalid && s_axi_wready && wserved;
    write.addr <= waddr;
    write.data <= s_axi_wdata;
    write.strobes <= s_axi_wstrb;
    settle <= {settle[0], 1'b0};
    if (refused) wbad <= 1'b1;
    case (wstate)
      W_IDLE: begin
        waddr <= {s_axi_awaddr[GEM_PORT_ADDRESS_BITS-1:2], 2'b00};
        s_axi_bid <= s_axi_awid;
        wserved <= served(s_axi_awburst, s_axi_awsize, s_axi_awlen);
        wbad <= !served(s_axi_awburst, s_axi_awsize, s_axi_awlen);
        if (s_axi_awvalid) wstate <= W_DATA;
      end
      W_DATA: if (s_axi_wvalid && s_axi_wready) begin
        waddr <= waddr + 4;
        settle <= 2'b01;
        if (s_axi_wlast) wstate <= W_SETTLE;
      end
      W_SETTLE: if (settle[1]) wstate <= W_ANSWER;
      W_ANSWER: if (s_axi_bready) wstate <= W_IDLE;
      default: wstate <= W_IDLE;
    endcase
    if (rst) begin
      wstate <= W_IDLE;
      write.valid <= 1'b0;
      settle <= '0;
    end
  end

  // ---- Read
  typedef enum logic [1:0] {R_IDLE, R_BEATS, R_DRAIN} read_state_t;
  read_state_t rstate;
  logic rserved;
  logic [7:0] left;
  gem_port_address_t raddr;
  logic middle_valid, middle_last;
  assign s_axi_arready = rstate == R_IDLE;
  assign step = !s_axi_rvalid || s_axi_rready;
  assign read_valid = rstate == R_BEATS && step && !hold;
  assign read_addr = raddr;
  always_ff @(posedge clk) begin
    if (step) begin
      middle_valid <= read_valid;
      middle_last <= left == '0;
      s_axi_rvalid <= middle_valid;
      s_axi_rlast <= middle_last;
      s_axi_rdata <= answer;
    end
    case (rstate)
      R_IDLE: begin
        raddr <= {s_axi_araddr[GEM_PORT_ADDRESS_BITS-1:2], 2'b00};
        left <= s_axi_arlen;
        s_axi_rid <= s_axi_arid;
        rserved <= served(s_axi_arburst, s_axi_arsize, s_axi_arlen);
        if (s_axi_arvalid) rstate <= R_BEATS;
      end
      R_BEATS: if (read_valid) begin
        raddr <= raddr + 4;
        left <= left - 1;
        if (left == '0) rstate <= R_DRAIN;
      end
      R_DRAIN: if (s_axi_rvalid && s_axi_rready && s_axi_rlast) rstate <= R_IDLE;
      default: rstate <= R_IDLE;
    endcase
    if (rst) begin
      rstate <= R_IDLE;
      {middle_valid, s_axi_rvalid} <= '0;
    end
  end
  assign s_axi_rresp = rserved ? OKAY : SLVERR;
endmodule
