// SPDX-License-Identifier: Apache-2.0
// Frames to the controller: a ring of buffers that the fabric fills and the controller empties. The descriptor is the
// controller's, and `start` asks for start_tx, as soon as a frame's first word stands; a read of a word that does not stand
// yet waits for it, so the writer is never overtaken, however fast the controller reads.
//
// A descriptor that nobody has looked at for RESTART cycles, while none is being sent, is announced once more: the controller
// may have halted at the very moment. Once the port has failed or is off, what the core sends is thrown away, as by a wire that is cut.
module gem_transmit
  import fixaccel_types_pkg::*;
  import gem_pkg::*;
  import gem_port_hwmap_pkg::*;
  import zynq_gem_hwmap_pkg::*;
#(
    parameter int SLOTS   = 4,   // a power of two
    parameter int RESTART = 512  // cycles, a power of two
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 clear,          // pulse: the port is emptied
    input  logic                 on,
    input  logic                 failed,
    input  logic [31:GEM_PORT_ADDRESS_BITS] window_base,
    input  logic          [31:0] slot_limit,
    // from the core, with FCS
    input  logic          [ 7:0] net_tx_data,
    input  logic                 net_tx_valid,
    input  logic                 net_tx_last,
    output logic                 net_tx_ready,
    input  frame_length_t        net_tx_length,  // FCS included, from a frame's third byte on
    input  logic                 cpu_started,    // pulse: the next frame is the CPU's and will come, though not at once
    // the window
    /* verilator lint_off UNUSEDSIGNAL */  // descriptors are written as whole words
    input  gem_write_t           write,
    /* verilator lint_on UNUSEDSIGNAL */
    input  gem_port_address_t    read_addr,
    input  logic                 read_valid,     // with step: this is the cycle in which the answer is decided
    input  logic                 step,
    output logic                 hold,
    output logic          [31:0] answer,
    // the bus
    output logic                 start,          // level until `started`
    input  logic                 started,        // pulse
    output logic                 crowded,        // two frames or more wait or come: the CPU's are to wait elsewhere
    output logic                 queued,         // pulses
    output logic                 sent,
    output logic                 restarted,
    output logic                 discarded,
    output logic                 fault_order,
    output logic                 fault_error,
    output logic                 fault_late
);
  localparam int NUMBER_BITS = $clog2(SLOTS);
  localparam int DESCRIPTOR_BITS = $clog2(ZYNQ_GEM_TRANSMIT_DESCRIPTOR_BYTES);
  localparam int DESCRIPTORS_BYTES = SLOTS * ZYNQ_GEM_TRANSMIT_DESCRIPTOR_BYTES;
  localparam int FRAMES_BYTES = SLOTS * GEM_PORT_SLOT_BYTES;
  localparam int RESTART_BITS = $clog2(RESTART);
  if (SLOTS < 2 || SLOTS != 2 ** NUMBER_BITS || SLOTS > GEM_PORT_ROOM_TRANSMIT_DESCRIPTORS) begin : gen_refuse
    $error("gem_transmit %m: SLOTS is %0d, not a power of two of at most %0d", SLOTS, GEM_PORT_ROOM_TRANSMIT_DESCRIPTORS);
  end
  if (RESTART != 2 ** RESTART_BITS || RESTART < 16) begin : gen_refuse_restart
    $error("gem_transmit %m: RESTART is %0d, not a power of two of at least 16", RESTART);
  end
  typedef logic [NUMBER_BITS-1:0] number_t;
  typedef logic [NUMBER_BITS:0] place_t;  // one bit more tells full from empty

  // ---- The core's side: bytes to words
  place_t fill, drain, waiting;
  logic begun, discard, store, store_last, storing, announced;
  logic [1:0] lane;
  slot_word_t word, written;
  logic [31:0] gathered;
  logic take, full, publish, filling;
  assign take = net_tx_valid && net_tx_ready;
  assign waiting = fill - drain;
  assign full = waiting[NUMBER_BITS];
  assign publish = store && written == '0;  // with the first word
  assign storing = begun || store;
  always_ff @(posedge clk) begin
    if (take && !begun) announced <= 1'b0;
    if (cpu_started) announced <= 1'b1;
    crowded <= waiting >= 2 || (waiting != '0 && (storing || announced || cpu_started));
    {discarded, queued} <= '0;
    store <= 1'b0;
    store_last <= 1'b0;
    // Once shown, it stands until a frame has come: the core begins one on what it has seen a cycle ago.
    if (!net_tx_ready && !storing) net_tx_ready <= (on && !full) || failed;
    if (take) begin
      begun <= !net_tx_last;
      if (!begun) discard <= !on || failed;
      for (int i = 0; i < 4; i++) if (lane == 2'(i)) gathered[8*i+:8] <= net_tx_data;
      if (lane == '0) gathered[31:8] <= '0;
      lane <= net_tx_last ? '0 : lane + 1'b1;
      store <= (lane == 2'd3 || net_tx_last) && begun && !discard;
      store_last <= net_tx_last;
      if (net_tx_last) begin
        net_tx_ready <= 1'b0;
        discarded <= discard;
      end
    end
    if (store) begin
      written <= store_last ? '0 : written + 1'b1;
      if (store_last) begin
        fill <= fill + 1'b1;
        filling <= 1'b0;
      end else if (publish) filling <= 1'b1;
    end
    queued <= publish;
    if (rst || clear) begin
      {store, fill, filling, written} <= '0;
      if (begun) discard <= 1'b1;  // the rest of a frame that is no longer wanted
    end
    if (rst) {net_tx_ready, begun, lane, discard, announced} <= '0;
  end
  assign word = written;

  // ---- Its memory
  logic [31:0] from_memory;
  logic of_frames, of_frames_q;
  assign of_frames = in_window(read_addr, GEM_PORT_BASE_TRANSMIT_FRAMES, FRAMES_BYTES);
  simple_ram #(
      .BITS(32), .DEPTH(SLOTS * SLOT_WORDS)
  ) frames (
      .clk, .write(store), .write_addr({fill[NUMBER_BITS-1:0], word}), .wdata(gathered), .enable(step),
      .read_addr(read_addr[2+:$clog2(SLOTS*SLOT_WORDS)]), .rdata(from_memory)
  );
  number_t read_slot;
  assign read_slot = read_addr[SLOT_BITS+:NUMBER_BITS];
  assign hold = of_frames && filling && read_slot == fill[NUMBER_BITS-1:0] && read_addr[2+:$bits(slot_word_t)] >= written;

  // ---- Descriptors
  logic [SLOTS-1:0] used, fetched;
  frame_length_t lengths[SLOTS];
  transmit_descriptor_t shown;
  /* verilator lint_off UNUSEDSIGNAL */  // a few fields
  transmit_descriptor_t back;
  /* verilator lint_on UNUSEDSIGNAL */
  number_t asked, returned;
  logic of_descriptors, returning, in_turn, fetch;
  assign asked = read_addr[DESCRIPTOR_BITS+:NUMBER_BITS];
  assign of_descriptors = in_window(read_addr, GEM_PORT_BASE_TRANSMIT_DESCRIPTORS, DESCRIPTORS_BYTES);
  assign fetch = read_valid && of_descriptors && read_addr[2] && !used[asked];
  always_comb begin
    shown = '0;
    shown.address = {window_base,
                     GEM_PORT_BASE_TRANSMIT_FRAMES[GEM_PORT_ADDRESS_BITS-1:SLOT_BITS] | (GEM_PORT_ADDRESS_BITS - SLOT_BITS)'(asked),
                     SLOT_BITS'(0)};
    shown.length = 14'(lengths[asked]);
    shown.last = 1'b1;
    shown.no_fcs = 1'b1;  // the core's own, so that nothing that changes a byte on its way goes unseen
    shown.wrap = asked == '1;
    shown.used = used[asked];
  end
  assign back = {write.data, 32'b0};
  assign returned = write.addr[DESCRIPTOR_BITS+:NUMBER_BITS];
  assign returning = write.valid && in_window(write.addr, GEM_PORT_BASE_TRANSMIT_DESCRIPTORS, DESCRIPTORS_BYTES) &&
      write.addr[2] && back.used;
  assign in_turn = returned == drain[NUMBER_BITS-1:0] && waiting != '0;  // one that is still filled has not been read whole

  logic [31:0] descriptor;
  always_ff @(posedge clk) begin
    if (step) begin
      descriptor <= !of_descriptors ? '0 : read_addr[2] ? shown[63:32] : shown[31:0];
      of_frames_q <= of_frames;
    end
    {sent, fault_order, fault_error} <= '0;
    if (publish) begin
      lengths[fill[NUMBER_BITS-1:0]] <= net_tx_length;
      used[fill[NUMBER_BITS-1:0]] <= 1'b0;
    end
    if (fetch) fetched[asked] <= 1'b1;
    if (returning) begin
      fault_order <= !in_turn;
      fault_error <= in_turn && (back.under_run || back.bus_corrupt || back.late_collision || back.retry_limit);
      sent <= in_turn;
      if (in_turn) begin
        used[returned] <= 1'b1;
        fetched[returned] <= 1'b0;
        drain <= drain + 1'b1;
      end
    end
    if (rst || clear) begin
      used <= '1;
      fetched <= '0;
      drain <= '0;
    end
  end
  assign answer = descriptor | (of_frames_q ? from_memory : '0);

  // ---- Announcing, and how long it may take
  logic [RESTART_BITS-1:0] unseen_for;
  logic unseen, overdue;
  logic [31:0] oldest_for;
  always_ff @(posedge clk) begin
    restarted <= 1'b0;
    if (started) start <= 1'b0;
    // What is fetched is being sent: behind it the controller looks by itself.
    unseen <= (~used & ~fetched) != '0 && (~used & fetched) == '0;
    unseen_for <= (unseen && !start) ? unseen_for + 1'b1 : '0;
    if (unseen_for == '1) begin
      start <= 1'b1;
      restarted <= 1'b1;
    end
    if (publish) start <= 1'b1;
    oldest_for <= (used == '1 || sent) ? '0 : oldest_for + 1'b1;
    overdue <= oldest_for >= slot_limit;
    fault_late <= overdue && used != '1;
    if (rst || clear || failed) {start, unseen, unseen_for} <= '0;
    if (rst || clear) {oldest_for, overdue, fault_late} <= '0;
  end
endmodule
