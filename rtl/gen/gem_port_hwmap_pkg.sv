// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/hwmap/gem_port.yaml by `fixaccel hwmap generate`; do not edit.
// Source: sha256 78b14999a5c87079a67588c0a80ac760fdb26825629d4e6fc83ac0915a301844
// Not every user of the package needs every constant.
/* verilator lint_off UNUSEDPARAM */
package gem_port_hwmap_pkg;
  localparam logic [31:0] GEM_PORT_HASH = 32'h78b14999;

  localparam int GEM_PORT_ADDRESS_BITS = 17;  // Width of a byte address in this window.
  localparam int GEM_PORT_MAGIC_WORD = 1180190541;  // What the register magic reads: FXGM.
  localparam int GEM_PORT_SLOT_BYTES = 2048;  // Distance from one frame to the next in each memory of frames.
  localparam int GEM_PORT_RECEIVE_BYTES = 1536;  // Size of a receive buffer.
  localparam int GEM_PORT_MAIL_HEAD_BYTES = 4;  // Bytes ahead of the frame in a mailbox: its length, FCS included.
  localparam int GEM_PORT_SLOT_LIMIT_CYCLES = 125000;  // What slot_limit reads after a reset: a millisecond at 125 MHz, of which the longest frame takes 12 microseconds at 1 Gb/s and 122 at 100 Mb/s.

  typedef logic [GEM_PORT_ADDRESS_BITS-1:0] gem_port_address_t;  // bytes

  localparam gem_port_address_t GEM_PORT_REG_MAGIC = GEM_PORT_ADDRESS_BITS'('h0);
  localparam gem_port_address_t GEM_PORT_REG_HWMAP_HASH = GEM_PORT_ADDRESS_BITS'('h4);
  localparam gem_port_address_t GEM_PORT_REG_CAP_RECEIVE_SLOTS = GEM_PORT_ADDRESS_BITS'('h8);
  localparam gem_port_address_t GEM_PORT_REG_CAP_TRANSMIT_SLOTS = GEM_PORT_ADDRESS_BITS'('hc);
  localparam gem_port_address_t GEM_PORT_REG_CAP_TO_CPU_SLOTS = GEM_PORT_ADDRESS_BITS'('h10);
  localparam gem_port_address_t GEM_PORT_REG_CAP_FROM_CPU_SLOTS = GEM_PORT_ADDRESS_BITS'('h14);
  localparam gem_port_address_t GEM_PORT_REG_WINDOW_BASE = GEM_PORT_ADDRESS_BITS'('h18);
  localparam gem_port_address_t GEM_PORT_REG_START_ADDRESS = GEM_PORT_ADDRESS_BITS'('h1c);
  localparam gem_port_address_t GEM_PORT_REG_START_VALUE = GEM_PORT_ADDRESS_BITS'('h20);
  localparam gem_port_address_t GEM_PORT_REG_SLOT_LIMIT = GEM_PORT_ADDRESS_BITS'('h24);
  localparam gem_port_address_t GEM_PORT_REG_CONTROL = GEM_PORT_ADDRESS_BITS'('h28);
  localparam gem_port_address_t GEM_PORT_REG_PORT_STATUS = GEM_PORT_ADDRESS_BITS'('h2c);
  localparam gem_port_address_t GEM_PORT_REG_TO_CPU_HEAD = GEM_PORT_ADDRESS_BITS'('h30);
  localparam gem_port_address_t GEM_PORT_REG_TO_CPU_TAIL = GEM_PORT_ADDRESS_BITS'('h34);
  localparam gem_port_address_t GEM_PORT_REG_FROM_CPU_HEAD = GEM_PORT_ADDRESS_BITS'('h38);
  localparam gem_port_address_t GEM_PORT_REG_FROM_CPU_TAIL = GEM_PORT_ADDRESS_BITS'('h3c);
  localparam gem_port_address_t GEM_PORT_REG_COUNT_RECEIVED = GEM_PORT_ADDRESS_BITS'('h40);
  localparam gem_port_address_t GEM_PORT_REG_COUNT_ABORTED = GEM_PORT_ADDRESS_BITS'('h44);
  localparam gem_port_address_t GEM_PORT_REG_COUNT_QUEUED = GEM_PORT_ADDRESS_BITS'('h48);
  localparam gem_port_address_t GEM_PORT_REG_COUNT_SENT = GEM_PORT_ADDRESS_BITS'('h4c);
  localparam gem_port_address_t GEM_PORT_REG_COUNT_STARTS = GEM_PORT_ADDRESS_BITS'('h50);
  localparam gem_port_address_t GEM_PORT_REG_COUNT_RESTARTS = GEM_PORT_ADDRESS_BITS'('h54);
  localparam gem_port_address_t GEM_PORT_REG_COUNT_DISCARDED = GEM_PORT_ADDRESS_BITS'('h58);

  // Register control: bit positions.
  localparam int GEM_PORT_CONTROL_RECEIVE_LSB = 0;
  localparam int GEM_PORT_CONTROL_TRANSMIT_LSB = 1;

  // Register port_status: bit positions.
  localparam int GEM_PORT_PORT_STATUS_RECEIVE_ORDER_LSB = 0;
  localparam int GEM_PORT_PORT_STATUS_RECEIVE_LENGTH_LSB = 1;
  localparam int GEM_PORT_PORT_STATUS_RECEIVE_SPAN_LSB = 2;
  localparam int GEM_PORT_PORT_STATUS_TRANSMIT_ORDER_LSB = 3;
  localparam int GEM_PORT_PORT_STATUS_TRANSMIT_ERROR_LSB = 4;
  localparam int GEM_PORT_PORT_STATUS_TRANSMIT_LATE_LSB = 5;
  localparam int GEM_PORT_PORT_STATUS_START_REFUSED_LSB = 6;

  // Four bytes of a frame, the first one lowest.
  localparam int GEM_PORT_FRAME_WORD_BYTES = 4;
  typedef struct packed {
    logic [31:0] word;
  } frame_word_t;

  // A descriptor of the controller, see zynq_gem.
  localparam int GEM_PORT_DESCRIPTOR_WORDS_BYTES = 8;
  typedef struct packed {
    logic [31:0] second;
    logic [31:0] first;
  } descriptor_words_t;

  // receive_descriptors: room for 16 records.
  localparam gem_port_address_t GEM_PORT_BASE_RECEIVE_DESCRIPTORS = GEM_PORT_ADDRESS_BITS'('h400);
  localparam int GEM_PORT_ROOM_RECEIVE_DESCRIPTORS = 16;

  // transmit_descriptors: room for 4 records.
  localparam gem_port_address_t GEM_PORT_BASE_TRANSMIT_DESCRIPTORS = GEM_PORT_ADDRESS_BITS'('h600);
  localparam int GEM_PORT_ROOM_TRANSMIT_DESCRIPTORS = 4;

  // transmit_frames: room for 2048 records.
  localparam gem_port_address_t GEM_PORT_BASE_TRANSMIT_FRAMES = GEM_PORT_ADDRESS_BITS'('h2000);
  localparam int GEM_PORT_ROOM_TRANSMIT_FRAMES = 2048;

  // to_cpu: room for 4096 records.
  localparam gem_port_address_t GEM_PORT_BASE_TO_CPU = GEM_PORT_ADDRESS_BITS'('h4000);
  localparam int GEM_PORT_ROOM_TO_CPU = 4096;

  // from_cpu: room for 4096 records.
  localparam gem_port_address_t GEM_PORT_BASE_FROM_CPU = GEM_PORT_ADDRESS_BITS'('h8000);
  localparam int GEM_PORT_ROOM_FROM_CPU = 4096;

  // receive_frames: room for 8192 records.
  localparam gem_port_address_t GEM_PORT_BASE_RECEIVE_FRAMES = GEM_PORT_ADDRESS_BITS'('h10000);
  localparam int GEM_PORT_ROOM_RECEIVE_FRAMES = 8192;
endpackage
/* verilator lint_on UNUSEDPARAM */
