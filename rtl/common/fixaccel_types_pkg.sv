// SPDX-License-Identifier: Apache-2.0
// Bundles that cross module borders inside the fabric. Layouts that software sees live in the hwmap instead.
package fixaccel_types_pkg;
  import fixaccel_hwmap_pkg::*;

  // One 32-bit access by the host, one cycle long. Everything that the host can read answers after the same number of
  // cycles, with zero where it was not meant: window, memory, the register behind it, the word, the answers of several
  // memories together.
  localparam int HOST_ANSWER_CYCLES = 5;
  // Accesses start at least HOST_PERIOD cycles apart, so that what a write disturbs comes to an end before the next one.
  localparam int HOST_PERIOD = 7;
  typedef struct packed {
    logic        valid;
    logic        write;
    address_t    addr;   // word aligned
    logic [31:0] wdata;
  } host_req_t;

  // Whether an address is in the memory of so many words that begins at a multiple of its size.
  function automatic logic in_memory(address_t address, address_t base, int words);
    return (address ^ base) >> $clog2(4 * words) == '0;
  endfunction

  // Windows of time that chains name, a bit each.
  localparam int WINDOWS = 2 ** CHAIN_WINDOW_BITS;
  typedef logic [WINDOWS-1:0] windows_t;

  // Longest frame, FCS included, that any path takes: what the CPU could not get must not be parsed either.
  localparam int MAX_FRAME_BYTES = 1522;
  typedef logic [$clog2(MAX_FRAME_BYTES+1)-1:0] frame_length_t;
  // Bytes that a frame may still have to come when an order begins ahead of its verdict; some of those must be, so that this
  // stands before the verdict does.
  localparam int COMMIT_BITS = $bits(frame_length_t);
  localparam int COMMIT_LEAST = 8;

  localparam logic [15:0] TYPE_IPV4 = 16'h0800;
  localparam logic [7:0] PROTOCOL_TCP = 8'd6;

  // Flow match, from registers: of the session's flow, which orders leave on, and of the market flow. With a market flow that
  // is valid, market data come there, else on the session's.
  typedef struct packed {
    logic        valid;
    logic [31:0] local_ip;
    logic [31:0] remote_ip;
    logic [15:0] local_port;
    logic [15:0] remote_port;
  } flow_t;

  // What the egress side knows of a flow, for judging segments from the exchange as the CPU's kernel will.
  typedef struct packed {
    logic        known;       // snd_* stand
    logic [31:0] snd_nxt;
    logic [31:0] snd_una;     // highest acknowledgement
    logic [31:0] snd_max;     // bytes; an acknowledgement older than that is refused
    logic        edge_known;
    logic [31:0] rx_ack;      // what the CPU has acknowledged
    logic [31:0] rx_edge;     // right edge of the window that the CPU has advertised; never moves back
  } rx_window_t;

  // What is tracked of the market flow: what of the CPU's has left there, and what the exchange has acknowledged.
  typedef struct packed {
    logic        spliced;     // the fabric was armed while it was valid
    logic        closed;      // FIN or RST seen, either direction
    logic        snd_known;
    logic [31:0] snd_nxt;
    logic        una_known;
    logic [31:0] snd_una;
  } market_flow_t;

  // What a frame from the exchange turned out to be, a pulse RX_VERDICT_CYCLES after its last byte.
  localparam int RX_VERDICT_CYCLES = 2;
  typedef struct packed {
    logic        done;     // pulse
    logic        good;     // FCS, no PHY error; if of a flow: IP and TCP checksum too
    logic        is_flow;  // of the session's flow
    logic        is_market;  // of the flow that is parsed: the same one, or the market flow
    logic        acceptable;  // the kernel would look at the segment; the flags below are set only where they count
    logic        ack_fits;    // its acknowledgement is possible, as far as is known
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

  // A live trigger that is satisfied by a committed message, or one whose order has begun to leave ahead of its frame's
  // verdict: the gate decides what becomes of it.
  typedef struct packed {
    logic [CHAIN_FIRST_BITS-1:0] trigger;
    logic [TRIGGER_RULE_BITS-1:0] rule;
    logic [TRIGGER_ORDER_BITS-1:0] order;
    logic [15:0] instrument;
    logic [1:0]  source;
    logic signed [47:0] observed;
    logic [FIRE_COUNT_FIRES_BITS-1:0] fires;  // fire count of the rule including this one
    logic        exhausted;          // the count has no successor: `fires` stays, the rule must not fire
    logic        outside;            // what was observed lies beyond the collar
    logic        spoiled;            // its frame was bad, and its order had begun to leave
    logic [31:0] message;            // number of the message since the parser found the stream, from 1
    logic [31:0] message_end_cycle;
    logic [31:0] frame_end_cycle;
    logic [63:0] time_ns;            // clock at the end of the frame
  } hit_t;

  // What the host wants of the two banks of tables.
  typedef struct packed {
    logic             set;        // pulse, while disarmed: there are two, or not
    logic             two;        // with it
    logic             flip;       // pulse: on to the other one
    logic [31:0]      flip_head;  // the last ring record that its tables take account of
    logic [1:0][31:0] hash_seed;  // of each
  } bank_request_t;

  // What becomes of it. While a flip is asked for, `bank` is the one to leave.
  typedef struct packed {
    logic        two;
    logic        bank;          // messages are evaluated by it
    logic        asked;
    logic        begun;         // with asked: messages have begun that are the other one's
    logic        waits;         // with asked: all that is older is done, but ring_head is not flip_head
    logic [31:0] first_number;  // BCD: MsgSeqNum of the first message of the bank that was flipped to
    logic [31:0] waited;        // cycles that messages have waited for the last flip
  } bank_status_t;

  // The FIX session as the parser must find it, from registers.
  typedef struct packed {
    logic [31:0] seq_num;     // BCD: MsgSeqNum of the first message after a resync
    logic [31:0] sender_crc;  // CRC-32 of the exchange's SenderCompID
    logic [31:0] target_crc;
  } rx_session_t;

  // Pulses and levels that the receive side hands to the registers.
  typedef struct packed {
    logic        gap;               // level
    logic        synced;            // level
    logic [31:0] rcv_nxt;           // level
    logic        found;             // level: in a gap the parser follows the stream again
    logic [31:0] found_seq;         // level: a boundary from which it does
    logic [31:0] messages;          // level: complete messages since the parser found the stream
    logic [31:0] seq_num;           // level, BCD: MsgSeqNum that the next message must have
    logic        segment_old;       // pulse
    logic        segment_hole;      // pulse
    logic        bad_checksum;      // pulse
    logic        desync;            // pulse
    logic        poss_dup;          // pulse
    logic        refused;           // pulse
    logic        unread;            // pulse
    logic        price_invalid;     // pulse, one a price
    bank_status_t banks;
  } rx_status_t;

endpackage
