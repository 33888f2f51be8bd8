// SPDX-License-Identifier: Apache-2.0
// Mailboxes from the CPU: frames with their FCS, each behind its length, one at a time to the core's guard. The next one
// goes when the core has let the one before leave or stopped it, and `tail` counts a frame only then. Its last byte, without
// which the guard does not judge it, waits while the line is crowded: orders wait behind two of them at most, and no time is
// lost with the bytes before. A length that no frame has is thrown away.
module gem_from_cpu
  import fixaccel_types_pkg::*;
  import gem_pkg::*;
  import gem_port_hwmap_pkg::*;
#(
    parameter int SLOTS = 4  // a power of two
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              clear,
    input  logic              on,
    input  logic              crowded,
    input  gem_write_t        write,
    output logic              refused,       // pulse: part of a word
    input  logic       [31:0] head,
    output logic       [31:0] tail,
    output logic       [ 7:0] cpu_tx_data,
    output logic              cpu_tx_valid,
    output logic              cpu_tx_last,
    input  logic              cpu_tx_ready,
    input  logic              cpu_started,   // pulses: a frame that was handed over leaves,
    input  logic              cpu_stopped,   // or does not
    output logic              discarded
);
  localparam int NUMBER_BITS = $clog2(SLOTS);
  localparam int MIN_BYTES = 64;  // FCS included
  if (SLOTS < 2 || SLOTS != 2 ** NUMBER_BITS || SLOTS * SLOT_WORDS > GEM_PORT_ROOM_FROM_CPU) begin : gen_refuse
    $error("gem_from_cpu %m: SLOTS is %0d, not a power of two of at most %0d", SLOTS, GEM_PORT_ROOM_FROM_CPU / SLOT_WORDS);
  end

  logic [31:0] word;
  slot_word_t at;
  logic fetch, ours;
  assign ours = write.valid && in_window(write.addr, GEM_PORT_BASE_FROM_CPU, SLOTS * GEM_PORT_SLOT_BYTES);
  simple_ram #(
      .BITS(32), .DEPTH(SLOTS * SLOT_WORDS)
  ) boxes (
      .clk, .write(ours && &write.strobes), .write_addr(write.addr[2+:$clog2(SLOTS*SLOT_WORDS)]), .wdata(write.data),
      .enable(fetch), .read_addr({tail[NUMBER_BITS-1:0], at}), .rdata(word)
  );
  always_ff @(posedge clk) refused <= ours && !(&write.strobes);

  typedef enum logic [2:0] {WAIT, HEAD, JUDGE, LOAD, BYTES, DONE} state_t;
  state_t state;
  // handed_over: the core has it; numbered: and its number counts; lost: its number went with the others, as it was read
  logic waits, handed_over, handed, numbered, lost;
  logic let_go;  // the last byte may follow
  logic [SLOT_BITS-1:0] left;
  logic [31:0] bits;
  logic [1:0] lane;
  logic possible, take;
  assign take = cpu_tx_valid && cpu_tx_ready;
  assign cpu_tx_valid = state == BYTES && (!cpu_tx_last || let_go);
  assign cpu_tx_data = bits[7:0];
  assign cpu_tx_last = left == SLOT_BITS'(1);
  assign fetch = state == WAIT || state == JUDGE || (take && lane == '0);
  assign possible = bits >= MIN_BYTES && bits <= MAX_FRAME_BYTES;
  always_ff @(posedge clk) begin
    discarded <= 1'b0;
    handed <= 1'b0;
    waits <= head != tail && on && !handed_over && !handed;
    let_go <= cpu_tx_last && state == BYTES && (let_go || !crowded);
    case (state)
      WAIT: begin
        at <= slot_word_t'(GEM_PORT_MAIL_HEAD_BYTES / 4);
        if (waits && !clear) state <= HEAD;
        else at <= '0;
      end
      HEAD: begin
        bits <= word;
        state <= JUDGE;
      end
      JUDGE: begin
        left <= bits[SLOT_BITS-1:0];
        at <= at + 1'b1;
        state <= possible ? LOAD : DONE;
        discarded <= !possible;
      end
      LOAD: begin
        bits <= word;
        lane <= '0;
        state <= BYTES;
      end
      BYTES: if (take) begin
        bits <= (lane == 2'd3) ? word : bits >> 8;
        lane <= lane + 1'b1;
        left <= left - 1'b1;
        if (lane == '0) at <= at + 1'b1;
        if (cpu_tx_last) begin
          state <= DONE;
          handed <= 1'b1;
        end
      end
      DONE: begin
        if (handed) {handed_over, numbered} <= {1'b1, !lost};
        else if (!lost) tail <= tail + 1;
        lost <= 1'b0;
        state <= WAIT;
        {waits, at} <= '0;
      end
      default: state <= WAIT;
    endcase
    if (handed_over && (cpu_started || cpu_stopped)) begin
      handed_over <= 1'b0;
      if (numbered) tail <= tail + 1;
    end
    if (clear) begin
      tail <= '0;
      numbered <= 1'b0;
      lost <= state != WAIT && state != DONE;
      waits <= 1'b0;
    end
    if (rst) begin
      state <= WAIT;
      tail <= '0;
      {waits, handed_over, numbered, lost, at} <= '0;
    end
  end
endmodule
