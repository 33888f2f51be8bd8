// SPDX-License-Identifier: Apache-2.0
// Mailboxes to the CPU: frames that the core's RX gate lets go, with their FCS, each behind its length. A frame is the
// CPU's once `head` counts it; while all boxes are full the gate waits.
module gem_to_cpu
  import gem_pkg::*;
  import gem_port_hwmap_pkg::*;
#(
    parameter int SLOTS = 8  // a power of two
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             clear,
    input  logic      [ 7:0] cpu_rx_data,
    input  logic             cpu_rx_valid,
    input  logic             cpu_rx_last,
    output logic             cpu_rx_ready,
    input  gem_port_address_t read_addr,
    input  logic             step,
    output logic      [31:0] answer,
    output logic      [31:0] head,
    input  logic      [31:0] tail
);
  localparam int NUMBER_BITS = $clog2(SLOTS);
  if (SLOTS < 2 || SLOTS != 2 ** NUMBER_BITS || SLOTS * SLOT_WORDS > GEM_PORT_ROOM_TO_CPU) begin : gen_refuse
    $error("gem_to_cpu %m: SLOTS is %0d, not a power of two of at most %0d", SLOTS, GEM_PORT_ROOM_TO_CPU / SLOT_WORDS);
  end

  typedef enum logic [2:0] {WAIT, FRAME, REST, HEAD, COUNT} state_t;
  state_t state;
  logic [SLOT_BITS-1:0] length;
  logic [31:0] gathered;
  logic store, stored_head, spoilt, free;
  slot_word_t word;
  logic take;
  assign take = cpu_rx_valid && cpu_rx_ready;
  assign cpu_rx_ready = state == FRAME;
  always_ff @(posedge clk) begin
    store <= 1'b0;
    stored_head <= 1'b0;
    free <= (head - tail) < SLOTS;
    case (state)
      WAIT: begin
        length <= '0;
        spoilt <= 1'b0;
        if (free) state <= FRAME;
      end
      FRAME: if (take) begin
        for (int i = 0; i < 4; i++) if (length[1:0] == 2'(i)) gathered[8*i+:8] <= cpu_rx_data;
        if (length[1:0] == '0) gathered[31:8] <= '0;
        length <= length + 1'b1;
        store <= length[1:0] == 2'd3 || cpu_rx_last;
        word <= slot_word_t'(length >> 2) + slot_word_t'(GEM_PORT_MAIL_HEAD_BYTES / 4);
        if (cpu_rx_last) state <= REST;
      end
      REST: state <= HEAD;  // the last word is being stored
      HEAD: begin
        store <= 1'b1;
        stored_head <= 1'b1;
        gathered <= 32'(length);
        word <= '0;
        state <= COUNT;
      end
      COUNT: begin
        if (!spoilt) head <= head + 1;
        free <= 1'b0;  // not known of the new head
        state <= WAIT;
      end
      default: state <= WAIT;
    endcase
    if (clear) begin  // the rest of a frame that is under way is not the next one's beginning
      head <= '0;
      spoilt <= take || !(state == WAIT || (state == FRAME && length == '0));
    end
    if (rst) begin
      state <= WAIT;
      head <= '0;
      {store, spoilt, free} <= '0;
    end
  end

  logic [31:0] from_memory;
  logic ours;
  simple_ram #(
      .BITS(32), .DEPTH(SLOTS * SLOT_WORDS)
  ) boxes (
      .clk, .write(store), .write_addr({head[NUMBER_BITS-1:0], word}), .wdata(gathered), .enable(step),
      .read_addr(read_addr[2+:$clog2(SLOTS*SLOT_WORDS)]), .rdata(from_memory)
  );
  always_ff @(posedge clk) if (step) ours <= in_window(read_addr, GEM_PORT_BASE_TO_CPU, SLOTS * GEM_PORT_SLOT_BYTES);
  assign answer = ours ? from_memory : '0;
  always_ff @(posedge clk) assert (rst || !stored_head || state == COUNT);
endmodule
