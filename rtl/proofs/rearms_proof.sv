// SPDX-License-Identifier: Apache-2.0
// Any one slot of four, for orders of any rules, messages of any instruments and a host that writes any slots.
//  1. It begins to wait where the host says so, or behind an order whose links revive its trigger, of another fire than its last.
//  2. Behind such an order it does, within WAITS_WITHIN cycles, and is due at the time of the fire and its span; what the host
//     tells is due when it says.
//  3. It waits until its hit is taken, or the host writes it, and no longer.
//  4. What is due waits, is of the message's instrument, and its time has come.
//  5. Where nothing is due, or nothing of the instrument waits, this does not.
//  6. While it waits, or an order may let it wait, that is not told to be impossible.
module rearms_proof
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*;
#(
    localparam int TRIGGERS = 16,
    localparam int SLOTS    = 4
) (
    input logic                       clk,
    input logic                       rst,
    input host_req_t                  host_req,
    input logic                       two_banks,
    input logic [15:0]                instrument,
    input logic                       asked,
    input logic [63:0]                time_ns,
    input logic                       revives,
    input logic [3:0]                 revived,
    input logic [REARM_LAST_BITS-1:0] fires,
    input logic                       pick, take,
    input logic [1:0]                 one  // the slot that is looked at
);
  localparam int WAITS_WITHIN = 6;
  logic waits, none, some, answered, due, taken;
  logic [REARM_TRIGGER_BITS-1:0] trigger;
  logic [REARM_ORDER_BITS-1:0] order;
  rearms #(
      .INSTRUMENTS(4), .TRIGGERS(TRIGGERS), .ORDERS(4), .SLOTS(SLOTS)
  ) again (.*);

  // As it stands.
  logic pending, used, upper, own, past, written;
  logic [63:0] due_at, span;
  logic [1:0] instrument_q;
  assign pending = again.pending[one];
  assign used = again.agains[one];
  assign due_at = {again.highs[one], again.lows[one]};
  assign span = {again.high_spans[one], again.low_spans[one]};
  assign upper = two_banks && one[1];
  assign own = {again.instruments[one][1] ^ upper, again.instruments[one][0]} == instrument_q;
  assign past = due_at <= time_ns;
  assign written = again.writes && again.written == one;

  // Orders: links of the next one revive when those of this one have done so, and the fire stands meanwhile (links, fires).
  // The host writes slots of the bank that is not evaluated, or such as no links lead to: not this one then. What is due is
  // picked or not, and taken later; nothing is asked in between (matcher).
  logic [2:0] since_revived, since_access, since_written, since_set, since_taken, since_near, since_aimed, since_named, since_told;
  logic [63:0] time_q, sum, told_span;
  logic [REARM_LAST_BITS-1:0] fires_q;
  logic [1:0] asked_q;
  logic near, aimed, ours, banks, fixed, settled, offered, offered_one, is_due;
  logic [1:0] one_q;
  assign near = revives && again.slot_of == one;
  assign aimed = near && again.triggers[one] == {revived[3] && !two_banks, revived[2:0]};
  assign ours = aimed && used && fires != again.lasts[one];
  assign taken = take && offered;
  assign is_due = due && again.at[1:0] == one;
  function automatic logic [2:0] since(logic now, logic [2:0] count);
    return now ? '0 : (count == '1) ? count : count + 1'b1;
  endfunction
  initial {fixed, settled} = '0;
  always_ff @(posedge clk) begin
    fixed <= 1'b1;
    one_q <= one;
    banks <= two_banks;
    {time_q, fires_q, asked_q, instrument_q} <= {time_ns, fires, asked_q[0], asked, instrument[1:0]};
    since_revived <= since(revives, since_revived);
    since_access <= since(host_req.valid, since_access);
    since_written <= since(written, since_written);
    since_set <= since(ours, since_set);
    since_near <= since(near, since_near);
    since_aimed <= since(aimed, since_aimed);
    since_named <= since(written && again.word == 3'd3, since_named);
    since_taken <= since(taken && offered_one, since_taken);
    since_told <= since(written && again.word == 3'd2, since_told);
    if (written && again.word == 3'd2) told_span <= span;
    if (ours) sum <= time_ns + span;
    offered <= (due && pick) || (offered && !taken);
    if (due) offered_one <= is_due;
    if (rst) {since_revived, since_access, since_written, since_set, since_taken, since_near, since_aimed, since_named, since_told} <= '1;
    if (rst) offered <= 1'b0;
  end
  always_comb begin
    assume (!fixed || (one == one_q && (rst || banks == two_banks)));
    assume (!fixed || !rst);
    assume (!revives || (int'(since_revived) >= 4 && !rst));
    assume (int'(since_revived) >= 4 || (time_ns == time_q && fires == fires_q));
    assume (asked_q != '1 || time_ns == time_q);
    assume (!asked || (instrument[1:0] == instrument_q && !offered && !revives && int'(since_revived) >= 4));
    assume (!host_req.valid || (int'(since_access) >= HOST_PERIOD - 1 && !rst));
    assume (!(written && (aimed || int'(since_aimed) < WAITS_WITHIN)));
    assume (!(aimed && int'(since_written) < WAITS_WITHIN));
    assume (!(written && again.word == 3'd3 && (near || int'(since_near) < WAITS_WITHIN)));
    assume (!(near && int'(since_named) < WAITS_WITHIN));
    assume (!(written && (offered || int'(since_taken) < 4)));
    // Its rule fires again only once it has been armed again.
    assume (!(ours && (pending || offered || int'(since_taken) < 4)));
  end

  logic pending_q, told_q, was_set;
  always_ff @(posedge clk) begin
    {pending_q, told_q, settled} <= {pending, written && again.told_pending, fixed && !rst};
    was_set <= (was_set || ours) && !rst;
  end
  always_ff @(posedge clk)
    if (settled) begin
      if (pending && !pending_q) assert (told_q || int'(since_set) < WAITS_WITHIN);                      // 1
      if (int'(since_set) == WAITS_WITHIN - 1) assert (pending && due_at == sum);                        // 2
      if (int'(since_told) == WAITS_WITHIN) assert (due_at == told_span);
      if (!pending && pending_q) assert (int'(since_taken) < 4 || int'(since_written) == 0);             // 3
      if (int'(since_taken) == 4) assert (!pending);
      if (is_due) assert (pending && own && past);                                                       // 4
      if (answered && !due) assert (!(pending && own && past));                                          // 5
      if (none) assert (!(pending && own));
      if (!waits) assert (!pending && !used);                                                            // 6
      cover (is_due && was_set && sum[32]);
      cover (answered && !due && pending && own);
      cover (none && again.any);
      cover (!waits);
      cover (int'(since_taken) == 4);
    end
endmodule
bind rearms_proof from_reset reset (.*);
