// SPDX-License-Identifier: Apache-2.0
// A memory of records with a full-width core port and the host's word window.
//
// Host writes are staged word by word, in order; the write of the last used word commits the record, so the core never
// sees half of one. A record whose words do not come in order from the first is not written. Host answers take a
// cycle less than HOST_ANSWER_CYCLES and are zero while this memory is not addressed: those of many memories are ORed into a
// register.
//
// With LANES, the core has that many neighbouring records at once, the first at a multiple of the next power of two;
// records of a row beyond its lanes are not stored. A row is one word of the memory: the host's write reads it before.
module table_ram
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
#(
    parameter int              BITS    = 32,
    parameter int              DEPTH   = 16,   // records in the window
    parameter int              LANES   = 1,    // records that the core has at once
    parameter int              STRIDE  = 1,    // words a record takes in the window, a power of two
    parameter address_t        BASE    = '0,
    parameter logic [BITS-1:0] KEPT    = '1,   // bits of the record that are stored; the others read as zero
    parameter int              LATENCY = 2,    // cycles from core_addr to core_rdata: 2, with a register behind the memory, or 1
    parameter bit              IN_LUTS = 0,    // few records, which the core only reads
    parameter int              BANKS   = 1,    // memories of its depth together: the choice among them comes behind their registers
    localparam int             AW      = $clog2(DEPTH),
    localparam int             ROW     = $clog2(LANES)  // address bits within a row
) (
    input  logic                       clk,
    input  logic                       rst,
    input  host_req_t                  host_req,
    output logic [31:0]                host_rdata,
    input  logic [AW-ROW-1:0]          core_addr,
    /* verilator lint_off UNUSEDSIGNAL */  // not of a memory in LUTs
    input  logic                       core_write,
    input  logic [LANES-1:0][BITS-1:0] core_wdata,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic [LANES-1:0][BITS-1:0] core_rdata
);
  localparam int WORDS = (BITS + 31) / 32;
  localparam int WORD_AW = (STRIDE > 1) ? $clog2(STRIDE) : 1;
  localparam int STORED = $countones(KEPT);

  if (LATENCY != 1 && LATENCY != 2) begin : gen_refuse_latency
    $error("table_ram %m: LATENCY is 1 or 2");
  end
  if (IN_LUTS && LANES != 1) begin : gen_refuse_lanes
    $error("table_ram %m: a memory in LUTs has one lane");
  end
  if (BANKS != 1 && (LANES != 1 || LATENCY != 2 || IN_LUTS || STORED < 9 || BANKS != 2 ** $clog2(BANKS) || DEPTH < 2 * BANKS)) begin : gen_refuse_banks
    $error("table_ram %m: BANKS is a power of two, of nine bits or more in block RAMs, with one lane and a register behind them");
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
  localparam int LANE_AW = (ROW > 0) ? ROW : 1;
  /* verilator lint_off UNUSEDSIGNAL */  // what banks put out is chosen behind their registers
  stored_t [LANES-1:0] host_rq, core_rq;
  /* verilator lint_on UNUSEDSIGNAL */
  stored_t [LANES-1:0] host_rqq, core_rrow;
  logic [1:0] read_qq;
  // Of each memory their own: many bits hang on them.
  (* keep = "true" *) logic [1:0][WORD_AW-1:0] word_qq;
  (* keep = "true" *) logic [1:0][LANE_AW-1:0] lane;
  logic host_write;
  stored_t [LANES-1:0] host_wdata;
  logic [AW-ROW-1:0] host_addr;
  assign host_addr = host_write ? stage_index[AW-1:ROW] : index[AW-1:ROW];
  always_ff @(posedge clk) begin
    read_qq <= {read_qq[0], read_q};
    word_qq <= {word_qq[0], word};
    lane <= {lane[0], (ROW > 0) ? LANE_AW'(index) : '0};
  end
  logic [2**ROW-1:0][2**WORD_AW-1:0][31:0] padded;  // lanes and words that there are not read as zero
  always_comb begin
    padded = '0;
    for (int i = 0; i < LANES; i++) padded[i] = (2 ** WORD_AW * 32)'(unpack(host_rqq[i]));
  end
  always_ff @(posedge clk) host_rdata <= read_qq[1] ? padded[(ROW > 0) ? lane[1] : '0][word_qq[1]] : '0;

  // Nothing is written in reset: at power-up the pulses are not yet known to be pulses.
  if (ROW == 0) begin : gen_record
    assign host_write = commit && !rst;
    assign host_wdata = pack(staged[BITS-1:0]);
  end else begin : gen_row
    // The access that completes the record has also read its row.
    logic [1:0] committing;
    logic [LANES-1:0] replaced;  // a bit each, for many bits hang on it
    always_ff @(posedge clk) begin
      committing <= {committing[0], commit} & {2{!rst}};
      for (int i = 0; i < LANES; i++) begin
        replaced[i] <= int'(lane[0]) == i;
        host_wdata[i] <= replaced[i] ? pack(staged[BITS-1:0]) : host_rqq[i];
      end
    end
    assign host_write = committing[1] && !rst;
  end

  for (genvar i = 0; i < LANES; i++) begin : gen_lane
    assign core_rdata[i] = unpack(core_rrow[i]);
  end
  if (IN_LUTS) begin : gen_luts
    (* ram_style = "distributed" *) stored_t mem[DEPTH];
`ifdef VERILATOR
    // As in a device that has just been configured.
    initial for (int i = 0; i < DEPTH; i++) mem[i] = '0;
`endif
    always_ff @(posedge clk) begin
      if (host_write) mem[host_addr] <= host_wdata;
      core_rq <= mem[core_addr];
      host_rq <= mem[host_addr];
    end
  end else if (BANKS > 1) begin : gen_banks
    // A block is nine bits wide at a bank's depth. What is over nines takes fewer blocks as deep as the table, and has no
    // choice behind it there.
    localparam int BANK_AW = $clog2(BANKS);
    localparam int INNER_AW = AW - BANK_AW;
    localparam int NINES = STORED - STORED % 9;
    stored_t core_w;
    logic [BANKS-1:0][NINES-1:0] core_q, core_qq, host_q, host_qq;
    logic [1:0][BANK_AW-1:0] core_bank, host_bank;
    assign core_w = pack(core_wdata[0]);
    for (genvar i = 0; i < BANKS; i++) begin : gen_bank
      dual_port_ram #(
          .BITS(NINES), .DEPTH(DEPTH / BANKS)
      ) memory (
          .clk,
          .a_write(core_write && !rst && core_addr[AW-1:INNER_AW] == BANK_AW'(i)), .a_addr(core_addr[INNER_AW-1:0]),
          .a_wdata(core_w[NINES-1:0]), .a_rdata(core_q[i]),
          .b_write(host_write && host_addr[AW-1:INNER_AW] == BANK_AW'(i)), .b_addr(host_addr[INNER_AW-1:0]),
          .b_wdata(host_wdata[0][NINES-1:0]), .b_rdata(host_q[i])
      );
    end
    always_ff @(posedge clk) begin
      {core_qq, host_qq} <= {core_q, host_q};
      core_bank <= {core_bank[0], core_addr[AW-1:INNER_AW]};
      host_bank <= {host_bank[0], host_addr[AW-1:INNER_AW]};
    end
    assign core_rrow[0][NINES-1:0] = core_qq[core_bank[1]];
    assign host_rqq[0][NINES-1:0] = host_qq[host_bank[1]];
    if (NINES < STORED) begin : gen_rest
      logic [STORED-1:NINES] core_r, core_rr, host_r, host_rr;
      dual_port_ram #(
          .BITS(STORED - NINES), .DEPTH(DEPTH)
      ) memory (
          .clk,
          .a_write(core_write && !rst), .a_addr(core_addr), .a_wdata(core_w[STORED-1:NINES]), .a_rdata(core_r),
          .b_write(host_write), .b_addr(host_addr), .b_wdata(host_wdata[0][STORED-1:NINES]), .b_rdata(host_r)
      );
      always_ff @(posedge clk) {core_rr, host_rr} <= {core_r, host_r};
      assign core_rrow[0][STORED-1:NINES] = core_rr;
      assign host_rqq[0][STORED-1:NINES] = host_rr;
    end
  end else begin : gen_blocks
    stored_t [LANES-1:0] core_wrow;
    for (genvar i = 0; i < LANES; i++) begin : gen_lane
      assign core_wrow[i] = pack(core_wdata[i]);
    end
    dual_port_ram #(
        .BITS(STORED * LANES), .DEPTH(DEPTH >> ROW)
    ) memory (
        .clk,
        .a_write(core_write && !rst), .a_addr(core_addr), .a_wdata(core_wrow), .a_rdata(core_rq),
        .b_write(host_write), .b_addr(host_addr), .b_wdata(host_wdata), .b_rdata(host_rq)
    );
  end
  if (BANKS == 1) begin : gen_registers
    always_ff @(posedge clk) host_rqq <= host_rq;
    if (LATENCY == 2) begin : gen_core
      always_ff @(posedge clk) core_rrow <= core_rq;
    end else begin : gen_direct
      assign core_rrow = core_rq;
    end
  end
endmodule
