// SPDX-License-Identifier: Apache-2.0
// Bundles between the modules that match messages against triggers.
package match_pkg;
  import fixaccel_hwmap_pkg::*, receive_pkg::*;

  // The first live trigger of a chain.
  typedef struct packed {
    logic                             live;   // there is one
    logic                             arms;   // the chain has one whose order arms others
    logic [CHAIN_FIRST_BITS-1:0]      index;
    trigger_t                         trigger;
    logic [FIRE_COUNT_FIRES_BITS-1:0] fires;  // with the one to come
    logic                             exhausted;  // there is no such count: it stays
  } head_t;

  // A message of a good frame.
  typedef struct packed {
    message_t    message;
    logic [31:0] frame_end_cycle;
    logic [63:0] time_ns;  // clock at the end of the frame
  } committed_t;

  // Lowest bit that is set, halves joined pairwise: five short steps instead of a chain of 32.
  typedef struct packed {
    logic       any;
    logic [4:0] place;
  } lowest_t;
  function automatic lowest_t lowest(logic [31:0] bits);
    logic [31:0] any;
    logic [31:0][4:0] place;
    any = bits;
    place = '0;
    for (int level = 0; level < 5; level++)
      for (int i = 0; i < (16 >> level); i++) begin
        place[i] = any[2*i] ? place[2*i] : place[2*i+1] | 5'(1 << level);
        any[i] = any[2*i] || any[2*i+1];
      end
    lowest = '{any: any[0], place: place[0]};
  endfunction

  // Bits from a place on, behind it.
  function automatic logic [31:0] bits_from(logic [4:0] place);
    for (int i = 0; i < 32; i++) bits_from[i] = 5'(i) >= place;
  endfunction
  function automatic logic [31:0] bits_behind(logic [4:0] place);
    for (int i = 0; i < 32; i++) bits_behind[i] = 5'(i) > place;
  endfunction
endpackage
