// SPDX-License-Identifier: Apache-2.0
// Headers, twice: two walkers that have seen different frames, or none since reset, from where both are between two frames
// on see the same bytes. What was before plays no part in what they say of a frame.
//  1. They mark the same bytes as payload, and say alike whether the frame is ending.
//  2. They say the same of where the frame stands: its beginning, ports and judgement; and of which flow it is.
//  3. From the judgement on they give the same fields; and with the last byte the same verdict, sound or not.
// That what follows a good frame in the stream, TCP order and framing, outlives it is their purpose: it is not here.
module forgotten_proof
  import fixaccel_types_pkg::*, receive_pkg::*;
(
    input logic             clk,
    input logic             rst,
    input logic [1:0][7:0]  any_data,
    input logic [1:0]       any_valid, any_last,
    input flow_t            flow, market,
    input logic [47:0]      local_mac,
    input logic             local_mac_known,
    input logic             meet,
    input logic [COMMIT_BITS-1:0] commit_ahead
);
  header_t [1:0] header;
  logic [1:0] ending;
  stream_byte_t [1:0] payload;
  logic met, met_now;  // they see the same from now on
  logic [1:0][7:0] data;
  logic [1:0] valid, last;
  assign met_now = met || meet;
  assign data = {met_now ? any_data[0] : any_data[1], any_data[0]};
  assign valid = {met_now ? any_valid[0] : any_valid[1], any_valid[0]};
  assign last = {met_now ? any_last[0] : any_last[1], any_last[0]};
  frame_headers a (
      .clk, .rst, .data(data[0]), .valid(valid[0]), .last(last[0]), .flow, .market, .local_mac, .local_mac_known,
      .commit_ahead, .ending(ending[0]), .header(header[0]), .payload(payload[0])
  );
  frame_headers b (
      .clk, .rst, .data(data[1]), .valid(valid[1]), .last(last[1]), .flow, .market, .local_mac, .local_mac_known,
      .commit_ahead, .ending(ending[1]), .header(header[1]), .payload(payload[1])
  );
  always_comb assume (!meet || (a.first && b.first));

  // How far they have come since: a byte on the port, the same a cycle later, and what they have read of the frame.
  logic some, looked, summed, summed_q;
  logic has_total, has_version, has_seq, has_ack, has_offset, has_flags, has_window, words_stand, rest_stands, judged;
  always_ff @(posedge clk) begin
    if (meet) met <= 1'b1;
    if (met_now && valid[0]) some <= 1'b1;
    if (some && a.now && a.now_first) looked <= 1'b1;
    summed <= looked;
    summed_q <= summed;
    words_stand <= has_version && has_offset;
    rest_stands <= words_stand && has_total;
    if (a.now && some) begin
      if (a.now_first) {has_total, has_version, has_seq, has_ack, has_offset, has_flags, has_window, judged} <= '0;
      if (a.now_first) {words_stand, rest_stands} <= '0;
      if (a.at.total) has_total <= 1'b1;
      if (a.at.version) has_version <= 1'b1;
      if (a.at.seq) has_seq <= 1'b1;
      if (a.at.ack) has_ack <= 1'b1;
      if (a.at.offset) has_offset <= 1'b1;
      if (a.at.flags) has_flags <= 1'b1;
      if (a.at.window) has_window <= 1'b1;
      if (a.at.last) judged <= 1'b1;
    end
    if (rst) begin
      {met, some, looked, summed, summed_q} <= '0;
      {has_total, has_version, has_seq, has_ack, has_offset, has_flags, has_window, words_stand, rest_stands, judged} <= '0;
    end
  end

  function automatic logic in_ip_at(int place);  // in the IP header from there on, or behind it
    return a.part > 2'd1 || (a.part == 2'd1 && int'(a.place) >= place);
  endfunction
  function automatic logic in_tcp_at(int place);
    return a.part > 2'd2 || (a.part == 2'd2 && int'(a.place) >= place);
  endfunction
  always_ff @(posedge clk)
    if (!rst) begin
      if (some) begin
        assert (payload[0].valid == payload[1].valid && (!payload[0].valid || payload[0].data == payload[1].data));  // 1
        assert (ending[0] == ending[1]);
        assert ({header[0].first, header[0].ports, header[0].judge} == {header[1].first, header[1].ports, header[1].judge});
      end
      if (looked) assert ({header[0].is_flow, header[0].is_market, header[0].ours} ==
          {header[1].is_flow, header[1].is_market, header[1].ours});                                               // 2
      if (looked && (judged || header[0].judge)) begin                                                             // 3
        assert ({header[0].seq, header[0].ack, header[0].window} == {header[1].seq, header[1].ack, header[1].window});
        assert ({header[0].syn, header[0].fin, header[0].rst, header[0].ack_flag} ==
            {header[1].syn, header[1].fin, header[1].rst, header[1].ack_flag});
        assert (header[0].length == header[1].length);
      end
      if (looked && a.now && a.now_last) assert (header[0].sound == header[1].sound);
      // With these, the rules are inductive. Between two frames a walker stands at the beginning, and its verdict is void.
      assert (!a.first || (a.part == '0 && a.place == '0 && a.here == 20'd1));
      assert (!b.first || (b.part == '0 && b.place == '0 && b.here == 20'd1));
      assert (!a.first || (a.now && a.now_last) || !(a.reached || a.whole));
      assert (!b.first || (b.now && b.now_last) || !(b.reached || b.whole));
      assert (!(looked || some) || met);
      assert (!looked || some);
      assert (!summed || looked);
      // Both stand at the same byte, and what they have taken down since the frame's first one is the same.
      if (met) assert ({a.first, a.part, a.place, a.here} == {b.first, b.part, b.place, b.here});
      if (met && !some) assert (a.first);
      if (some) begin
        assert ({a.now, a.now_data, a.now_first, a.now_last, a.now_payload, a.odd, a.now_part, a.demanded, a.other, a.at,
            a.take_ip, a.take_tcp} == {b.now, b.now_data, b.now_first, b.now_last, b.now_payload, b.odd, b.now_part, b.demanded,
            b.other, b.at, b.take_ip, b.take_tcp});
        assert ({a.in_ip, a.counting, a.trailer, a.begin_count} == {b.in_ip, b.counting, b.trailer, b.begin_count});
        assert (looked || (a.now && a.now_first));
        assert (looked || (a.in_ip && !a.counting && !a.begin_count));
        assert (summed ? a.well == b.well : a.in_ip);  // a frame is not sound while its IP packet goes on
        assert (a.part == 2'd3 || a.here == 20'd1 << a.place);
        assert (a.part != 2'd0 || a.place < 6'd14);
        assert (a.part != 2'd1 || a.place <= a.ip_end);
        assert (a.part != 2'd2 || a.place <= a.tcp_end);
        assert (!(a.now && a.at.version) || a.first || (a.part == 2'd1 && a.place < 6'd2));
        assert (!(a.now && a.at.offset) || a.first || (a.part == 2'd2 && a.place < 6'd15));
        assert (a.replace == b.replace && (!a.replace || a.replacement == b.replacement));
        assert (!a.counting || a.left == b.left);
        assert (!(a.now && a.now_first) || (a.part == '0 && a.place < 6'd2));
        assert (!a.begin_count || a.first || has_total);
        assert (!a.counting || a.first || has_total);
        if (a.part == '0 && a.place > 6'd1) assert (a.recent[7:0] == b.recent[7:0]);
        if (a.part == '0 && a.place > 6'd2) assert (a.recent[15:0] == b.recent[15:0]);
        if (a.now_part != '0 || a.part != '0 || a.place > 6'd3) assert (a.recent == b.recent);
        if (a.part != '0 || a.place > 6'd1) assert (looked);
        if (a.part != '0 || a.place > 6'd2) assert (summed);
        if (a.part != '0 || a.place > 6'd3) assert (summed_q);
        // What a byte says is known two cycles behind it: by then the one behind it has come at most.
        if (in_ip_at(1)) assert (has_version || (a.place == 6'd1 && a.now && a.at.version));
        if (in_ip_at(4)) assert (has_total || (a.place == 6'd4 && a.now && a.at.total));
        if (in_tcp_at(8)) assert (has_seq || (a.place == 6'd8 && a.now && a.at.seq));
        if (in_tcp_at(12)) assert (has_ack || (a.place == 6'd12 && a.now && a.at.ack));
        if (in_tcp_at(13)) assert (has_offset || (a.place == 6'd13 && a.now && a.at.offset));
        if (in_tcp_at(14)) assert (has_flags || (a.place == 6'd14 && a.now && a.at.flags));
        if (in_tcp_at(15)) assert (words_stand);
        if (in_tcp_at(16)) assert (rest_stands && (has_window || (a.place == 6'd16 && a.now && a.at.window)));
      end
      if (looked) begin
        assert ({a.ip_end, a.tcp_end, a.reached, a.whole, a.short_header} ==
            {b.ip_end, b.tcp_end, b.reached, b.whole, b.short_header});
        assert (a.ip_end >= 6'd19 && a.tcp_end >= 6'd19);
        assert ({a.compared, a.compared_first, a.equal, a.equal_other} ==
            {b.compared, b.compared_first, b.equal, b.equal_other});
        assert (summed ? {a.matched, a.matched_other} == {b.matched, b.matched_other} : a.compared && a.compared_first && !a.reached && !a.whole);
        assert ({a.ip_sum.addend, a.ip_sum.clear_q} == {b.ip_sum.addend, b.ip_sum.clear_q});
        assert ({a.tcp_sum.addend, a.tcp_sum.clear_q} == {b.tcp_sum.addend, b.tcp_sum.clear_q});
        assert (!has_version || a.ihl == b.ihl);
        assert (!has_total || a.total == b.total);
        assert (!has_offset || a.offset == b.offset);
        assert (!has_seq || a.seq == b.seq);
        assert (!has_ack || a.ack == b.ack);
        assert (!has_flags || {a.ack_flag, a.reset, a.syn, a.fin} == {b.ack_flag, b.reset, b.syn, b.fin});
        assert (!has_window || a.window == b.window);
        assert (!words_stand || (has_version && has_offset && a.words == b.words));
        assert (!rest_stands || (words_stand && has_total && a.rest == b.rest));
        if (judged || (a.now && a.at.last)) assert (has_seq && has_ack && has_flags && has_window && rest_stands && summed_q);
        assert (!a.whole || judged);
      end
      if (summed) assert ({a.ip_sum.sum, a.tcp_sum.sum} == {b.ip_sum.sum, b.tcp_sum.sum});
      if (summed_q) assert (summed && {a.ip_ok, a.tcp_ok} == {b.ip_ok, b.tcp_ok});
      cover (looked && has_total && a.in_ip);
      cover (looked && header[0].first && has_version);
    end
endmodule
bind forgotten_proof from_reset reset (.*);
