// SPDX-License-Identifier: Apache-2.0
// Makes the order's three checksums while its first bytes leave: IP, then CheckSum(10), then TCP, which covers CheckSum.
//
// One adder and a fixed schedule. `start` comes three cycles after the fire was taken at the latest; the IP checksum is
// there 13 cycles later (byte 24 needs it), the TCP checksum 42 cycles later (byte 50 needs it).
module order_sums
  import egress_pkg::*;
  import fixaccel_hwmap_pkg::*;
  import host_pkg::*;
  import order_pkg::*;
(
    input  logic                    clk,
    input  logic                    rst,
    input  logic                    start,
    /* verilator lint_off UNUSEDSIGNAL */  // all but the MACs
    input  segment_t                segment,      // these hold still from `start` on
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic             [31:0] seq_num,
    input  utc_t                    utc,
    input  logic             [31:0] epoch,
    input  logic             [23:0] rule,
    input  logic             [14:0] fires,
    input  logic             [15:0] length,       // payload bytes
    input  logic             [15:0] order_tcp_sum,
    input  logic             [ 7:0] order_fix_sum,
    /* verilator lint_off UNUSEDSIGNAL */  // parities only
    input  template_header_t        header,
    /* verilator lint_on UNUSEDSIGNAL */
    output fields_t                 fields,
    output logic             [15:0] ip_checksum,
    output logic             [15:0] tcp_checksum,
    output logic                    done          // level until the next start
);
  localparam logic [5:0] IP_TERMS = 9;
  localparam logic [5:0] TCP_FIRST = IP_TERMS + 2;  // two cycles fold the IP sum
  localparam logic [5:0] ID_AT = TCP_FIRST + 18;  // when the ClOrdID's characters are needed
  localparam logic [5:0] CHECKSUM_AT = ID_AT + 5;  // five cycles from there to the digits of CheckSum
  localparam logic [5:0] END = CHECKSUM_AT + 3;

  logic busy;
  logic [5:0] t;
  assign done = !busy;

  rule_digits_t rule_digits;
  fires_digits_t fires_digits;
  logic rule_done, fires_done;
  base36 #(.BITS(24), .DIGITS(RULE_DIGITS)) rule_text (
      .clk, .rst, .start, .value(rule), .done(rule_done), .digits(rule_digits)
  );
  base36 #(.BITS(15), .DIGITS(FIRES_DIGITS)) fires_text (
      .clk, .rst, .start, .value(fires), .done(fires_done), .digits(fires_digits)
  );

  logic [11:0] checksum;
  assign fields = '{
          seq_num: seq_num, utc: utc, epoch: epoch, rule: rule_digits, fires: fires_digits, checksum: checksum
      };
  char_sums_t seq_num_sums, time_sums, id_sums, checksum_sums;
  field_sums sums (
      .clk, .enable(busy), .fields,
      .seq_num(seq_num_sums), .utc_time(time_sums), .cl_ord_id(id_sums), .checksum(checksum_sums)
  );

  // CheckSum(10): the sum of all bytes before it, modulo 256, as three digits, a step a cycle.
  logic [7:0] fix_sum, rest;
  always_ff @(posedge clk)
    if (busy)
      case (t)
        ID_AT: fix_sum <= order_fix_sum + 8'(seq_num_sums[0] + seq_num_sums[1]) +
            8'((time_sums[0] + time_sums[1]) << 1) + 8'(id_sums[0] + id_sums[1]);
        ID_AT + 1: begin
          checksum[11:8] <= (fix_sum >= 8'd200) ? 4'd2 : (fix_sum >= 8'd100) ? 4'd1 : 4'd0;
          rest <= (fix_sum >= 8'd200) ? fix_sum - 8'd200 : (fix_sum >= 8'd100) ? fix_sum - 8'd100 : fix_sum;
        end
        ID_AT + 2: begin
          for (int i = 0; i < 10; i++)
            if (rest >= 8'(10 * i)) checksum[7:4] <= 4'(i);
        end
        ID_AT + 3: checksum[3:0] <= 4'(rest - {3'b0, checksum[7:4], 1'b0} - {1'b0, checksum[7:4], 3'b0});
        default: ;
      endcase

  logic [15:0] ip_length, tcp_length;
  assign tcp_length = length + 16'(TCP_BYTES);
  assign ip_length = tcp_length + 16'(IP_BYTES);

  logic [17:0] term;
  always_comb begin
    term = '0;
    case (t)
      // IP header
      0: term = {2'b0, IP_VERSION_WORD};
      1: term = {2'b0, ip_length};
      2: term = {2'b0, segment.ip_id};
      3: term = {2'b0, IP_FRAGMENT_WORD};
      4: term = {2'b0, IP_PROTOCOL_WORD};
      5, TCP_FIRST: term = {2'b0, segment.src_ip[31:16]};
      6, TCP_FIRST + 1: term = {2'b0, segment.src_ip[15:0]};
      7, TCP_FIRST + 2: term = {2'b0, segment.dst_ip[31:16]};
      8, TCP_FIRST + 3: term = {2'b0, segment.dst_ip[15:0]};
      // TCP pseudo header, header, payload
      TCP_FIRST + 4: term = {10'b0, PROTOCOL_TCP};
      TCP_FIRST + 5: term = {2'b0, tcp_length};
      TCP_FIRST + 6: term = {2'b0, segment.src_port};
      TCP_FIRST + 7: term = {2'b0, segment.dst_port};
      TCP_FIRST + 8: term = {2'b0, segment.seq[31:16]};
      TCP_FIRST + 9: term = {2'b0, segment.seq[15:0]};
      TCP_FIRST + 10: term = {2'b0, segment.ack[31:16]};
      TCP_FIRST + 11: term = {2'b0, segment.ack[15:0]};
      TCP_FIRST + 12: term = {2'b0, TCP_FLAGS_WORD};
      TCP_FIRST + 13: term = {2'b0, segment.window};
      TCP_FIRST + 14: term = {2'b0, order_tcp_sum};
      TCP_FIRST + 15: term = word_sum(seq_num_sums, header.seq_num_odd);
      TCP_FIRST + 16: term = word_sum(time_sums, header.sending_time_odd);
      TCP_FIRST + 17: term = word_sum(time_sums, header.transact_time_odd);
      ID_AT: term = word_sum(id_sums, header.cl_ord_id_odd);
      CHECKSUM_AT: term = word_sum(checksum_sums, header.checksum_odd);
      default: ;
    endcase
  end

  logic [22:0] sum;  // 32 terms of 18 bits
  logic [16:0] folded;
  assign folded = {1'b0, sum[15:0]} + {10'b0, sum[22:16]};

  always_ff @(posedge clk) begin
    if (busy) begin
      t <= t + 1;
      sum <= sum + {5'b0, term};
      if (t == IP_TERMS || t == END - 2) sum <= {6'b0, folded};
      if (t == IP_TERMS + 1) begin
        ip_checksum <= ~folded[15:0];
        sum <= '0;
      end
      if (t == END - 1) begin
        tcp_checksum <= ~folded[15:0];
        busy <= 1'b0;
      end
      assert (t != ID_AT - 2 || (rule_done && fires_done));
    end
    if (start) begin
      busy <= 1'b1;
      t <= '0;
      sum <= '0;
    end
    if (rst) busy <= 1'b0;
  end
endmodule
