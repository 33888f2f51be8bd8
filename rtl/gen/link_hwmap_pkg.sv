// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/hwmap/link.yaml by `fixaccel hwmap generate`; do not edit.
// Source: sha256 7cca413c68cf897643c8c7ae9bee1c13c157e04e034729dae1f00ff30a0c423a
// Not every user of the package needs every constant.
/* verilator lint_off UNUSEDPARAM */
package link_hwmap_pkg;
  localparam logic [31:0] LINK_HASH = 32'h7cca413c;

  localparam int LINK_ADDRESS_BITS = 10;  // Width of a byte address in this map.
  localparam int LINK_ETHER_TYPE = 34997;  // EtherType of its frames: local experimental.
  localparam int LINK_VERSION = 1;  // Version of the frames; those of another one are dropped and counted.
  localparam int LINK_CHANNELS = 3;  // Channels: fires, prices, host stream. Channel c has bits and numbers c - 1 of the header.
  localparam int LINK_CHANNEL_NONE = 0;  // Channel of a frame with no records.
  localparam int LINK_CHANNEL_FIRES = 1;  // Channel of fires: what one board did, ahead of all others on the wire.
  localparam int LINK_CHANNEL_PRICES = 2;  // Channel of prices: what one board's parsers saw.
  localparam int LINK_CHANNEL_HOST = 3;  // Channel of the daemons' stream of bytes.
  localparam int LINK_CHANNEL_HELLO = 15;  // Channel of a frame that says who its sender is; it has no sequence number.
  localparam int LINK_BUFFERS = 2;  // Frames of a channel that are under way at most, on either side: frame n lies in buffer n modulo this.
  localparam int LINK_WORD_BYTES = 8;  // Bytes of a word of a record.
  localparam int LINK_ETHERNET_BYTES = 14;  // Bytes of a frame ahead of the header: both addresses and the EtherType.
  localparam int LINK_HEADER_BYTES = 26;  // Bytes of the header; the first record begins behind it, at a multiple of a word from the frame's begin.
  localparam int LINK_RECORD_WORDS = 60;  // Words of a record at most; one of the host stream goes to its frame's end.
  localparam int LINK_BEATS = 8;  // Beats in a lease.
  localparam int LINK_TYPE_HELLO = 1;  // Type of a record: who its sender is.
  localparam int LINK_TYPE_BYTES = 2;  // Type of a record: bytes of the host stream, up to the frame's end; `number` is how many.

  typedef logic [LINK_ADDRESS_BITS-1:0] link_address_t;  // bytes


  // The header, 26 bytes.
  localparam int LINK_LINK_HEADER_BYTES = 32;
  typedef struct packed {
    logic [3:0] version;
    logic [3:0] channel;
    logic [2:0] no_flags;
    logic [0:0] live;
    logic [0:0] standby;
    logic [0:0] in_sync;
    logic [0:0] solo;
    logic [0:0] answer;
    logic [15:0] length;
    logic [31:0] term;
    logic [15:0] sender;
    logic [15:0] receiver;
    logic [15:0] seq;
    logic [15:0] ack_fires;
    logic [15:0] ack_prices;
    logic [15:0] ack_host;
    logic [7:0] free;
    logic [7:0] missing;
    logic [15:0] beat;
    logic [15:0] echo;
  } link_header_t;

  // Word 0 of a record.
  localparam int LINK_RECORD_HEAD_BYTES = 8;
  typedef struct packed {
    logic [7:0] record_type;
    logic [7:0] words;
    logic [15:0] kind;
    logic [31:0] number;
  } record_head_t;

  // Words 1 to 5 of a hello: who its sender is. What differs is refused by name.
  localparam int LINK_HELLO_STATE_BYTES = 64;
  typedef struct packed {
    logic [31:0] role;
    logic [31:0] generation;
    logic [63:0] hwmap_hash;
    logic [63:0] bundle_hash;
    logic [63:0] venue_hash;
    logic [63:0] capacities;
  } hello_state_t;
endpackage
/* verilator lint_on UNUSEDPARAM */
