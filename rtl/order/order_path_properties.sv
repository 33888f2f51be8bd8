// SPDX-License-Identifier: Apache-2.0
// What must hold of every order, seen from outside the modules that make it. Simulation only.
module order_path_properties
  import egress_pkg::*;
  import fixaccel_hwmap_pkg::*;
  import fixaccel_types_pkg::*;
  import order_pkg::*;
(
    input logic        clk,
    input logic        rst,
    input reasons_t    reasons,
    input logic        enabled,
    input logic        dry,
    input logic        linked,
    input logic        take,
    input logic        hit_valid,
    input logic        hit_early,
    input logic        sends,
    input logic        order_error,
    /* verilator lint_off UNUSEDSIGNAL */  // the sequence numbers
    input leaving_t    leaving,
    input flow_state_t flow,
    /* verilator lint_on UNUSEDSIGNAL */
    input logic        start,
    input logic        watch,
    input logic        goes,
    input logic [ 7:0] outcome,
    input hit_t        hit,
    input logic        lease_hold,
    input logic        wire_ready,
    input logic        order_valid,
    input logic [ 7:0] order_data,
    input logic        order_last,
    input logic        order_ready,
    input logic        streaming,
    input logic [31:0] ring_head,
    input logic [31:0] next_seq_num,
    input logic        numbers_set,
    input logic        fetched_ready,
    input logic        fetched_pop,
    input logic [15:0] length
);
  // The number after `bcd`.
  function automatic logic [31:0] bcd_next(logic [31:0] bcd);
    logic carry;
    carry = 1'b1;
    for (int i = 0; i < SEQ_NUM_CHARS; i++) begin
      bcd_next[4*i+:4] = !carry ? bcd[4*i+:4] : (bcd[4*i+:4] == 4'd9) ? 4'd0 : bcd[4*i+:4] + 4'd1;
      carry = carry && bcd[4*i+:4] == 4'd9;
    end
  endfunction

  // ---- When an order starts
  logic [31:0] last_used, head_before;
  reasons_t earlier;
  logic used, moved, gone;
  logic decided;  // the order that is leaving has been sent
  always_ff @(posedge clk) begin
    earlier <= reasons;
    moved <= numbers_set;
    gone <= take && outcome inside {8'(OUTCOME_SENT), 8'(OUTCOME_DRY), 8'(OUTCOME_WATCH)} && !rst;
    if (sends) {used, last_used} <= {1'b1, next_seq_num};
    if (start || sends) decided <= sends;
    if (moved || rst) used <= 1'b0;
    if (!rst) begin
      assert (!start || order_ready);  // a wire that is ready takes the byte
      assert (!start || (hit_valid ? sends : hit_early));
      assert (!sends || (take && hit_valid && !hit.spoiled && (start || streaming)));
      // It is whole if it was sent, and only then; it has the numbers that it is sent with.
      assert (!(order_valid && order_ready && order_last) || order_error == !decided);
      assert (!sends || start || (leaving.seq_num == next_seq_num && leaving.segment.seq == flow.snd_nxt));
      assert (!start || (enabled && !lease_hold && wire_ready && !streaming));
      assert (!start || earlier == '0);
      assert (!start || !dry);
      assert (!(take && watch) || (!start && !goes));  // nothing leaves, and no limit counts it
      assert (linked == gone);
      assert (take == 1'b0 || sends == (outcome == 8'(OUTCOME_SENT)));
      // A number is used once, and the next one follows.
      assert (!sends || !used || next_seq_num == bcd_next(last_used));
      assert (!fetched_pop || fetched_ready);
    end
  end

  // The record is counted within the eight byte times of a MAC's preamble, and the hit stands until it is written.
  localparam int COUNTED = 7;
  localparam int WRITTEN = 4;
  logic [COUNTED:1] taken;  // so many cycles ago
  hit_t stood;
  always_ff @(posedge clk) begin
    taken <= {taken[COUNTED-1:1], take};
    stood <= hit;
    if (take) head_before <= ring_head;
    if (rst) taken <= '0;
    else begin
      assert (taken[WRITTEN:1] == '0 || hit == stood);
      // The limits are those of this very fire: its time is the last thing known of it, and they are a cycle behind that.
      assert (!take || hit == stood || hit.spoiled);
      assert (!taken[COUNTED] || ring_head == head_before + 1);
      assert (taken == '0 || !take);
    end
  end

  // ---- What leaves: the checksums, from the very bytes
  localparam int IP_AT = ETHERNET_BYTES;
  localparam int TCP_AT = IP_AT + IP_BYTES;
  localparam int PAYLOAD_AT = TCP_AT + TCP_BYTES;
  logic accept;
  logic [15:0] n;
  logic [31:0] ip_sum, tcp_sum;  // of 16-bit words, not folded
  logic [7:0] fix_sum;           // of the bytes that have left `tail`
  logic [6:0][7:0] tail;         // the last seven bytes: 10=ddd and SOH
  assign accept = order_valid && order_ready;

  function automatic logic [15:0] fold(logic [31:0] sum);
    logic [31:0] once;
    once = {16'b0, sum[15:0]} + {16'b0, sum[31:16]};
    return once[15:0] + once[31:16];
  endfunction

  logic [31:0] word;
  assign word = n[0] ? {24'b0, order_data} : {16'b0, order_data, 8'b0};
  logic ends;
  always_ff @(posedge clk) begin
    ends <= accept && order_last && !rst;
    if (accept) begin
      n <= order_last ? '0 : n + 1;
      if (n == 0) {ip_sum, tcp_sum, fix_sum, tail} <= '0;
      else begin
        if (n >= 16'(IP_AT) && n < 16'(TCP_AT)) ip_sum <= ip_sum + word;
        if (n >= 16'(TCP_AT - 8)) tcp_sum <= tcp_sum + word;  // addresses, header, payload
        if (n >= 16'(PAYLOAD_AT)) begin
          fix_sum <= fix_sum + tail[6];
          tail <= {tail[5:0], order_data};
        end
      end
    end
    if (rst) n <= '0;
    if (ends && !rst) begin
      assert (fold(ip_sum) == 16'hFFFF);
      assert (fold(tcp_sum + 32'(PROTOCOL_TCP) + 32'(TCP_BYTES) + 32'(length)) == 16'hFFFF);
      assert (tail[6:4] == "10=" && tail[0] == 8'h01);
      assert (12'(fix_sum) == 12'(tail[3][3:0]) * 12'd100 + 12'(tail[2][3:0]) * 12'd10 + 12'(tail[1][3:0]));
    end
  end
endmodule

bind order_path order_path_properties properties (.numbers_set(lease_released || actions.set_seq_num), .*);
