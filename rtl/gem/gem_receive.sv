// SPDX-License-Identifier: Apache-2.0
// Frames from the controller: what its DMA writes into receive buffers is the receive stream, in the order in which it is
// written; nothing is stored to be read back, so a buffer is free again at once. The descriptor's second word with frame_end
// is the frame's end. The controller keeps the FCS in the buffer: the core checks it once more.
//
// The core takes a byte a cycle and a burst brings four, so words wait in a FIFO; while it is full the bus waits. A word
// leaves when the next entry is known: the last one's length comes with the descriptor. What is not a whole frame ends with
// an error, which the core takes for a bad frame, and the port fails.
module gem_receive
  import gem_pkg::*;
  import gem_port_hwmap_pkg::*;
  import zynq_gem_hwmap_pkg::*;
#(
    parameter int SLOTS = 16,   // a power of two
    parameter int FIFO  = 512,  // entries, a power of two
    parameter int GAP   = 20    // cycles between two frames: preamble and interframe gap of a wire
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              on,
    input  logic [31:GEM_PORT_ADDRESS_BITS] window_base,
    input  gem_write_t        write,
    output logic              room,
    input  gem_port_address_t read_addr,
    input  logic              step,
    output logic       [31:0] answer,
    output logic       [ 7:0] net_rx_data,
    output logic              net_rx_valid,
    output logic              net_rx_last,
    output logic              net_rx_err,
    output logic              received,      // pulses
    output logic              aborted,
    output logic              fault_order,
    output logic              fault_length,
    output logic              fault_span
);
  localparam int NUMBER_BITS = $clog2(SLOTS);
  localparam int FRAMES_BYTES = SLOTS * GEM_PORT_SLOT_BYTES;
  localparam int DESCRIPTOR_BITS = $clog2(ZYNQ_GEM_RECEIVE_DESCRIPTOR_BYTES);
  localparam int DESCRIPTORS_BYTES = SLOTS * ZYNQ_GEM_RECEIVE_DESCRIPTOR_BYTES;
  localparam int FW = $clog2(FIFO);
  localparam int AHEAD = 8;  // entries that may come after `room` has fallen
  if (SLOTS < 2 || SLOTS != 2 ** NUMBER_BITS || SLOTS > GEM_PORT_ROOM_RECEIVE_DESCRIPTORS) begin : gen_refuse
    $error("gem_receive %m: SLOTS is %0d, not a power of two of at most %0d", SLOTS, GEM_PORT_ROOM_RECEIVE_DESCRIPTORS);
  end
  if (FIFO != 2 ** FW || FIFO <= 2 * AHEAD || GAP < 1 || GAP > 63) begin : gen_refuse_fifo
    $error("gem_receive %m: FIFO is a power of two above %0d, GAP 1 to 63", 2 * AHEAD);
  end

  // ---- Descriptors: all are the controller's while the port receives.
  /* verilator lint_off UNUSEDSIGNAL */  // a few fields of each
  receive_descriptor_t shown, ended;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [NUMBER_BITS-1:0] asked;
  assign asked = read_addr[DESCRIPTOR_BITS+:NUMBER_BITS];
  always_comb begin
    shown = '0;
    shown.used = !on;
    shown.wrap = asked == '1;
    shown.address = {window_base,
                     GEM_PORT_BASE_RECEIVE_FRAMES[GEM_PORT_ADDRESS_BITS-1:SLOT_BITS] | (GEM_PORT_ADDRESS_BITS - SLOT_BITS)'(asked),
                     (SLOT_BITS - 2)'(0)};
  end
  always_ff @(posedge clk)
    if (step) begin
      answer <= '0;
      if (in_window(read_addr, GEM_PORT_BASE_RECEIVE_DESCRIPTORS, DESCRIPTORS_BYTES) && !read_addr[2])
        answer <= shown[31:0];
    end

  // ---- Beats, by what they are
  typedef struct packed {
    logic                   data;
    logic                   verdict;
    logic [NUMBER_BITS-1:0] slot;
    slot_word_t             word;
    logic                   whole;
    logic [31:0]            bits;
  } beat_t;
  beat_t beat;
  logic in_frames, in_descriptors;
  assign in_frames = in_window(write.addr, GEM_PORT_BASE_RECEIVE_FRAMES, FRAMES_BYTES);
  assign in_descriptors = in_window(write.addr, GEM_PORT_BASE_RECEIVE_DESCRIPTORS, DESCRIPTORS_BYTES);
  always_ff @(posedge clk) begin
    beat <= '{
        data: write.valid && in_frames && on,
        verdict: write.valid && in_descriptors && write.addr[2] && on,
        slot: in_frames ? write.addr[SLOT_BITS+:NUMBER_BITS] : write.addr[DESCRIPTOR_BITS+:NUMBER_BITS],
        word: write.addr[2+:$bits(slot_word_t)],
        whole: &write.strobes,
        bits: write.data
    };
    if (rst) {beat.data, beat.verdict} <= '0;
  end

  // ---- Entries of the FIFO
  typedef enum logic [1:0] {FIRST, MORE, END} kind_t;
  typedef struct packed {
    kind_t       kind;
    logic [31:0] bits;  // of END: whether it is good, above the two lowest bits of the length
  } entry_t;
  localparam int LAST_WORD = GEM_PORT_RECEIVE_BYTES / 4 - 1;
  assign ended = {beat.bits, 32'b0};
  logic [NUMBER_BITS-1:0] slot;
  slot_word_t next;  // words of the frame so far
  logic open, broken, partial, begins, continues, whole_frame, sound, push;
  entry_t pushed;
  assign begins = beat.data && beat.slot == slot && beat.word == '0;
  assign continues = beat.data && open && !partial && beat.slot == slot && beat.word == next &&
      beat.word <= slot_word_t'(LAST_WORD);
  assign sound = open && !broken && whole_frame && ended.frame_begin && ended.frame_end;
  assign whole_frame = 13'(next) == (ended.length + 13'd3) >> 2;
  always_ff @(posedge clk) begin
    {push, received, aborted, fault_order, fault_length, fault_span} <= '0;
    pushed <= '{kind: begins ? FIRST : MORE, bits: beat.bits};
    if (beat.data) partial <= !beat.whole;
    if (begins) begin
      push <= 1'b1;
      {open, broken} <= 2'b10;
      next <= 1;
      aborted <= open;
    end else if (continues) begin
      push <= !broken;
      next <= next + 1;
    end else if (beat.data) begin
      fault_order <= 1'b1;
      broken <= 1'b1;
    end
    if (beat.verdict) begin
      pushed <= '{kind: END, bits: {29'b0, sound, ended.length[1:0]}};
      slot <= beat.slot + 1'b1;
      fault_order <= beat.slot != slot || !open;
      fault_length <= beat.slot == slot && open && !broken && ended.frame_end && !whole_frame;
      fault_span <= !ended.frame_begin || !ended.frame_end;
      push <= open;
      received <= open;
      aborted <= open && !sound;
      {open, broken} <= '0;
    end
    if (rst || !on) {slot, open, broken, partial, push, next} <= '0;
  end

  logic [FW:0] head, tail, used;
  entry_t popped;
  logic pop;
  simple_ram #(
      .BITS($bits(entry_t)), .DEPTH(FIFO)
  ) words (
      .clk, .write(push), .write_addr(head[FW-1:0]), .wdata(pushed), .enable(pop), .read_addr(tail[FW-1:0]), .rdata(popped)
  );
  always_ff @(posedge clk) begin
    if (push) head <= head + 1'b1;
    if (pop) tail <= tail + 1'b1;
    used <= head - tail;
    room <= used < (FW + 1)'(FIFO - AHEAD);
    if (rst) {head, tail, used, room} <= '0;
  end

  // ---- Bytes. A word waits until the entry behind it is there: that may be its frame's end.
  entry_t following;
  logic [31:0] waiting;
  logic fetching, following_valid, waiting_valid, resolved, ends;
  typedef struct packed {
    logic        valid;
    logic [31:0] bits;
    logic [1:0]  more;  // bytes but one
    logic        last;
    logic        err;
  } piece_t;
  piece_t ready, leaving;
  logic [5:0] gap;
  logic advance;
  assign pop = !following_valid && !fetching && head != tail;
  assign resolved = waiting_valid && following_valid && !ready.valid;
  assign ends = following.kind == END;
  assign advance = net_rx_valid && leaving.more == '0;
  always_ff @(posedge clk) begin
    fetching <= pop;
    if (fetching) {following_valid, following} <= {1'b1, popped};
    if (!waiting_valid && following_valid) begin
      following_valid <= 1'b0;
      waiting <= following.bits;
      waiting_valid <= following.kind == FIRST;  // a frame's rest without its beginning is none
    end
    if (resolved) begin
      following_valid <= 1'b0;
      waiting <= following.bits;
      waiting_valid <= !ends;
      ready <= '{
          valid: 1'b1,
          bits: waiting,
          more: ends ? following.bits[1:0] - 2'd1 : 2'd3,
          last: following.kind != MORE,
          err: following.kind == FIRST || (ends && !following.bits[2])
      };
    end else if (!leaving.valid || advance) ready.valid <= 1'b0;
    if (gap != '0) gap <= gap - 1'b1;
    if (net_rx_valid) begin
      leaving.bits <= leaving.bits >> 8;
      leaving.more <= leaving.more - 1'b1;
    end
    if (advance && leaving.last) gap <= 6'(GAP);
    if (!leaving.valid || advance) leaving <= ready;
    if (rst) {fetching, following_valid, waiting_valid, ready.valid, leaving.valid, gap} <= '0;
  end
  assign net_rx_valid = leaving.valid && gap == '0;
  assign net_rx_data = leaving.bits[7:0];
  assign net_rx_last = leaving.last && leaving.more == '0;
  assign net_rx_err = leaving.err && net_rx_last;
endmodule
