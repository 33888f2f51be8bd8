// SPDX-License-Identifier: Apache-2.0
// Whether the slots for numbers have a previous value; all of them forget at once.
//
// Slots stand in rows. Which rows were written since they were forgotten is in flip-flops, all else in LUTs: a write puts the
// row's other slots to undefined where it is the first one.
module slot_states
  import feed_hwmap_pkg::*, feed_pkg::*;
(
    input  logic   clk,
    input  logic   forget,
    input  slot_t  look,
    output state_t state,
    input  logic   write,
    input  slot_t  write_slot,
    input  logic   empty
);
  localparam int COLUMNS = 16;
  localparam int ROWS = FEED_NUMBERS / COLUMNS;
  localparam int CW = $clog2(COLUMNS);
  localparam int RW = $clog2(ROWS);
  typedef struct packed {
    logic [COLUMNS-1:0] known;
    logic [COLUMNS-1:0] empty;
  } row_t;

  (* ram_style = "distributed" *) row_t rows[ROWS];
  logic [ROWS-1:0] written;
  row_t looked, old, made;
  logic [COLUMNS-1:0] column;
  assign looked = rows[look[SLOT_BITS-1:CW]];
  assign state = !(written[look[SLOT_BITS-1-:RW]] && looked.known[look[CW-1:0]]) ? STATE_UNDEFINED :
      looked.empty[look[CW-1:0]] ? STATE_EMPTY : STATE_ASSIGNED;

  assign old = rows[write_slot[SLOT_BITS-1:CW]];
  always_comb begin
    column = COLUMNS'(1) << write_slot[CW-1:0];
    made.known = (written[write_slot[SLOT_BITS-1-:RW]] ? old.known : '0) | column;
    made.empty = (old.empty & ~column) | (column & {COLUMNS{empty}});
  end
  always_ff @(posedge clk) begin
    if (write) begin
      rows[write_slot[SLOT_BITS-1:CW]] <= made;
      written[write_slot[SLOT_BITS-1:CW]] <= 1'b1;
    end
    if (forget) written <= '0;
  end
endmodule
