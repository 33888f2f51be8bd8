// SPDX-License-Identifier: Apache-2.0
// Types of the link. Layouts and codes are those of the map, link_hwmap_pkg.
package link_pkg;
  import link_hwmap_pkg::*;

  localparam int WORD_BITS = 8 * LINK_WORD_BYTES;
  localparam int SEQ_BITS = 16;
  localparam int BUFFER_BITS = $clog2(LINK_BUFFERS);

  localparam int HEAD_WORDS = (LINK_ETHERNET_BYTES + LINK_HEADER_BYTES) / LINK_WORD_BYTES;  // ahead of the first record
  localparam int HELLO_WORDS = 1 + $bits(hello_state_t) / WORD_BITS;
  localparam int FCS_BYTES = 4;

  typedef logic [WORD_BITS-1:0] word_t;  // its first byte on the wire is the highest
  typedef logic [SEQ_BITS-1:0] seq_t;    // modulo 2^16: how far one is ahead of another is their difference

  // What one end of a channel says to the other, in every frame.
  typedef struct packed {
    seq_t                 ack;      // next frame expected
    logic [BUFFER_BITS:0] free;     // buffers less the frames accepted in order and not yet consumed
    logic                 missing;  // the frame behind that one is there
  } told_t;

  // Who is who: addresses, incarnations (0: none; of the other end: as it is known, and whom a hello is to name) and what hellos
  // say.
  typedef struct packed {
    logic [47:0]         own_mac;
    logic [47:0]         other_mac;
    logic [SEQ_BITS-1:0] own;
    logic [SEQ_BITS-1:0] other;
    logic [SEQ_BITS-1:0] answered;
    hello_state_t        hello;
  } identity_t;

  // What every header says of its sender.
  typedef struct packed {
    logic        live;
    logic        standby;
    logic        in_sync;
    logic        solo;
    logic [31:0] term;
  } state_t;

  // What differs in a hello of the other end.
  typedef struct packed {
    logic hwmap;
    logic bundle;
    logic venue;
    logic capacities;
  } differs_t;
endpackage
