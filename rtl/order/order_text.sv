// SPDX-License-Identifier: Apache-2.0
// Characters of the patched fields, two at a time: that with the even index in its field and the one behind it. Their
// slots stand in the order in which order_sums adds them up; payload_fetch picks them from here afterwards.
module order_text
  import order_pkg::*;
(
    input  logic            clk,
    /* verilator lint_off UNUSEDSIGNAL */  // the characters only
    input  leaving_t        leaving,
    /* verilator lint_on UNUSEDSIGNAL */
    input  fields_t         fields,
    input  slot_t           slot,      // of the characters with an even index; the same twice
    input  slot_t           slot_odd,
    output logic [1:0][7:0] chars   // [0] even, [1] odd; two cycles behind `slot`
);
  // A base-36 digit, or one of these.
  typedef logic [5:0] code_t;
  localparam code_t DASH = 6'd36, COLON = 6'd37, DOT = 6'd38, NONE = 6'd39;
  function automatic logic [7:0] char(code_t code);
    logic letter;  // from ten on, without a carry chain
    letter = code[5:4] != '0 || (code[3] && code[2:1] != '0);
    case (code)
      DASH: return "-";
      COLON: return ":";
      DOT: return ".";
      NONE: return 8'h00;
      default: return 8'h30 + {2'b00, code} + {5'b0, {3{letter}}};
    endcase
  endfunction

  typedef logic [1:0][5:0] pair_t;
  function automatic pair_t pair(code_t even, code_t odd);
    return {odd, even};
  endfunction
  function automatic code_t decimal(logic [3:0] digit);
    return {2'b00, digit};
  endfunction

  pair_t [2**$bits(slot_t)-1:0] pairs;
  always_comb begin
    for (int i = 0; i < 2 ** $bits(slot_t); i++) pairs[i] = pair(NONE, NONE);
    pairs[CHECKSUM_SLOT] = pair(decimal(fields.checksum[11:8]), NONE);
    pairs[CHECKSUM_SLOT+1] = pair(decimal(fields.checksum[3:0]), decimal(fields.checksum[7:4]));
    for (int i = 0; i < 4; i++)
      pairs[int'(SEQ_NUM_SLOT)+i] = pair(decimal(leaving.seq_num[28-8*i+:4]), decimal(leaving.seq_num[24-8*i+:4]));
    for (int i = 0; i < 4; i++)
      pairs[int'(TIME_SLOT)+i] = pair(decimal(leaving.utc.date[28-8*i+:4]), decimal(leaving.utc.date[24-8*i+:4]));
    pairs[TIME_SLOT+4] = pair(DASH, decimal(leaving.utc.hms[23:20]));
    pairs[TIME_SLOT+5] = pair(decimal(leaving.utc.hms[19:16]), COLON);
    pairs[TIME_SLOT+6] = pair(decimal(leaving.utc.hms[15:12]), decimal(leaving.utc.hms[11:8]));
    pairs[TIME_SLOT+7] = pair(COLON, decimal(leaving.utc.hms[7:4]));
    pairs[TIME_SLOT+8] = pair(decimal(leaving.utc.hms[3:0]), DOT);
    pairs[TIME_SLOT+9] = pair(decimal(leaving.utc.ms[11:8]), decimal(leaving.utc.ms[7:4]));
    pairs[TIME_SLOT+10] = pair(decimal(leaving.utc.ms[3:0]), NONE);
    pairs[FIRES_SLOT] = pair('0, fields.fires[2]);
    pairs[FIRES_SLOT+1] = pair(fields.fires[1], fields.fires[0]);
    pairs[RULE_SLOT] = pair('0, fields.rule[4]);
    pairs[RULE_SLOT+1] = pair(fields.rule[3], fields.rule[2]);
    pairs[RULE_SLOT+2] = pair(fields.rule[1], fields.rule[0]);
    pairs[ZEROS_SLOT] = pair('0, '0);
  end

  pair_t codes;
  logic [1:0] of_epoch;
  always_ff @(posedge clk) begin
    codes <= {pairs[slot_odd][1], pairs[slot][0]};
    of_epoch <= {slot == EPOCH_SLOT + 1, slot == EPOCH_SLOT};
    for (int odd = 0; odd < 2; odd++)
      chars[odd] <= of_epoch[0] ? fields.epoch[8*odd+:8] : of_epoch[1] ? fields.epoch[16+8*odd+:8] : char(codes[odd]);
  end
endmodule
