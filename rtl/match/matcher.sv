// SPDX-License-Identifier: Apache-2.0
// Evaluates messages, one after the other, against the chains of their instruments.
//
// All six heads are compared at once; the first satisfied one in evaluation order becomes the hit. The compare runs ahead
// of the frame's verdict: a message that fires nothing is done with, one that fires waits for the verdict. When the hit
// is taken, its chain moves on and the same message is compared again.
module matcher
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, receive_pkg::*;
(
    input  logic                         clk,
    input  logic                         rst,
    input  logic                         armed,             // otherwise messages are dropped unseen
    // Instrument of the message that is arriving, to have its chains at hand in time.
    input  logic                         incoming,
    input  logic            [15:0]       incoming_instrument,
    input  logic                         bad,               // pulse: messages may have been taken back
    input  logic                         message_valid,
    input  message_t                     message,
    input  logic                         committed,
    input  logic            [31:0]       frame_end_cycle,
    input  logic            [63:0]       frame_time_ns,
    output logic                         pop,
    // Chains.
    output logic                         load,
    output logic            [15:0]       load_instrument,
    output logic                         take,
    output logic            [2:0]        take_chain,
    input  logic                         chains_idle,
    input  logic                         chains_ready,
    input  logic            [15:0]       chains_instrument,
    input  chain_t   [CHAINS-1:0]        chains,
    input  trigger_t [CHAINS-1:0]        triggers,
    input  latch_t   [CHAINS-1:0]        latches,
    // To the gate.
    output logic                         hit_pending,       // the hit stands but for its frame's verdict and stamps
    output logic                         hit_valid,
    output hit_t                         hit,
    input  logic                         hit_ready
);
  typedef enum logic [1:0] {
    WATCH, PICK, HIT
  } phase_t;

  phase_t phase;
  logic current, at_hand;  // at_hand: the chains are those of the message
  assign current = armed && message_valid;
  assign at_hand = chains_ready && chains_instrument == message.instrument;

  assign load_instrument = message_valid ? message.instrument : incoming_instrument;
  assign load = phase == WATCH && armed && chains_idle && (message_valid || incoming)
      && !(chains_ready && chains_instrument == load_instrument);

  // Compare. Registered before the choice: the carry chains end in registers.
  logic [CHAINS-1:0] satisfied;
  always_ff @(posedge clk)
    for (int i = 0; i < CHAINS; i++) begin
      satisfied[i] <= chains[i].valid != '0 && message.observed[i/2].valid
          && ((i % 2 == DIRECTION_LE) ? message.observed[i/2].price <= chains[i].threshold
                                      : message.observed[i/2].price >= chains[i].threshold);
    end

  logic [2:0] first;
  always_comb begin
    first = '0;
    for (int i = CHAINS - 1; i >= 0; i--) if (satisfied[i]) first = 3'(i);
  end

  hit_t picked;
  always_ff @(posedge clk) begin
    unique case (phase)
      WATCH: if (current && at_hand && !bad) phase <= PICK;
      PICK: begin
        take_chain <= first;
        phase <= (bad || !current || satisfied == '0) ? WATCH : HIT;
      end
      HIT: if (take || !current || (bad && !committed)) phase <= WATCH;
      default: phase <= WATCH;
    endcase
    if (rst) phase <= WATCH;
  end

  always_ff @(posedge clk)
    if (phase == PICK) begin
      picked <= '0;
      picked.instrument <= message.instrument;
      picked.message <= message.number;
      picked.message_end_cycle <= message.end_cycle;
      for (int i = 0; i < CHAINS; i++)
        if (first == 3'(i)) begin
          picked.trigger <= chains[i].head;
          picked.rule <= triggers[i].rule;
          picked.order <= triggers[i].order;
          picked.fires <= latches[i].fires + 15'd1;
          picked.source <= 2'(i / 2);
          picked.observed <= message.observed[i/2].price;
        end
    end

  assign pop = message_valid && (!armed || (phase == PICK && satisfied == '0 && !bad));
  assign hit_pending = phase == HIT && current;
  // Registered: a FIN or RST in the frame that fires is known to the gate by then.
  always_ff @(posedge clk) hit_valid <= !rst && phase == HIT && current && committed && !take;
  assign take = hit_valid && hit_ready;
  always_comb begin
    hit = picked;
    hit.frame_end_cycle = frame_end_cycle;
    hit.time_ns = frame_time_ns;
  end
endmodule
