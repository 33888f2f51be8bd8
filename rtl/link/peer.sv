// SPDX-License-Identifier: Apache-2.0
// Who is at the other end: its incarnation, and whether it speaks of the same things.
//
// Each end has another incarnation whenever it starts, one more than the last, and every frame has its sender's and its
// receiver's. Another incarnation of the other end is taken for true only where it names our present one, so from what was sent
// since we are there, and only if it is later than the one that is known: what is late itself, of a former life, changes nothing.
// With it the channels begin anew. Whoever does not name ours is answered by a hello that names his; what that says of channels
// is of another pair of lives, so of no hello it counts.
//
// Channels are open once a hello of that incarnation has the same map. Until then ours go with each beat and ask for an answer,
// which whoever is open himself gives at once.
module peer
  import link_hwmap_pkg::*, link_pkg::*;
(
    input  logic                clk,
    input  logic                rst,
    input  logic [SEQ_BITS-1:0] own,         // 0: none yet, so nothing is sent or believed
    input  logic                own_set,     // pulse: it is another one from now on
    input  logic                beats,       // pulse: an eighth of a lease has gone by
    // A frame, from its header on.
    input  logic [SEQ_BITS-1:0] sender,      // both stand for two cycles ahead of what follows
    input  logic [SEQ_BITS-1:0] receiver,
    output logic                wanted,      // records of channels are
    // Its end.
    input  logic                good,
    input  logic                is_hello,
    input  differs_t            differs,
    input  logic                answer,      // it asks for an answer
    input  logic                of_channel,  // it has records of a channel
    input  logic                of_fires,    // of the first
    input  logic                frees,       // pulse: a channel has room again
    output logic                heard,       // pulse, with `good`: what it says of channels counts
    output logic                stale,       // pulse, with `good`: it is of another life of either end
    // What follows from it.
    output logic [SEQ_BITS-1:0] known,       // 0: nobody
    output logic [SEQ_BITS-1:0] addressee,   // whom our hellos name; all else names whoever is known
    output logic                up,          // channels are open
    output logic                refused,     // the maps are not the same
    output differs_t            other,       // what else was not, by the last hello
    output logic                clear,       // pulse: channels begin anew
    output logic                wants_hello,
    output logic                wants_bare,
    output logic                urgent,      // with it: a frame of fires is to be acknowledged
    input  logic                begins,      // pulse: a frame leaves, whose header says what is told now
    input  logic                begins_hello
);
  logic [SEQ_BITS-1:0] answered;  // whom the next hello is for, if not who is known; 0: nobody
  logic [SEQ_BITS-1:0] later;  // by how much it is
  logic there, names_us, same, present, anew, strange;
  assign wanted = present && up;
  assign heard = good && present && up && !is_hello;
  assign stale = good && there && names_us && !present && !anew;
  assign addressee = (answered != '0) ? answered : known;

  always_ff @(posedge clk) begin
    there <= own != '0 && sender != '0;
    names_us <= receiver == own;
    same <= sender == known;
    later <= sender - known;
    present <= there && names_us && same;
    anew <= there && names_us && !same && (!later[SEQ_BITS-1] || known == '0);
    strange <= there && !names_us;
    clear <= 1'b0;
    if (begins) {wants_bare, urgent} <= '0;
    if (begins_hello) {wants_hello, answered} <= '0;
    if (beats && own != '0) begin
      if (up) wants_bare <= 1'b1;
      else wants_hello <= 1'b1;
    end
    if (good && anew) begin
      known <= sender;
      {up, refused} <= '0;
      clear <= 1'b1;
      wants_hello <= 1'b1;
      answered <= '0;
    end
    if (frees && up) wants_bare <= 1'b1;
    if (good && (present || anew)) begin
      if (is_hello) begin
        up <= !differs.hwmap;
        refused <= differs.hwmap;
        other <= differs;
      end
      // While it has nothing to offer it is not asked at once: whoever is refused would ask without end.
      if (answer && (is_hello ? !differs.hwmap : up)) wants_hello <= 1'b1;
      if (of_channel) wants_bare <= 1'b1;
      if (of_fires) urgent <= 1'b1;
    end
    if (good && strange) begin
      answered <= sender;
      wants_hello <= 1'b1;
    end
    if (own_set || rst) begin
      {known, answered} <= '0;
      {up, refused, wants_hello, wants_bare, urgent} <= '0;
      {there, present, anew, strange} <= '0;  // of what names the life before
      clear <= 1'b1;
    end
  end
endmodule
