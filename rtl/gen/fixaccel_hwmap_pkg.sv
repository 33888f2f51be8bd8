// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/hwmap/fixaccel.yaml by `fixaccel hwmap generate`; do not edit.
// Source: sha256 8bbe95acbb0a43fb0964f2dd317ba39cc8c625397cc195d5d1de471b5b4b8231
// Not every user of the package needs every constant.
/* verilator lint_off UNUSEDPARAM */
package fixaccel_hwmap_pkg;
  localparam logic [31:0] HWMAP_HASH = 32'h8bbe95ac;

  localparam int ADDRESS_BITS = 28;  // Width of a byte address in this map.
  localparam int SYMBOL_CHARS = 12;  // Longest instrument symbol.
  localparam int PRICE_TEXT_CHARS = 16;  // Characters of the price kept in an order record.
  localparam int QTY_TEXT_CHARS = 10;  // Characters of the quantity kept in an order record.
  localparam int CHAR_MINUS = 13;  // Code of `-` in an order record: the low half of its ASCII code, as a digit's code is.
  localparam int CHAR_POINT = 14;  // Code of `.` in an order record.
  localparam int CHAR_BOUND = 15;  // Code of no character: as the last one of a market order's price it says that the others are a bound, as that of a quantity that the order is a watch: nothing is sent, only its links count.
  localparam int BOUND_BITS = 49;  // Width of that bound: of the magnitude of a doubled price.
  localparam int TOTAL_QTY_DIGITS = 9;  // Decimal digits of a quantity that the fabric counts.
  localparam int BUCKET_RATE_MOST = 1000000;  // Most orders a second that a bucket can be of.
  localparam int BUCKET_COST = 1000000000;  // What an order costs of the bucket, in the credits that a rate of 1 gains in a second.
  localparam int SEQ_NUM_CHARS = 8;  // Decimal digits of a patched MsgSeqNum.
  localparam int TIME_CHARS = 21;  // Characters of a patched UTC time, YYYYMMDD-HH:MM:SS.mmm.
  localparam int CL_ORD_ID_CHARS = 20;  // Characters of a ClOrdID: 4 epoch, 8 rule index, 8 fire count, base 36.
  localparam int CHECKSUM_CHARS = 3;  // Digits of CheckSum(10).
  localparam int MESSAGE_BYTES = 512;  // Longest prepared FIX message.
  localparam int COMMIT_BEYOND = 22;  // Bytes that commit_ahead may have more than the shortest FIX message of an order: its headers, less what verdict and record take.
  localparam int RING_ENTRIES = 128;  // Fires that the event ring holds before the runtime has drained it.
  localparam int SENT_BYTES = 16384;  // Payload bytes of sent orders that are kept until the runtime has drained their fires.
  localparam int PRICE_BITS = 48;  // Width of a signed price in price units.
  localparam int WIRE_DECIMALS = 8;  // Decimal places that the price parser keeps; a price unit is a multiple of 10^-8.
  localparam int WIRE_DIGITS = 18;  // Significant digits of a price scaled to 10^-8 that the parser accepts.
  localparam int SOURCE_BID = 0;  // Price source of a chain.
  localparam int SOURCE_ASK = 1;  // Price source of a chain.
  localparam int SOURCE_LAST = 2;  // Price source of a chain.
  localparam int SOURCE_MID = 3;  // Price source of a chain; compared doubled.
  localparam int DIRECTION_LE = 0;  // Chain of `<=` thresholds, highest first.
  localparam int DIRECTION_GE = 1;  // Chain of `>=` thresholds, lowest first.
  localparam int KIND_THRESHOLDS = 0;  // Kind of a chain: each trigger is a threshold of its own.
  localparam int KIND_DECIDE = 1;  // Kind of a chain: one rule that is decided ahead, its triggers the ends of intervals.
  localparam int LIVE_WORD_BITS = 32;  // Triggers that a word of live or dormant bits tells of.
  localparam int LINKS_A_GROUP = 4;  // Records of links that a board has room for, for each group of its capacity.
  localparam int REARM_SLOTS = 32;  // Parts with `rearm: {after}`, or that fills arm, that the fabric has room for; two banks have half each.
  localparam int DEFERRED_LINKS = 1024;  // Fires of one message whose links arm triggers, at most: they arm at its end.
  localparam int PATCH_INDEX_BITS = 5;  // Bits of the character index in a template patch byte; the source stands above them.
  localparam int PATCH_SEQ_NUM = 0;  // Template patch source.
  localparam int PATCH_TIME = 1;  // Template patch source.
  localparam int PATCH_CL_ORD_ID = 2;  // Template patch source.
  localparam int PATCH_CHECKSUM = 3;  // Template patch source.
  localparam int PATCH_PRICE = 4;  // Template patch source.
  localparam int PATCH_QTY = 5;  // Template patch source.
  localparam int PATCH_SYMBOL = 6;  // Template patch source: the symbol of the instrument that fired.
  localparam int OUTCOME_SENT = 0;  // The order left.
  localparam int OUTCOME_KILL = 1;  // Rejected, the kill switch is on.
  localparam int OUTCOME_WATCHDOG = 2;  // Rejected, the runtime's watchdog expired.
  localparam int OUTCOME_SESSION = 3;  // Rejected, the session is lost or being closed.
  localparam int OUTCOME_CLOCK = 4;  // Rejected, the clock is not disciplined.
  localparam int OUTCOME_WINDOW = 5;  // Rejected, the peer's window or the limit of unacknowledged bytes.
  localparam int OUTCOME_EXHAUSTED = 6;  // Rejected, MsgSeqNum or the fire count of the rule has no successor.
  localparam int OUTCOME_FAULT = 7;  // Rejected, the egress guard or the lease limit has tripped, or the order's tables contradict each other.
  localparam int OUTCOME_ORDER_NOTIONAL = 8;  // Rejected, a market order that is worth more than the limit at the observed price.
  localparam int OUTCOME_COLLAR = 9;  // Rejected, the observed price is too far from the reference.
  localparam int OUTCOME_SELF_TRADE = 10;  // Rejected, an order of our own rests on the other side that this one would meet.
  localparam int OUTCOME_ORDERS_PER_SECOND = 11;  // Rejected, the bucket of orders is empty.
  localparam int OUTCOME_TOTAL_ORDERS = 12;  // Rejected, no order is left.
  localparam int OUTCOME_TOTAL_QTY = 13;  // Rejected, the quantity left of the instrument and side is too small.
  localparam int OUTCOME_DRY = 14;  // Not sent, a dry run; all else is as if it had been.
  localparam int OUTCOME_WATCH = 15;  // A watch: it sends nothing and no limit counts it, its links were carried out. Of a watch whose count has no successor they are not, its outcome is outcome_exhausted; nothing else rejects it.
  localparam int OUTCOME_FRAME = 16;  // Rejected, the frame turned out bad behind which the order was to be whole: it had begun to leave, and has ended with a wrong FCS.

  typedef logic [ADDRESS_BITS-1:0] address_t;  // bytes

  localparam address_t REG_MAGIC = ADDRESS_BITS'('h0);
  localparam address_t REG_HWMAP_HASH = ADDRESS_BITS'('h4);
  localparam address_t REG_CAP_INSTRUMENTS = ADDRESS_BITS'('h8);
  localparam address_t REG_CAP_TRIGGERS = ADDRESS_BITS'('hc);
  localparam address_t REG_CAP_ORDERS = ADDRESS_BITS'('h10);
  localparam address_t REG_CAP_TEMPLATES = ADDRESS_BITS'('h14);
  localparam address_t REG_CAP_GROUPS = ADDRESS_BITS'('h18);
  localparam address_t REG_CYCLE = ADDRESS_BITS'('h1c);
  localparam address_t REG_STATUS = ADDRESS_BITS'('h20);
  localparam address_t REG_ARM = ADDRESS_BITS'('h24);
  localparam address_t REG_KILL = ADDRESS_BITS'('h28);
  localparam address_t REG_WATCHDOG_NS = ADDRESS_BITS'('h2c);
  localparam address_t REG_WATCHDOG_KICK = ADDRESS_BITS'('h30);
  localparam address_t REG_BANKED = ADDRESS_BITS'('h34);
  localparam address_t REG_FLIP = ADDRESS_BITS'('h38);
  localparam address_t REG_FLIP_HEAD = ADDRESS_BITS'('h3c);
  localparam address_t REG_FLIP_SEQ_NUM = ADDRESS_BITS'('h40);
  localparam address_t REG_FLIP_CYCLES = ADDRESS_BITS'('h44);
  localparam address_t REG_GENERATION = ADDRESS_BITS'('h48);
  localparam address_t REG_GENERATION_UPPER = ADDRESS_BITS'('h4c);
  localparam address_t REG_HASH_SEED = ADDRESS_BITS'('h50);
  localparam address_t REG_HASH_SEED_UPPER = ADDRESS_BITS'('h54);
  localparam address_t REG_COLLAR_LO = ADDRESS_BITS'('h58);
  localparam address_t REG_COLLAR_HI = ADDRESS_BITS'('h5c);
  localparam address_t REG_KNOWN_FORGET = ADDRESS_BITS'('h60);
  localparam address_t REG_EPOCH = ADDRESS_BITS'('h64);
  localparam address_t REG_EPOCH_UPPER = ADDRESS_BITS'('h68);
  localparam address_t REG_FLOW_LOCAL_IP = ADDRESS_BITS'('h6c);
  localparam address_t REG_FLOW_REMOTE_IP = ADDRESS_BITS'('h70);
  localparam address_t REG_FLOW_PORTS = ADDRESS_BITS'('h74);
  localparam address_t REG_FLOW_VALID = ADDRESS_BITS'('h78);
  localparam address_t REG_MARKET_LOCAL_IP = ADDRESS_BITS'('h7c);
  localparam address_t REG_MARKET_REMOTE_IP = ADDRESS_BITS'('h80);
  localparam address_t REG_MARKET_PORTS = ADDRESS_BITS'('h84);
  localparam address_t REG_MARKET_VALID = ADDRESS_BITS'('h88);
  localparam address_t REG_RESYNC_SEQ = ADDRESS_BITS'('h8c);
  localparam address_t REG_RX_SEQ_NUM = ADDRESS_BITS'('h90);
  localparam address_t REG_SENDER_COMP_CRC = ADDRESS_BITS'('h94);
  localparam address_t REG_TARGET_COMP_CRC = ADDRESS_BITS'('h98);
  localparam address_t REG_RCV_NXT = ADDRESS_BITS'('h9c);
  localparam address_t REG_FOUND_SEQ = ADDRESS_BITS'('ha0);
  localparam address_t REG_SND_NXT = ADDRESS_BITS'('ha4);
  localparam address_t REG_COMMITTED = ADDRESS_BITS'('ha8);
  localparam address_t REG_PEER_ACK = ADDRESS_BITS'('hac);
  localparam address_t REG_PEER_WINDOW = ADDRESS_BITS'('hb0);
  localparam address_t REG_PEER_WSCALE = ADDRESS_BITS'('hb4);
  localparam address_t REG_LOCAL_WSCALE = ADDRESS_BITS'('hb8);
  localparam address_t REG_MARKET_LOCAL_WSCALE = ADDRESS_BITS'('hbc);
  localparam address_t REG_MAX_UNACKED = ADDRESS_BITS'('hc0);
  localparam address_t REG_NEXT_SEQ_NUM = ADDRESS_BITS'('hc4);
  localparam address_t REG_LEASE_REQUEST = ADDRESS_BITS'('hc8);
  localparam address_t REG_LEASE_SEQ_NUM = ADDRESS_BITS'('hcc);
  localparam address_t REG_LEASE_SND_NXT = ADDRESS_BITS'('hd0);
  localparam address_t REG_LEASE_RELEASE = ADDRESS_BITS'('hd4);
  localparam address_t REG_LEASE_NS = ADDRESS_BITS'('hd8);
  localparam address_t REG_HOLD_NS = ADDRESS_BITS'('hdc);
  localparam address_t REG_COMMIT_AHEAD = ADDRESS_BITS'('he0);
  localparam address_t REG_RX_GATE_NS = ADDRESS_BITS'('he4);
  localparam address_t REG_CLOCK_DATE = ADDRESS_BITS'('he8);
  localparam address_t REG_CLOCK_HMS = ADDRESS_BITS'('hec);
  localparam address_t REG_CLOCK_MS = ADDRESS_BITS'('hf0);
  localparam address_t REG_CLOCK_SUB_NS = ADDRESS_BITS'('hf4);
  localparam address_t REG_CLOCK_NS_LO = ADDRESS_BITS'('hf8);
  localparam address_t REG_CLOCK_NS_HI = ADDRESS_BITS'('hfc);
  localparam address_t REG_CLOCK_SET = ADDRESS_BITS'('h100);
  localparam address_t REG_CLOCK_MAX_AGE_NS = ADDRESS_BITS'('h104);
  localparam address_t REG_WINDOWS_NEXT = ADDRESS_BITS'('h108);
  localparam address_t REG_WINDOWS_AT_LO = ADDRESS_BITS'('h10c);
  localparam address_t REG_WINDOWS_AT_HI = ADDRESS_BITS'('h110);
  localparam address_t REG_WINDOWS = ADDRESS_BITS'('h114);
  localparam address_t REG_UNLIMITED_ORDERS = ADDRESS_BITS'('h118);
  localparam address_t REG_ORDER_RATE = ADDRESS_BITS'('h11c);
  localparam address_t REG_ORDER_GAP_NS = ADDRESS_BITS'('h120);
  localparam address_t REG_ORDER_GAP_PART = ADDRESS_BITS'('h124);
  localparam address_t REG_RING_TAIL = ADDRESS_BITS'('h128);
  localparam address_t REG_ORDERS_LEFT = ADDRESS_BITS'('h12c);
  localparam address_t REG_BUCKET_FULL_LO = ADDRESS_BITS'('h130);
  localparam address_t REG_BUCKET_FULL_HI = ADDRESS_BITS'('h134);
  localparam address_t REG_BUCKET_FULL_PART = ADDRESS_BITS'('h138);
  localparam address_t REG_ORDERS_ABORTED = ADDRESS_BITS'('h13c);
  localparam address_t REG_RING_HEAD = ADDRESS_BITS'('h140);
  localparam address_t REG_COUNT_FRAMES = ADDRESS_BITS'('h144);
  localparam address_t REG_COUNT_FRAMES_BAD = ADDRESS_BITS'('h148);
  localparam address_t REG_COUNT_SEGMENTS_OLD = ADDRESS_BITS'('h14c);
  localparam address_t REG_COUNT_SEGMENTS_HOLE = ADDRESS_BITS'('h150);
  localparam address_t REG_COUNT_MESSAGES = ADDRESS_BITS'('h154);
  localparam address_t REG_COUNT_BAD_CHECKSUM = ADDRESS_BITS'('h158);
  localparam address_t REG_COUNT_DESYNC = ADDRESS_BITS'('h15c);
  localparam address_t REG_COUNT_POSS_DUP = ADDRESS_BITS'('h160);
  localparam address_t REG_COUNT_REFUSED = ADDRESS_BITS'('h164);
  localparam address_t REG_COUNT_UNREAD = ADDRESS_BITS'('h168);
  localparam address_t REG_COUNT_PRICES_INVALID = ADDRESS_BITS'('h16c);
  localparam address_t REG_COUNT_SENT = ADDRESS_BITS'('h170);
  localparam address_t REG_COUNT_REJECTED_KILL = ADDRESS_BITS'('h174);
  localparam address_t REG_COUNT_REJECTED_WATCHDOG = ADDRESS_BITS'('h178);
  localparam address_t REG_COUNT_REJECTED_SESSION = ADDRESS_BITS'('h17c);
  localparam address_t REG_COUNT_REJECTED_CLOCK = ADDRESS_BITS'('h180);
  localparam address_t REG_COUNT_REJECTED_WINDOW = ADDRESS_BITS'('h184);
  localparam address_t REG_COUNT_REJECTED_EXHAUSTED = ADDRESS_BITS'('h188);
  localparam address_t REG_COUNT_REJECTED_FAULT = ADDRESS_BITS'('h18c);
  localparam address_t REG_COUNT_REJECTED_ORDER_NOTIONAL = ADDRESS_BITS'('h190);
  localparam address_t REG_COUNT_REJECTED_COLLAR = ADDRESS_BITS'('h194);
  localparam address_t REG_COUNT_REJECTED_SELF_TRADE = ADDRESS_BITS'('h198);
  localparam address_t REG_COUNT_REJECTED_ORDERS_PER_SECOND = ADDRESS_BITS'('h19c);
  localparam address_t REG_COUNT_REJECTED_TOTAL_ORDERS = ADDRESS_BITS'('h1a0);
  localparam address_t REG_COUNT_REJECTED_TOTAL_QTY = ADDRESS_BITS'('h1a4);
  localparam address_t REG_COUNT_DRY = ADDRESS_BITS'('h1a8);
  localparam address_t REG_COUNT_CPU_FRAMES = ADDRESS_BITS'('h1ac);
  localparam address_t REG_COUNT_ACK_REWRITES = ADDRESS_BITS'('h1b0);
  localparam address_t REG_COUNT_GUARD_STOPS = ADDRESS_BITS'('h1b4);
  localparam address_t REG_COUNT_GATE_TIMEOUTS = ADDRESS_BITS'('h1b8);
  localparam address_t REG_COUNT_GATE_LOWERED = ADDRESS_BITS'('h1bc);
  localparam address_t REG_COUNT_GATE_DROPS = ADDRESS_BITS'('h1c0);
  localparam address_t REG_COUNT_WRITES_REFUSED = ADDRESS_BITS'('h1c4);

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
  localparam int STATUS_HELD_LSB = 11;
  localparam int STATUS_FAULT_UNCOMMITTED_LSB = 12;
  localparam int STATUS_FAULT_UNLEASED_LSB = 13;
  localparam int STATUS_FAULT_LEASE_LSB = 14;
  localparam int STATUS_ORDER_BUSY_LSB = 15;
  localparam int STATUS_CLOSED_LSB = 16;
  localparam int STATUS_FOUND_LSB = 17;
  localparam int STATUS_DRY_LSB = 18;
  localparam int STATUS_BANKED_LSB = 19;
  localparam int STATUS_BANK_LSB = 20;
  localparam int STATUS_FLIP_ASKED_LSB = 21;
  localparam int STATUS_FLIP_BEGUN_LSB = 22;
  localparam int STATUS_FLIP_WAITS_LSB = 23;

  // Register flow_ports: bit positions.
  localparam int FLOW_PORTS_REMOTE_PORT_LSB = 0;
  localparam int FLOW_PORTS_LOCAL_PORT_LSB = 16;

  // Register market_ports: bit positions.
  localparam int MARKET_PORTS_REMOTE_PORT_LSB = 0;
  localparam int MARKET_PORTS_LOCAL_PORT_LSB = 16;

  // Register windows: bit positions.
  localparam int WINDOWS_OPEN_LSB = 0;
  localparam int WINDOWS_PENDING_LSB = 16;

  // One slot of the perfect-hash directory.
  localparam int DIRECTORY_BITS = 17;
  localparam int DIRECTORY_WORDS = 1;
  localparam int DIRECTORY_STRIDE = 1;
  localparam int DIRECTORY_INSTRUMENT_BITS = 16;
  localparam int DIRECTORY_VALID_BITS = 1;
  typedef struct packed {
    logic [0:0] valid;
    logic [15:0] instrument;
  } directory_t;
  // Bits that a board of this capacity can use; it need not store the others.
  function automatic logic [16:0] directory_kept(int instruments);
    directory_kept = '1;
    for (int i = $clog2(instruments); i < 16; i++) directory_kept[0+i] = 1'b0;
  endfunction

  // Displacement of one hash bucket.
  localparam int DISPLACEMENT_BITS = 16;
  localparam int DISPLACEMENT_WORDS = 1;
  localparam int DISPLACEMENT_STRIDE = 1;
  localparam int DISPLACEMENT_OFFSET_BITS = 16;
  typedef struct packed {
    logic [15:0] offset;
  } displacement_t;

  // How to read a price of an instrument.
  localparam int INSTRUMENT_BITS = 166;
  localparam int INSTRUMENT_WORDS = 6;
  localparam int INSTRUMENT_STRIDE = 8;
  localparam int INSTRUMENT_INVERSE_BITS = 64;
  localparam int INSTRUMENT_PRICE_MIN_BITS = 48;
  localparam int INSTRUMENT_PRICE_MAX_BITS = 48;
  localparam int INSTRUMENT_SHIFT_BITS = 6;
  typedef struct packed {
    logic [5:0] shift;
    logic signed [47:0] price_max;
    logic signed [47:0] price_min;
    logic [63:0] inverse;
  } instrument_t;

  // Triggers of one instrument, source and direction, in firing order. Index: instrument * 8 + source * 2 + direction. Or the intervals of one rule, rising, two triggers each, in the place of direction_ge: the interval's lowest price, then its highest, both with what landing in it sends. Its live bit and its count are those of the first.
  localparam int CHAIN_BITS = 48;
  localparam int CHAIN_WORDS = 2;
  localparam int CHAIN_STRIDE = 2;
  localparam int CHAIN_FIRST_BITS = 20;
  localparam int CHAIN_LAST_BITS = 20;
  localparam int CHAIN_VALID_BITS = 1;
  localparam int CHAIN_ARMS_BITS = 1;
  localparam int CHAIN_WINDOW_BITS = 4;
  localparam int CHAIN_KIND_BITS = 1;
  localparam int CHAIN_CONFIRMS_BITS = 1;
  typedef struct packed {
    logic [0:0] confirms;
    logic [0:0] kind;
    logic [3:0] window;
    logic [0:0] arms;
    logic [0:0] valid;
    logic [19:0] last;
    logic [19:0] first;
  } chain_t;
  // Bits that a board of this capacity can use; it need not store the others.
  function automatic logic [47:0] chain_kept(int triggers);
    chain_kept = '1;
    for (int i = $clog2(triggers); i < 20; i++) chain_kept[0+i] = 1'b0;
    for (int i = $clog2(triggers); i < 20; i++) chain_kept[20+i] = 1'b0;
  endfunction

  // One threshold and what it fires.
  localparam int TRIGGER_BITS = 92;
  localparam int TRIGGER_WORDS = 3;
  localparam int TRIGGER_STRIDE = 4;
  localparam int TRIGGER_THRESHOLD_BITS = 48;
  localparam int TRIGGER_RULE_BITS = 24;
  localparam int TRIGGER_ORDER_BITS = 20;
  typedef struct packed {
    logic [19:0] order;
    logic [23:0] rule;
    logic signed [47:0] threshold;
  } trigger_t;
  // Bits that a board of this capacity can use; it need not store the others.
  function automatic logic [91:0] trigger_kept(int triggers, int orders);
    trigger_kept = '1;
    for (int i = $clog2(triggers); i < 24; i++) trigger_kept[48+i] = 1'b0;
    for (int i = $clog2(orders); i < 20; i++) trigger_kept[72+i] = 1'b0;
  endfunction

  // Fires of a trigger's rule, by trigger index. It survives a restart of the runtime.
  localparam int FIRE_COUNT_BITS = 15;
  localparam int FIRE_COUNT_WORDS = 1;
  localparam int FIRE_COUNT_STRIDE = 1;
  localparam int FIRE_COUNT_FIRES_BITS = 15;
  typedef struct packed {
    logic [14:0] fires;
  } fire_count_t;

  // One-shot state of the triggers, one bit each: the first trigger in the lowest bit. It survives a restart of the runtime.
  localparam int LIVE_BITS = 32;
  localparam int LIVE_WORDS = 1;
  localparam int LIVE_STRIDE = 1;
  localparam int LIVE_TRIGGERS_BITS = 32;
  typedef struct packed {
    logic [31:0] triggers;
  } live_t;

  // Triggers that wait to be armed, bits as in `live`: no trigger has both. It survives a restart of the runtime.
  localparam int DORMANT_BITS = 32;
  localparam int DORMANT_WORDS = 1;
  localparam int DORMANT_STRIDE = 1;
  localparam int DORMANT_TRIGGERS_BITS = 32;
  typedef struct packed {
    logic [31:0] triggers;
  } dormant_t;

  // What an order that was sent, or a watch, does to triggers: a list of ranges, those at once first. Cancelling makes triggers neither live nor dormant, arming makes the dormant ones live, reviving makes all of them live.
  localparam int LINK_BITS = 43;
  localparam int LINK_WORDS = 2;
  localparam int LINK_STRIDE = 2;
  localparam int LINK_FIRST_BITS = 20;
  localparam int LINK_LAST_BITS = 20;
  localparam int LINK_ARMS_BITS = 1;
  localparam int LINK_MORE_BITS = 1;
  localparam int LINK_REVIVES_BITS = 1;
  typedef struct packed {
    logic [0:0] revives;
    logic [0:0] more;
    logic [0:0] arms;
    logic [19:0] last;
    logic [19:0] first;
  } link_t;
  // Bits that a board of this capacity can use; it need not store the others.
  function automatic logic [42:0] link_kept(int triggers);
    link_kept = '1;
    for (int i = $clog2(triggers); i < 20; i++) link_kept[0+i] = 1'b0;
    for (int i = $clog2(triggers); i < 20; i++) link_kept[20+i] = 1'b0;
  endfunction

  // When a rule is armed again: the first message of its instrument at or after `due` is a hit of `trigger`, a watch whose links revive the rule. The fabric clears `pending` with it, and sets it where links revive that trigger: an order of the rule has been sent. A slot's number is that of its trigger, modulo the slots of a bank. Written word by word, in order: a write of another word than the last clears `pending`, and `due` counts from that of the word behind it on.
  localparam int REARM_BITS = 214;
  localparam int REARM_WORDS = 7;
  localparam int REARM_STRIDE = 8;
  localparam int REARM_DUE_BITS = 64;
  localparam int REARM_INSTRUMENT_BITS = 16;
  localparam int REARM_LAST_BITS = 15;
  localparam int REARM_RESERVED_BITS = 1;
  localparam int REARM_TRIGGER_BITS = 20;
  localparam int REARM_RESERVED2_BITS = 12;
  localparam int REARM_AFTER_BITS = 64;
  localparam int REARM_ORDER_BITS = 20;
  localparam int REARM_PENDING_BITS = 1;
  localparam int REARM_AGAIN_BITS = 1;
  typedef struct packed {
    logic [0:0] again;
    logic [0:0] pending;
    logic [19:0] order;
    logic [63:0] after;
    logic [11:0] reserved2;
    logic [19:0] trigger;
    logic [0:0] reserved;
    logic [14:0] last;
    logic [15:0] instrument;
    logic [63:0] due;
  } rearm_t;
  // Bits that a board of this capacity can use; it need not store the others.
  function automatic logic [213:0] rearm_kept(int instruments, int triggers, int orders);
    rearm_kept = '1;
    for (int i = $clog2(instruments); i < 16; i++) rearm_kept[64+i] = 1'b0;
    for (int i = $clog2(triggers); i < 20; i++) rearm_kept[96+i] = 1'b0;
    for (int i = $clog2(orders); i < 20; i++) rearm_kept[192+i] = 1'b0;
  endfunction

  // One order: template, characters and the sums of everything static in the payload, the symbol's characters with it.
  localparam int ORDER_BITS = 161;
  localparam int ORDER_WORDS = 6;
  localparam int ORDER_STRIDE = 8;
  localparam int ORDER_PRICE_BITS = 64;
  localparam int ORDER_QTY_BITS = 40;
  localparam int ORDER_TCP_SUM_BITS = 16;
  localparam int ORDER_FIX_SUM_BITS = 8;
  localparam int ORDER_TEMPLATE_INDEX_BITS = 16;
  localparam int ORDER_VALID_BITS = 1;
  localparam int ORDER_LINK_BITS = 14;
  localparam int ORDER_SELL_BITS = 1;
  localparam int ORDER_RESTS_BITS = 1;
  typedef struct packed {
    logic [0:0] rests;
    logic [0:0] sell;
    logic [13:0] link;
    logic [0:0] valid;
    logic [15:0] template_index;
    logic [7:0] fix_sum;
    logic [15:0] tcp_sum;
    logic [39:0] qty;
    logic [63:0] price;
  } order_t;
  // Bits that a board of this capacity can use; it need not store the others.
  function automatic logic [160:0] order_kept(int templates);
    order_kept = '1;
    for (int i = $clog2(templates); i < 16; i++) order_kept[128+i] = 1'b0;
  endfunction

  // What of each side may still leave, by instrument index: total_qty_digits BCD digits; all ones: any quantity. Counts down with each order. It survives a restart of the runtime.
  localparam int QUANTITY_LEFT_BITS = 72;
  localparam int QUANTITY_LEFT_WORDS = 3;
  localparam int QUANTITY_LEFT_STRIDE = 4;
  localparam int QUANTITY_LEFT_BUY_BITS = 36;
  localparam int QUANTITY_LEFT_SELL_BITS = 36;
  typedef struct packed {
    logic [35:0] sell;
    logic [35:0] buy;
  } quantity_left_t;

  // The best of our own orders that rest, index: instrument * 2, and 1 more for those that sell. Orders of one instrument are numbered by price, sells before buys at the same one, market orders to sell first of all and to buy last: so a sell would meet a buy that rests if its number is not higher, a buy a sell if its number is not lower. An order that is sent and `rests` is noted if it is better than what stands there. A write while armed is taken only if ring_tail is ring_head and no order is on its way there: what is read back tells. It survives a restart of the runtime.
  localparam int RESTING_BITS = 21;
  localparam int RESTING_WORDS = 1;
  localparam int RESTING_STRIDE = 1;
  localparam int RESTING_ORDER_BITS = 20;
  localparam int RESTING_VALID_BITS = 1;
  typedef struct packed {
    logic [0:0] valid;
    logic [19:0] order;
  } resting_t;
  // Bits that a board of this capacity can use; it need not store the others.
  function automatic logic [20:0] resting_kept(int orders);
    resting_kept = '1;
    for (int i = $clog2(orders); i < 20; i++) resting_kept[0+i] = 1'b0;
  endfunction

  // What an order is sent for, by instrument index.
  localparam int SYMBOL_BITS = 96;
  localparam int SYMBOL_WORDS = 3;
  localparam int SYMBOL_STRIDE = 4;
  localparam int SYMBOL_KEY_BITS = 96;
  typedef struct packed {
    logic [95:0] key;
  } symbol_t;

  // What the messages of one template have in common beside their bytes.
  localparam int TEMPLATE_SHAPE_BITS = 13;
  localparam int TEMPLATE_SHAPE_WORDS = 1;
  localparam int TEMPLATE_SHAPE_STRIDE = 1;
  localparam int TEMPLATE_SHAPE_LAST_BYTE_BITS = 9;
  localparam int TEMPLATE_SHAPE_SEQ_NUM_ODD_BITS = 1;
  localparam int TEMPLATE_SHAPE_SENDING_TIME_ODD_BITS = 1;
  localparam int TEMPLATE_SHAPE_TRANSACT_TIME_ODD_BITS = 1;
  localparam int TEMPLATE_SHAPE_CL_ORD_ID_ODD_BITS = 1;
  typedef struct packed {
    logic [0:0] cl_ord_id_odd;
    logic [0:0] transact_time_odd;
    logic [0:0] sending_time_odd;
    logic [0:0] seq_num_odd;
    logic [8:0] last_byte;
  } template_shape_t;

  // One byte of a template, at index template * message_bytes + offset.
  localparam int TEMPLATE_BYTE_BITS = 9;
  localparam int TEMPLATE_BYTE_WORDS = 1;
  localparam int TEMPLATE_BYTE_STRIDE = 1;
  localparam int TEMPLATE_BYTE_VALUE_BITS = 8;
  localparam int TEMPLATE_BYTE_PATCH_BITS = 1;
  typedef struct packed {
    logic [0:0] patch;
    logic [7:0] value;
  } template_byte_t;

  // One fire, written while the MAC sends the preamble of its order. Record number n (from 1) is at index (n - 1) modulo ring_entries.
  localparam int RING_BITS = 512;
  localparam int RING_WORDS = 16;
  localparam int RING_STRIDE = 16;
  localparam int RING_ENTRY_BITS = 32;
  localparam int RING_GENERATION_BITS = 32;
  localparam int RING_MESSAGE_BITS = 32;
  localparam int RING_TRIGGER_BITS = 20;
  localparam int RING_SENT_AT_BITS = 12;
  localparam int RING_RULE_BITS = 32;
  localparam int RING_ORDER_BITS = 32;
  localparam int RING_MESSAGE_END_CYCLE_BITS = 32;
  localparam int RING_INSTRUMENT_BITS = 16;
  localparam int RING_FIRES_BITS = 16;
  localparam int RING_OBSERVED_BITS = 64;
  localparam int RING_MSG_SEQ_NUM_BITS = 32;
  localparam int RING_TCP_SEQ_BITS = 32;
  localparam int RING_TIME_NS_BITS = 64;
  localparam int RING_FRAME_END_CYCLE_BITS = 32;
  localparam int RING_LENGTH_BITS = 16;
  localparam int RING_SOURCE_BITS = 8;
  localparam int RING_OUTCOME_BITS = 8;
  typedef struct packed {
    logic [7:0] outcome;
    logic [7:0] source;
    logic [15:0] length;
    logic [31:0] frame_end_cycle;
    logic [63:0] time_ns;
    logic [31:0] tcp_seq;
    logic [31:0] msg_seq_num;
    logic signed [63:0] observed;
    logic [15:0] fires;
    logic [15:0] instrument;
    logic [31:0] message_end_cycle;
    logic [31:0] order;
    logic [31:0] rule;
    logic [11:0] sent_at;
    logic [19:0] trigger;
    logic [31:0] message;
    logic [31:0] generation;
    logic [31:0] entry;
  } ring_t;

  // Written when the last byte of the order has left; same index as the ring record.
  localparam int RING_SENT_BITS = 128;
  localparam int RING_SENT_WORDS = 4;
  localparam int RING_SENT_STRIDE = 4;
  localparam int RING_SENT_ENTRY_BITS = 32;
  localparam int RING_SENT_FIRST_BYTE_CYCLE_BITS = 32;
  localparam int RING_SENT_LAST_BYTE_CYCLE_BITS = 32;
  localparam int RING_SENT_TCP_CHECKSUM_BITS = 16;
  localparam int RING_SENT_RESERVED_BITS = 16;
  typedef struct packed {
    logic [15:0] reserved;
    logic [15:0] tcp_checksum;
    logic [31:0] last_byte_cycle;
    logic [31:0] first_byte_cycle;
    logic [31:0] entry;
  } ring_sent_t;

  // Payload bytes as sent, 4 a word, first byte lowest; an order begins at the index that its ring record names, and index 0 follows the last.
  localparam int SENT_BITS = 32;
  localparam int SENT_WORDS = 1;
  localparam int SENT_STRIDE = 1;
  localparam int SENT_WORD_BITS = 32;
  typedef struct packed {
    logic [31:0] word;
  } sent_t;

  localparam address_t BASE_RING = ADDRESS_BITS'('h100000);
  localparam address_t BASE_RING_SENT = ADDRESS_BITS'('h110000);
  localparam address_t BASE_SENT = ADDRESS_BITS'('h120000);
  localparam address_t BASE_RESTING = ADDRESS_BITS'('h140000);
  localparam address_t BASE_REARM = ADDRESS_BITS'('h160000);
  localparam address_t BASE_DIRECTORY = ADDRESS_BITS'('h200000);
  localparam address_t BASE_DISPLACEMENT = ADDRESS_BITS'('h400000);
  localparam address_t BASE_LIVE = ADDRESS_BITS'('h480000);
  localparam address_t BASE_DORMANT = ADDRESS_BITS'('h490000);
  localparam address_t BASE_LINK = ADDRESS_BITS'('h4a0000);
  localparam address_t BASE_QUANTITY_LEFT = ADDRESS_BITS'('h4c0000);
  localparam address_t BASE_TEMPLATE_SHAPE = ADDRESS_BITS'('h500000);
  localparam address_t BASE_SYMBOL = ADDRESS_BITS'('h580000);
  localparam address_t BASE_INSTRUMENT = ADDRESS_BITS'('h600000);
  localparam address_t BASE_CHAIN = ADDRESS_BITS'('h800000);
  localparam address_t BASE_TRIGGER = ADDRESS_BITS'('h1000000);
  localparam address_t BASE_FIRE_COUNT = ADDRESS_BITS'('h2000000);
  localparam address_t BASE_ORDER = ADDRESS_BITS'('h4000000);
  localparam address_t BASE_TEMPLATE_BYTE = ADDRESS_BITS'('h8000000);
  // From here on the host writes tables: every window that it may write lies at or above.
  localparam address_t BASE_TABLES = ADDRESS_BITS'('h200000);
  // Those windows, and the words that each has on a board of this capacity.
  localparam int TABLES = 14;
  localparam address_t TABLE_BASE[TABLES] = '{
      BASE_DIRECTORY,
      BASE_DISPLACEMENT,
      BASE_LIVE,
      BASE_DORMANT,
      BASE_LINK,
      BASE_QUANTITY_LEFT,
      BASE_TEMPLATE_SHAPE,
      BASE_SYMBOL,
      BASE_INSTRUMENT,
      BASE_CHAIN,
      BASE_TRIGGER,
      BASE_FIRE_COUNT,
      BASE_ORDER,
      BASE_TEMPLATE_BYTE
  };
  function automatic int table_words(int table_number, int INSTRUMENTS, int TRIGGERS, int ORDERS, int TEMPLATES, int GROUPS);
    case (table_number)
      0: return 2 * INSTRUMENTS * DIRECTORY_STRIDE;
      1: return INSTRUMENTS * DISPLACEMENT_STRIDE;
      2: return TRIGGERS / LIVE_WORD_BITS * LIVE_STRIDE;
      3: return TRIGGERS / LIVE_WORD_BITS * DORMANT_STRIDE;
      4: return GROUPS * LINKS_A_GROUP * LINK_STRIDE;
      5: return INSTRUMENTS * QUANTITY_LEFT_STRIDE;
      6: return TEMPLATES * TEMPLATE_SHAPE_STRIDE;
      7: return INSTRUMENTS * SYMBOL_STRIDE;
      8: return INSTRUMENTS * INSTRUMENT_STRIDE;
      9: return 8 * INSTRUMENTS * CHAIN_STRIDE;
      10: return TRIGGERS * TRIGGER_STRIDE;
      11: return TRIGGERS * FIRE_COUNT_STRIDE;
      12: return ORDERS * ORDER_STRIDE;
      13: return TEMPLATES * MESSAGE_BYTES * TEMPLATE_BYTE_STRIDE;
      default: return 0;
    endcase
  endfunction
endpackage
/* verilator lint_on UNUSEDPARAM */
