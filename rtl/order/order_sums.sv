// SPDX-License-Identifier: Apache-2.0
// Makes the order's three checksums while its headers leave: IP, then CheckSum(10), then TCP, which covers CheckSum.
//
// One adder with a registered term, and a fixed schedule from `start`, the cycle of the frame's first byte: the IP
// checksum is there 14 cycles later (byte 24 is loaded in cycle 22), the TCP checksum 41 (byte 50 is loaded in 48).
module order_sums
  import egress_pkg::*;
  import fixaccel_hwmap_pkg::*;
  import order_pkg::*;
(
    input  logic              clk,
    input  logic              rst,
    input  logic              start,
    input  logic       [23:0] rule,          // with `start`
    input  logic       [14:0] fires,
    /* verilator lint_off UNUSEDSIGNAL */  // all but MACs, characters and valid bits
    input  leaving_t          leaving,       // from the cycle after `start` on
    /* verilator lint_on UNUSEDSIGNAL */
    input  template_shape_t   shape,         // from two cycles after that on
    input  logic       [31:0] epoch,
    output fields_t           fields,
    output logic       [15:0] ip_checksum,
    output logic       [15:0] tcp_checksum,
    output logic              done           // pulse: all of it stands until the next start
);
  localparam logic [5:0] IP_TERMS = 9;
  localparam logic [5:0] IP_FOLD_AT = IP_TERMS + 2;  // two cycles from a term's choice to the sum with it
  localparam logic [5:0] TCP_FIRST = IP_TERMS + 2;  // while the IP sum is folded twice its first terms are made
  localparam logic [5:0] ID_AT = TCP_FIRST + 18;    // when the ClOrdID's sums are needed
  localparam logic [5:0] CHECKSUM_AT = ID_AT + 6;   // two cycles to the sum, three to its digits, two to theirs
  localparam logic [5:0] FOLD_AT = CHECKSUM_AT + 3;

  logic busy;
  logic [5:0] t;

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
  assign fields = '{epoch: epoch, rule: rule_digits, fires: fires_digits, checksum: checksum};
  char_sums_t seq_num_sums, time_sums, id_sums, checksum_sums;
  field_sums sums (
      .clk, .seq_num(leaving.seq_num), .utc(leaving.utc), .fields, .seq_num_sums, .time_sums, .id_sums, .checksum_sums
  );

  // CheckSum(10): the sum of all bytes before it, modulo 256, as three digits, a step a cycle.
  logic [7:0] known_sum, id_sum, fix_sum, rest;
  always_ff @(posedge clk) begin
    known_sum <= leaving.order.fix_sum + 8'(seq_num_sums[0] + seq_num_sums[1]) + 8'((time_sums[0] + time_sums[1]) << 1);
    id_sum <= 8'(id_sums[0] + id_sums[1]);
    fix_sum <= known_sum + id_sum;
    case (t)
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
  end

  logic [15:0] ip_length, tcp_length;
  always_ff @(posedge clk) begin
    tcp_length <= 16'(shape.last_byte) + 16'(TCP_BYTES + 1);
    ip_length <= 16'(shape.last_byte) + 16'(IP_BYTES + TCP_BYTES + 1);
  end

  /* verilator lint_off UNUSEDSIGNAL */  // MACs are in no checksum
  segment_t segment;
  /* verilator lint_on UNUSEDSIGNAL */
  // A word as it stands, or the sums of a field: chosen one cycle, made a term the next.
  logic [15:0] word;
  logic of_field, starts_odd;
  char_sums_t field_sums;
  logic [17:0] term;
  assign segment = leaving.segment;
  always_ff @(posedge clk) begin
    case (t)
      // IP header
      0: word <= IP_VERSION_WORD;
      1: word <= segment.ip_id;
      2: word <= IP_FRAGMENT_WORD;
      3: word <= IP_PROTOCOL_WORD;
      4: word <= ip_length;
      5, TCP_FIRST: word <= segment.src_ip[31:16];
      6, TCP_FIRST + 1: word <= segment.src_ip[15:0];
      7, TCP_FIRST + 2: word <= segment.dst_ip[31:16];
      8, TCP_FIRST + 3: word <= segment.dst_ip[15:0];
      // TCP pseudo header, header, payload
      TCP_FIRST + 4: word <= {8'b0, PROTOCOL_TCP};
      TCP_FIRST + 5: word <= tcp_length;
      TCP_FIRST + 6: word <= segment.src_port;
      TCP_FIRST + 7: word <= segment.dst_port;
      TCP_FIRST + 8: word <= segment.seq[31:16];
      TCP_FIRST + 9: word <= segment.seq[15:0];
      TCP_FIRST + 10: word <= segment.ack[31:16];
      TCP_FIRST + 11: word <= segment.ack[15:0];
      TCP_FIRST + 12: word <= TCP_FLAGS_WORD;
      TCP_FIRST + 13: word <= segment.window;
      TCP_FIRST + 14: word <= leaving.order.tcp_sum;
      default: word <= '0;
    endcase
    of_field <= 1'b1;
    case (t)
      TCP_FIRST + 15: {field_sums, starts_odd} <= {seq_num_sums, shape.seq_num_odd};
      TCP_FIRST + 16: {field_sums, starts_odd} <= {time_sums, shape.sending_time_odd};
      TCP_FIRST + 17: {field_sums, starts_odd} <= {time_sums, shape.transact_time_odd};
      ID_AT: {field_sums, starts_odd} <= {id_sums, shape.cl_ord_id_odd};
      CHECKSUM_AT: {field_sums, starts_odd} <= {checksum_sums, !shape.last_byte[0]};
      default: of_field <= 1'b0;
    endcase
    term <= of_field ? word_sum(field_sums, starts_odd) : {2'b0, word};
  end

  logic [22:0] sum;  // 32 terms of 18 bits
  logic [16:0] folded;
  assign folded = {1'b0, sum[15:0]} + {10'b0, sum[22:16]};

  always_ff @(posedge clk) begin
    done <= busy && t == FOLD_AT + 1;
    if (busy) t <= t + 1;
    sum <= sum + {5'b0, term};
    if (t == IP_FOLD_AT || t == FOLD_AT) sum <= {6'b0, folded};
    if (t == IP_FOLD_AT + 1) begin
      ip_checksum <= ~folded[15:0];
      sum <= '0;
    end
    if (t == FOLD_AT + 1) begin
      tcp_checksum <= ~folded[15:0];
      busy <= 1'b0;
    end
    if (start) begin
      busy <= 1'b1;
      t <= '0;
      sum <= '0;
    end
    if (rst) begin
      {busy, done} <= '0;
      t <= '1;  // no term
    end
  end

  always_ff @(posedge clk) assert (rst || !busy || t != ID_AT - 3 || (rule_done && fires_done));
endmodule
