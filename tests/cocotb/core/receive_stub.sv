// SPDX-License-Identifier: Apache-2.0
// Stands in for rtl/parse/receive.sv: a test sets `next_*` to say what the receive side would, one cycle later.
/* verilator lint_off DECLFILENAME */
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNDRIVEN */
module receive
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*;
#(
    parameter int INSTRUMENTS = 16,
    parameter int TRIGGERS    = 16,
    parameter int ORDERS      = 16,
    parameter int LINKS       = 64
) (
    input  logic        clk,
    input  logic        rst,
    input  logic [ 7:0] net_rx_data,
    input  logic        net_rx_valid,
    input  logic        net_rx_last,
    input  logic        net_rx_err,
    input  flow_t       flow,
    input  flow_t       market_flow,
    input  logic [47:0] local_mac,
    input  logic        local_mac_known,
    input  rx_window_t  window,
    input  market_flow_t market_sent,
    input  logic [ 3:0] market_wscale,
    input  logic        session_reset,
    input  logic        flow_reset,
    input  logic        resync,
    input  logic [31:0] resync_seq,
    input  logic        known_forget,
    input  logic        armed,
    input  logic [COMMIT_BITS-1:0] commit_ahead,
    input  logic        windows_current,
    input  windows_t [1:0] windows_open,
    input  rx_session_t session,
    input  bank_request_t banks,
    input  logic [31:0] ring_head  /* verilator public_flat_rd */,
    input  logic [63:0] collar,
    input  logic [31:0] cycle,
    input  logic [63:0] time_ns,
    input  host_req_t   host_req,
    output logic [31:0] host_rdata,
    output rx_verdict_t verdict,
    output logic        hit_pending,
    output logic        hit_early,
    output logic        hit_valid,
    output hit_t        hit,
    output symbol_t     hit_symbol,
    output logic        hit_symbol_valid,
    input  logic        hit_ready,
    input  logic        begun,
    input  logic        linked,
    input  logic [ORDER_LINK_BITS-1:0] link,
    output logic        spending,
    output rx_status_t  status
);
  rx_verdict_t next_verdict  /* verilator public_flat_rw */;
  logic next_hit_pending  /* verilator public_flat_rw */;
  logic next_hit_valid  /* verilator public_flat_rw */;
  hit_t next_hit  /* verilator public_flat_rw */;
  rx_status_t next_status  /* verilator public_flat_rw */;
  initial {next_verdict, next_hit_pending, next_hit_valid, next_hit, next_status, verdicts} = '0;

  symbol_t symbol;
  logic [31:0] symbol_rdata;
  always_ff @(posedge clk) host_rdata <= symbol_rdata;
  table_ram #(
      .BITS(SYMBOL_BITS), .DEPTH(INSTRUMENTS), .STRIDE(SYMBOL_STRIDE), .BASE(BASE_SYMBOL)
  ) symbols (
      .clk, .rst, .host_req, .host_rdata(symbol_rdata), .core_write(1'b0), .core_addr($clog2(INSTRUMENTS)'(hit.instrument)),
      .core_wdata('0), .core_rdata(symbol)
  );
  // As between lookups, which come ten cycles apart at the closest: each takes one, and what stands then is another's.
  logic [3:0] lookups;
  always_ff @(posedge clk) lookups <= (rst || lookups == 4'd9) ? '0 : lookups + 4'd1;
  assign hit_symbol_valid = lookups != '0;
  assign hit_symbol = hit_symbol_valid ? symbol : ~symbol;
  assign spending = 1'b0;
  assign hit_early = 1'b0;
  assign status = next_status;
  rx_verdict_t [RX_VERDICT_CYCLES-1:0] verdicts;
  assign verdict = verdicts[0];
  always_ff @(posedge clk) begin
    for (int i = 0; i < RX_VERDICT_CYCLES - 1; i++) verdicts[i] <= verdicts[i+1];
    verdicts[RX_VERDICT_CYCLES-1] <= next_verdict;
    hit <= next_hit;
    hit_pending <= (next_hit_pending || next_hit_valid) && !(hit_valid && hit_ready);
    hit_valid <= next_hit_valid && !(hit_valid && hit_ready);
  end
endmodule
