// SPDX-License-Identifier: Apache-2.0
// Bundles that cross module borders inside the fabric. Layouts that software sees live in the hwmap instead.
package fixaccel_types_pkg;
  import fixaccel_hwmap_pkg::*;

  // One 32-bit access by the host, one cycle long. Everything that the host can read answers after the same number of
  // cycles, with zero where it was not meant: window, memory, the register behind it, the word.
  localparam int HOST_ANSWER_CYCLES = 4;
  typedef struct packed {
    logic        valid;
    logic        write;
    address_t    addr;   // word aligned
    logic [31:0] wdata;
  } host_req_t;

  // Flow match, from registers.
  typedef struct packed {
    logic        valid;
    logic [31:0] local_ip;
    logic [31:0] remote_ip;
    logic [15:0] local_port;
    logic [15:0] remote_port;
  } flow_t;

  // What a frame from the exchange turned out to be, one cycle pulse on the cycle after its last byte.
  typedef struct packed {
    logic        done;     // pulse
    logic        good;     // FCS, no PHY error; if of the flow: IP and TCP checksum too
    logic        is_flow;  // of the session's flow
    logic        syn;
    logic        fin;
    logic        rst;
    logic        ack_flag;
    logic [31:0] seq;
    logic [31:0] ack;
    logic [15:0] window;   // as in the header, not scaled
    logic [15:0] length;   // TCP payload bytes
    logic [31:0] cycle;    // cycle of the last byte
  } rx_verdict_t;

  // A trigger that is satisfied, committed and not latched: the gate decides what becomes of it.
  typedef struct packed {
    logic [CHAIN_HEAD_BITS-1:0] trigger;
    logic [TRIGGER_RULE_BITS-1:0] rule;
    logic [TRIGGER_ORDER_BITS-1:0] order;
    logic [15:0] instrument;
    logic [1:0]  source;
    logic signed [47:0] observed;
    logic [14:0] fires;              // fire count of the rule including this one
    logic [31:0] message;            // number of the message since resync, from 1
    logic [31:0] message_end_cycle;
    logic [31:0] frame_end_cycle;
    logic [63:0] time_ns;            // clock at the end of the frame
    logic        exhausted;          // the fire count has no successor
  } hit_t;

  // Pulses and levels that the receive side hands to the registers.
  typedef struct packed {
    logic        gap;               // level
    logic        synced;            // level
    logic [31:0] rcv_nxt;           // level
    logic [31:0] wire_nxt;          // level
    logic [31:0] messages;          // level: complete messages since resync
    logic        segment_old;       // pulse
    logic        segment_hole;      // pulse
    logic        bad_checksum;      // pulse
    logic        desync;            // pulse
    logic        poss_dup;          // pulse
    logic        price_invalid;     // pulse, one a price
  } rx_status_t;

endpackage
