// SPDX-License-Identifier: Apache-2.0
// The rules are those of arbiter_properties: whole frames, each with the FCS of its bytes, for frames of any length.
module arbiter_proof
  import crc32_pkg::*, egress_pkg::*;
(
    input logic        clk,
    input logic        rst,
    input logic        order_valid,
    input logic        order_last,
    input logic        order_ready,
    input logic        cpu_valid,
    input logic        cpu_ready,
    input logic [1:0]  state,
    input logic        from_order, error, shows_body, enough,
    input logic [31:0] crc,
    input logic [5:0]  n,
    input logic [1:0]  fcs_byte,
    input logic        net_tx_valid, net_tx_last, net_tx_err,
    input logic [7:0]  net_tx_data,
    // of the rules
    input logic        begun, of_order, held, first,
    input logic [7:0]  held_data,
    input logic [31:0] crc_so_far,
    input logic [15:0] length_so_far
);
  localparam logic [1:0] IDLE = 0, BODY = 1, PAD = 2, FCS = 3;
  localparam logic [15:0] LEAST = 16'(MIN_FRAME_BYTES);

  // What the right FCS of a frame makes of the state behind its bytes, byte by byte, beside shifting it out.
  typedef logic [3:0][31:0] marks_t;
  function automatic marks_t marks_of();
    logic [31:0] running;
    running = '0;
    for (int i = 0; i < 4; i++) begin
      marks_of[i] = running;
      running = crc32_byte(running, 8'hFF);
    end
  endfunction
  localparam marks_t MARKS = marks_of();

  // Of what the rules are counted by.
  logic [31:0] taken;  // the state behind the bytes that the wire has taken
  logic [15:0] length;
  logic shows_fcs;
  logic [1:0] shown;   // which byte of it
  assign taken = first ? CRC32_START : crc_so_far;
  assign length = first ? '0 : length_so_far;
  assign shows_fcs = net_tx_valid && !shows_body;
  assign shown = fcs_byte - 2'd1;

  always_ff @(posedge clk)
    if (!rst) begin
      cover (order_valid && order_ready && order_last);
      cover (cpu_valid && cpu_ready && order_valid);
      // With these, the rules are inductive.
      assert (begun == (state == BODY));
      assert (!begun || of_order == from_order);
      assert (!shows_body || net_tx_valid);
      assert (!first || length_so_far == '0);
      if (held) assert (net_tx_valid && net_tx_data == held_data);
      // Nothing between two frames; else a byte of the body stands, or one of the FCS behind it.
      if (shows_body) begin
        assert (crc == (taken ^ {24'b0, net_tx_data}));
        assert (state != IDLE && !net_tx_last && !net_tx_err && fcs_byte == '0);
        assert (enough ? length >= LEAST - 16'(state == FCS ? 1 : 2) : n != '0 && 16'(n) - 16'd1 == length);
      end
      if (shows_fcs) begin
        assert (state == (shown == 2'd3 ? IDLE : FCS) && enough == (shown != 2'd3));
        assert (net_tx_last == (shown == 2'd3) && net_tx_err == (net_tx_last && error));
        assert (length >= LEAST + 16'(shown));
      end
      if (shows_fcs && shown != 2'd3) begin
        assert (taken == (error ? crc : crc ^ MARKS[shown]) && (crc & ~(32'hFFFFFFFF >> {shown, 3'b000})) == '0);
        assert (net_tx_data == (error ? crc[7:0] : ~crc[7:0]));
      end
      if (shows_fcs && shown == 2'd3) assert (taken == (error ? {24'b0, net_tx_data} : {24'b0, ~net_tx_data} ^ MARKS[3]));
      if (!net_tx_valid) begin
        assert (state == IDLE ? first : state == BODY && crc == taken && (enough ? length >= LEAST - 16'd1 : 16'(n) == length));
      end
      assert (!(state == IDLE) || crc == CRC32_START);
      assert (!(state == IDLE) || (n == '0 && !enough && fcs_byte == '0));
      assert (!(state == FCS) || enough);
      assert (!(state == BODY || state == PAD) || (fcs_byte == '0 && !net_tx_last && !net_tx_err));
      assert (!(state == PAD) || shows_body);
      assert (enough ? n == 6'(MIN_FRAME_BYTES - 1) : n < 6'(MIN_FRAME_BYTES - 1));
    end
endmodule
bind arbiter arbiter_proof proof (
    .state(state), .begun(properties.begun), .of_order(properties.of_order), .held(properties.held), .first(properties.first),
    .held_data(properties.held_data), .crc_so_far(properties.crc), .length_so_far(properties.length), .*
);
bind arbiter from_reset reset (.*);
