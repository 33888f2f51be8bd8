// SPDX-License-Identifier: Apache-2.0
// Registers of the window, by the hwmap gem_port.
module gem_registers
  import gem_pkg::*;
  import gem_port_hwmap_pkg::*;
#(
    parameter int RECEIVE_SLOTS  = 16,
    parameter int TRANSMIT_SLOTS = 4,
    parameter int TO_CPU_SLOTS   = 8,
    parameter int FROM_CPU_SLOTS = 4
) (
    input  logic              clk,
    input  logic              rst,
    input  gem_write_t        write,
    output logic              refused,       // pulse: part of a word, or what is not written
    input  gem_port_address_t read_addr,
    input  logic              step,
    output logic       [31:0] answer,
    output logic       [31:GEM_PORT_ADDRESS_BITS] window_base,
    output logic       [31:0] start_address,
    output logic       [31:0] start_value,
    output logic       [31:0] slot_limit,
    output logic              receive_on,
    output logic              transmit_on,
    output logic              clear,         // pulse: `control` was written 0
    input  faults_t           faults,        // pulses
    output logic              failed,
    input  logic       [31:0] to_cpu_head,
    output logic       [31:0] to_cpu_tail,
    output logic       [31:0] from_cpu_head,
    input  logic       [31:0] from_cpu_tail,
    input  gem_count_t        count,
    output logic              mail           // level: a frame waits for the CPU
);
  localparam int PAGE_BYTES = 128;
  localparam int SLOT = $clog2(PAGE_BYTES) - 2;
  localparam int WORDS = PAGE_BYTES / 4;
  if (int'(GEM_PORT_REG_COUNT_DISCARDED) >= PAGE_BYTES) begin : gen_refuse
    $error("gem_registers %m: more registers than the page has words");
  end

  faults_t sticky;
  logic [COUNTERS_OF_PORT-1:0][31:0] counted;
  logic ours, off;
  assign ours = write.valid && in_window(write.addr, '0, PAGE_BYTES);
  assign off = !receive_on && !transmit_on;
  always_ff @(posedge clk) begin
    refused <= ours && !(&write.strobes);
    clear <= 1'b0;
    if (ours && &write.strobes)
      case (write.addr)
        GEM_PORT_REG_WINDOW_BASE: if (off) window_base <= write.data[31:GEM_PORT_ADDRESS_BITS];
        GEM_PORT_REG_START_ADDRESS: if (off) start_address <= write.data;
        GEM_PORT_REG_START_VALUE: if (off) start_value <= write.data;
        GEM_PORT_REG_SLOT_LIMIT: slot_limit <= write.data;
        GEM_PORT_REG_CONTROL: begin
          receive_on <= write.data[GEM_PORT_CONTROL_RECEIVE_LSB];
          transmit_on <= write.data[GEM_PORT_CONTROL_TRANSMIT_LSB];
          clear <= write.data == '0;
        end
        GEM_PORT_REG_TO_CPU_TAIL: to_cpu_tail <= write.data;
        GEM_PORT_REG_FROM_CPU_HEAD: from_cpu_head <= write.data;
        default: refused <= 1'b1;
      endcase
    sticky <= sticky | faults;
    failed <= sticky != '0;
    mail <= to_cpu_head != to_cpu_tail;
    for (int i = 0; i < COUNTERS_OF_PORT; i++) if (count[i]) counted[i] <= counted[i] + 1;
    if (clear) {sticky, failed, to_cpu_tail, from_cpu_head} <= '0;
    if (rst) begin
      {window_base, start_address, start_value, to_cpu_tail, from_cpu_head, sticky, failed, counted} <= '0;
      {receive_on, transmit_on, clear, refused} <= '0;
      slot_limit <= GEM_PORT_SLOT_LIMIT_CYCLES;
    end
  end

  logic [31:0] words[WORDS];
  always_comb begin
    for (int i = 0; i < WORDS; i++) words[i] = '0;
    words[SLOT'(GEM_PORT_REG_MAGIC >> 2)] = GEM_PORT_MAGIC_WORD;
    words[SLOT'(GEM_PORT_REG_HWMAP_HASH >> 2)] = GEM_PORT_HASH;
    words[SLOT'(GEM_PORT_REG_CAP_RECEIVE_SLOTS >> 2)] = RECEIVE_SLOTS;
    words[SLOT'(GEM_PORT_REG_CAP_TRANSMIT_SLOTS >> 2)] = TRANSMIT_SLOTS;
    words[SLOT'(GEM_PORT_REG_CAP_TO_CPU_SLOTS >> 2)] = TO_CPU_SLOTS;
    words[SLOT'(GEM_PORT_REG_CAP_FROM_CPU_SLOTS >> 2)] = FROM_CPU_SLOTS;
    words[SLOT'(GEM_PORT_REG_WINDOW_BASE >> 2)] = {window_base, GEM_PORT_ADDRESS_BITS'(0)};
    words[SLOT'(GEM_PORT_REG_START_ADDRESS >> 2)] = start_address;
    words[SLOT'(GEM_PORT_REG_START_VALUE >> 2)] = start_value;
    words[SLOT'(GEM_PORT_REG_SLOT_LIMIT >> 2)] = slot_limit;
    words[SLOT'(GEM_PORT_REG_CONTROL >> 2)][GEM_PORT_CONTROL_RECEIVE_LSB] = receive_on;
    words[SLOT'(GEM_PORT_REG_CONTROL >> 2)][GEM_PORT_CONTROL_TRANSMIT_LSB] = transmit_on;
    words[SLOT'(GEM_PORT_REG_PORT_STATUS >> 2)] = 32'(sticky);
    words[SLOT'(GEM_PORT_REG_TO_CPU_HEAD >> 2)] = to_cpu_head;
    words[SLOT'(GEM_PORT_REG_TO_CPU_TAIL >> 2)] = to_cpu_tail;
    words[SLOT'(GEM_PORT_REG_FROM_CPU_HEAD >> 2)] = from_cpu_head;
    words[SLOT'(GEM_PORT_REG_FROM_CPU_TAIL >> 2)] = from_cpu_tail;
    for (int i = 0; i < COUNTERS_OF_PORT; i++) words[SLOT'(GEM_PORT_REG_COUNT_RECEIVED >> 2)+SLOT'(i)] = counted[i];
  end
  always_ff @(posedge clk) if (step) answer <= in_window(read_addr, '0, PAGE_BYTES) ? words[read_addr[2+:SLOT]] : '0;
endmodule
