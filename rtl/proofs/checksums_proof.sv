// SPDX-License-Identifier: Apache-2.0
// The checksums of an order for every value of every field, begun in any state of the module in which none is under way: nothing
// of an order before plays a part. The reference adds plain bytes where they stand in the segment; of what is static it has the
// compiler's sums.
//  1. The IP checksum is right: the header's words and it add up to a multiple of 65,535, which is not zero; it is never
//     0xFFFF, which is zero, too (RFC 1624, 3).
//  2. The TCP checksum is right: so do the words of pseudo header, header and payload, and it.
//  3. CheckSum(10) is the sum of all bytes before it modulo 256, in three digits.
//  4. What payload_fetch gets of a patched field is the character that was summed.
// The digits of a ClOrdID are what base36 makes of its numbers; that has a proof of its own.
module checksums_proof
  import egress_pkg::*, fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, order_pkg::*;
(
    input logic             clk,
    input logic [23:0]      rule,
    input logic [14:0]      fires,
    input leaving_t         leaving,
    input template_shape_t  shape,
    input logic [31:0]      epoch,
    input logic [2:0]       source,
    input logic [4:0]       index
);
  logic [5:0] n;     // cycles since `start`
  logic [1:0] idle;  // before it
  initial {n, idle} = '0;
  always_ff @(posedge clk)
    if (idle != '1) idle <= idle + 1'b1;
    else if (n != '1) n <= n + 1'b1;
  logic start, text_ready;
  slot_t text_slot;
  logic [1:0][7:0] text;
  logic [15:0] ip_checksum, tcp_checksum;
  assign start = n == '0 && idle == '1;
  assign text_slot = slot_of(source, index);
  order_sums sums (.rst(1'b0), .*);

  // An order takes its values along; the shape of its template is there two cycles later. Numbers are decimal digits.
  leaving_t leaving_q;
  template_shape_t shape_q;
  logic [31:0] epoch_q;
  logic decimal;
  always_ff @(posedge clk) {leaving_q, shape_q, epoch_q} <= {leaving, shape, epoch};
  always_comb begin
    decimal = 1'b1;
    for (int i = 0; i < 8; i++) decimal &= leaving.seq_num[4*i+:4] <= 4'd9 && leaving.utc.date[4*i+:4] <= 4'd9;
    for (int i = 0; i < 6; i++) decimal &= leaving.utc.hms[4*i+:4] <= 4'd9;
    for (int i = 0; i < 3; i++) decimal &= leaving.utc.ms[4*i+:4] <= 4'd9;
    assume (decimal);
    assume (idle == '1 || (!sums.busy && sums.t > 6'd41 && sums.at == '0));  // the one before has come to its end, as the last rule says
    assume (n == '0 || (leaving == leaving_q && epoch == epoch_q));
    assume (n < 6'd3 || shape == shape_q);
  end

  // ---- The fields as they stand in the message, first character first.
  localparam int SEQ_NUM = 8, TIME = 21, ID = 20, TRAILER = 3;
  function automatic logic [7:0] digit(logic [5:0] value);
    return (value < 6'd10) ? "0" + {2'b0, value} : "A" + {2'b0, value} - 8'd10;
  endfunction
  logic [7:0] seq_num[SEQ_NUM], utc[TIME], id[ID], trailer[TRAILER];
  always_comb begin
    for (int i = 0; i < SEQ_NUM; i++) seq_num[i] = digit({2'b0, leaving.seq_num[28-4*i+:4]});
    for (int i = 0; i < 8; i++) utc[i] = digit({2'b0, leaving.utc.date[28-4*i+:4]});
    utc[8] = "-";
    for (int i = 0; i < 3; i++) begin
      utc[9+3*i] = digit({2'b0, leaving.utc.hms[20-8*i+:4]});
      utc[10+3*i] = digit({2'b0, leaving.utc.hms[16-8*i+:4]});
      utc[11+3*i] = (i == 2) ? "." : ":";
      utc[18+i] = digit({2'b0, leaving.utc.ms[8-4*i+:4]});
    end
    for (int i = 0; i < ID; i++) id[i] = "0";
    for (int i = 0; i < 4; i++) id[i] = epoch[8*i+:8];
    for (int i = 0; i < RULE_DIGITS; i++) id[11-i] = digit(sums.rule_digits[i]);
    for (int i = 0; i < FIRES_DIGITS; i++) id[19-i] = digit(sums.fires_digits[i]);
    for (int i = 0; i < TRAILER; i++) trailer[i] = digit({2'b0, sums.checksum[8-4*i+:4]});
  end

  // ---- Two characters after the other are added, those with an even index apart from those with an odd one, in the order in
  // which the module asks for them: then each cycle follows from the one before.
  logic [5:0] t;
  assign t = sums.t;
  typedef logic [1:0][7:0] pair_t;
  function automatic pair_t pair_of(logic [5:0] walked);
    pair_of = '0;
    for (int i = 0; i < SEQ_NUM / 2; i++) if (int'(walked) == int'(SEQ_NUM_SLOT) + i) pair_of = {seq_num[2*i+1], seq_num[2*i]};
    for (int i = 0; i < TIME / 2; i++) if (int'(walked) == int'(TIME_SLOT) + i) pair_of = {utc[2*i+1], utc[2*i]};
    if (int'(walked) == int'(TIME_SLOT) + TIME / 2) pair_of = {8'h00, utc[TIME-1]};
    for (int i = 0; i < 2; i++) begin
      if (int'(walked) == int'(EPOCH_SLOT) + i) pair_of = {id[2*i+1], id[2*i]};
      if (int'(walked) == int'(FIRES_SLOT) + i) pair_of = {id[2*i+17], id[2*i+16]};
    end
    for (int i = 0; i < 3; i++) if (int'(walked) == int'(RULE_SLOT) + i) pair_of = {id[2*i+7], id[2*i+6]};
    if (int'(walked) == 32 + int'(CHECKSUM_SLOT)) pair_of = {8'h00, trailer[0]};
    if (int'(walked) == 32 + int'(CHECKSUM_SLOT) + 1) pair_of = {trailer[1], trailer[2]};
  endfunction
  pair_t walked;
  assign walked = pair_of(t - 6'd2);

  // What a field's bytes add up to; and the words with them, if it begins at an odd offset or not.
  logic [1:0][10:0] of_seq_num, of_time, of_id, of_trailer;  // bytes with an even and with an odd index
  always_ff @(posedge clk)
    for (int i = 0; i < 2; i++) begin
      if (t < 6'd9) of_seq_num[i] <= of_seq_num[i] + {3'b0, walked[i]};
      else if (t < 6'd20) of_time[i] <= of_time[i] + {3'b0, walked[i]};
      else if (t < 6'd31) of_id[i] <= of_id[i] + {3'b0, walked[i]};
      else if (t < 6'd36) of_trailer[i] <= of_trailer[i] + {3'b0, walked[i]};
      if (t == '0) {of_seq_num[i], of_time[i], of_id[i], of_trailer[i]} <= '0;
    end
  logic [7:0] bytes;  // of CheckSum; the zeros of a ClOrdID that are not walked from the beginning
  always_ff @(posedge clk)
    case (t)
      6'd0: bytes <= leaving.order.fix_sum + 8'(2 * ZEROS_SKIPPED * "0");
      6'd9: bytes <= bytes + 8'(of_seq_num[0] + of_seq_num[1]);
      6'd21, 6'd22: bytes <= bytes + 8'(of_time[0] + of_time[1]);
      6'd30: bytes <= bytes + 8'(of_id[0] + of_id[1]);
      default: ;
    endcase
  typedef logic [23:0] plain_t;  // of words
  function automatic plain_t words_of(logic [1:0][10:0] bytes, logic odd);
    return odd ? {5'b0, bytes[1], 8'b0} + {13'b0, bytes[0]} : {5'b0, bytes[0], 8'b0} + {13'b0, bytes[1]};
  endfunction

  // ---- All words, those of values in the cycle in which the module adds them, in plain numbers.
  localparam plain_t LENGTH = 24'(TCP_BYTES) + 24'd1;  // of the TCP segment, but for the payload's last byte
  localparam plain_t IP_WORDS =
      24'(IP_VERSION_WORD) + 24'(IP_FRAGMENT_WORD) + 24'(IP_PROTOCOL_WORD) + 24'(IP_BYTES) + LENGTH;
  localparam plain_t TCP_WORDS =
      24'(PROTOCOL_TCP) + 24'(TCP_FLAGS_WORD) + LENGTH + 24'h3030 * 24'(ZEROS_SKIPPED);
  plain_t added, of_ip, of_tcp;
  logic is_field;
  always_comb begin
    added = '0;
    is_field = 1'b1;
    case (t)
      6'd10: added = words_of(of_seq_num, shape.seq_num_odd);
      6'd22: added = words_of(of_time, shape.sending_time_odd);
      6'd23: added = words_of(of_time, shape.transact_time_odd);
      6'd31: added = words_of(of_id, shape.cl_ord_id_odd);
      6'd38: added = words_of(of_trailer, !shape.last_byte[0]);  // it begins three bytes ahead of the last
      default: is_field = 1'b0;
    endcase
    case (t)
      6'd2: added = 24'(leaving.segment.src_ip[31:16]);
      6'd3: added = 24'(leaving.segment.src_ip[15:0]);
      6'd4: added = 24'(leaving.segment.dst_ip[31:16]);
      6'd5: added = 24'(leaving.segment.dst_ip[15:0]);
      6'd6: added = 24'(shape.last_byte);
      6'd12: added = 24'(leaving.segment.src_port);
      6'd13: added = 24'(leaving.segment.dst_port);
      6'd14: added = 24'(leaving.segment.seq[31:16]);
      6'd15: added = 24'(leaving.segment.seq[15:0]);
      6'd16: added = 24'(leaving.segment.ack[31:16]);
      6'd17: added = 24'(leaving.segment.ack[15:0]);
      6'd18: added = 24'(leaving.segment.window);
      6'd19: added = 24'(leaving.order.tcp_sum);
      default: ;
    endcase
  end
  always_ff @(posedge clk) begin
    of_tcp <= of_tcp + added;
    if (t < 6'd7) of_ip <= of_ip + added;
    if (t == 6'd7) of_ip <= of_ip + 24'(leaving.segment.ip_id);
    if (t == 6'd0) {of_ip, of_tcp} <= {IP_WORDS, TCP_WORDS};
  end

  // ---- How often the module's sum has lost 65,535 by folding; what it has added that a TCP checksum does not have, and will
  // take away, until 65,535 are left; what it can be at most.
  typedef logic [6:0] times_t;
  function automatic plain_t by_65535(times_t times);
    return {1'b0, times, 16'b0} - 24'(times);
  endfunction
  times_t folded;
  plain_t ahead, most;
  always_ff @(posedge clk) begin
    folded <= folded + (sums.fold ? 7'(sums.sum[21:16]) : 7'd0);
    if (is_field) most <= most + 24'h7FFFF;
    else if (t < 6'd21) most <= most + 24'hFFFF;
    if (t == 6'd0) {folded, most} <= {7'd0, 24'hFFFF};
  end
  always_comb begin
    ahead = IP_WORDS - TCP_WORDS;
    if (t > 6'd11) ahead += 24'(sums.words[9]);
    if (t > 6'd7 && t < 6'd21) ahead += 24'(leaving.segment.ip_id);
    if (t > 6'd20) ahead += 24'hFFFF;
  end

  // ---- Characters, three cycles behind their slot.
  logic [2:0][2:0] sources;
  logic [2:0][4:0] indices;
  logic [7:0] shown, plain;
  always_ff @(posedge clk) begin
    sources <= {sources[1:0], source};
    indices <= {indices[1:0], index};
  end
  logic known;  // such a field has such a character
  always_comb begin
    shown = text[indices[2][0]];
    plain = '0;
    known = 1'b1;
    if (sources[2] == 3'(PATCH_SEQ_NUM) && indices[2] < 5'(SEQ_NUM)) plain = seq_num[indices[2][2:0]];
    else if (sources[2] == 3'(PATCH_TIME) && indices[2] < 5'(TIME)) plain = utc[indices[2]];
    else if (sources[2] == 3'(PATCH_CL_ORD_ID) && indices[2] < 5'(ID)) plain = id[indices[2]];
    else if (sources[2] == 3'(PATCH_CHECKSUM) && indices[2] < 5'(TRAILER)) plain = trailer[indices[2][1:0]];
    else known = 1'b0;
  end

  always_ff @(posedge clk)
    if (n > 6'd1) begin
      if (t < 6'd9) assert (24'(sums.sum) == of_ip);
      if (t > 6'd8 && t < 6'd11) assert (24'(sums.sum) + by_65535(folded) == of_ip);
      if (t < 6'd42) assert (24'(sums.sum) + by_65535(folded) == of_tcp + ahead && 24'(sums.sum) <= most);
      if (t inside {[6'd4 : 6'd29], [6'd34 : 6'd35]}) assert (text == walked);
      if (t > 6'd3 && t < 6'd9) assert (sums.sums == of_seq_num);
      if (t > 6'd8 && t < 6'd22) assert (sums.sums == of_time);
      if (t > 6'd21 && t < 6'd30) assert (sums.sums == of_id);
      if (t > 6'd33 && t < 6'd37) assert (sums.sums == of_trailer);
      if (t > 6'd0 && t < 6'd36) assert (sums.fix_sum == bytes);
      if (t inside {6'd10, 6'd41}) assert (sums.sum[21:16] == '0);
      if (n == 6'd12) assert (of_ip + 24'(ip_checksum) == by_65535(folded + 7'd1));                // 1
      if (n == 6'd43) assert (of_tcp + 24'(tcp_checksum) == by_65535(folded) && folded != '0);     // 2
      if (n == 6'd12) assert (ip_checksum != '1);
      if (n == 6'd43) assert (tcp_checksum != '1);
      if (n == 6'd34) begin                                                                        // 3
        assert (trailer[0] <= "9" && trailer[1] <= "9" && trailer[2] <= "9");
        assert (bytes == 8'((trailer[0] - "0") * 8'd100 + (trailer[1] - "0") * 8'd10 + (trailer[2] - "0")));
      end
      if (n > 6'd40 && known) assert (shown == plain);                                             // 4
      assert (sums.busy || (t > 6'd41 && sums.at == '0));
      cover (n == 6'd43 && folded > 7'd1);
      cover (n > 6'd40 && known && shown == "Z");
    end
endmodule
