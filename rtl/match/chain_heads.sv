// SPDX-License-Identifier: Apache-2.0
// Heads of the six chains of one instrument, with their triggers and latches, held in registers.
//
// `load` fetches an instrument's chains (one read each of chain, trigger and latch memory, overlapped). A head that is
// spent or not in use is passed over before `ready`. `take` spends a head: its latch is set, the chain moves on; both are
// written through at once, so the memories are the truth.
module chain_heads
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, receive_pkg::*;
#(
    parameter int INSTRUMENTS = 1024,
    parameter int TRIGGERS    = 16384,
    parameter int ORDERS      = 4096
) (
    input  logic                             clk,
    input  logic                             rst,
    input  logic                             invalidate,  // the host may change tables
    input  logic                             load,        // while idle
    input  logic                      [15:0] load_instrument,
    input  logic                             take,        // while ready
    input  logic                      [2:0]  take_chain,
    output logic                             idle,        // load is taken
    output logic                             ready,
    output logic                      [15:0] instrument,  // whose chains these are, with ready
    output chain_t   [CHAINS-1:0]            chains,
    output trigger_t [CHAINS-1:0]            triggers,
    output latch_t   [CHAINS-1:0]            latches,
    input  host_req_t                        host_req,
    output logic                      [31:0] host_rdata
);
  typedef enum logic [2:0] {
    EMPTY, LOAD, CHECK, READY, STEP_HEAD, STEP_TRIGGER, STEP_LATCH, STEP_DONE
  } phase_t;

  localparam int CHAIN_AW = $clog2(8 * INSTRUMENTS);
  localparam int TRIGGER_AW = $clog2(TRIGGERS);
  // A chain's latch arrives three cycles after the chain's address.
  localparam logic [3:0] LOAD_END = 4'(CHAINS + 2);

  phase_t phase;
  logic [3:0] count;
  logic [2:0] current, spent;
  logic any_spent;
  always_comb begin
    any_spent = 1'b0;
    spent = '0;
    for (int i = CHAINS - 1; i >= 0; i--)
      if (chains[i].valid != '0 && (latches[i].fired != '0 || triggers[i].valid == '0)) begin
        any_spent = 1'b1;
        spent = 3'(i);
      end
  end

  chain_t chain_rdata;
  logic [31:0] chain_host;
  table_ram #(
      .BITS(CHAIN_BITS),
      .DEPTH(8 * INSTRUMENTS),
      .STRIDE(CHAIN_STRIDE),
      .BASE(BASE_CHAIN), .LATENCY(1)
  ) chain_memory (
      .clk, .rst,
      .host_req,
      .host_rdata(chain_host),
      .core_write(phase == STEP_DONE),
      .core_addr(CHAIN_AW'({instrument, phase == LOAD ? count[2:0] : current})),
      .core_wdata(chains[current]),
      .core_rdata(chain_rdata)
  );

  trigger_t trigger_rdata;
  logic [31:0] trigger_host;
  table_ram #(
      .BITS(TRIGGER_BITS),
      .DEPTH(TRIGGERS),
      .STRIDE(TRIGGER_STRIDE),
      .BASE(BASE_TRIGGER), .KEPT(trigger_kept(TRIGGERS, ORDERS)), .LATENCY(1)
  ) trigger_memory (
      .clk, .rst,
      .host_req,
      .host_rdata(trigger_host),
      .core_write(1'b0),
      .core_addr(TRIGGER_AW'(phase == LOAD ? chain_rdata.head : chains[current].head)),
      .core_wdata('0),
      .core_rdata(trigger_rdata)
  );

  latch_t latch_rdata, latch_wdata;
  logic [31:0] latch_host;
  assign latch_wdata = '{fires: latches[take_chain].fires + 15'd1, fired: 1'b1};
  table_ram #(
      .BITS(LATCH_BITS),
      .DEPTH(TRIGGERS),
      .STRIDE(LATCH_STRIDE),
      .BASE(BASE_LATCH), .LATENCY(1)
  ) latch_memory (
      .clk, .rst,
      .host_req,
      .host_rdata(latch_host),
      .core_write(take),
      .core_addr(TRIGGER_AW'(take ? triggers[take_chain].rule : trigger_rdata.rule)),
      .core_wdata(latch_wdata),
      .core_rdata(latch_rdata)
  );
  assign host_rdata = chain_host | trigger_host | latch_host;

  assign idle = phase == EMPTY || phase == READY;
  assign ready = phase == READY;

  always_ff @(posedge clk) begin
    unique case (phase)
      LOAD: begin
        count <= count + 4'd1;
        for (int i = 0; i < CHAINS; i++) begin
          if (count == 4'(i + 1)) begin
            chains[i] <= chain_rdata;
            if (chain_rdata.head == chain_rdata.tail) chains[i].valid <= '0;
          end
          if (count == 4'(i + 2)) triggers[i] <= trigger_rdata;
          if (count == 4'(i + 3)) latches[i] <= latch_rdata;
        end
        if (count == LOAD_END) phase <= CHECK;
        if (invalidate) phase <= EMPTY;
      end
      CHECK: begin
        current <= spent;
        phase   <= invalidate ? EMPTY : any_spent ? STEP_HEAD : READY;
      end
      READY, EMPTY: begin
        count <= '0;
        current <= take_chain;
        if (invalidate) phase <= EMPTY;
        if (load) begin
          phase <= LOAD;
          instrument <= load_instrument;
        end
        if (take) phase <= STEP_HEAD;
      end
      // The chain moves on by one trigger.
      STEP_HEAD: begin
        chains[current].head <= chains[current].head + 20'd1;
        if (chains[current].head + 20'd1 == chains[current].tail) chains[current].valid <= '0;
        phase <= STEP_TRIGGER;
      end
      STEP_TRIGGER: phase <= STEP_LATCH;
      STEP_LATCH: begin
        triggers[current] <= trigger_rdata;
        chains[current].threshold <= trigger_rdata.threshold;
        phase <= STEP_DONE;
      end
      STEP_DONE: begin
        latches[current] <= latch_rdata;
        phase <= CHECK;
      end
      default: phase <= EMPTY;
    endcase
    if (rst) phase <= EMPTY;
  end
endmodule
