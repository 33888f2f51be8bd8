// SPDX-License-Identifier: Apache-2.0
// Takes fires one after the other, each in the cycle in which its order's first byte is handed over, or in which it is
// rejected.
//
//   cycle 0      the fire is pending or valid: its order record and its symbol are being read
//   cycle AHEAD  both are there, the gate has judged; a cycle later where limits compare what the record says
//   cycle n      the fire is valid (n >= AHEAD) and the wire ready: the first byte is handed over, the numbers are used
//   cycle n + 1  it is on the port; from here on its record is written
// An order may begin while its fire is pending, if that is early: what is decided and used in cycle n waits for the verdict then,
// and the frame is whole only if the order is sent.
// A window that might not take the longest message makes a fire wait until its length has been compared.
// A fire that cannot leave yet (lease, full ring, wire not ready, clock being set) is not taken: whatever disarms, kills
// or ends the session until the first byte is handed over stops it, and its SendingTime is that of its leaving.
module order_control
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
  import host_pkg::*;
  import order_pkg::*;
(
    input  logic           clk,
    input  logic           rst,
    input  logic           hit_pending,   // the hit stands, its verdict may be missing
    input  logic           hit_early,     // the order of a pending one may begin ahead of that
    input  logic           hit_valid,
    output logic           hit_ready,
    output logic           hit_waits,     // a fire is about to be taken; not one that is held back
    // what holds a fire back
    input  logic           enabled,
    input  logic           messages_wait, // for a flip that the host has to look at
    input  logic           lease_hold,
    input  logic           clock_setting,
    input  logic           ring_room,
    input  logic           counting,      // the limits take in the order before
    input  logic           unlimited_orders,  // level: no limit compares what a record says
    input  logic           wire_ready,    // the wire takes a frame's first byte now
    input  logic    [31:0] elapsed_ns,
    input  logic    [31:0] limit_ns,
    output logic           held,          // pulse: for too long
    // what decides it
    input  logic           pass,
    input  logic    [ 7:0] outcome,
    input  logic           sound,
    input  logic           roomy,
    // numbers
    /* verilator lint_off UNUSEDSIGNAL */  // those of the numbers
    input  actions_t       actions,
    input  settings_t      settings,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic           live,
    input  logic           lease_released,
    output logic    [31:0] next_seq_num,
    output logic           seq_exhausted,
    output logic    [15:0] ip_id,
    // frame
    output logic           order_valid,   // first byte, which a wire that is ready takes
    input  logic           streaming,     // the bytes behind it are being handed over
    input  logic           closing,       // too little of it is left for a decision
    input  logic           order_end,     // pulse: the last one is on the wire
    // effects
    output logic           take,          // pulse: the fire is taken
    output logic           start,         // pulse: an order begins
    output logic           sends,         // pulse: with take, the order is sent
    output logic           begun,         // the order of the pending fire has begun ahead of its verdict
    output logic           sure,          // the order that is leaving is one that was sent; else its FCS is to be wrong
    output logic           disarm,        // pulse: software must look at something before it arms again
    output count_t         count,
    output logic           busy           // an order is leaving
);
  localparam int AHEAD = 2;  // cycles to the order: memory and the register behind it
  localparam int SHAPE = 4;  // cycles from there to its length and the comparison: `leaving`, the shape, a sum, a register

  // How long fire, arming, room and lease have stood still; the length is looked up once the order before has left.
  logic taken;  // a cycle ago: little may hang on that it is
  logic still, settled, compared;
  logic [AHEAD-1:0] stood;
  logic [SHAPE-1:0] looked_up;
  assign still = (hit_pending || hit_valid) && enabled && ring_room && !counting && !lease_hold && !taken;
  assign compared = looked_up[SHAPE-1];
  always_ff @(posedge clk) begin
    stood <= {stood[AHEAD-2:0], 1'b1};
    settled <= stood[unlimited_orders ? AHEAD-2 : AHEAD-1];
    looked_up <= {looked_up[SHAPE-2:0], settled};
    if (rst || !still) {stood, settled, looked_up} <= '0;
    if (streaming) looked_up <= '0;
  end

  logic calm, waiting, expired;
  assign calm = settled && !taken && (roomy || compared) && enabled && !lease_hold && !clock_setting && !streaming &&
      !expired;
  (* keep = "true" *) logic stands;  // a LUT of its own: much hangs on it
  assign stands = (hit_valid || hit_early) && calm;
  assign order_valid = stands && pass && wire_ready;
  assign start = order_valid;
  assign hit_waits = (hit_valid || hit_early) && enabled && ring_room && !lease_hold;

  // One that has begun is decided a cycle behind its verdict, when all that limits ask of the fire has stood; not while its
  // last bytes leave, for what is written of it needs some cycles. A fire that was not decided in time stays: its order ends
  // with a wrong FCS, and leaves anew behind the verdict.
  logic resolves, verdict_in;
  assign resolves = begun && streaming && hit_valid && verdict_in && settled && !taken && enabled && !expired && !closing;
  assign hit_ready = (calm && (!pass || wire_ready)) || resolves;
  assign take = hit_valid && hit_ready;
  assign sends = take && pass;
  always_ff @(posedge clk) begin
    verdict_in <= hit_valid;
    if (start) sure <= hit_valid;
    else if (resolves && pass) sure <= 1'b1;
    begun <= ((start && !hit_valid) || begun) && hit_pending && !take;
    if (rst) {verdict_in, begun, sure} <= '0;
  end

  // What is not needed at once follows a cycle later, for little may hang on the decision.
  logic started, sound_q, set_seq_num;
  logic [7:0] outcome_q;
  assign set_seq_num = actions.set_seq_num && !live;
  always_ff @(posedge clk) begin
    taken <= take;
    started <= sends && !set_seq_num;
    outcome_q <= outcome;
    sound_q <= sound;
    if (rst) {taken, started} <= '0;
  end

  // Held too long, the fire is dropped by disarming, not rejected: it is not spent, and what it would send is too old. So
  // are messages.
  assign waiting = (hit_valid && enabled && !lease_hold && !taken) || (messages_wait && enabled);
  age_limit wait_limit (.clk, .restart(rst || !waiting), .elapsed_ns, .limit_ns, .expired);
  assign held = expired && waiting;

  logic [31:0] following;
  logic [SEQ_NUM_CHARS-1:0] nines;
  always_ff @(posedge clk) begin
    for (int i = 0; i < SEQ_NUM_CHARS; i++) nines[i] <= next_seq_num[4*i+:4] == 4'd9;
    for (int i = 0; i < SEQ_NUM_CHARS; i++)  // behind nines only
      if ((nines | ~SEQ_NUM_CHARS'((1 << i) - 1)) != '1) following[4*i+:4] <= next_seq_num[4*i+:4];
      else following[4*i+:4] <= nines[i] ? 4'd0 : next_seq_num[4*i+:4] + 4'd1;
    seq_exhausted <= next_seq_num == {SEQ_NUM_CHARS{4'd9}};
    if (started) begin
      next_seq_num <= following;
      ip_id <= ip_id + 1'b1;
    end
    if (set_seq_num) next_seq_num <= actions.wdata;
    if (lease_released) next_seq_num <= settings.lease_seq_num;
    if (rst) {next_seq_num, ip_id} <= '0;
  end

  always_ff @(posedge clk) begin
    count <= '0;
    if (taken) count[counter(REG_COUNT_SENT)+:OUTCOMES] <= OUTCOMES'(1) << outcome_q[$clog2(OUTCOMES+1):0];
    disarm <= taken && ((outcome_q == 8'(OUTCOME_FAULT) && !sound_q) ||
                        (outcome_q == 8'(OUTCOME_EXHAUSTED) && seq_exhausted));
    busy <= start || (busy && !order_end);
    if (rst) {busy, disarm} <= '0;
  end
endmodule
