// SPDX-License-Identifier: Apache-2.0
// Puts orders and CPU frames on the wire, one whole frame at a time, orders first; pads to the least frame and makes the
// FCS. A frame that ends with `error` leaves with a wrong FCS and net_tx_err, so nobody takes it for good.
module arbiter
  import crc32_pkg::*;
  import egress_pkg::*;
(
    input  logic       clk,
    input  logic       rst,
    input  logic       order_valid,
    input  logic [7:0] order_data,
    input  logic       order_last,
    input  logic       order_error,    // with order_last
    output logic       order_ready,
    input  logic       cpu_valid,
    input  logic [7:0] cpu_data,
    input  logic       cpu_last,
    output logic       cpu_ready,
    output logic [7:0] net_tx_data,
    output logic       net_tx_valid,
    output logic       net_tx_last,
    output logic       net_tx_err,
    input  logic       net_tx_ready,
    output logic       idle,           // nothing between first byte and FCS
    output logic       order_begin,    // pulse: first byte of an order taken by the wire
    output logic       order_end       // pulse: last byte of an order taken by the wire
);
  typedef enum logic [1:0] {IDLE, BODY, PAD, FCS} state_t;
  state_t state;
  logic from_order, error;
  // Of the bytes that the wire has taken. While it shows one of the body, that is added to the lowest byte already: of the step
  // that it makes, nothing but the step is left.
  logic [31:0] crc, crc_next;
  logic shows_body;
  logic [5:0] n;  // body bytes so far, until there are enough
  logic enough;   // the byte that is taken makes it the least frame, or more
  logic [1:0] fcs_byte;

  logic step;
  assign step = !net_tx_valid || net_tx_ready;

  // Nothing of an order waits to be asked for: whether it is ready for one does not hang on there being one.
  logic pick_order;
  assign pick_order = (state == IDLE) ? order_valid : from_order;
  assign order_ready = step && (state == IDLE || (state == BODY && from_order));
  assign cpu_ready = step && (state == IDLE || state == BODY) && !pick_order;

  // Whether there is a byte of a frame to be shown: then it is taken with the next step. Little hangs on the step but that it is
  // made, for it comes late.
  logic gives, last;
  logic [7:0] data;
  assign gives = (state == IDLE && (order_valid || cpu_valid)) || (state == BODY && (from_order ? order_valid : cpu_valid));
  assign last = pick_order ? order_last : cpu_last;
  assign data = (state == PAD) ? 8'h00 : pick_order ? order_data : cpu_data;

  assign idle = state == IDLE;

  assign crc_next = shows_body ? crc32_byte(crc, '0) : crc >> 8;

  logic shows_order, shows_first;  // of the byte on the wire
  always_ff @(posedge clk) begin
    if (step) begin
      if (shows_body || state == FCS) crc[31:8] <= crc_next[31:8];
      crc[7:0] <= ((shows_body || state == FCS) ? crc_next[7:0] : crc[7:0]) ^ ((gives || state == PAD) ? data : 8'h00);
      shows_body <= gives || state == PAD;
      net_tx_valid <= gives || state == PAD || state == FCS;
      net_tx_data <= (state != FCS) ? data : error ? crc_next[7:0] : ~crc_next[7:0];  // of none, if there is none
      net_tx_last <= state == FCS && fcs_byte == 2'd3;
      net_tx_err <= state == FCS && fcs_byte == 2'd3 && error;
      shows_first <= gives && state == IDLE;
      if ((gives || state == PAD) && !enough) {n, enough} <= {n + 6'd1, n == 6'(MIN_FRAME_BYTES - 2)};
      if (gives) begin
        from_order <= pick_order;
        shows_order <= pick_order;
        error <= pick_order && order_last && order_error;
        state <= !last ? BODY : enough ? FCS : PAD;
      end
      if (state == PAD && enough) state <= FCS;
      if (state == FCS) begin
        fcs_byte <= fcs_byte + 1;
        if (fcs_byte == 2'd3) begin
          state <= IDLE;
          crc <= CRC32_START;
          {n, enough} <= '0;
        end
      end
    end
    if (rst) begin
      state <= IDLE;
      net_tx_valid <= 1'b0;
      net_tx_last <= 1'b0;
      net_tx_err <= 1'b0;
      shows_first <= 1'b0;
      shows_order <= 1'b0;
      shows_body <= 1'b0;
      crc <= CRC32_START;
      {n, enough} <= '0;
      fcs_byte <= '0;
    end
  end

  assign order_begin = net_tx_valid && net_tx_ready && shows_order && shows_first;
  assign order_end = net_tx_valid && net_tx_ready && shows_order && net_tx_last;
endmodule
