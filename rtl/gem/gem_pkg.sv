// SPDX-License-Identifier: Apache-2.0
// What the modules of gem_port hand to each other. Layouts that software or the controller see are in the hwmaps.
package gem_pkg;
  import gem_port_hwmap_pkg::*;

  // One beat that was written through the window, for one cycle.
  typedef struct packed {
    logic              valid;
    gem_port_address_t addr;     // word aligned
    logic [31:0]       data;
    logic [3:0]        strobes;
  } gem_write_t;

  localparam int SLOT_WORDS = GEM_PORT_SLOT_BYTES / 4;
  localparam int SLOT_BITS = $clog2(GEM_PORT_SLOT_BYTES);  // of a byte address within a slot
  typedef logic [$clog2(SLOT_WORDS)-1:0] slot_word_t;

  // Whether an address is in the run of so many bytes, a power of two, that begins at a multiple of its size.
  function automatic logic in_window(gem_port_address_t address, gem_port_address_t base, int bytes);
    return (address ^ base) >> $clog2(bytes) == '0;
  endfunction

  // Sticky faults, by their bits in the register port_status.
  localparam int FAULTS = GEM_PORT_PORT_STATUS_START_REFUSED_LSB + 1;
  typedef logic [FAULTS-1:0] faults_t;

  // What is counted, in the order of the counters' registers.
  typedef struct packed {
    logic discarded;  // at the end of a frame
    logic restarts;
    logic starts;
    logic sent;
    logic queued;
    logic aborted;
    logic received;
  } gem_count_t;
  localparam int COUNTERS_OF_PORT = $bits(gem_count_t);
endpackage
