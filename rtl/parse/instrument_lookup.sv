// SPDX-License-Identifier: Apache-2.0
// Perfect-hash lookup of a symbol: CRC times seed, displacement, directory slot, key compare, instrument record.
//
// m = crc * seed mod 2^32; bucket = top bits of m; slot = low bits of m + displacement[bucket], modulo the number of slots.
// `busy` from `start` until the result stands; the result stays until the next start. Seven cycles, always.
module instrument_lookup
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*;
#(
    parameter int INSTRUMENTS = 1024
) (
    input  logic                             clk,
    input  logic                             rst,
    input  logic                             cancel,      // there is no symbol
    input  logic                             start,       // pulse: key and crc stand until the result does
    input  logic        [SYMBOL_CHARS*8-1:0] key,
    input  logic        [31:0]               crc,
    input  logic        [31:0]               hash_seed,
    input  host_req_t                        host_req,
    output logic        [31:0]               host_rdata,
    output logic                             busy,
    output logic                             found,
    output logic        [15:0]               instrument,
    output instrument_t                      unit,        // valid with found and not busy
    output logic        [63:0]               negative_inverse
);
  localparam int BUCKETS = INSTRUMENTS;
  localparam int SLOTS = 2 * INSTRUMENTS;
  localparam int BUCKET_BITS = $clog2(BUCKETS);
  localparam int SLOT_BITS = $clog2(SLOTS);
  localparam int STEPS = 6;

  logic [STEPS-1:0] steps;
  assign busy = steps != '0;
  always_ff @(posedge clk) begin
    steps <= {steps[STEPS-2:0], start};
    if (start) steps <= STEPS'(1);
    if (cancel || rst) steps <= '0;
  end

  // The product in two cycles, each with one level of multipliers or one addition.
  logic [31:0] low;
  /* verilator lint_off UNUSEDSIGNAL */  // how many bits count depends on the number of instruments
  logic [31:0] m;
  logic [15:0] middle;
  always_ff @(posedge clk) begin
    low <= 32'(crc[15:0]) * 32'(hash_seed[15:0]);
    middle <= crc[31:16] * hash_seed[15:0] + crc[15:0] * hash_seed[31:16];
    m <= low + {middle, 16'h0000};
  end

  displacement_t displacement;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [31:0] displacement_rdata;
  table_ram #(
      .BITS(DISPLACEMENT_BITS),
      .DEPTH(BUCKETS),
      .STRIDE(DISPLACEMENT_STRIDE),
      .BASE(BASE_DISPLACEMENT), .LATENCY(1)
  ) displacements (
      .clk, .rst,
      .host_req,
      .host_rdata(displacement_rdata),
      .core_write(1'b0),
      .core_addr(m[31-:BUCKET_BITS]),
      .core_wdata('0),
      .core_rdata(displacement)
  );

  directory_t entry;
  logic [31:0] directory_rdata;
  table_ram #(
      .BITS(DIRECTORY_BITS),
      .DEPTH(SLOTS),
      .STRIDE(DIRECTORY_STRIDE),
      .BASE(BASE_DIRECTORY), .LATENCY(1)
  ) directory (
      .clk, .rst,
      .host_req,
      .host_rdata(directory_rdata),
      .core_write(1'b0),
      .core_addr(m[SLOT_BITS-1:0] + SLOT_BITS'(displacement)),
      .core_wdata('0),
      .core_rdata(entry)
  );

  instrument_t record;
  logic [31:0] instrument_rdata;
  table_ram #(
      .BITS(INSTRUMENT_BITS),
      .DEPTH(INSTRUMENTS),
      .STRIDE(INSTRUMENT_STRIDE),
      .BASE(BASE_INSTRUMENT), .LATENCY(1)
  ) instruments (
      .clk, .rst,
      .host_req,
      .host_rdata(instrument_rdata),
      .core_write(1'b0),
      .core_addr($clog2(INSTRUMENTS)'(entry.instrument)),
      .core_wdata('0),
      .core_rdata(record)
  );
  assign host_rdata = displacement_rdata | directory_rdata | instrument_rdata;

  always_ff @(posedge clk) begin
    if (steps[3]) begin
      found <= entry.valid && entry.key == key;
      instrument <= entry.instrument;
    end
    if (steps[4]) unit <= record;
    if (steps[5]) negative_inverse <= -unit.inverse;
    if (cancel || start || rst) found <= 1'b0;
  end
endmodule
