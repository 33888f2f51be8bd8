// SPDX-License-Identifier: Apache-2.0
// What is counted of datagrams, in one memory: faults by their code, and behind all codes what the registers count.
//
// An addition takes two cycles. What comes meanwhile is owed, and added at once: each kind comes again before it owes more
// than fits.
module feed_counts
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic        clk,
    input  logic        rst,
    input  logic        ended,    // a datagram
    input  code_t       code,     // with a fault, or 0
    input  counted_t    counted,
    input  logic [4:0]  address,  // a code, or of a register its word and 16
    output logic [31:0] count
);
  localparam int KINDS = 6;       // registers, from count_datagrams on
  localparam int OWED_BITS = 4;
  localparam logic [4:0] FIRST = 5'd16 | FEED_REG_COUNT_DATAGRAMS[6:2];
  if (FEED_REG_COUNT_R9 - FEED_REG_COUNT_DATAGRAMS != FEED_ADDRESS_BITS'(4 * (KINDS - 1)) || FEED_FAULT_CODES != 32) begin : gen_refuse
    $error("feed_counts %m: registers that count stand together, behind all codes");
  end
  (* ram_style = "distributed" *) logic [31:0] counts[FEED_FAULT_CODES];
`ifdef VERILATOR
  // As in a device that has just been configured.
  initial for (int i = 0; i < FEED_FAULT_CODES; i++) counts[i] = '0;
`endif
  logic [KINDS-1:0] comes;
  logic [KINDS-1:0][OWED_BITS-1:0] owed;
  logic [OWED_BITS-1:0] amount, amount_next;
  logic [4:0] at, at_next;
  logic [31:0] before_it;
  code_t fault;
  logic faulty, adding, picks, picks_fault;
  logic [KINDS-1:0] picked;
  assign comes = {counted.r9, counted.r8, counted.r7, counted.r6, ended && code != '0, ended};
  always_comb begin
    {picked, at_next, amount_next} = {KINDS'(0), fault, OWED_BITS'(1)};
    for (int i = KINDS - 1; i >= 0; i--)
      if (owed[i] != '0) {picked, at_next, amount_next} = {KINDS'(1) << i, FIRST + 5'(i), owed[i]};
    picks = !adding && (picked != '0 || faulty);
    picks_fault = picked == '0;
  end
  always_ff @(posedge clk) begin
    for (int i = 0; i < KINDS; i++)
      owed[i] <= ((picks && picked[i]) ? '0 : owed[i]) + OWED_BITS'(comes[i]);
    if (ended && code != '0) {faulty, fault} <= {1'b1, code};
    else if (picks && picks_fault) faulty <= 1'b0;
    adding <= picks;
    if (picks) {at, amount, before_it} <= {at_next, amount_next, counts[at_next]};
    if (adding) counts[at] <= before_it + 32'(amount);
    if (rst) {owed, faulty, adding} <= '0;
  end
  assign count = counts[address];
endmodule
