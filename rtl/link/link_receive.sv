// SPDX-License-Identifier: Apache-2.0
// Reads the link's frames: what the header says, and the records of a channel as they arrive. All of it counts behind the
// verdict only: FCS, addresses, version, and as many records as the header says.
//
// Whose frames they are, and whether those of channels are wanted, is told by `peer` from the incarnations.
module link_receive
  import link_hwmap_pkg::*, link_pkg::*;
#(
    parameter  int WORDS = 496,  // of records in the longest frame
    localparam int MOST_BYTES = LINK_ETHERNET_BYTES + LINK_HEADER_BYTES + LINK_WORD_BYTES * WORDS + FCS_BYTES
) (
    input  logic                      clk,
    input  logic                      rst,
    input  logic [47:0]               own_mac,
    input  logic [47:0]               other_mac,
    /* verilator lint_off UNUSEDSIGNAL */  // what is compared of it
    input  hello_state_t              hello,      // of this end
    /* verilator lint_on UNUSEDSIGNAL */
    // Wire.
    input  logic                      rx_valid,
    input  logic [7:0]                rx_data,
    input  logic                      rx_last,
    input  logic                      rx_err,
    // A frame for us, from its header's first words on.
    output logic [SEQ_BITS-1:0]       sender,
    output logic [SEQ_BITS-1:0]       receiver,
    input  logic                      wanted,     // of these incarnations channels are wanted, two cycles later
    output logic [LINK_CHANNELS-1:0]  begins,     // pulse: a frame of that channel
    output seq_t                      seq,
    output logic                      in_valid,   // pulse: a word of its records
    output word_t                     in_word,
    // Its end.
    output logic                      good,       // pulses, of which one ends each frame that is for us
    output logic                      bad,
    output link_header_t              header,     // with `good`
    output told_t [LINK_CHANNELS-1:0] told,       // likewise: of its header
    output logic                      is_hello,   // likewise: with a hello in it, of which `differs` is
    output differs_t                  differs,
    // Of note: pulses.
    output logic                      foreign,    // a frame that is for somebody else, or not of the link
    output logic                      unknown     // one of another version
);
  localparam int AT_BITS = $clog2(HEAD_WORDS + WORDS + 2);
  if ((LINK_ETHERNET_BYTES + LINK_HEADER_BYTES) % LINK_WORD_BYTES != 0) begin : gen_refuse
    $error("link_receive %m: records begin at a multiple of a word");
  end

  logic ended, fcs_good;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [31:0] end_cycle;
  /* verilator lint_on UNUSEDSIGNAL */
  frame_check #(
      .MOST_BYTES(MOST_BYTES)
  ) check (
      .clk, .rst, .data(rx_data), .valid(rx_valid), .last(rx_last), .err(rx_err), .cycle('0), .ended, .good(fcs_good), .end_cycle
  );

  // ---- Words as they fill: `whole` stands in the cycle behind its last byte, and `at` is its number.
  word_t whole;
  logic [2:0] byte_at;
  logic [AT_BITS-1:0] at;
  logic fresh, filled;
  always_ff @(posedge clk) begin
    filled <= 1'b0;
    if (filled && at != '1) at <= at + 1'b1;
    if (rx_valid) begin
      if (fresh) at <= '0;
      whole <= {whole[WORD_BITS-9:0], rx_data};
      byte_at <= fresh ? 3'd1 : byte_at + 1'b1;
      filled <= !fresh && byte_at == '1;
      fresh <= rx_last;
    end
    if (rst) {fresh, filled} <= 2'b10;
  end

  // ---- What they say. `ours` from the second word on.
  logic for_us, ours, known_version, complete, right_mac;
  logic [15:0] source;          // the first bytes of its sender's address
  logic [15:0] length;
  logic [AT_BITS-1:0] behind;   // the word behind its last record
  logic [2:0] rest;             // bytes behind that one, until there are as many as an FCS has
  link_header_t read;
  assign right_mac = whole[WORD_BITS-1-:48] == own_mac;
  assign header = read;
  assign length = read.length;
  assign sender = read.sender;
  assign receiver = read.receiver;
  assign seq = read.seq;
  logic [LINK_CHANNELS-1:0] of;
  always_comb for (int i = 0; i < LINK_CHANNELS; i++) of[i] = int'(read.channel) == i + 1;

  logic of_length;              // it says a number of whole words that a frame may have
  assign of_length = read.length % 16'(LINK_WORD_BYTES) == '0 && read.length <= 16'(LINK_WORD_BYTES * WORDS);
  logic [3:0] step;             // behind the header's fourth word: its number is known, and `wanted` follows
  always_ff @(posedge clk) begin
    step <= {step[2:0], filled && int'(at) == 3};
    if (filled)
      case (int'(at))
        0: begin
          for_us <= right_mac;
          source <= whole[15:0];
        end
        1: begin
          ours <= for_us && {source, whole[WORD_BITS-1-:32]} == other_mac && whole[31:16] == 16'(LINK_ETHER_TYPE);
          known_version <= whole[15:12] == 4'(LINK_VERSION);
          {read.version, read.channel, read.no_flags, read.live, read.standby, read.in_sync, read.solo, read.answer} <= whole[15:0];
        end
        2: {read.length, read.term, read.sender} <= whole;
        3: {read.receiver, read.seq, read.ack_fires, read.ack_prices} <= whole;
        4: {read.ack_host, read.free, read.missing, read.beat, read.echo} <= whole;
        default: ;
      endcase
    behind <= AT_BITS'(HEAD_WORDS) + AT_BITS'(length[15:3]);
    if (rx_valid && fresh) {for_us, ours} <= '0;
    if (rst) step <= '0;
  end
  assign begins = (step[3] && ours && known_version && of_length && wanted) ? of : '0;

  // ---- Records, and whether all of them came ahead of the FCS.
  logic in_records;
  assign in_records = int'(at) >= HEAD_WORDS && at < behind;
  always_ff @(posedge clk) begin
    in_valid <= filled && in_records && ours;
    in_word <= whole;
    if (filled && at + 1'b1 == behind) complete <= 1'b1;
    // Bytes behind the last record: the word's own last one was a cycle ago.
    if (rx_valid && (complete || (filled && at + 1'b1 == behind)) && rest != 3'(FCS_BYTES)) rest <= rest + 1'b1;
    if (rx_valid && fresh) begin
      complete <= 1'b0;
      rest <= '0;
    end
  end

  // ---- A hello.
  logic says_hello;
  always_ff @(posedge clk)
    if (filled && ours) begin
      case (int'(at) - HEAD_WORDS)
        0: says_hello <= whole[WORD_BITS-1-:16] == {8'(LINK_TYPE_HELLO), 8'(HELLO_WORDS)} && int'(read.channel) == LINK_CHANNEL_HELLO
            && int'(length) == HELLO_WORDS * LINK_WORD_BYTES;
        2: differs.hwmap <= whole != hello.hwmap_hash;
        3: differs.bundle <= whole != hello.bundle_hash;
        4: differs.venue <= whole != hello.venue_hash;
        5: differs.capacities <= whole != hello.capacities;
        default: ;
      endcase
      if (int'(at) == 4) says_hello <= 1'b0;
    end

  // ---- The verdict. The last record lies an FCS ahead of it.
  logic whole_frame;
  assign whole_frame = fcs_good && known_version && of_length && complete && rest == 3'(FCS_BYTES);
  always_ff @(posedge clk) begin
    good <= ended && ours && whole_frame;
    bad <= ended && ours && !whole_frame;
    unknown <= ended && ours && fcs_good && !known_version;
    foreign <= ended && !ours;
    is_hello <= says_hello;
    if (rst) {good, bad, foreign, unknown} <= '0;
  end
  always_comb
    for (int i = 0; i < LINK_CHANNELS; i++) begin
      told[i].free = (read.free[2*i+:2] > 2'(LINK_BUFFERS)) ? '0 : read.free[2*i+:2];
      told[i].missing = read.missing[i];
    end
  assign told[0].ack = read.ack_fires;
  assign told[1].ack = read.ack_prices;
  assign told[2].ack = read.ack_host;
endmodule
