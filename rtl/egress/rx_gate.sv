// SPDX-License-Identifier: Apache-2.0
// Frames on their way to the CPU: store and forward, in order. A frame of the session's flow that acknowledges more than the kernel has
// sent as far as it knows would be dropped by the kernel whole, so it waits for the commit.
//
// Nothing is dropped for waiting. When the FIFO fills up, or `limit_ns` has passed, the frame at its head passes with its
// acknowledgement lowered to what the kernel knows: the kernel takes the data at once. What the FIFO still holds below
// its mark waits on, so the true acknowledgement reaches the kernel after the commit.
//
// The bytes are delayed so that the verdict is there when the last one is stored: a bad frame, or one that did not fit, is
// taken back by resetting the write pointer.
module rx_gate
  import crc32_pkg::*;
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
    input  logic               committing,    // pulse: the host writes `committed`
    input  logic        [31:0] elapsed_ns,
    input  logic        [31:0] limit_ns,
    output logic        [ 7:0] cpu_rx_data,
    output logic               cpu_rx_valid,
    output logic               cpu_rx_last,
    input  logic               cpu_rx_ready,
    output logic               told,          // pulse: a flow frame with `told_ack` was handed to the CPU
    output logic        [31:0] told_ack,
    output logic               timed_out,     // pulse: lowered for age
    output logic               lowered,       // pulse: lowered for want of room
    output logic               dropped        // pulse
);
  localparam int AW = $clog2(BYTES);
  localparam int FW = $clog2(FRAMES);
  // Beyond the mark frames are let go. Above it there is room for one that arrives and one that leaves.
  localparam int MARK_BYTES = BYTES / 4 * 3;
  localparam int MARK_FRAMES = FRAMES / 4 * 3;
  if (BYTES != 2 ** AW || FRAMES != 2 ** FW || BYTES - MARK_BYTES < 2 * MAX_FRAME_BYTES) begin : gen_refuse
    $error("rx_gate %m: BYTES and FRAMES are powers of two, BYTES at least eight of the longest frames");
  end

  typedef struct packed {
    logic          has_ack;
    logic [31:0]   ack;
    logic [15:0]   checksum;
    logic [3:0]    ihl;
    frame_length_t length;
  } note_t;

  // Write side.
  logic [7:0] mem[BYTES];
  note_t notes[FRAMES];
  logic [RX_VERDICT_CYCLES-1:0] valids, lasts;
  logic [RX_VERDICT_CYCLES-1:0][7:0] datas;
  logic d_valid, d_last;
  logic [7:0] d_data, d_before;
  logic [AW:0] first, wptr, rptr;  // one bit more than the address tells full from empty
  logic [AW:0] used;
  logic [FW:0] fw, fr;
  frame_length_t length;
  logic [3:0] ihl;
  logic [6:0] to_checksum;  // bytes until the low half of the TCP checksum
  logic [15:0] checksum;
  logic full, longest, no_note, overflow, no_room, good, accept;  // longest: as long as a frame may be
  assign {d_valid, d_last, d_data} = {valids[0], lasts[0], datas[0]};
  assign no_room = full || longest;
  assign good = d_valid && d_last && verdict.done && verdict.good;
  assign accept = good && !overflow && !no_room && !no_note;
  // The frame that ends is forgotten: a LUT each, for much hangs on it.
  (* keep = "true" *) logic spoiled, forgets;
  assign spoiled = !verdict.done || !verdict.good || overflow || no_note;
  assign forgets = d_last && (spoiled || full || longest);
  assign dropped = good && !accept;

  always_ff @(posedge clk) begin
    for (int i = 0; i < RX_VERDICT_CYCLES - 1; i++)
      {valids[i], lasts[i], datas[i]} <= {valids[i+1], lasts[i+1], datas[i+1]};
    {valids[RX_VERDICT_CYCLES-1], lasts[RX_VERDICT_CYCLES-1], datas[RX_VERDICT_CYCLES-1]} <=
        {net_rx_valid, net_rx_last, net_rx_data};
    // Two cycles old, in each of which a byte may have been stored.
    used <= wptr - rptr;
    full <= used >= (AW + 1)'(BYTES - 2);
    no_note <= (fw - fr) >= (FW + 1)'(FRAMES);
    if (d_valid) begin
      d_before <= d_data;
      if (length == frame_length_t'(ETHERNET_BYTES)) begin
        ihl <= d_data[3:0];
        to_checksum <= {1'b0, d_data[3:0], 2'b00} + 7'd17;
      end else if (to_checksum != '0) to_checksum <= to_checksum - 1;
      if (to_checksum == 7'd1) checksum <= {d_before, d_data};
      wptr <= forgets ? first : no_room ? wptr : wptr + 1;
      if (no_room) overflow <= 1'b1;
      else begin
        length <= length + 1;
        longest <= length == frame_length_t'(MAX_FRAME_BYTES - 1);
      end
      if (d_last) begin
        {length, longest, overflow, to_checksum} <= '0;
        if (accept) begin
          first <= wptr + 1;
          fw <= fw + 1;
        end
      end
    end
    if (rst) {valids, first, wptr, fw, length, longest, overflow, to_checksum, full, no_note} <= '0;
  end
  always_ff @(posedge clk) begin
    if (d_valid && !no_room) mem[wptr[AW-1:0]] <= d_data;
    if (accept) notes[fw[FW-1:0]] <= '{
          has_ack: verdict.is_flow && verdict.acceptable && verdict.ack_flag,
          ack: verdict.ack,
          checksum: checksum,
          ihl: ihl,
          length: length + 1
      };
  end

  // Read side: the oldest frame's note is fetched and compared while the frame before it still leaves.
  note_t fetched, head;
  logic [2:0] ripe;  // fetched, head, compared
  logic judged, beyond;
  logic crowded;
  logic [31:0] held_ns;
  logic [32:0] longer;
  logic old;
  assign judged = ripe[2];
  assign longer = {1'b0, held_ns} + {1'b0, elapsed_ns};

  // RFC 1624: checksum' = ~(~checksum + ~old + new), for both halves of the acknowledgement. A step a cycle: it is there
  // before its bytes are.
  logic [16:0] old_acks, new_acks, folded;
  logic [17:0] unsummed, kept;
  logic [18:0] sum;
  logic [31:0] low_ack;
  logic [15:0] low_checksum;

  logic holds, pass_low, streams;  // a bit a state
  (* keep = "true" *) logic pass, counts;  // a LUT each, for much hangs on them
  logic advance, issue, final_byte;
  frame_length_t left, t, t_first;  // bytes to come; offset from the TCP header on; that of the first byte
  logic lower;
  assign pass = holds && judged && !beyond;
  assign issue = streams && advance;
  assign counts = !streams || !cpu_rx_valid || cpu_rx_ready;  // not `streams`, or `advance`
  assign final_byte = left == frame_length_t'(1);

  always_ff @(posedge clk) begin
    crowded <= used >= (AW + 1)'(MARK_BYTES) || (fw - fr) >= (FW + 1)'(MARK_FRAMES);
    fetched <= notes[fr[FW-1:0]];
    head <= fetched;
    // Nothing stands behind the carry: the rest clears the register.
    beyond <= !seq_reached(flow.committed, head.ack);
    if (!head.has_ack || !flow.spliced || !flow.snd_known) beyond <= 1'b0;
    t_first <= -(frame_length_t'(ETHERNET_BYTES) + {5'b0, head.ihl, 2'b00});
    old_acks <= {1'b0, ~head.ack[31:16]} + {1'b0, ~head.ack[15:0]};
    unsummed <= {1'b0, old_acks} + {2'b0, ~head.checksum};
    ripe <= (pass || pass_low) ? '0 : {ripe[1:0], (fw ^ fr) != '0};  // bit by bit: no carry chain

    old <= held_ns >= limit_ns;
    if (judged && beyond) held_ns <= longer[32] ? '1 : longer[31:0];
    if (committing || (pass && head.has_ack)) {held_ns, old} <= '0;

    if (holds) low_ack <= flow.committed;
    pass_low <= holds && judged && beyond && (crowded || old);
    if (pass || pass_low) streams <= 1'b1;
    if (issue && final_byte) streams <= 1'b0;
    holds <= (holds && !(judged && (!beyond || crowded || old))) || (issue && final_byte);
    if (pass || pass_low) fr <= fr + 1;
    if (!streams) lower <= pass_low;
    if (counts) begin  // from what stands in the cycle in which the frame passes
      left <= streams ? left - 1 : head.length;
      t <= streams ? t + 1 : t_first;
    end
    if (issue) rptr <= rptr + 1;
    if (rst) begin
      {holds, pass_low, streams} <= 3'b100;
      {rptr, fr, ripe, held_ns, old} <= '0;
    end
  end
  assign told = (pass || pass_low) && head.has_ack;
  assign told_ack = pass_low ? low_ack : head.ack;
  assign timed_out = pass_low && !crowded;
  assign lowered = pass_low && crowded;

  // Bytes on their way out: memory, the register behind it, patch, FCS. All of them move together.
  typedef struct packed {
    logic valid;
    logic last;
    logic fcs;    // of a lowered frame: made anew
  } tag_t;
  tag_t m, q, p;
  // Bytes of a lowered frame that change, by their offset from the TCP header on: acknowledgement and checksum.
  localparam int PATCHES = 6;
  localparam int PATCHED[PATCHES] = '{8, 9, 10, 11, 16, 17};
  logic [PATCHES-1:0] m_patch;
  logic [PATCHES-1:0][7:0] patches;
  logic q_patch;
  logic [7:0] m_data, q_data, q_other, other, p_data;
  logic [31:0] low_ack_q;  // of the frame that leaves
  logic [31:0] crc, crc_next;  // of what is before p_data, which is added to its lowest byte unless it is made of it
  logic [7:0] p_next;
  assign advance = !cpu_rx_valid || cpu_rx_ready;
  always_comb begin
    for (int i = 0; i < 4; i++) patches[i] = low_ack_q[8*(3-i)+:8];
    {patches[4], patches[5]} = low_checksum;
    other = '0;
    for (int i = 0; i < PATCHES; i++) if (m_patch[i]) other = other | patches[i];
    p_next = q_patch ? q_other : q_data;
    crc_next = crc;
    if (p.valid) crc_next = p.last ? CRC32_START : p.fcs ? crc >> 8 : crc32_byte(crc, '0);
  end
  always_ff @(posedge clk) begin
    if (pass_low) {low_ack_q, kept} <= {low_ack, unsummed};
    new_acks <= {1'b0, low_ack_q[31:16]} + {1'b0, low_ack_q[15:0]};
    sum <= {1'b0, kept} + {2'b0, new_acks};
    folded <= {1'b0, sum[15:0]} + {14'b0, sum[18:16]};
    low_checksum <= ~(folded[15:0] + {15'b0, folded[16]});
    if (advance) begin
      m <= '{valid: issue, last: final_byte, fcs: lower && left <= frame_length_t'(FCS_BYTES)};
      for (int i = 0; i < PATCHES; i++) m_patch[i] <= lower && t == frame_length_t'(PATCHED[i]);
      m_data <= mem[rptr[AW-1:0]];
      {q, q_data} <= {m, m_data};
      {q_patch, q_other} <= {m_patch != '0, other};
      p <= q;
      p_data <= p_next;
      cpu_rx_valid <= p.valid;
      cpu_rx_last <= p.last;
      cpu_rx_data <= p.fcs ? ~crc[7:0] : p_data;
      crc <= crc_next ^ {24'b0, (q.valid && !q.fcs) ? p_next : 8'h00};
    end
    if (rst) begin
      {m.valid, q.valid, p.valid, cpu_rx_valid} <= '0;
      crc <= CRC32_START;
    end
  end
endmodule
