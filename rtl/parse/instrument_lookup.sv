// SPDX-License-Identifier: Apache-2.0
// Perfect-hash lookup of a symbol: CRC times seed, displacement, directory slot, instrument record and key compare.
//
// m = crc * seed mod 2^32; bucket = top bits of m; slot = low bits of m + displacement[bucket], modulo the number of slots.
// With two banks, the highest bit of bucket, slot and instrument is the bank that was current at `start`.
// `busy` from the cycle after `start`, ten cycles, always; `unit_ready` two cycles before the end. The result stays until the
// next start.
//
// The memory of symbols tells an order, too, what it is for: in the cycles in which no lookup needs it.
module instrument_lookup
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*;
#(
    parameter int INSTRUMENTS = 1024
) (
    input  logic                            clk,
    input  logic                            rst,
    input  logic                            start,       // pulse, with key, usable and crc
    input  logic                            usable,      // otherwise it is no instrument's
    input  logic       [SYMBOL_CHARS*8-1:0] key,
    input  logic       [31:0]               crc,         // stands a cycle before, too
    input  logic       [31:0]               hash_seed,   // of the bank
    input  logic                            two_banks,
    input  logic                            bank,
    input  logic                            armed,       // what is written is not of the bank that is looked up in
    input  host_req_t                       host_req,
    output logic       [31:0]               host_rdata,
    output logic                            changing,    // level: what is looked up in is written, nothing of before holds
    output logic                            repeats,     // level: the key is the one looked up last, from three cycles behind it on
    output logic                            busy,
    output logic                            unit_ready,  // level: unit is the instrument's, if it is one
    output logic                            found,
    output logic       [15:0]               instrument,
    output instrument_t                     unit,
    /* verilator lint_off UNUSEDSIGNAL */  // as many bits as there are instruments
    input  logic       [15:0]               order_instrument,
    /* verilator lint_on UNUSEDSIGNAL */
    output symbol_t                         order_symbol,  // of the one two cycles before
    output logic                            order_symbol_valid
);
  localparam int BUCKETS = INSTRUMENTS;
  localparam int SLOT_COUNT = 2 * INSTRUMENTS;
  localparam int BUCKET_BITS = $clog2(BUCKETS);
  localparam int SLOT_BITS = $clog2(SLOT_COUNT);
  localparam int INSTRUMENT_AW = $clog2(INSTRUMENTS);
  // Cycles from start: product, its sum, bucket read, slot, slot read, record read, compare.
  localparam int STEPS = 10;
  localparam int NUMBER_STEP = 6;  // the instrument's number stands
  localparam int UNIT_STEP = NUMBER_STEP + 2;

  logic [STEPS-1:0] steps;
  always_ff @(posedge clk) begin
    steps <= {steps[STEPS-2:0], start};
    if (steps[UNIT_STEP-1]) unit_ready <= 1'b1;
    if (steps[STEPS-1]) busy <= 1'b0;
    if (start) begin
      steps <= STEPS'(1);
      {busy, unit_ready} <= 2'b10;
    end
    if (rst) begin
      steps <= '0;
      {busy, unit_ready} <= 2'b01;
    end
  end

  localparam int WRITE_CYCLES = 5;  // from the access on, until what it writes is read
  logic [WRITE_CYCLES-1:0] writes;
  logic writes_here;
  assign writes_here = host_req.valid && host_req.write && !armed && (
      in_memory(host_req.addr, BASE_DISPLACEMENT, BUCKETS * DISPLACEMENT_STRIDE)
      || in_memory(host_req.addr, BASE_DIRECTORY, SLOT_COUNT * DIRECTORY_STRIDE)
      || in_memory(host_req.addr, BASE_SYMBOL, INSTRUMENTS * SYMBOL_STRIDE)
      || in_memory(host_req.addr, BASE_INSTRUMENT, INSTRUMENTS * INSTRUMENT_STRIDE));
  always_ff @(posedge clk) begin
    writes <= {writes[WRITE_CYCLES-2:0], writes_here};
    changing <= writes != '0;
    if (rst) {writes, changing} <= '0;
  end

  // The product modulo 2^32, between registers of the multipliers. That of the sum takes what stands a cycle before `start`.
  logic [31:0] crc_q, low;
  /* verilator lint_off UNUSEDSIGNAL */  // how many bits count depends on the number of instruments
  logic [31:0] middle0, middle1, m;
  logic asked, bank_q;
  logic [SYMBOL_CHARS*8-1:0] wanted;
  always_ff @(posedge clk) begin
    crc_q <= crc;
    assert (rst || !start || crc_q == crc);
    if (start) begin
      low <= 32'(crc_q[15:0]) * 32'(hash_seed[15:0]);
      middle0 <= 32'(crc_q[31:16]) * 32'(hash_seed[15:0]);
      middle1 <= 32'(crc_q[15:0]) * 32'(hash_seed[31:16]);
      wanted <= key;
      asked <= usable;
      bank_q <= bank;
    end
    m <= {low[31:16] + middle0[15:0] + middle1[15:0], low[15:0]};
  end

  displacement_t displacement;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [31:0] displacement_rdata;
  logic [BUCKET_BITS-1:0] bucket;
  assign bucket = {two_banks ? bank_q : m[31], m[30-:BUCKET_BITS-1]};
  table_ram #(
      .BITS(DISPLACEMENT_BITS), .DEPTH(BUCKETS), .STRIDE(DISPLACEMENT_STRIDE), .BASE(BASE_DISPLACEMENT)
  ) displacements (
      .clk, .rst, .host_req, .host_rdata(displacement_rdata),
      .core_write(1'b0), .core_addr(bucket), .core_wdata('0), .core_rdata(displacement)
  );

  logic [SLOT_BITS-1:0] slot;
  always_ff @(posedge clk) begin
    slot <= m[SLOT_BITS-1:0] + SLOT_BITS'(displacement);
    if (two_banks) slot[SLOT_BITS-1] <= bank_q;
  end

  directory_t entry;
  logic [31:0] directory_rdata;
  table_ram #(
      .BITS(DIRECTORY_BITS), .DEPTH(SLOT_COUNT), .STRIDE(DIRECTORY_STRIDE), .BASE(BASE_DIRECTORY),
      .KEPT(directory_kept(INSTRUMENTS))
  ) directory (
      .clk, .rst, .host_req, .host_rdata(directory_rdata),
      .core_write(1'b0), .core_addr(slot), .core_wdata('0), .core_rdata(entry)
  );

  logic [INSTRUMENT_AW-1:0] number;
  always_comb begin
    number = INSTRUMENT_AW'(entry.instrument);
    if (two_banks) number[INSTRUMENT_AW-1] = bank_q;
  end
  symbol_t symbol;
  logic [31:0] symbol_rdata;
  logic [1:0] ours;  // the memory is read for the lookup, then its register is
  always_ff @(posedge clk) ours <= {ours[0], steps[NUMBER_STEP]};
  assign order_symbol = symbol;
  assign order_symbol_valid = !ours[1];
  table_ram #(
      .BITS(SYMBOL_BITS), .DEPTH(INSTRUMENTS), .STRIDE(SYMBOL_STRIDE), .BASE(BASE_SYMBOL)
  ) symbols (
      .clk, .rst, .host_req, .host_rdata(symbol_rdata),
      .core_write(1'b0), .core_addr(steps[NUMBER_STEP] ? number : INSTRUMENT_AW'(order_instrument)), .core_wdata('0),
      .core_rdata(symbol)
  );

  logic [31:0] instrument_rdata;
  table_ram #(
      .BITS(INSTRUMENT_BITS), .DEPTH(INSTRUMENTS), .STRIDE(INSTRUMENT_STRIDE), .BASE(BASE_INSTRUMENT)
  ) instruments (
      .clk, .rst, .host_req, .host_rdata(instrument_rdata),
      .core_write(1'b0), .core_addr(number), .core_wdata('0), .core_rdata(unit)
  );
  always_ff @(posedge clk) host_rdata <= displacement_rdata | directory_rdata | symbol_rdata | instrument_rdata;

  localparam int PART = 3;  // bits of a key that are compared at once
  localparam int PARTS = SYMBOL_CHARS * 8 / PART;
  if (PARTS * PART != SYMBOL_CHARS * 8) begin : gen_refuse
    $error("instrument_lookup %m: a key is of whole parts");
  end
  logic [PARTS-1:0] same, again;
  always_ff @(posedge clk) begin
    for (int i = 0; i < PARTS; i++) begin
      same[i]  <= symbol.key[PART*i+:PART] == wanted[PART*i+:PART];
      again[i] <= key[PART*i+:PART] == wanted[PART*i+:PART];
    end
    if (steps[STEPS-1]) found <= asked && entry.valid != '0 && same == '1;
    if (start || rst) found <= 1'b0;
    repeats <= again == '1 && asked == usable;
  end
  // Stands before its symbol is compared.
  always_ff @(posedge clk) instrument <= 16'(number);
endmodule
