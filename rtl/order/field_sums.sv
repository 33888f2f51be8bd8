// SPDX-License-Identifier: Apache-2.0
// Sums of the characters of the patched fields, apart by even and odd index: with them a field counts into the TCP
// checksum at any offset and into the FIX checksum. Two cycles behind the values: partial sums, then their sum.
module field_sums
  import fixaccel_hwmap_pkg::*;
  import order_pkg::*;
(
    input  logic           clk,
    input  logic    [31:0] seq_num,
    input  host_pkg::utc_t utc,
    input  fields_t        fields,
    output char_sums_t     seq_num_sums,
    output char_sums_t     time_sums,
    output char_sums_t     id_sums,
    output char_sums_t     checksum_sums
);
  // Characters are summed in groups of so many; of a field of 21 characters each parity has three groups.
  localparam int GROUP = 4;
  localparam int GROUPS = 3;
  typedef logic [GROUPS-1:0][1:0][10:0] partial_t;
  partial_t seq_num_part, time_part, id_part, checksum_part;

  function automatic char_sums_t total(partial_t part);
    for (int odd = 0; odd < 2; odd++) total[odd] = part[0][odd] + part[1][odd] + part[2][odd];
  endfunction

  function automatic logic [7:0] seq_num_at(logic [31:0] bcd, int i);
    return (i < SEQ_NUM_CHARS) ? seq_num_char(bcd, 3'(i)) : '0;
  endfunction
  function automatic logic [7:0] time_at(host_pkg::utc_t value, int i);
    return (i < TIME_CHARS) ? time_char(value, 5'(i)) : '0;
  endfunction
  function automatic logic [7:0] id_at(logic [31:0] epoch, rule_digits_t rule, fires_digits_t fires, int i);
    return (i < CL_ORD_ID_CHARS) ? cl_ord_id_char(epoch, rule, fires, 5'(i)) : '0;
  endfunction
  function automatic logic [7:0] checksum_at(logic [11:0] bcd, int i);
    return (i < CHECKSUM_CHARS) ? checksum_char(bcd, 2'(i)) : '0;
  endfunction

  always_ff @(posedge clk) begin
    for (int g = 0; g < GROUPS; g++)
      for (int odd = 0; odd < 2; odd++) begin
        logic [10:0] of_seq_num, of_time, of_id, of_checksum;
        {of_seq_num, of_time, of_id, of_checksum} = '0;
        for (int i = 2 * GROUP * g + odd; i < 2 * GROUP * (g + 1); i += 2) begin
          of_seq_num = of_seq_num + {3'b0, seq_num_at(seq_num, i)};
          of_time = of_time + {3'b0, time_at(utc, i)};
          of_id = of_id + {3'b0, id_at(fields.epoch, fields.rule, fields.fires, i)};
          of_checksum = of_checksum + {3'b0, checksum_at(fields.checksum, i)};
        end
        seq_num_part[g][odd] <= of_seq_num;
        time_part[g][odd] <= of_time;
        id_part[g][odd] <= of_id;
        checksum_part[g][odd] <= of_checksum;
      end
    seq_num_sums <= total(seq_num_part);
    time_sums <= total(time_part);
    id_sums <= total(id_part);
    checksum_sums <= total(checksum_part);
  end
endmodule
