// SPDX-License-Identifier: Apache-2.0
// Frames on their way to the CPU: store and forward, in order. A flow frame that acknowledges more than the kernel has
// sent as far as it knows would be dropped by the kernel whole, so it waits for the commit, or for `limit_ns` at most.
//
// The bytes are delayed by one cycle so that the verdict is there when the last one is stored: a bad frame, or one that
// did not fit, is taken back by resetting the write pointer.
module rx_gate
  import egress_pkg::*;
  import fixaccel_types_pkg::*;
#(
    parameter int BYTES  = 16384,  // room for frames, a power of two
    parameter int FRAMES = 256     // frames that may wait, a power of two
) (
    input  logic               clk,
    input  logic               rst,
    input  logic        [ 7:0] net_rx_data,
    input  logic               net_rx_valid,
    input  logic               net_rx_last,
    /* verilator lint_off UNUSEDSIGNAL */  // a few fields of each
    input  rx_verdict_t        verdict,
    input  flow_state_t        flow,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic        [31:0] elapsed_ns,
    input  logic        [31:0] limit_ns,
    output logic        [ 7:0] cpu_rx_data,
    output logic               cpu_rx_valid,
    output logic               cpu_rx_last,
    input  logic               cpu_rx_ready,
    output logic               told,          // pulse: a flow frame with `told_ack` was handed to the CPU
    output logic        [31:0] told_ack,
    output logic               timed_out,     // pulse
    output logic               dropped        // pulse
);
  localparam int AW = $clog2(BYTES);
  localparam int FW = $clog2(FRAMES);
  localparam int MAX_FRAME = 2047;

  typedef struct packed {
    logic        has_ack;
    logic [31:0] ack;
    logic [31:0] arrival;
    logic [10:0] length;
  } waiting_t;

  logic [31:0] now;
  always_ff @(posedge clk) now <= rst ? '0 : now + elapsed_ns;

  // Write side.
  logic [7:0] mem[BYTES];
  waiting_t frames[FRAMES];
  logic d_valid, d_last;
  logic [7:0] d_data;
  logic [AW:0] first, wptr, rptr;  // one bit more than the address tells full from empty
  logic [FW:0] fw, fr;
  logic [10:0] length;
  logic overflow, no_room, accept;

  assign no_room = (wptr - rptr) == (AW + 1)'(BYTES) || length == 11'(MAX_FRAME);
  assign accept = d_valid && d_last && verdict.done && verdict.good && !overflow && !no_room &&
      (fw - fr) != (FW + 1)'(FRAMES);

  always_ff @(posedge clk) begin
    d_valid <= net_rx_valid && !rst;
    d_last <= net_rx_last;
    d_data <= net_rx_data;
    if (d_valid) begin
      wptr <= wptr + 1;
      length <= length + 1;
      overflow <= overflow || no_room;
      if (no_room) {wptr, length} <= {wptr, length};
      if (d_last) begin
        {length, overflow} <= '0;
        if (accept) begin
          first <= wptr + 1;
          fw <= fw + 1;
        end else wptr <= first;
      end
    end
    if (rst) {first, wptr, fw, length, overflow} <= '0;
  end
  always_ff @(posedge clk) begin
    if (d_valid && !no_room) mem[wptr[AW-1:0]] <= d_data;
    if (accept) frames[fw[FW-1:0]] <= '{
          has_ack: verdict.is_flow && verdict.ack_flag,
          ack: verdict.ack,
          arrival: now,
          length: length + 1
      };
  end
  assign dropped = d_valid && d_last && verdict.good && !accept;

  // Read side: fetch the oldest frame's note, look at it, stream it.
  typedef enum logic [2:0] {EMPTY, FETCH, COMPARE, HOLD, STREAM} state_t;
  state_t state;
  waiting_t head;
  logic beyond, old;
  logic [10:0] left;
  logic take;
  logic [AW:0] rptr_next;
  assign take = cpu_rx_valid && cpu_rx_ready;
  assign rptr_next = take ? rptr + 1 : rptr;
  assign cpu_rx_valid = state == STREAM;
  assign cpu_rx_last = left == 11'd1;

  logic pass;
  assign pass = state == HOLD && (!beyond || old);
  assign timed_out = pass && beyond;
  assign told = pass && head.has_ack;
  assign told_ack = head.ack;

  always_ff @(posedge clk) begin
    cpu_rx_data <= mem[rptr_next[AW-1:0]];
    rptr <= rptr_next;
    case (state)
      EMPTY: if (fw != fr) state <= FETCH;
      FETCH: begin
        head <= frames[fr[FW-1:0]];
        state <= COMPARE;
      end
      COMPARE: state <= HOLD;
      HOLD:
      if (pass) begin
        left <= head.length;
        fr <= fr + 1;
        state <= STREAM;
      end
      STREAM:
      if (take) begin
        left <= left - 1;
        if (cpu_rx_last) state <= EMPTY;
      end
      default: state <= EMPTY;
    endcase
    beyond <= head.has_ack && flow.spliced && flow.snd_known && !seq_reached(flow.committed, head.ack);
    old <= (now - head.arrival) >= limit_ns;
    if (rst) begin
      state <= EMPTY;
      {rptr, fr} <= '0;
    end
  end
endmodule
