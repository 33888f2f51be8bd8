// SPDX-License-Identifier: Apache-2.0
// The register page of the hwmap: settings kept here, actions as pulses, everything else read back from the core.
//
//   cycle 1  the access is registered
//   cycle 2  a write changes settings and raises actions; a read knows which of the core's words it means, a bit each
//   cycle 3  and as a number
//   cycle 4  one of each four of them is chosen
//   cycle 5  the answer, and on until HOST_ANSWER_CYCLES
// What the host has written is read back from a copy in a small memory, so that no wide multiplexer hangs on the settings.
module registers
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
  import host_pkg::*;
#(
    parameter int INSTRUMENTS = 16,
    parameter int TRIGGERS    = 16,
    parameter int ORDERS      = 16,
    parameter int TEMPLATES   = 16,
    parameter int GROUPS      = 16
) (
    input  logic             clk,
    input  logic             rst,
    input  host_req_t        host_req,
    output logic      [31:0] host_rdata,
    output settings_t        settings,
    output bank_settings_t [1:0] banks,  // of tables that are no banks: the lower one
    output market_settings_t market,
    output actions_t         actions,
    input  readback_t        readback
);
  localparam logic [31:0] MAGIC = 32'h46584143;
  localparam logic [1:0] ARM = 1, ARM_DRY = 2;
  localparam address_t REG_END = REG_COUNT_FRAMES;  // the counters answer for themselves
  localparam int SLOT_BITS = $clog2(int'(REG_END) / 4);

  // Places of the copy take turns from here on: the registers at the start are the core's or act, and need none.
  localparam int COPY_BITS = 6;
  localparam address_t COPY_FROM = REG_WATCHDOG_NS, COPY_LAST = REG_RING_TAIL;

  if (HOST_ANSWER_CYCLES < 5) begin : gen_refuse
    $error("registers %m: an answer takes 5 cycles");
  end
  if (COPY_LAST >= COPY_FROM + (4 << COPY_BITS)) begin : gen_refuse_copy
    $error("registers %m: two that are kept would share a place of the copy");
  end

  logic ours, read, write, resetting;
  logic copied;  // the address is of those that may be kept
  logic [COPY_BITS-1:0] slot;          // the lower bits of its number
  logic [7:0] lower;                   // which the lower three bits of its number say
  logic [2**(SLOT_BITS-3)-1:0] upper;  // and which the others: many enables hang on a slot
  logic [31:0] wdata;
  logic tiny;                          // it has two bits
  assign ours = host_req.valid && host_req.addr < REG_END;
  /* verilator lint_off UNUSEDSIGNAL */  // bits that no register page has
  function automatic logic at(address_t named);
    return lower[named[4:2]] && upper[named[SLOT_BITS+1:5]];
  /* verilator lint_on UNUSEDSIGNAL */
  endfunction
  always_ff @(posedge clk) begin
    read <= ours && !host_req.write;
    write <= ours && host_req.write;
    slot <= COPY_BITS'(host_req.addr >> 2);
    copied <= host_req.addr[SLOT_BITS+1:0] >= COPY_FROM[SLOT_BITS+1:0] &&
        host_req.addr[SLOT_BITS+1:0] <= COPY_LAST[SLOT_BITS+1:0];
    lower <= 8'b1 << host_req.addr[4:2];
    upper <= (2 ** (SLOT_BITS - 3))'(1) << host_req.addr[SLOT_BITS+1:5];
    wdata <= host_req.wdata;
    tiny <= host_req.wdata < 4;
    resetting <= rst;  // a copy of its own: many settings
    if (rst) {read, write} <= '0;
  end

  always_ff @(posedge clk) begin
    if (write) begin
      if (at(REG_WATCHDOG_NS)) settings.watchdog_ns <= wdata;
      if (at(REG_FLIP_HEAD)) settings.flip_head <= wdata;
      if (at(REG_GENERATION)) banks[0].generation <= wdata;
      if (at(REG_GENERATION_UPPER)) banks[1].generation <= wdata;
      if (at(REG_HASH_SEED)) banks[0].hash_seed <= wdata;
      if (at(REG_HASH_SEED_UPPER)) banks[1].hash_seed <= wdata;
      if (at(REG_COLLAR_LO)) settings.collar_lo <= wdata;
      if (at(REG_COLLAR_HI)) settings.collar_hi <= wdata;
      if (at(REG_EPOCH)) banks[0].epoch <= wdata;
      if (at(REG_EPOCH_UPPER)) banks[1].epoch <= wdata;
      if (at(REG_FLOW_LOCAL_IP)) settings.flow_local_ip <= wdata;
      if (at(REG_FLOW_REMOTE_IP)) settings.flow_remote_ip <= wdata;
      if (at(REG_FLOW_PORTS)) settings.flow_ports <= wdata;
      if (at(REG_FLOW_VALID)) settings.flow_valid <= wdata[0];
      if (at(REG_MARKET_LOCAL_IP)) market.local_ip <= wdata;
      if (at(REG_MARKET_REMOTE_IP)) market.remote_ip <= wdata;
      if (at(REG_MARKET_PORTS)) market.ports <= wdata;
      if (at(REG_MARKET_VALID)) market.valid <= wdata[0];
      if (at(REG_RX_SEQ_NUM)) settings.rx_seq_num <= wdata;
      if (at(REG_SENDER_COMP_CRC)) settings.sender_comp_crc <= wdata;
      if (at(REG_TARGET_COMP_CRC)) settings.target_comp_crc <= wdata;
      if (at(REG_PEER_WSCALE)) settings.peer_wscale <= wdata[3:0];
      if (at(REG_LOCAL_WSCALE)) settings.local_wscale <= wdata[3:0];
      if (at(REG_MARKET_LOCAL_WSCALE)) market.local_wscale <= wdata[3:0];
      if (at(REG_MAX_UNACKED)) settings.max_unacked <= wdata;
      if (at(REG_LEASE_SEQ_NUM)) settings.lease_seq_num <= wdata;
      if (at(REG_LEASE_SND_NXT)) settings.lease_snd_nxt <= wdata;
      if (at(REG_LEASE_NS)) settings.lease_ns <= wdata;
      if (at(REG_HOLD_NS)) settings.hold_ns <= wdata;
      if (at(REG_COMMIT_AHEAD)) settings.commit_ahead <= wdata[COMMIT_BITS-1:0];
      if (at(REG_RX_GATE_NS)) settings.rx_gate_ns <= wdata;
      if (at(REG_CLOCK_DATE)) settings.clock_date <= wdata;
      if (at(REG_CLOCK_HMS)) settings.clock_hms <= wdata;
      if (at(REG_CLOCK_MS)) settings.clock_ms <= wdata;
      if (at(REG_CLOCK_SUB_NS)) settings.clock_sub_ns <= wdata;
      if (at(REG_CLOCK_NS_LO)) settings.clock_ns_lo <= wdata;
      if (at(REG_CLOCK_NS_HI)) settings.clock_ns_hi <= wdata;
      if (at(REG_CLOCK_MAX_AGE_NS)) settings.clock_max_age_ns <= wdata;
      if (at(REG_WINDOWS_NEXT)) settings.windows_next <= wdata[WINDOWS-1:0];
      if (at(REG_WINDOWS_AT_LO)) settings.windows_at_lo <= wdata;
      if (at(REG_WINDOWS_AT_HI)) settings.windows_at_hi <= wdata;
      if (at(REG_UNLIMITED_ORDERS)) settings.unlimited_orders <= wdata[0];
      if (at(REG_ORDER_RATE)) settings.order_rate <= wdata[19:0];
      if (at(REG_ORDER_GAP_NS)) settings.order_gap_ns <= wdata[29:0];
      if (at(REG_ORDER_GAP_PART)) settings.order_gap_part <= wdata[19:0];
      if (at(REG_RING_TAIL)) settings.ring_tail <= wdata;
    end
    if (resetting) {settings, banks, market} <= '0;
  end

  actions_t next;
  logic one, arms, keep;  // keep: reads back what was written
  assign one = wdata[0];
  assign arms = tiny && (wdata[1:0] == ARM || wdata[1:0] == ARM_DRY);
  always_comb begin
    next = '0;
    next.arm = at(REG_ARM) && arms;
    next.dry = wdata[1];
    next.disarm = at(REG_ARM) && !arms;
    next.kill_on = at(REG_KILL) && one;
    next.kill_off = at(REG_KILL) && !one;
    next.watchdog_kick = at(REG_WATCHDOG_KICK);
    next.set_banked = at(REG_BANKED);
    next.flip = at(REG_FLIP) && one;
    next.flow_reset = at(REG_FLOW_VALID);
    next.market_reset = at(REG_MARKET_VALID);
    next.parser_reset = at(REG_MARKET_VALID) || (at(REG_FLOW_VALID) && !market.valid);
    next.resync = at(REG_RESYNC_SEQ);
    next.known_forget = at(REG_KNOWN_FORGET);
    next.set_snd_nxt = at(REG_SND_NXT);
    next.set_committed = at(REG_COMMITTED);
    next.set_seq_num = at(REG_NEXT_SEQ_NUM);
    next.set_orders_left = at(REG_ORDERS_LEFT);
    next.set_bucket_lo = at(REG_BUCKET_FULL_LO);
    next.set_bucket_hi = at(REG_BUCKET_FULL_HI);
    next.set_bucket_part = at(REG_BUCKET_FULL_PART);
    next.lease_request = at(REG_LEASE_REQUEST) && one;
    next.lease_cancel = at(REG_LEASE_REQUEST) && !one;
    next.lease_release = at(REG_LEASE_RELEASE) && one;
    next.clock_set = at(REG_CLOCK_SET);
    next.windows_set = at(REG_WINDOWS_AT_HI);
    next.disturbs = at(REG_ARM) || at(REG_FLOW_VALID) || at(REG_MARKET_VALID) || at(REG_SND_NXT) || at(REG_COMMITTED) ||
        at(REG_LEASE_REQUEST) || at(REG_LEASE_RELEASE);
    keep = write && copied && !(at(REG_WATCHDOG_KICK) || at(REG_BANKED) || at(REG_FLIP) ||
        at(REG_RESYNC_SEQ) || at(REG_KNOWN_FORGET) || at(REG_SND_NXT) || at(REG_COMMITTED) || at(REG_NEXT_SEQ_NUM) ||
        at(REG_LEASE_REQUEST) || at(REG_LEASE_RELEASE) || at(REG_CLOCK_SET));
    if (!write) next = '0;
    next.wdata = wdata;
  end
  always_ff @(posedge clk) begin
    actions <= next;
    if (rst) actions <= '0;
  end

  logic [2**COPY_BITS-1:0] written;
  logic store;
  logic [COPY_BITS-1:0] store_slot;
  logic [31:0] store_word, store_bits;
  logic of_flag, of_scale, of_windows, of_part, of_gap, of_bytes;  // narrow registers keep the lowest bits
  function automatic logic [31:0] lowest(int bits);
    return ~(32'hFFFFFFFF << bits);
  endfunction
  always_comb begin
    store_bits = '1;
    if (of_flag) store_bits &= lowest(1);
    if (of_scale) store_bits &= lowest($bits(settings.peer_wscale));
    if (of_windows) store_bits &= lowest(WINDOWS);
    if (of_part) store_bits &= lowest($bits(settings.order_rate));
    if (of_gap) store_bits &= lowest($bits(settings.order_gap_ns));
    if (of_bytes) store_bits &= lowest(COMMIT_BITS);
  end
  always_ff @(posedge clk) begin
    {store, store_slot, store_word} <= {keep, slot, wdata};
    of_flag <= at(REG_FLOW_VALID) || at(REG_MARKET_VALID) || at(REG_UNLIMITED_ORDERS);
    of_scale <= at(REG_PEER_WSCALE) || at(REG_LOCAL_WSCALE) || at(REG_MARKET_LOCAL_WSCALE);
    of_windows <= at(REG_WINDOWS_NEXT);
    of_part <= at(REG_ORDER_RATE) || at(REG_ORDER_GAP_PART);
    of_gap <= at(REG_ORDER_GAP_NS);
    of_bytes <= at(REG_COMMIT_AHEAD);
    if (store) written[store_slot] <= 1'b1;
    if (resetting) written <= '0;
  end
  // In two halves, each with a number of its own to be read by, for many bits hang on it. A block RAM would be slower, and
  // nearly empty.
  (* keep = "true" *) logic [1:0][COPY_BITS-1:0] read_slot;
  logic [31:0] from_copy;
  always_ff @(posedge clk) read_slot <= {2{COPY_BITS'(host_req.addr >> 2)}};
  for (genvar half = 0; half < 2; half++) begin : gen_copy
    (* ram_style = "distributed" *) logic [15:0] copy[2**COPY_BITS];
    always_ff @(posedge clk) begin
      if (store) copy[store_slot] <= store_word[16*half+:16] & store_bits[16*half+:16];
      from_copy[16*half+:16] <= copy[read_slot[half]];
    end
  end

  // Words of the core by their addresses.
  localparam int WORDS = 32;
  localparam address_t WORD_AT[WORDS] = '{
      REG_END, REG_MAGIC, REG_HWMAP_HASH, REG_CAP_INSTRUMENTS, REG_CAP_TRIGGERS, REG_CAP_ORDERS, REG_CAP_TEMPLATES,
      REG_CAP_GROUPS, REG_CYCLE,
      REG_STATUS, REG_RX_SEQ_NUM, REG_RCV_NXT, REG_FOUND_SEQ, REG_SND_NXT, REG_COMMITTED, REG_PEER_ACK, REG_PEER_WINDOW,
      REG_NEXT_SEQ_NUM, REG_RING_HEAD, REG_CLOCK_NS_LO, REG_CLOCK_NS_HI, REG_ORDERS_LEFT, REG_BUCKET_FULL_LO,
      REG_BUCKET_FULL_HI, REG_BUCKET_FULL_PART, REG_WINDOWS, REG_FLIP_SEQ_NUM, REG_FLIP_CYCLES,
      REG_ORDERS_ABORTED, REG_END, REG_END, REG_END
  };
  logic [31:0] now_hi;
  logic [31:0] words[WORDS];
  assign words = '{
      '0, MAGIC, HWMAP_HASH, INSTRUMENTS, TRIGGERS, ORDERS, TEMPLATES, GROUPS, readback.cycle,
      readback.status, readback.rx_seq_num, readback.rcv_nxt, readback.found_seq, readback.snd_nxt, readback.committed,
      readback.peer_ack, readback.peer_window,
      readback.next_seq_num, readback.ring_head, readback.now_ns[31:0], now_hi, readback.orders_left,
      readback.bucket.ns[31:0], readback.bucket.ns[63:32], 32'(readback.bucket.part), readback.windows,
      readback.flip_seq_num, readback.flip_cycles, readback.orders_aborted, '0, '0, '0
  };

  localparam int FOURS = WORDS / 4;
  localparam int WORD_BITS = $clog2(WORDS);
  logic [WORDS-1:1] asked;  // the word at index 0 is zero: it is none, and so are those at the end
  logic [WORD_BITS-1:0] number;
  (* keep = "true" *) logic [FOURS-1:0][1:0][1:0] place;  // the same for each half of each four: many bits hang on it
  logic [WORD_BITS-3:0] four, four_q;
  logic asks_now, latch_now;
  logic [31:0] chosen[FOURS];
  always_comb begin
    number = '0;
    for (int i = 1; i < WORDS; i++) if (asked[i]) number = number | WORD_BITS'(i);
  end

  // Of the copy, one of each eight places.
  localparam int EIGHTS = 2 ** COPY_BITS / 8;
  logic [EIGHTS-1:0] one_of_eight;
  logic [COPY_BITS-4:0] eight;
  logic asks_copy, kept, no_word;
  logic [31:0] from_copy_q, from_copy_qq;
  logic [HOST_ANSWER_CYCLES-5:0][31:0] answer;
  always_ff @(posedge clk) begin
    for (int i = 1; i < WORDS; i++) asked[i] <= read && at(WORD_AT[i]);
    asks_now <= read && at(REG_CLOCK_NS_LO);
    asks_copy <= read && copied;
    for (int i = 0; i < EIGHTS; i++) one_of_eight[i] <= written[8*i+int'(slot[2:0])];
    eight <= slot[COPY_BITS-1:3];
    place <= {2 * FOURS{number[1:0]}};
    four <= number[WORD_BITS-1:2];
    latch_now <= asks_now;
    kept <= asks_copy && one_of_eight[eight];
    no_word <= asked == '0;
    from_copy_q <= from_copy;

    for (int i = 0; i < FOURS; i++)
      for (int half = 0; half < 2; half++) chosen[i][16*half+:16] <= words[4*i+int'(place[i][half])][16*half+:16];
    if (latch_now) now_hi <= readback.now_ns[63:32];  // both halves from one moment
    four_q <= four;
    from_copy_qq <= (kept && no_word) ? from_copy_q : '0;

    answer[0] <= chosen[four_q] | from_copy_qq;
    for (int i = 1; i < HOST_ANSWER_CYCLES - 4; i++) answer[i] <= answer[i-1];
  end
  assign host_rdata = answer[HOST_ANSWER_CYCLES-5];
endmodule
