// SPDX-License-Identifier: Apache-2.0
// The event ring: a record a fire, the payload as sent, and a note when its last byte has left.
// A record that would overwrite one that the runtime has not taken is not written: `full` says so beforehand.
module event_ring
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
(
    input  logic             clk,
    input  logic             rst,
    input  host_req_t        host_req,
    output logic      [31:0] host_rdata,
    input  logic      [31:0] tail,
    output logic      [31:0] head,
    output logic             full,

    input logic  record_write,  // pulse
    /* verilator lint_off UNUSEDSIGNAL */  // the entry number is filled in here
    input ring_t record,
    /* verilator lint_on UNUSEDSIGNAL */

    input logic       byte_write,   // payload bytes of the newest record, in order
    input logic       byte_last,
    input logic [7:0] byte_data,

    input logic        order_begin,     // pulse: the first byte of the newest record's order is on the wire
    input logic        order_end,       // pulse: the last one is
    input logic [31:0] cycle,
    input logic        checksum_write,  // pulse: the checksum of the order that is leaving
    input logic [15:0] tcp_checksum
);
  localparam int INDEX_BITS = $clog2(RING_ENTRIES);
  localparam int WORD_BITS = $clog2(MESSAGE_BYTES / 4);

  always_ff @(posedge clk) begin
    if (record_write) head <= head + 1;
    full <= (head - tail) >= RING_ENTRIES;
    if (rst) begin
      head <= '0;
      full <= 1'b0;
    end
  end

  ring_t numbered;
  always_comb begin
    numbered = record;
    numbered.entry = head + 1;
  end
  logic [31:0] rdata_ring, rdata_ring_sent, rdata_sent;
  record_ram #(
      .BITS(RING_BITS), .DEPTH(RING_ENTRIES), .STRIDE(RING_STRIDE), .BASE(BASE_RING)
  ) ring (
      .clk, .host_req, .host_rdata(rdata_ring),
      .core_write(record_write), .core_addr(INDEX_BITS'(head)), .core_wdata(numbered)
  );

  // Payload words. Before the first byte `head` already counts this fire, so its index is head - 1.
  logic [WORD_BITS+1:0] offset;
  logic [31:0] word, word_next;
  logic [INDEX_BITS-1:0] newest;
  assign newest = INDEX_BITS'(head - 1);
  always_comb begin
    word_next = (offset[1:0] == 2'd0) ? '0 : word;
    word_next[{offset[1:0], 3'b000}+:8] = byte_data;
  end
  always_ff @(posedge clk) begin
    if (byte_write) begin
      word <= word_next;
      offset <= byte_last ? '0 : offset + 1;
    end
    if (rst) offset <= '0;
  end
  record_ram #(
      .BITS(SENT_BITS), .DEPTH(RING_ENTRIES * MESSAGE_BYTES / 4), .STRIDE(SENT_STRIDE), .BASE(BASE_SENT)
  ) sent (
      .clk, .host_req, .host_rdata(rdata_sent),
      .core_write(byte_write && (byte_last || offset[1:0] == 2'd3)),
      .core_addr({newest, offset[WORD_BITS+1:2]}), .core_wdata(word_next)
  );

  // The next fire's record may be written while this order's FCS still leaves: keep what belongs to this one.
  logic [31:0] leaving_entry, first_byte_cycle;
  logic [15:0] leaving_checksum;
  always_ff @(posedge clk) begin
    if (order_begin) begin
      leaving_entry <= head + {31'b0, record_write};
      first_byte_cycle <= cycle;
    end
    if (checksum_write) leaving_checksum <= tcp_checksum;
  end
  ring_sent_t note;
  assign note = '{
          reserved: '0,
          tcp_checksum: leaving_checksum,
          last_byte_cycle: cycle,
          first_byte_cycle: first_byte_cycle,
          entry: leaving_entry
      };
  // A new record takes an old note of the same number away: the memory outlives a reset, the numbers do not.
  logic stale;
  always_ff @(posedge clk) stale <= !rst && (record_write || (stale && order_end));
  record_ram #(
      .BITS(RING_SENT_BITS), .DEPTH(RING_ENTRIES), .STRIDE(RING_SENT_STRIDE), .BASE(BASE_RING_SENT)
  ) ring_sent (
      .clk, .host_req, .host_rdata(rdata_ring_sent),
      .core_write(order_end || stale), .core_addr(order_end ? INDEX_BITS'(leaving_entry - 1) : newest),
      .core_wdata(order_end ? note : '0)
  );

  assign host_rdata = rdata_ring | rdata_ring_sent | rdata_sent;
endmodule
