// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/hwmap/zynq_gem.yaml by `fixaccel hwmap generate`; do not edit.
// Source: sha256 ab07f9179adc3ea43979261698f31904915faa7e88afe51aca4b6b81e0230326
// Not every user of the package needs every constant.
/* verilator lint_off UNUSEDPARAM */
package zynq_gem_hwmap_pkg;
  localparam logic [31:0] ZYNQ_GEM_HASH = 32'hab07f917;

  localparam int ZYNQ_GEM_ADDRESS_BITS = 12;  // Width of a byte address among its registers.
  localparam logic [31:0] ZYNQ_GEM_BASE_GEM0 = 32'he000b000;  // Physical address of GEM 0.
  localparam int ZYNQ_GEM_BASE_GP0 = 1073741824;  // Physical address of what the fabric has behind M_AXI_GP0.
  localparam logic [31:0] ZYNQ_GEM_BASE_GP1 = 32'h80000000;  // Physical address of what it has behind M_AXI_GP1.
  localparam logic [31:0] ZYNQ_GEM_BASE_GEM1 = 32'he000c000;  // Physical address of GEM 1.
  localparam int ZYNQ_GEM_RECEIVE_BUFFER_UNIT = 64;  // Bytes that one step of dma_cfg.rx_buf_size stands for.
  localparam int ZYNQ_GEM_BURST_BEATS = 16;  // Beats of the longest burst: INCR16.
  localparam int ZYNQ_GEM_BURST_INCR16 = 16;  // Value of dma_cfg.burst_length: bursts of 16 where space and data allow, else single transfers.
  localparam int ZYNQ_GEM_MDC_DIVISOR_64 = 4;  // Value of net_cfg.mdc_divisor for a management clock of cpu_1x / 64.
  localparam int ZYNQ_GEM_MODULE_VERSION = 131352;  // What module_id reads on the Zynq-7000.

  typedef logic [ZYNQ_GEM_ADDRESS_BITS-1:0] zynq_gem_address_t;  // bytes

  localparam zynq_gem_address_t ZYNQ_GEM_REG_NET_CTRL = ZYNQ_GEM_ADDRESS_BITS'('h0);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_NET_CFG = ZYNQ_GEM_ADDRESS_BITS'('h4);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_NET_STATUS = ZYNQ_GEM_ADDRESS_BITS'('h8);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_DMA_CFG = ZYNQ_GEM_ADDRESS_BITS'('h10);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_TX_STATUS = ZYNQ_GEM_ADDRESS_BITS'('h14);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_RECEIVE_QUEUE = ZYNQ_GEM_ADDRESS_BITS'('h18);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_TRANSMIT_QUEUE = ZYNQ_GEM_ADDRESS_BITS'('h1c);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_RX_STATUS = ZYNQ_GEM_ADDRESS_BITS'('h20);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_INTERRUPT_STATUS = ZYNQ_GEM_ADDRESS_BITS'('h24);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_INTERRUPT_ENABLE = ZYNQ_GEM_ADDRESS_BITS'('h28);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_INTERRUPT_DISABLE = ZYNQ_GEM_ADDRESS_BITS'('h2c);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_INTERRUPT_MASK = ZYNQ_GEM_ADDRESS_BITS'('h30);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_PHY_MAINTENANCE = ZYNQ_GEM_ADDRESS_BITS'('h34);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_ADDRESS_1_LOW = ZYNQ_GEM_ADDRESS_BITS'('h88);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_ADDRESS_1_HIGH = ZYNQ_GEM_ADDRESS_BITS'('h8c);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_MODULE_ID = ZYNQ_GEM_ADDRESS_BITS'('hfc);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_FRAMES_SENT = ZYNQ_GEM_ADDRESS_BITS'('h108);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_TRANSMIT_UNDER_RUNS = ZYNQ_GEM_ADDRESS_BITS'('h134);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_FRAMES_RECEIVED = ZYNQ_GEM_ADDRESS_BITS'('h158);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_FCS_ERRORS = ZYNQ_GEM_ADDRESS_BITS'('h190);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_RECEIVE_NO_BUFFER = ZYNQ_GEM_ADDRESS_BITS'('h1a0);
  localparam zynq_gem_address_t ZYNQ_GEM_REG_RECEIVE_OVER_RUNS = ZYNQ_GEM_ADDRESS_BITS'('h1a4);

  // Register net_ctrl: bit positions.
  localparam int ZYNQ_GEM_NET_CTRL_LOOPBACK_LOCAL_LSB = 1;
  localparam int ZYNQ_GEM_NET_CTRL_RECEIVE_ON_LSB = 2;
  localparam int ZYNQ_GEM_NET_CTRL_TRANSMIT_ON_LSB = 3;
  localparam int ZYNQ_GEM_NET_CTRL_MANAGEMENT_ON_LSB = 4;
  localparam int ZYNQ_GEM_NET_CTRL_CLEAR_STATISTICS_LSB = 5;
  localparam int ZYNQ_GEM_NET_CTRL_START_TX_LSB = 9;
  localparam int ZYNQ_GEM_NET_CTRL_HALT_TX_LSB = 10;

  // Register net_cfg: bit positions.
  localparam int ZYNQ_GEM_NET_CFG_SPEED_100_LSB = 0;
  localparam int ZYNQ_GEM_NET_CFG_FULL_DUPLEX_LSB = 1;
  localparam int ZYNQ_GEM_NET_CFG_COPY_ALL_LSB = 4;
  localparam int ZYNQ_GEM_NET_CFG_RECEIVE_1536_LSB = 8;
  localparam int ZYNQ_GEM_NET_CFG_GIGABIT_LSB = 10;
  localparam int ZYNQ_GEM_NET_CFG_PAUSE_ON_LSB = 13;
  localparam int ZYNQ_GEM_NET_CFG_RECEIVE_OFFSET_LSB = 14;
  localparam int ZYNQ_GEM_NET_CFG_FCS_REMOVE_LSB = 17;
  localparam int ZYNQ_GEM_NET_CFG_MDC_DIVISOR_LSB = 18;
  localparam int ZYNQ_GEM_NET_CFG_RECEIVE_CHECKSUMS_LSB = 24;
  localparam int ZYNQ_GEM_NET_CFG_IGNORE_FCS_LSB = 26;

  // Register net_status: bit positions.
  localparam int ZYNQ_GEM_NET_STATUS_MANAGEMENT_IDLE_LSB = 2;

  // Register dma_cfg: bit positions.
  localparam int ZYNQ_GEM_DMA_CFG_BURST_LENGTH_LSB = 0;
  localparam int ZYNQ_GEM_DMA_CFG_SWAP_DESCRIPTORS_LSB = 6;
  localparam int ZYNQ_GEM_DMA_CFG_SWAP_DATA_LSB = 7;
  localparam int ZYNQ_GEM_DMA_CFG_RECEIVE_MEMORY_LSB = 8;
  localparam int ZYNQ_GEM_DMA_CFG_TRANSMIT_MEMORY_LSB = 10;
  localparam int ZYNQ_GEM_DMA_CFG_CHECKSUM_OFFLOAD_LSB = 11;
  localparam int ZYNQ_GEM_DMA_CFG_RX_BUF_SIZE_LSB = 16;
  localparam int ZYNQ_GEM_DMA_CFG_DISCARD_WITHOUT_BUFFER_LSB = 24;

  // Register tx_status: bit positions.
  localparam int ZYNQ_GEM_TX_STATUS_USED_READ_LSB = 0;
  localparam int ZYNQ_GEM_TX_STATUS_RETRY_LIMIT_LSB = 2;
  localparam int ZYNQ_GEM_TX_STATUS_GOING_LSB = 3;
  localparam int ZYNQ_GEM_TX_STATUS_BUS_CORRUPT_LSB = 4;
  localparam int ZYNQ_GEM_TX_STATUS_COMPLETE_LSB = 5;
  localparam int ZYNQ_GEM_TX_STATUS_UNDER_RUN_LSB = 6;
  localparam int ZYNQ_GEM_TX_STATUS_LATE_COLLISION_LSB = 7;
  localparam int ZYNQ_GEM_TX_STATUS_BUS_ERROR_LSB = 8;

  // Register rx_status: bit positions.
  localparam int ZYNQ_GEM_RX_STATUS_NO_BUFFER_LSB = 0;
  localparam int ZYNQ_GEM_RX_STATUS_RECEIVED_LSB = 1;
  localparam int ZYNQ_GEM_RX_STATUS_OVER_RUN_LSB = 2;
  localparam int ZYNQ_GEM_RX_STATUS_BUS_ERROR_LSB = 3;

  // Register phy_maintenance: bit positions.
  localparam int ZYNQ_GEM_PHY_MAINTENANCE_VALUE_LSB = 0;
  localparam int ZYNQ_GEM_PHY_MAINTENANCE_MUST_BE_TWO_LSB = 16;
  localparam int ZYNQ_GEM_PHY_MAINTENANCE_PHY_REGISTER_LSB = 18;
  localparam int ZYNQ_GEM_PHY_MAINTENANCE_PHY_ADDRESS_LSB = 23;
  localparam int ZYNQ_GEM_PHY_MAINTENANCE_OPERATION_LSB = 28;
  localparam int ZYNQ_GEM_PHY_MAINTENANCE_CLAUSE_22_LSB = 30;

  // One receive buffer. The controller writes the second word, then sets `used`.
  localparam int ZYNQ_GEM_RECEIVE_DESCRIPTOR_BYTES = 8;
  typedef struct packed {
    logic [15:0] how_matched;
    logic [0:0] frame_end;
    logic [0:0] frame_begin;
    logic [0:0] checksum_state;
    logic [12:0] length;
    logic [29:0] address;
    logic [0:0] wrap;
    logic [0:0] used;
  } receive_descriptor_t;

  // One transmit buffer. The controller sets `used` of a frame's first buffer when the frame has left.
  localparam int ZYNQ_GEM_TRANSMIT_DESCRIPTOR_BYTES = 8;
  typedef struct packed {
    logic [0:0] used;
    logic [0:0] wrap;
    logic [0:0] retry_limit;
    logic [0:0] under_run;
    logic [0:0] bus_corrupt;
    logic [0:0] late_collision;
    logic [2:0] reserved3;
    logic [2:0] checksum_errors;
    logic [2:0] reserved2;
    logic [0:0] no_fcs;
    logic [0:0] last;
    logic [0:0] reserved;
    logic [13:0] length;
    logic [31:0] address;
  } transmit_descriptor_t;
endpackage
/* verilator lint_on UNUSEDPARAM */
