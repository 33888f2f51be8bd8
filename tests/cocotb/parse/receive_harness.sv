// SPDX-License-Identifier: Apache-2.0
// `receive` with flat ports, its clocks and counters of its pulses, for tests.
module receive_harness
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*;
#(
    parameter int INSTRUMENTS = 16,
    parameter int TRIGGERS    = 256,
    parameter int PARKED      = 32
) (
    input  logic        clk,
    input  logic        rst,
    input  logic [7:0]  data,
    input  logic        valid,
    input  logic        last,
    input  logic        err,
    input  logic        flow_valid,
    input  logic [31:0] local_ip,
    input  logic [31:0] remote_ip,
    input  logic [15:0] local_port,
    input  logic [15:0] remote_port,
    input  logic [47:0] local_mac,
    input  logic        local_mac_known,
    input  logic        window_known, edge_known,
    input  logic [31:0] snd_nxt, snd_una, snd_max, rx_ack, rx_edge,
    input  logic        market_valid,
    input  logic [31:0] market_local_ip,
    input  logic [31:0] market_remote_ip,
    input  logic [15:0] market_local_port,
    input  logic [15:0] market_remote_port,
    input  logic        market_snd_known, market_una_known,
    input  logic [31:0] market_snd_nxt, market_snd_una,
    input  logic [3:0]  market_wscale,
    input  logic        session_reset,
    input  logic        flow_reset,
    input  logic        resync,
    input  logic [31:0] resync_seq,
    input  logic        known_forget,
    input  logic        armed,
    input  logic        windows_current,
    input  windows_t [1:0] windows_open,
    input  logic [31:0] seq_num, sender_crc, target_crc,
    input  logic [31:0] hash_seed,
    input  logic [63:0] collar,
    input  logic        host_valid,
    input  logic        host_write,
    input  address_t    host_addr,
    input  logic [31:0] host_wdata,
    output logic [31:0] host_rdata,
    output logic        hit_valid,
    input  logic        hit_ready,
    input  logic        linked_orders,  // an order's number is the first of its links
    input  logic [31:0] rejects,        // fires of trigger n are rejected: bit n modulo 32
    output logic        spending,
    output logic        pushed,  // the parser has put a message into the queue
    output logic [31:0] hit_trigger, hit_rule, hit_order, hit_instrument, hit_source, hit_fires, hit_message,
        hit_exhausted, hit_outside,
    output logic [63:0] hit_observed,
    output logic [31:0] hit_message_end_cycle, hit_frame_end_cycle,
    output logic [63:0] hit_time_ns,
    output logic        done, good, is_flow, is_market, acceptable, syn, fin, reset, ack_flag,
    output logic [31:0] seq, ack, window, length, end_cycle,
    output logic        gap, synced, found,
    output logic [31:0] rcv_nxt, found_seq, messages, next_seq_num,
    output logic [31:0] cycle,
    output logic [31:0] triggers,
    output logic [31:0] count_segment_old, count_segment_hole, count_bad_checksum, count_desync, count_poss_dup,
        count_refused, count_unread, count_price_invalid
);
  logic [63:0] time_ns;
  always_ff @(posedge clk) begin
    cycle <= rst ? '0 : cycle + 32'd1;
    time_ns <= rst ? 64'd1_000_000 : time_ns + 64'd8;
  end

  assign pushed = dut.parser.push;

  flow_t flow, market_flow;
  host_req_t host_req;
  rx_window_t rx_window;
  market_flow_t market_sent;
  assign rx_window = '{
          known: window_known, snd_nxt: snd_nxt, snd_una: snd_una, snd_max: snd_max, edge_known: edge_known, rx_ack: rx_ack, rx_edge: rx_edge
      };
  assign market_sent = '{
          spliced: 1'b0, closed: 1'b0, snd_known: market_snd_known, snd_nxt: market_snd_nxt,
          una_known: market_una_known, snd_una: market_snd_una
      };
  assign market_flow = '{
          valid: market_valid, local_ip: market_local_ip, remote_ip: market_remote_ip, local_port: market_local_port,
          remote_port: market_remote_port
      };
  rx_verdict_t verdict;
  hit_t hit;
  rx_status_t status;
  assign flow = '{valid: flow_valid, local_ip: local_ip, remote_ip: remote_ip, local_port: local_port, remote_port: remote_port};
  assign host_req = '{valid: host_valid, write: host_write, addr: host_addr, wdata: host_wdata};

  receive #(
      .INSTRUMENTS(INSTRUMENTS), .TRIGGERS(TRIGGERS), .PARKED(PARKED), .LINKS(1024)
  ) dut (
      .clk, .rst, .net_rx_data(data), .net_rx_valid(valid), .net_rx_last(last), .net_rx_err(err), .flow, .market_flow, .local_mac,
      .local_mac_known, .window(rx_window), .market_sent, .market_wscale, .session_reset, .flow_reset, .resync, .resync_seq, .known_forget, .armed, .windows_current,
      .windows_open, .session('{seq_num: seq_num, sender_crc: sender_crc, target_crc: target_crc}),
      .banks('{hash_seed: {2{hash_seed}}, default: '0}), .ring_head('0), .collar, .cycle, .time_ns, .host_req,
      .host_rdata, .verdict, .commit_ahead('0), .begun(1'b0), .hit_valid, .hit,
      .hit_ready, .linked, .link, .spending, .status
  );

  // As the order path does: a cycle after the fire was taken.
  logic linked;
  logic [ORDER_LINK_BITS-1:0] link;
  always_ff @(posedge clk) begin
    linked <= hit_valid && hit_ready && !rejects[hit.trigger[4:0]] && !rst;
    link <= linked_orders ? ORDER_LINK_BITS'(hit.order) : '0;
  end

  assign hit_trigger = 32'(hit.trigger);
  assign hit_rule = 32'(hit.rule);
  assign hit_order = 32'(hit.order);
  assign hit_instrument = 32'(hit.instrument);
  assign hit_source = 32'(hit.source);
  assign hit_observed = 64'(hit.observed);
  assign hit_fires = 32'(hit.fires);
  assign hit_message = hit.message;
  assign hit_exhausted = 32'(hit.exhausted);
  assign hit_outside = 32'(hit.outside);
  assign triggers = TRIGGERS;
  assign hit_message_end_cycle = hit.message_end_cycle;
  assign hit_frame_end_cycle = hit.frame_end_cycle;
  assign hit_time_ns = hit.time_ns;
  assign done = verdict.done;
  assign good = verdict.good;
  assign is_flow = verdict.is_flow;
  assign is_market = verdict.is_market;
  assign acceptable = verdict.acceptable;
  assign syn = verdict.syn;
  assign fin = verdict.fin;
  assign reset = verdict.rst;
  assign ack_flag = verdict.ack_flag;
  assign seq = verdict.seq;
  assign ack = verdict.ack;
  assign window = 32'(verdict.window);
  assign length = 32'(verdict.length);
  assign end_cycle = verdict.cycle;
  assign gap = status.gap;
  assign synced = status.synced;
  assign rcv_nxt = status.rcv_nxt;
  assign found = status.found;
  assign found_seq = status.found_seq;
  assign messages = status.messages;
  assign next_seq_num = status.seq_num;

  always_ff @(posedge clk) begin
    count_segment_old <= rst ? '0 : count_segment_old + 32'(status.segment_old);
    count_segment_hole <= rst ? '0 : count_segment_hole + 32'(status.segment_hole);
    count_bad_checksum <= rst ? '0 : count_bad_checksum + 32'(status.bad_checksum);
    count_desync <= rst ? '0 : count_desync + 32'(status.desync);
    count_poss_dup <= rst ? '0 : count_poss_dup + 32'(status.poss_dup);
    count_refused <= rst ? '0 : count_refused + 32'(status.refused);
    count_unread <= rst ? '0 : count_unread + 32'(status.unread);
    count_price_invalid <= rst ? '0 : count_price_invalid + 32'(status.price_invalid);
  end
endmodule
