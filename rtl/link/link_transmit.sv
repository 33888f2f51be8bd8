// SPDX-License-Identifier: Apache-2.0
// Puts the link's frames on the wire: of the channels that have one the first, then a hello, then a frame with no records; the
// header as it is when the frame begins, the records out of the channel's buffer, padding to the least frame, the FCS.
//
// A frame of the first channel does not wait for another one, nor does an acknowledgement of one: what is leaving is cut short,
// ends with a wrong FCS, which nobody takes for good, and is offered again. It is not padded then: what is shorter than a frame
// may be is not taken for one either.
module link_transmit
  import crc32_pkg::*, link_hwmap_pkg::*, link_pkg::*;
#(
    parameter int AW = 9  // bits of a frame's number of words
) (
    input  logic                              clk,
    input  logic                              rst,
    input  logic                              enable,     // level: frames may begin
    input  identity_t                         identity,
    input  state_t                            state,      // of this end
    input  logic                              answer,     // level: whoever reads it is to answer
    input  told_t [LINK_CHANNELS-1:0]         told,
    input  logic  [SEQ_BITS-1:0]              beat,
    input  logic  [SEQ_BITS-1:0]              echo,
    input  logic                              abort,      // pulse: what is leaving is of the past
    // What there is to send.
    input  logic  [LINK_CHANNELS-1:0]         wants,      // [0] is ahead of all others
    input  seq_t  [LINK_CHANNELS-1:0]         seq,
    input  logic  [LINK_CHANNELS-1:0][AW-1:0] words,
    output logic  [LINK_CHANNELS-1:0]         take,       // pulse
    output logic  [LINK_CHANNELS-1:0]         reads,
    output logic  [AW-1:0]                    address,
    input  word_t [LINK_CHANNELS-1:0]         word,       // a cycle behind `reads`
    output logic  [LINK_CHANNELS-1:0]         done,       // pulse: the last byte is on the wire
    output logic                              cut,        // with it: nobody has it
    input  logic                              wants_hello,
    input  logic                              wants_bare,
    input  logic                              urgent,     // with it: it acknowledges a frame of the first channel
    output logic                              begins,     // pulse: a frame, whose header says what is told now
    output logic                              begins_hello,  // with it
    // Wire.
    output logic                              tx_valid,
    output logic [7:0]                        tx_data,
    output logic                              tx_last,
    output logic                              tx_err,     // with it: the FCS is wrong
    input  logic                              tx_ready
);
  localparam int LEAST_BYTES = 60;  // ahead of the FCS

  // ---- Which one. A channel's number is its bit's, and one more in the header.
  typedef enum logic [2:0] {IDLE, BODY, PAD, FCS, GAP} phase_t;
  phase_t phase;
  logic [LINK_CHANNELS-1:0] first, of;  // of the frame that is leaving; 0: none of a channel
  logic hello, bare;
  logic [AW-1:0] count;  // its words of records
  logic [SEQ_BITS-1:0] number, receiver;
  logic step, last_word, last_byte, cuts, wrong, ends, now;
  assign now = wants_bare && urgent;
  always_comb begin
    first = '0;
    for (int i = LINK_CHANNELS - 1; i > 0; i--) if (wants[i] && !now) first = LINK_CHANNELS'(1) << i;
    if (wants[0]) first = LINK_CHANNELS'(1);
  end
  assign begins = phase == IDLE && enable && !tx_valid && (wants != '0 || wants_hello || wants_bare);
  assign begins_hello = begins && wants == '0 && wants_hello && !now;
  assign take = begins ? first : '0;

  // ---- Words, the next one ahead of its first byte.
  link_header_t header;
  told_t [LINK_CHANNELS-1:0] tells;
  logic [HEAD_WORDS-1:0][WORD_BITS-1:0] head;
  logic [HELLO_WORDS-1:0][WORD_BITS-1:0] says;
  always_comb begin
    header = '{
        version: 4'(LINK_VERSION), channel: hello ? 4'(LINK_CHANNEL_HELLO) : 4'(LINK_CHANNEL_NONE), no_flags: '0,
        live: state.live, standby: state.standby, in_sync: state.in_sync, solo: state.solo, answer: answer,
        length: 16'(count) * 16'(LINK_WORD_BYTES), term: state.term, sender: identity.own, receiver: receiver, seq: number,
        ack_fires: tells[0].ack, ack_prices: tells[1].ack, ack_host: tells[2].ack,
        free: '0, missing: '0, beat: beat, echo: echo
    };
    for (int i = 0; i < LINK_CHANNELS; i++) begin
      if (of[i]) header.channel = 4'(i + 1);
      header.free[2*i+:2] = tells[i].free;
      header.missing[i] = tells[i].missing;
    end
    // The first one uppermost.
    head = {identity.other_mac, identity.own_mac, 16'(LINK_ETHER_TYPE), header};
    says = {
        record_head_t'{record_type: 8'(LINK_TYPE_HELLO), words: 8'(HELLO_WORDS), kind: '0, number: '0},
        identity.hello
    };
  end

  logic [AW:0] at;      // word of the frame that is fetched next
  logic [AW:0] of_records, end_at;
  logic [2:0] byte_at;  // byte of the word that is leaving
  logic [5:0] sent;     // bytes on the wire, until there are enough
  word_t leaving, upcoming, next_word;
  logic [HEAD_WORDS-1:0] of_head;
  logic [HELLO_WORDS-1:0] of_hello;
  logic [LINK_CHANNELS-1:0] of_channel;
  always_comb begin
    next_word = '0;
    for (int i = 0; i < HEAD_WORDS; i++) next_word |= head[HEAD_WORDS-1-i] & {WORD_BITS{of_head[i]}};
    for (int i = 0; i < HELLO_WORDS; i++) next_word |= says[HELLO_WORDS-1-i] & {WORD_BITS{of_hello[i]}};
    for (int i = 0; i < LINK_CHANNELS; i++) next_word |= word[i] & {WORD_BITS{of_channel[i]}};
  end
  logic fetched;        // `word` is the one asked for
  assign of_records = at - (AW + 1)'(HEAD_WORDS);
  assign address = of_records[AW-1:0];
  assign reads = (phase == BODY && byte_at == 3'd1) ? of : '0;
  assign last_word = at == end_at;  // the word that is leaving is the last one
  assign last_byte = last_word && byte_at == '1;

  // ---- Bytes.
  logic [31:0] crc;
  logic enough;
  assign enough = sent >= 6'(LEAST_BYTES - 1);  // the byte that is shown makes it so
  assign step = !tx_valid || tx_ready;
  assign cuts = phase == BODY && ((wants[0] && !of[0]) || (now && !of[0] && !bare) || wrong);
  assign ends = tx_valid && tx_ready && tx_last;
  assign done = ends ? of : '0;
  assign cut = tx_err;

  always_ff @(posedge clk) begin
    // Which one it is, stands for a while ahead of it.
    for (int i = 0; i < HEAD_WORDS; i++) of_head[i] <= at == (AW + 1)'(i);
    for (int i = 0; i < HELLO_WORDS; i++) of_hello[i] <= hello && of_records == (AW + 1)'(i);
    of_channel <= (at >= (AW + 1)'(HEAD_WORDS)) ? of : '0;
    if (fetched) upcoming <= next_word;
    fetched <= phase == BODY && step && byte_at == 3'd1;
    end_at <= (AW + 1)'(HEAD_WORDS) + (AW + 1)'(count);

    if (begins) begin
      of <= first;
      hello <= begins_hello;
      bare <= (wants == '0 && !wants_hello) || (now && !wants[0]);
      count <= begins_hello ? AW'(HELLO_WORDS) : '0;
      number <= '0;
      receiver <= begins_hello ? identity.answered : identity.other;
      for (int i = 0; i < LINK_CHANNELS; i++)
        if (first[i]) begin
          count <= words[i];
          number <= seq[i];
        end
      tells <= told;
      leaving <= head[HEAD_WORDS-1];
      at <= (AW + 1)'(1);
      {byte_at, sent, wrong} <= '0;
      crc <= CRC32_START;
      phase <= BODY;
    end
    if (abort && phase != IDLE) wrong <= 1'b1;

    if (step) begin
      {tx_valid, tx_last, tx_err} <= '0;
      if (phase == BODY || phase == PAD) begin
        tx_valid <= 1'b1;
        tx_data <= (phase == PAD) ? 8'h00 : leaving[WORD_BITS-1-:8];
        crc <= crc32_byte(crc, (phase == PAD) ? 8'h00 : leaving[WORD_BITS-1-:8]);
        if (!enough) sent <= sent + 1'b1;
        leaving <= leaving << 8;
        byte_at <= byte_at + 1'b1;
        if (byte_at == '1) begin
          leaving <= upcoming;
          at <= at + 1'b1;
        end
        if (cuts) begin
          wrong <= 1'b1;
          phase <= FCS;
        end else if (phase == BODY && last_byte) phase <= enough ? FCS : PAD;
        else if (phase == PAD && enough) phase <= FCS;
        if ((cuts || last_byte || phase == PAD)) byte_at <= '0;
      end
      if (phase == FCS) begin
        tx_valid <= 1'b1;
        tx_data <= wrong ? crc[7:0] : ~crc[7:0];
        crc <= crc >> 8;
        byte_at <= byte_at + 1'b1;
        if (byte_at == 3'(FCS_BYTES - 1)) begin
          tx_last <= 1'b1;
          tx_err <= wrong;
          phase <= GAP;
        end
      end
    end
    if (ends) phase <= IDLE;
    if (rst) begin
      phase <= IDLE;
      {tx_valid, tx_last, tx_err, fetched, of} <= '0;
    end
  end
endmodule
