// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/hwmap/fixaccel.yaml by `fixaccel hwmap generate`; do not edit.
// Source: sha256 f753c9db8b9590fe1acd9fe97512fad4d94c6be1a3e355fe38bd81c901d92f96
// Not every user of the package needs every constant.
/* verilator lint_off UNUSEDPARAM */
package fixaccel_hwmap_pkg;
  localparam logic [31:0] HWMAP_HASH = 32'hf753c9db;

  localparam int SYMBOL_CHARS = 12;  // Longest instrument symbol that the directory can hold.
  localparam int PRICE_TEXT_CHARS = 16;  // Width of the price text kept in an order record.
  localparam int QTY_TEXT_CHARS = 10;  // Width of the quantity text kept in an order record.
  localparam int SEQ_NUM_CHARS = 8;  // Decimal digits of a patched MsgSeqNum.
  localparam int TIME_CHARS = 21;  // Characters of a patched UTC time, YYYYMMDD-HH:MM:SS.mmm.
  localparam int CL_ORD_ID_CHARS = 20;  // Characters of a ClOrdID: 4 epoch, 8 rule index, 8 fire count, base 36.
  localparam int CHECKSUM_CHARS = 3;  // Digits of CheckSum(10).
  localparam int MESSAGE_BYTES = 512;  // Longest prepared FIX message.
  localparam int RING_ENTRIES = 64;  // Fires that the event ring holds before the runtime has drained it.
  localparam int PRICE_BITS = 48;  // Width of a signed price in price units.
  localparam int WIRE_DECIMALS = 8;  // Decimal places that the price parser keeps; a price unit is a multiple of 10^-8.
  localparam int WIRE_DIGITS = 18;  // Significant digits of a price scaled to 10^-8 that the parser accepts.
  localparam int SOURCE_BID = 0;  // Price source of a chain.
  localparam int SOURCE_ASK = 1;  // Price source of a chain.
  localparam int SOURCE_LAST = 2;  // Price source of a chain.
  localparam int SOURCE_MID = 3;  // Price source of a chain; compared doubled.
  localparam int DIRECTION_LE = 0;  // Chain of `<=` thresholds, highest first.
  localparam int DIRECTION_GE = 1;  // Chain of `>=` thresholds, lowest first.
  localparam int PATCH_INDEX_BITS = 5;  // Bits of the character index in a template patch byte; the source stands above them.
  localparam int PATCH_SEQ_NUM = 0;  // Template patch source.
  localparam int PATCH_TIME = 1;  // Template patch source.
  localparam int PATCH_CL_ORD_ID = 2;  // Template patch source.
  localparam int PATCH_CHECKSUM = 3;  // Template patch source.
  localparam int PATCH_PRICE = 4;  // Template patch source.
  localparam int PATCH_QTY = 5;  // Template patch source.
  localparam int OUTCOME_SENT = 0;  // The order left.
  localparam int OUTCOME_KILL = 1;  // Rejected
  localparam int OUTCOME_WATCHDOG = 2;  // Rejected, the runtime's watchdog expired.
  localparam int OUTCOME_SESSION = 3;  // Rejected, the session is lost or being closed.
  localparam int OUTCOME_CLOCK = 4;  // Rejected, the clock is not disciplined.
  localparam int OUTCOME_WINDOW = 5;  // Rejected, the peer's window or the limit of unacknowledged bytes.
  localparam int OUTCOME_RING = 6;  // Rejected, the event ring is full.
  localparam int OUTCOME_FAULT = 7;  // Rejected, the egress guard or the lease limit has tripped.

  localparam logic [23:0] REG_MAGIC = 24'h000000;
  localparam logic [23:0] REG_HWMAP_HASH = 24'h000004;
  localparam logic [23:0] REG_CAP_INSTRUMENTS = 24'h000008;
  localparam logic [23:0] REG_CAP_TRIGGERS = 24'h00000c;
  localparam logic [23:0] REG_CAP_ORDERS = 24'h000010;
  localparam logic [23:0] REG_CAP_TEMPLATES = 24'h000014;
  localparam logic [23:0] REG_CYCLE = 24'h000018;
  localparam logic [23:0] REG_STATUS = 24'h00001c;
  localparam logic [23:0] REG_ARM = 24'h000020;
  localparam logic [23:0] REG_KILL = 24'h000024;
  localparam logic [23:0] REG_WATCHDOG_NS = 24'h000028;
  localparam logic [23:0] REG_WATCHDOG_KICK = 24'h00002c;
  localparam logic [23:0] REG_GENERATION = 24'h000030;
  localparam logic [23:0] REG_HASH_SEED = 24'h000034;
  localparam logic [23:0] REG_EPOCH = 24'h000038;
  localparam logic [23:0] REG_FLOW_LOCAL_IP = 24'h00003c;
  localparam logic [23:0] REG_FLOW_REMOTE_IP = 24'h000040;
  localparam logic [23:0] REG_FLOW_PORTS = 24'h000044;
  localparam logic [23:0] REG_FLOW_VALID = 24'h000048;
  localparam logic [23:0] REG_RESYNC_SEQ = 24'h00004c;
  localparam logic [23:0] REG_RCV_NXT = 24'h000050;
  localparam logic [23:0] REG_WIRE_NXT = 24'h000054;
  localparam logic [23:0] REG_SND_NXT = 24'h000058;
  localparam logic [23:0] REG_COMMITTED = 24'h00005c;
  localparam logic [23:0] REG_PEER_ACK = 24'h000060;
  localparam logic [23:0] REG_PEER_WINDOW = 24'h000064;
  localparam logic [23:0] REG_PEER_WSCALE = 24'h000068;
  localparam logic [23:0] REG_MAX_UNACKED = 24'h00006c;
  localparam logic [23:0] REG_NEXT_SEQ_NUM = 24'h000070;
  localparam logic [23:0] REG_LEASE_REQUEST = 24'h000074;
  localparam logic [23:0] REG_LEASE_SEQ_NUM = 24'h000078;
  localparam logic [23:0] REG_LEASE_SND_NXT = 24'h00007c;
  localparam logic [23:0] REG_LEASE_RELEASE = 24'h000080;
  localparam logic [23:0] REG_LEASE_NS = 24'h000084;
  localparam logic [23:0] REG_RX_GATE_NS = 24'h000088;
  localparam logic [23:0] REG_CLOCK_DATE = 24'h00008c;
  localparam logic [23:0] REG_CLOCK_HMS = 24'h000090;
  localparam logic [23:0] REG_CLOCK_MS = 24'h000094;
  localparam logic [23:0] REG_CLOCK_SUB_NS = 24'h000098;
  localparam logic [23:0] REG_CLOCK_NS_LO = 24'h00009c;
  localparam logic [23:0] REG_CLOCK_NS_HI = 24'h0000a0;
  localparam logic [23:0] REG_CLOCK_SET = 24'h0000a4;
  localparam logic [23:0] REG_CLOCK_MAX_AGE_NS = 24'h0000a8;
  localparam logic [23:0] REG_RING_HEAD = 24'h0000ac;
  localparam logic [23:0] REG_RING_TAIL = 24'h0000b0;
  localparam logic [23:0] REG_COUNT_FRAMES = 24'h0000b4;
  localparam logic [23:0] REG_COUNT_FRAMES_BAD = 24'h0000b8;
  localparam logic [23:0] REG_COUNT_SEGMENTS_OLD = 24'h0000bc;
  localparam logic [23:0] REG_COUNT_SEGMENTS_HOLE = 24'h0000c0;
  localparam logic [23:0] REG_COUNT_MESSAGES = 24'h0000c4;
  localparam logic [23:0] REG_COUNT_BAD_CHECKSUM = 24'h0000c8;
  localparam logic [23:0] REG_COUNT_DESYNC = 24'h0000cc;
  localparam logic [23:0] REG_COUNT_POSS_DUP = 24'h0000d0;
  localparam logic [23:0] REG_COUNT_PRICES_INVALID = 24'h0000d4;
  localparam logic [23:0] REG_COUNT_SENT = 24'h0000d8;
  localparam logic [23:0] REG_COUNT_REJECTED_KILL = 24'h0000dc;
  localparam logic [23:0] REG_COUNT_REJECTED_WATCHDOG = 24'h0000e0;
  localparam logic [23:0] REG_COUNT_REJECTED_SESSION = 24'h0000e4;
  localparam logic [23:0] REG_COUNT_REJECTED_CLOCK = 24'h0000e8;
  localparam logic [23:0] REG_COUNT_REJECTED_WINDOW = 24'h0000ec;
  localparam logic [23:0] REG_COUNT_REJECTED_RING = 24'h0000f0;
  localparam logic [23:0] REG_COUNT_REJECTED_FAULT = 24'h0000f4;
  localparam logic [23:0] REG_COUNT_CPU_FRAMES = 24'h0000f8;
  localparam logic [23:0] REG_COUNT_ACK_REWRITES = 24'h0000fc;
  localparam logic [23:0] REG_COUNT_GUARD_STOPS = 24'h000100;
  localparam logic [23:0] REG_COUNT_GATE_TIMEOUTS = 24'h000104;
  localparam logic [23:0] REG_COUNT_GATE_DROPS = 24'h000108;

  // Register status: bit positions.
  localparam int STATUS_ARMED_LSB = 0;
  localparam int STATUS_KILL_LSB = 1;
  localparam int STATUS_FLOW_LSB = 2;
  localparam int STATUS_SYNCED_LSB = 3;
  localparam int STATUS_GAP_LSB = 4;
  localparam int STATUS_LEASE_REQUESTED_LSB = 5;
  localparam int STATUS_LEASE_HELD_LSB = 6;
  localparam int STATUS_RELEASE_REFUSED_LSB = 7;
  localparam int STATUS_CLOCK_VALID_LSB = 8;
  localparam int STATUS_WATCHDOG_EXPIRED_LSB = 9;
  localparam int STATUS_SESSION_LOST_LSB = 10;
  localparam int STATUS_RING_OVERFLOW_LSB = 11;
  localparam int STATUS_FAULT_UNCOMMITTED_LSB = 12;
  localparam int STATUS_FAULT_UNLEASED_LSB = 13;
  localparam int STATUS_FAULT_LEASE_LSB = 14;
  localparam int STATUS_ORDER_BUSY_LSB = 15;

  // Register flow_ports: bit positions.
  localparam int FLOW_PORTS_REMOTE_PORT_LSB = 0;
  localparam int FLOW_PORTS_LOCAL_PORT_LSB = 16;

  // One slot of the perfect-hash directory.
  localparam int DIRECTORY_BITS = 113;
  localparam int DIRECTORY_WORDS = 4;
  localparam int DIRECTORY_STRIDE = 4;
  typedef struct packed {
    logic [0:0] valid;
    logic [15:0] instrument;
    logic [95:0] key;
  } directory_t;

  // Displacement of one hash bucket.
  localparam int DISPLACEMENT_BITS = 16;
  localparam int DISPLACEMENT_WORDS = 1;
  localparam int DISPLACEMENT_STRIDE = 1;
  typedef struct packed {
    logic [15:0] offset;
  } displacement_t;

  // How to read a price of an instrument.
  localparam int INSTRUMENT_BITS = 166;
  localparam int INSTRUMENT_WORDS = 6;
  localparam int INSTRUMENT_STRIDE = 8;
  typedef struct packed {
    logic [5:0] shift;
    logic signed [47:0] price_max;
    logic signed [47:0] price_min;
    logic [63:0] inverse;
  } instrument_t;

  // Thresholds of one instrument, source and direction. Index: instrument * 8 + source * 2 + direction.
  localparam int CHAIN_BITS = 89;
  localparam int CHAIN_WORDS = 3;
  localparam int CHAIN_STRIDE = 4;
  typedef struct packed {
    logic [0:0] valid;
    logic [19:0] tail;
    logic [19:0] head;
    logic signed [47:0] threshold;
  } chain_t;

  // One threshold; a chain is a run of triggers in firing order.
  localparam int TRIGGER_BITS = 89;
  localparam int TRIGGER_WORDS = 3;
  localparam int TRIGGER_STRIDE = 4;
  typedef struct packed {
    logic [0:0] valid;
    logic [15:0] order;
    logic [23:0] rule;
    logic signed [47:0] threshold;
  } trigger_t;

  // One-shot state of a rule, by rule index. It survives a restart of the runtime.
  localparam int LATCH_BITS = 16;
  localparam int LATCH_WORDS = 1;
  localparam int LATCH_STRIDE = 1;
  typedef struct packed {
    logic [14:0] fires;
    logic [0:0] fired;
  } latch_t;

  // One order: template, field texts and the sums of everything static in the payload.
  localparam int ORDER_BITS = 240;
  localparam int ORDER_WORDS = 8;
  localparam int ORDER_STRIDE = 8;
  typedef struct packed {
    logic [7:0] template_index;
    logic [7:0] fix_sum;
    logic [15:0] tcp_sum;
    logic [79:0] qty;
    logic [127:0] price;
  } order_t;

  // What the order builder must know of a template before its first byte.
  localparam int TEMPLATE_HEADER_BITS = 22;
  localparam int TEMPLATE_HEADER_WORDS = 1;
  localparam int TEMPLATE_HEADER_STRIDE = 1;
  typedef struct packed {
    logic [0:0] valid;
    logic [0:0] checksum_odd;
    logic [0:0] cl_ord_id_odd;
    logic [0:0] transact_time_odd;
    logic [0:0] sending_time_odd;
    logic [0:0] seq_num_odd;
    logic [15:0] length;
  } template_header_t;

  // One byte of a template, at index template * message_bytes + offset.
  localparam int TEMPLATE_BYTE_BITS = 9;
  localparam int TEMPLATE_BYTE_WORDS = 1;
  localparam int TEMPLATE_BYTE_STRIDE = 1;
  typedef struct packed {
    logic [0:0] patch;
    logic [7:0] value;
  } template_byte_t;

  // One fire, written before its first byte leaves. Record number n (from 1) is at index (n - 1) modulo ring_entries.
  localparam int RING_BITS = 512;
  localparam int RING_WORDS = 16;
  localparam int RING_STRIDE = 16;
  typedef struct packed {
    logic [31:0] frame_end_cycle;
    logic [31:0] message_end_cycle;
    logic [15:0] reserved;
    logic [15:0] length;
    logic [31:0] tcp_seq;
    logic [31:0] msg_seq_num;
    logic [63:0] time_ns;
    logic signed [63:0] observed;
    logic [15:0] fires;
    logic [7:0] outcome;
    logic [7:0] source;
    logic [15:0] instrument;
    logic [15:0] order;
    logic [31:0] rule;
    logic [31:0] trigger;
    logic [31:0] message;
    logic [31:0] generation;
    logic [31:0] entry;
  } ring_t;

  // Written when the last byte of the order has left; same index as the ring record.
  localparam int RING_SENT_BITS = 128;
  localparam int RING_SENT_WORDS = 4;
  localparam int RING_SENT_STRIDE = 4;
  typedef struct packed {
    logic [15:0] reserved;
    logic [15:0] tcp_checksum;
    logic [31:0] last_byte_cycle;
    logic [31:0] first_byte_cycle;
    logic [31:0] entry;
  } ring_sent_t;

  // Payload bytes as sent, 4 a word, first byte lowest; at index ring index * (message_bytes / 4).
  localparam int SENT_BITS = 32;
  localparam int SENT_WORDS = 1;
  localparam int SENT_STRIDE = 1;
  typedef struct packed {
    logic [31:0] word;
  } sent_t;

  localparam logic [23:0] BASE_DIRECTORY = 24'h100000;
  localparam logic [23:0] BASE_DISPLACEMENT = 24'h140000;
  localparam logic [23:0] BASE_INSTRUMENT = 24'h150000;
  localparam logic [23:0] BASE_CHAIN = 24'h180000;
  localparam logic [23:0] BASE_TRIGGER = 24'h200000;
  localparam logic [23:0] BASE_LATCH = 24'h300000;
  localparam logic [23:0] BASE_ORDER = 24'h400000;
  localparam logic [23:0] BASE_TEMPLATE_HEADER = 24'h500000;
  localparam logic [23:0] BASE_TEMPLATE_BYTE = 24'h600000;
  localparam logic [23:0] BASE_RING = 24'h700000;
  localparam logic [23:0] BASE_RING_SENT = 24'h710000;
  localparam logic [23:0] BASE_SENT = 24'h720000;
endpackage
/* verilator lint_on UNUSEDPARAM */
