// SPDX-License-Identifier: Apache-2.0
// A memory of records with a full-width core port and the host's word window.
//
// Host writes are staged word by word, in order; the write of the last used word commits the record, so the core never
// sees half of one. A record whose words do not come in order from the first is not written. Host answers take
// HOST_ANSWER_CYCLES and are zero while this memory is not addressed, so that answers of many memories can be ORed.
module table_ram
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
#(
    parameter int              BITS    = 32,
    parameter int              DEPTH   = 16,
    parameter int              STRIDE  = 1,    // words a record takes in the window, a power of two
    parameter address_t        BASE    = '0,
    parameter logic [BITS-1:0] KEPT    = '1,   // bits of the record that are stored; the others read as zero
    parameter int              LATENCY = 2,    // cycles from core_addr to core_rdata: 2, with a register behind the memory, or 1
    localparam int             AW      = $clog2(DEPTH)
) (
    input  logic            clk,
    input  logic            rst,
    input  host_req_t       host_req,
    output logic     [31:0] host_rdata,
    input  logic            core_write,
    input  logic [AW-1:0]   core_addr,
    input  logic [BITS-1:0] core_wdata,
    output logic [BITS-1:0] core_rdata
);
  localparam int WORDS = (BITS + 31) / 32;
  localparam int WORD_AW = (STRIDE > 1) ? $clog2(STRIDE) : 1;
  localparam int STORED = $countones(KEPT);

  if (LATENCY != 1 && LATENCY != 2) begin : gen_refuse_latency
    $error("table_ram %m: LATENCY is 1 or 2");
  end
  if ((STRIDE & (STRIDE - 1)) != 0 || STRIDE < WORDS) begin : gen_refuse_stride
    $error("table_ram %m: STRIDE is a power of two of at least the record's words");
  end

  typedef logic [STORED-1:0] stored_t;
  function automatic stored_t pack(logic [BITS-1:0] record);
    int n;
    n = 0;
    for (int i = 0; i < BITS; i++)
      if (KEPT[i]) begin
        pack[n] = record[i];
        n = n + 1;
      end
  endfunction
  function automatic logic [BITS-1:0] unpack(stored_t stored);
    int n;
    n = 0;
    unpack = '0;
    for (int i = 0; i < BITS; i++)
      if (KEPT[i]) begin
        unpack[i] = stored[n];
        n = n + 1;
      end
  endfunction

  // Cycle 1: which record and word.
  logic read_q, write_q;
  logic [AW-1:0] index;
  logic [WORD_AW-1:0] word;
  logic [31:0] wdata;
  host_window #(.DEPTH(DEPTH), .STRIDE(STRIDE), .BASE(BASE)) window (
      .clk, .host_req, .read(read_q), .write(write_q), .index, .word, .wdata
  );

  // Cycle 2: words of one record are collected, in order.
  logic staging, commit, in_order;
  logic [AW-1:0] stage_index;
  logic [WORD_AW-1:0] expected;
  /* verilator lint_off UNUSEDSIGNAL */  // the last word has bits beyond the record
  logic [WORDS*32-1:0] staged;
  /* verilator lint_on UNUSEDSIGNAL */
  assign in_order = (word == '0) || (staging && word == expected && index == stage_index);
  always_ff @(posedge clk) begin
    commit <= write_q && in_order && int'(word) == WORDS - 1;
    if (write_q && int'(word) < WORDS) begin
      staging <= in_order && int'(word) != WORDS - 1;
      expected <= word + 1'b1;
      stage_index <= index;
      for (int i = 0; i < WORDS; i++) if (int'(word) == i) staged[i*32+:32] <= wdata;
    end
    if (rst) {staging, commit} <= '0;
  end

  // Cycles 2 to 4: the memory, the register behind it, the word.
  stored_t host_rq, host_rqq;
  logic [1:0] read_qq;
  logic [1:0][WORD_AW-1:0] word_qq;
  logic [AW-1:0] host_addr;
  assign host_addr = commit ? stage_index : index;
  always_ff @(posedge clk) begin
    read_qq <= {read_qq[0], read_q};
    word_qq <= {word_qq[0], word};
    host_rqq <= host_rq;
  end
  logic [WORDS*32-1:0] padded;
  assign padded = (WORDS * 32)'(unpack(host_rqq));
  always_ff @(posedge clk) begin
    host_rdata <= '0;
    for (int i = 0; i < WORDS; i++) if (read_qq[1] && int'(word_qq[1]) == i) host_rdata <= padded[i*32+:32];
  end

  // Two processes, one a port: the true dual-port form that synthesis maps to one block RAM.
  stored_t mem[DEPTH];
`ifdef VERILATOR
  // As in a device that has just been configured.
  initial for (int i = 0; i < DEPTH; i++) mem[i] = '0;
`endif
  stored_t core_rq;
  always @(posedge clk) begin
    if (core_write) mem[core_addr] <= pack(core_wdata);
    core_rq <= mem[core_addr];
  end
  always @(posedge clk) begin
    if (commit) mem[host_addr] <= pack(staged[BITS-1:0]);
    host_rq <= mem[host_addr];
  end

  if (LATENCY == 2) begin : gen_registered
    stored_t core_rqq;
    always_ff @(posedge clk) core_rqq <= core_rq;
    assign core_rdata = unpack(core_rqq);
  end else begin : gen_direct
    assign core_rdata = unpack(core_rq);
  end
endmodule
