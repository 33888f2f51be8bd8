// SPDX-License-Identifier: Apache-2.0
// What the egress side knows of a frame and of the flow.
package egress_pkg;
  import fixaccel_types_pkg::*;

  // Offsets in an Ethernet frame, and sizes in bytes.
  localparam int MAC_BYTES = 6;
  localparam int ETHERNET_BYTES = 14;
  localparam int IP_BYTES = 20;   // without options
  localparam int TCP_BYTES = 20;  // without options
  localparam int FCS_BYTES = 4;
  localparam int MIN_FRAME_BYTES = 60;  // without FCS
  // Constant words of an order's headers.
  localparam logic [15:0] IP_VERSION_WORD = 16'h4500;   // version 4, 20 bytes, no class
  localparam logic [15:0] IP_FRAGMENT_WORD = 16'h4000;  // do not fragment
  localparam logic [15:0] IP_PROTOCOL_WORD = {8'd64, PROTOCOL_TCP};  // time to live
  localparam logic [15:0] TCP_FLAGS_WORD = 16'h5018;    // 20 bytes, ACK and PSH

  // Cycles from the last byte of a CPU frame until header_walk says what it is.
  localparam int WALK_CYCLES = 5;

  // A frame from the CPU, after its header has been walked.
  typedef struct packed {
    logic        good;       // FCS right, length possible
    logic        is_flow;    // of the session's flow
    logic        is_market;  // of the market flow, which is another one
    logic        malformed;  // of a flow, but its lengths contradict each other
    logic        syn;
    logic        fin;
    logic        rst;
    logic        ack_flag;
    logic [31:0] seq;
    logic [31:0] ack;
    logic [15:0] window;
    logic [15:0] checksum;
    logic [15:0] payload;    // TCP payload bytes
    logic [6:0]  tcp_base;   // offset of the TCP header
    frame_length_t length;   // bytes without FCS
    logic [47:0] dst_mac;
    logic [47:0] src_mac;
  } cpu_frame_t;

  // What a CPU frame that starts to leave does to its flow.
  typedef struct packed {
    logic        market;         // that is the market flow
    logic        learn;          // of the flow: take MACs, ACK and window
    logic        set_snd_nxt;
    logic [31:0] snd_nxt;
    logic        set_committed;
    logic [31:0] committed;
    logic        set_fin;        // a FIN leaves, as the last ahead of `snd_nxt`
    logic        lost;           // FIN, RST or a new SYN: the session is over
    logic        syn;
  } cpu_effect_t;

  // Tracked state of the session's TCP flow.
  typedef struct packed {
    logic        spliced;      // was armed once: the fabric's snd_nxt rules
    logic        snd_known;
    logic [31:0] snd_nxt;
    logic [31:0] committed;    // the kernel's snd_nxt
    logic        fin_sent;
    logic [31:0] fin_seq;
    logic        closed;       // FIN or RST seen, either direction
    logic        learned;      // cpu_* below are known
    logic [47:0] dst_mac;
    logic [47:0] src_mac;
    logic [31:0] cpu_ack;
    logic [15:0] cpu_window;   // as in the header
    logic        peer_known;
    logic [31:0] peer_ack;
    logic [31:0] peer_window;  // bytes
    logic        told_known;
    logic [31:0] told_ack;     // last acknowledgement handed to the kernel
  } flow_state_t;

  // a is at or after b, modulo 2^32.
  function automatic logic seq_reached(logic [31:0] a, logic [31:0] b);
    return $signed(a - b) >= 0;
  endfunction
endpackage
