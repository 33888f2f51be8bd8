// SPDX-License-Identifier: Apache-2.0
// What the register file hands to the core and takes from it.
package host_pkg;
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*;

  // Registers that keep what the host wrote, by their name in the hwmap: those of a bank of tables, of each or of all,
  typedef struct packed {
    logic [31:0] generation;
    logic [31:0] hash_seed;
    logic [31:0] epoch;
  } bank_settings_t;
  // those of the market flow,
  typedef struct packed {
    logic [31:0] local_ip;
    logic [31:0] remote_ip;
    logic [31:0] ports;
    logic        valid;
    logic [3:0]  local_wscale;
  } market_settings_t;
  // and the others.
  typedef struct packed {
    logic [31:0] watchdog_ns;
    logic [31:0] flip_head;
    logic [31:0] collar_lo;
    logic [31:0] collar_hi;
    logic [31:0] flow_local_ip;
    logic [31:0] flow_remote_ip;
    logic [31:0] flow_ports;
    logic        flow_valid;
    logic [31:0] rx_seq_num;
    logic [31:0] sender_comp_crc;
    logic [31:0] target_comp_crc;
    logic [3:0]  peer_wscale;
    logic [3:0]  local_wscale;
    logic [31:0] max_unacked;
    logic        unlimited_orders;
    logic [19:0] order_rate;
    logic [29:0] order_gap_ns;
    logic [19:0] order_gap_part;
    logic [31:0] lease_seq_num;
    logic [31:0] lease_snd_nxt;
    logic [31:0] lease_ns;
    logic [31:0] hold_ns;
    logic [COMMIT_BITS-1:0] commit_ahead;
    logic [31:0] rx_gate_ns;
    logic [31:0] clock_date;
    logic [31:0] clock_hms;
    logic [31:0] clock_ms;
    logic [31:0] clock_sub_ns;
    logic [31:0] clock_ns_lo;
    logic [31:0] clock_ns_hi;
    logic [31:0] clock_max_age_ns;
    windows_t    windows_next;
    logic [31:0] windows_at_lo;
    logic [31:0] windows_at_hi;
    logic [31:0] ring_tail;
  } settings_t;

  // Writes that act, one cycle pulses; `wdata` belongs to all of them.
  typedef struct packed {
    logic        disturbs;       // one of those that the egress guard's judgement depends on
    logic        arm;
    logic        dry;            // with arm: for a dry run
    logic        disarm;
    logic        kill_on;
    logic        kill_off;
    logic        watchdog_kick;
    logic        set_banked;
    logic        flip;
    logic        flow_reset;     // of the session's flow
    logic        market_reset;   // of the market flow
    logic        parser_reset;   // of the one of them that is parsed
    logic        resync;
    logic        known_forget;
    logic        set_snd_nxt;
    logic        set_committed;
    logic        set_seq_num;
    logic        set_orders_left;
    logic        set_bucket_lo;
    logic        set_bucket_hi;
    logic        set_bucket_part;
    logic        lease_request;
    logic        lease_cancel;
    logic        lease_release;
    logic        clock_set;
    logic        windows_set;
    logic [31:0] wdata;
  } actions_t;

  // When the bucket of orders is full again: nanoseconds, and parts of one of which `order_rate` make a whole.
  typedef struct packed {
    logic [63:0] ns;
    logic [19:0] part;
  } bucket_t;

  // Registers that the core owns.
  typedef struct packed {
    logic [31:0] status;  // these two and now_ns are made by the host side itself
    logic [31:0] cycle;
    logic [31:0] rx_seq_num;
    logic [31:0] rcv_nxt;
    logic [31:0] found_seq;
    logic [31:0] snd_nxt;
    logic [31:0] committed;
    logic [31:0] peer_ack;
    logic [31:0] peer_window;
    logic [31:0] next_seq_num;
    logic [31:0] orders_left;
    bucket_t     bucket;
    logic [31:0] orders_aborted;
    logic [63:0] now_ns;
    logic [31:0] windows;
    logic [31:0] ring_head;
    logic [31:0] flip_seq_num;
    logic [31:0] flip_cycles;
  } readback_t;

  // Levels of the core that the host side looks at.
  typedef struct packed {
    logic synced;
    logic gap;
    logic found;
    logic closed;
    logic order_busy;
    logic spending;
    logic two_banks;
    logic bank;
    logic flip_asked;
    logic flip_begun;
    logic flip_waits;
  } core_state_t;

  // Sticky reasons to stay silent; only arming clears them.
  typedef struct packed {
    logic watchdog_expired;
    logic session_lost;
    logic held;
    logic fault_uncommitted;
    logic fault_unleased;
    logic fault_lease;
  } sticky_t;

  // Running UTC time in BCD: YYYYMMDD, HHMMSS, milliseconds.
  typedef struct packed {
    logic [31:0] date;
    logic [23:0] hms;
    logic [11:0] ms;
  } utc_t;

  // Counters stand in one run of registers, in this order.
  localparam address_t LAST_COUNTER = REG_COUNT_WRITES_REFUSED;
  localparam int COUNTERS = (int'(LAST_COUNTER) - int'(REG_COUNT_FRAMES)) / 4 + 1;
  typedef logic [COUNTERS-1:0] count_t;

  // Among them one an outcome, in the order of the outcomes' numbers; a watch's is not counted, nor that of a bad frame, whose order is.
  localparam int OUTCOMES = OUTCOME_DRY + 1;

  // Bit of `count_t` that belongs to the counter register at `address`.
  function automatic int counter(address_t address);
    return (int'(address) - int'(REG_COUNT_FRAMES)) / 4;
  endfunction
endpackage
