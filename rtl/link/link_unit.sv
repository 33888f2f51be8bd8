// SPDX-License-Identifier: Apache-2.0
// The link to another board: three channels of records over one Ethernet port, each lossless and in order, of which none holds
// another one up. The inter-frame gap is the MAC's.
module link_unit
  import link_hwmap_pkg::*, link_pkg::*;
#(
    parameter  int FIRE_WORDS = 64,   // of the longest frame of fires; one record has room in it
    parameter  int WORDS      = 496,  // of the others: a frame of 4,000 bytes behind its addresses
    parameter  int RETRY      = 500,  // cycles without an acknowledgement until a frame of fires is sent again
    localparam int AW         = $clog2(WORDS + 1)
) (
    input  logic                      clk,
    input  logic                      rst,
    // Who is who; another incarnation begins with `own_set`.
    input  logic [47:0]               own_mac,
    input  logic [47:0]               other_mac,
    input  logic [SEQ_BITS-1:0]       own,
    input  logic                      own_set,
    input  hello_state_t              hello,
    input  state_t                    state,
    input  logic [31:0]               beat_cycles, // an eighth of a lease
    output logic [SEQ_BITS-1:0]       known,
    output logic                      up,
    output logic                      refused,
    output differs_t                  differs,
    // Records, a stream for each channel.
    input  logic  [LINK_CHANNELS-1:0] in_valid,
    input  word_t [LINK_CHANNELS-1:0] in_word,
    input  logic  [LINK_CHANNELS-1:0] in_last,
    input  logic  [LINK_CHANNELS-1:0] in_urgent,
    output logic  [LINK_CHANNELS-1:0] in_ready,
    output logic  [LINK_CHANNELS-1:0] idle,
    output logic  [LINK_CHANNELS-1:0] out_valid,
    output word_t [LINK_CHANNELS-1:0] out_word,
    output logic  [LINK_CHANNELS-1:0] out_last,    // of a frame
    input  logic  [LINK_CHANNELS-1:0] out_ready,
    // Wire.
    input  logic                      rx_valid,
    input  logic [7:0]                rx_data,
    input  logic                      rx_last,
    input  logic                      rx_err,
    output logic                      tx_valid,
    output logic [7:0]                tx_data,
    output logic                      tx_last,
    output logic                      tx_err,
    input  logic                      tx_ready,
    // Of note: pulses.
    output logic  [LINK_CHANNELS-1:0] again,       // a frame has been sent again
    output logic  [LINK_CHANNELS-1:0] takes,       // one has been accepted
    output logic                      bad,
    output logic                      foreign,
    output logic                      unknown,
    output logic                      stale
);
  if (FIRE_WORDS > WORDS || FIRE_WORDS < LINK_RECORD_WORDS) begin : gen_refuse
    $error("link_unit %m: a frame of fires has a record, and is no longer than the others");
  end
  // Twice the longest frame, in cycles of a byte.
  localparam int LONG_RETRY = 2 * (LINK_WORD_BYTES * WORDS + LINK_ETHERNET_BYTES + LINK_HEADER_BYTES + 24);

  logic [SEQ_BITS-1:0] sender, receiver, addressee, beat, echo;
  logic wanted, good, is_hello, heard, clear, wants_hello, wants_bare, urgent, begins, begins_hello;
  /* verilator lint_off UNUSEDSIGNAL */  // what is looked at here
  link_header_t header;
  /* verilator lint_on UNUSEDSIGNAL */
  differs_t said_differs;
  told_t [LINK_CHANNELS-1:0] told, says;
  logic [LINK_CHANNELS-1:0] frame_begins, frees;
  seq_t seq;
  logic word_valid;
  word_t rx_word;
  link_receive #(
      .WORDS(WORDS)
  ) receive (
      .clk, .rst, .own_mac, .other_mac, .hello, .rx_valid, .rx_data, .rx_last, .rx_err, .sender, .receiver, .wanted,
      .begins(frame_begins), .seq, .in_valid(word_valid), .in_word(rx_word), .good, .bad, .header, .told, .is_hello,
      .differs(said_differs), .foreign, .unknown
  );

  logic [31:0] waited;
  logic beats;
  always_ff @(posedge clk) begin
    beats <= waited == '0;
    waited <= (waited == '0) ? beat_cycles - 1'b1 : waited - 1'b1;
    if (beats) beat <= beat + 1'b1;
    if (heard) echo <= header.beat;
    if (rst) {waited, beats, beat, echo} <= '0;
  end

  peer other_end (
      .clk, .rst, .own, .own_set, .beats, .sender, .receiver, .wanted, .good, .is_hello, .differs(said_differs),
      .answer(header.answer), .of_channel(header.length != '0 && int'(header.channel) != LINK_CHANNEL_HELLO),
      .of_fires(int'(header.channel) == LINK_CHANNEL_FIRES), .frees(frees != '0), .heard, .stale, .known,
      .addressee, .up, .refused, .other(differs), .clear, .wants_hello, .wants_bare, .urgent, .begins, .begins_hello
  );

  logic [LINK_CHANNELS-1:0] wants, take, reads, done, offers;
  seq_t [LINK_CHANNELS-1:0] numbers;
  logic [LINK_CHANNELS-1:0][AW-1:0] words;
  word_t [LINK_CHANNELS-1:0] read;
  logic [AW-1:0] address;
  logic cut;
  assign offers = wants & {LINK_CHANNELS{up && !clear}};
  for (genvar i = 0; i < LINK_CHANNELS; i++) begin : gen_channel
    localparam int LONGEST = (i == 0) ? FIRE_WORDS : WORDS;
    localparam int LONGEST_AW = $clog2(LONGEST + 1);
    logic [LONGEST_AW-1:0] long;
    assign words[i] = AW'(long);
    channel_send #(
        .WORDS(LONGEST), .RETRY((i == 0) ? RETRY : LONG_RETRY)
    ) send (
        .clk, .rst, .clear, .in_valid(in_valid[i]), .in_word(in_word[i]), .in_last(in_last[i]), .in_urgent(in_urgent[i]),
        .in_ready(in_ready[i]), .heard, .told(told[i]), .wants(wants[i]), .seq(numbers[i]), .words(long), .take(take[i]),
        .reads(reads[i]), .address(address[LONGEST_AW-1:0]), .word(read[i]), .done(done[i]), .cut, .idle(idle[i]), .again(again[i])
    );
    channel_receive #(
        .WORDS(LONGEST)
    ) receive (
        .clk, .rst, .clear, .begins(frame_begins[i]), .seq, .in_valid(word_valid), .in_word(rx_word), .good, .bad,
        .takes(takes[i]), .told(says[i]), .out_valid(out_valid[i]), .out_word(out_word[i]), .out_last(out_last[i]),
        .out_ready(out_ready[i]), .frees(frees[i])
    );
  end

  link_transmit #(
      .AW(AW)
  ) transmit (
      .clk, .rst, .enable(own != '0),
      .identity('{own_mac: own_mac, other_mac: other_mac, own: own, other: known, answered: addressee, hello: hello}),
      .state, .answer(!up), .told(says), .beat, .echo, .abort(clear), .wants(offers), .seq(numbers), .words, .take, .reads,
      .address, .word(read), .done, .cut, .wants_hello, .wants_bare, .urgent, .begins, .begins_hello, .tx_valid, .tx_data, .tx_last, .tx_err, .tx_ready
  );
endmodule
