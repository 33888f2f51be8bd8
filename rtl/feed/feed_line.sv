// SPDX-License-Identifier: Apache-2.0
// Bytes of one line's datagrams, which wait for the engine: read behind the write, so that decoding runs with the wire.
//
// A datagram ends with a byte that is none of it and says whether the frame was whole and right (`bad`, with `last`). Until that
// one is taken the datagram can be read again from its first byte on: `rewind`. What finds no room is lost with the rest of its
// datagram. Of one that has begun the end comes all the same, as that of a bad one: there is always room for it.
module feed_line
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic       clk,
    input  logic       rst,
    input  logic       put,       // a byte
    input  logic [7:0] put_data,
    input  logic       put_end,   // the datagram ends, in a cycle without a byte
    input  logic       put_good,  // with `put_end`
    output logic       overflow,  // pulse: a datagram begins to be lost
    output logic       tight,     // there is no room for another one as long as they come
    output feed_byte_t out,
    output logic       bad,       // with the last one
    input  logic       take,
    input  logic       rewind     // rather than `take`
);
  localparam int AW = $clog2(FEED_LINE_BYTES);
  localparam int WIDTH = 9;
  if (FEED_LINE_BYTES != 2 ** AW) begin : gen_refuse
    $error("feed_line %m: line_bytes is a power of two");
  end
  typedef logic [AW:0] place_t;  // one bit more than an address: full is not empty

  place_t written, read, start, out_at, used;
  logic fits, full, losing, writes;
  assign used = written - start;
  // The last place is for an end.
  // In steps, so that few bits are looked at.
  localparam int STEP = 512;
  localparam int LONGEST = 1536;
  assign fits = used < place_t'(FEED_LINE_BYTES - 1);
  assign writes = (put && fits && !losing) || (put_end && !full);
  assign overflow = ((put && !fits) || (put_end && full)) && !losing;
  assign full = used == place_t'(FEED_LINE_BYTES);

  logic [WIDTH-1:0] found;
  logic read_valid, steps, reads, some;
  assign some = read != written;
  assign steps = take || !out.valid;
  assign reads = steps || !read_valid;
  simple_ram #(
      .BITS(WIDTH), .DEPTH(FEED_LINE_BYTES)
  ) memory (
      .clk, .write(writes), .write_addr(written[AW-1:0]), .wdata({put_end, put_end ? 8'(!put_good || losing) : put_data}),
      .enable(reads), .read_addr(read[AW-1:0]), .rdata(found)
  );
  assign bad = out.data[0];

  always_ff @(posedge clk) begin
    tight <= used[AW:$clog2(STEP)] >= (AW + 1 - $clog2(STEP))'((FEED_LINE_BYTES - LONGEST) / STEP);
    if (writes) written <= written + place_t'(1);
    losing <= (losing || overflow) && !put_end;

    if (reads) begin
      read_valid <= some;
      if (some) read <= read + place_t'(1);
    end
    if (steps) begin
      out <= '{valid: read_valid, last: found[WIDTH-1], data: found[7:0]};
      if (out.valid) out_at <= out_at + place_t'(1);
    end
    // A datagram that is taken whole gives its room back.
    if (take && out.valid && out.last) start <= out_at + place_t'(1);
    if (rewind) begin
      {read, out_at} <= {start, start};
      {read_valid, out.valid} <= '0;
    end
    if (rst) {written, read, start, out_at, losing, read_valid, out.valid, tight} <= '0;
  end
endmodule
