// SPDX-License-Identifier: Apache-2.0
// What an order that was sent, or a watch, does to triggers: walks the list of links that its record names.
//
// The list is read from the cycle after `start` on. Ranges that are cancelled or revived at once come first, and are. Where
// those begin that are armed or revived later, the place is kept until the message is `over`: it is done at its end, and the
// list is walked on from there. A range is changed word by word, as live_bits does it. With two banks, numbers in records and
// `link` count within the bank.
module links
  import fixaccel_hwmap_pkg::*, fixaccel_types_pkg::*, match_pkg::*;
#(
    parameter int TRIGGERS  = 16384,
    parameter int LINKS     = 4096,
    parameter int DEFERRED  = DEFERRED_LINKS,
    localparam int AW       = $clog2(TRIGGERS)
) (
    input  logic          clk,
    input  logic          rst,
    input  host_req_t     host_req,
    output logic [31:0]   host_rdata,
    input  logic          start,          // pulse: an order was sent (or a watch hit), the last one's links have been walked
    /* verilator lint_off UNUSEDSIGNAL */  // a board has fewer
    input  logic [ORDER_LINK_BITS-1:0] link,  // the first of its links; 0: it has none
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic          two_banks,
    input  logic          upper,          // with start: its bank, if there are two
    input  logic          over,           // level or pulse: the message has been evaluated to its end, or never will be
    output logic          busy,           // links are being walked, or about to be
    // Changes.
    output logic          change,         // pulse
    output logic          change_arms,
    output logic          change_revives,
    output logic [AW-1:0] change_first,
    output logic [AW-1:0] change_last,
    input  logic          changing        // in the cycles behind a change, this one's or another's
);
  localparam int LINK_AW = $clog2(LINKS);
  localparam int DEFERRED_AW = $clog2(DEFERRED);
  if ((LINKS & (LINKS - 1)) != 0 || LINKS > 2 ** ORDER_LINK_BITS || (DEFERRED & (DEFERRED - 1)) != 0) begin : gen_refuse
    $error("links %m: LINKS and DEFERRED are powers of two, LINKS of at most what an order can name");
  end

  logic [LINK_AW-1:0] at;
  link_t record;
  table_ram #(
      .BITS(LINK_BITS), .DEPTH(LINKS), .STRIDE(LINK_STRIDE), .BASE(BASE_LINK), .KEPT(link_kept(TRIGGERS))
  ) lists (
      .clk, .rst, .host_req, .host_rdata, .core_write(1'b0), .core_addr(at), .core_wdata('0), .core_rdata(record)
  );

  // What is to be walked on at the message's end. There is room for every fire of one message that arms.
  logic [LINK_AW-1:0] deferred[DEFERRED], deferred_q, next;  // a register behind the memory's own
  logic [DEFERRED_AW:0] oldest, behind;
  logic some, defer, resume;
  assign some = oldest != behind;
  always_ff @(posedge clk) begin
    deferred_q <= deferred[oldest[DEFERRED_AW-1:0]];
    next <= deferred_q;
    if (defer) begin
      deferred[behind[DEFERRED_AW-1:0]] <= at;
      behind <= behind + 1'b1;
    end
    if (resume) oldest <= oldest + 1'b1;
    if (rst) {oldest, behind} <= '0;
  end

  // READ lasts until the record stands: its address, the memory, the register behind it. LOOK is at a record, CHANGE at a
  // word of its range. RESUME waits for `next`.
  typedef enum logic [2:0] {IDLE, RESUME, READ, LOOK, CHANGE} state_t;
  state_t state;
  logic [1:0] reading;
  logic ending;    // the message is over, and so what its fires have deferred is due
  logic resuming;  // this list was deferred
  logic [AW-1:0] first, last;
  logic last_word, more;
  assign last_word = first[AW-1:5] == last[AW-1:5];
  assign defer = state == LOOK && record.arms && !resuming;
  assign resume = state == RESUME && reading[1];
  assign busy = state != IDLE || ending;
  always_ff @(posedge clk) begin
    change <= 1'b0;
    reading <= {reading[0], 1'b1};
    if (over && (some || state != IDLE)) ending <= 1'b1;
    case (state)
      IDLE: begin
        reading <= '0;
        if (start && link != '0) begin
          at <= LINK_AW'(link);
          if (two_banks) at[LINK_AW-1] <= upper;
          resuming <= 1'b0;
          state <= READ;
        end else if (ending) begin
          if (some) state <= RESUME;
          else ending <= 1'b0;
        end
      end
      RESUME: if (reading[1]) begin
        at <= next;
        resuming <= 1'b1;
        reading <= '0;
        state <= READ;
      end
      READ: if (reading[1]) state <= LOOK;
      LOOK: begin
        first <= AW'(record.first);
        last <= AW'(record.last);
        if (two_banks) {first[AW-1], last[AW-1]} <= {2{at[LINK_AW-1]}};
        {change_arms, change_revives} <= {record.arms, record.revives};
        more <= record.more;
        at <= at + 1'b1;
        state <= defer ? IDLE : CHANGE;
      end
      CHANGE: if (!changing && !change) begin
        change <= 1'b1;
        change_first <= first;
        change_last <= last_word ? last : {first[AW-1:5], 5'h1F};
        first <= {first[AW-1:5] + 1'b1, 5'h00};
        reading <= '0;
        if (last_word) state <= more ? READ : IDLE;
      end
      default: state <= IDLE;
    endcase
    if (rst) begin
      state <= IDLE;
      {change, ending} <= '0;
    end
  end
endmodule
