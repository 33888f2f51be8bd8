// SPDX-License-Identifier: Apache-2.0
// CRC-32 of IEEE 802.3, reflected, as in the Ethernet FCS and in zlib.
package crc32_pkg;
  localparam logic [31:0] CRC32_START = 32'hFFFFFFFF;
  // State after a whole frame with its FCS, if the FCS is right.
  localparam logic [31:0] CRC32_RESIDUE = 32'hDEBB20E3;
  localparam logic [31:0] CRC32_POLYNOMIAL = 32'hEDB88320;

  // State after one more byte. The FCS is the inverted state, lowest byte first.
  function automatic logic [31:0] crc32_byte(logic [31:0] state, logic [7:0] data);
    logic [31:0] next;
    next = state ^ {24'b0, data};
    for (int i = 0; i < 8; i++) next = next[0] ? ((next >> 1) ^ CRC32_POLYNOMIAL) : (next >> 1);
    return next;
  endfunction
endpackage
