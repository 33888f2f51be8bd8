// SPDX-License-Identifier: Apache-2.0
// Sums of the characters of the patched fields, apart by even and odd index: with them a field counts into the TCP
// checksum at any offset and into the FIX checksum. One cycle behind `fields` while `enable` is set.
module field_sums
  import fixaccel_hwmap_pkg::*;
  import order_pkg::*;
(
    input  logic       clk,
    input  logic       enable,
    input  fields_t    fields,
    output char_sums_t seq_num,
    output char_sums_t utc_time,
    output char_sums_t cl_ord_id,
    output char_sums_t checksum
);
  function automatic char_sums_t seq_num_sums(logic [31:0] bcd);
    seq_num_sums = '0;
    for (int i = 0; i < SEQ_NUM_CHARS; i++)
      seq_num_sums[i%2] = seq_num_sums[i%2] + {3'b0, seq_num_char(bcd, 3'(i))};
  endfunction
  function automatic char_sums_t time_sums(host_pkg::utc_t utc);
    time_sums = '0;
    for (int i = 0; i < TIME_CHARS; i++) time_sums[i%2] = time_sums[i%2] + {3'b0, time_char(utc, 5'(i))};
  endfunction
  function automatic char_sums_t id_sums(logic [31:0] epoch, rule_digits_t rule, fires_digits_t fires);
    id_sums = '0;
    for (int i = 0; i < CL_ORD_ID_CHARS; i++)
      id_sums[i%2] = id_sums[i%2] + {3'b0, cl_ord_id_char(epoch, rule, fires, 5'(i))};
  endfunction
  function automatic char_sums_t checksum_sums(logic [11:0] bcd);
    checksum_sums = '0;
    for (int i = 0; i < CHECKSUM_CHARS; i++)
      checksum_sums[i%2] = checksum_sums[i%2] + {3'b0, checksum_char(bcd, 2'(i))};
  endfunction

  always_ff @(posedge clk)
    if (enable) begin
      seq_num <= seq_num_sums(fields.seq_num);
      utc_time <= time_sums(fields.utc);
      cl_ord_id <= id_sums(fields.epoch, fields.rule, fields.fires);
      checksum <= checksum_sums(fields.checksum);
    end
endmodule
