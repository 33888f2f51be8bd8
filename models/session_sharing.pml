// SPDX-License-Identifier: Apache-2.0
// Fabric, daemon, kernel and venue on one FIX session, with whatever may happen between any two of their steps.
//
// It is about order and crashes, not about bytes and time: a message takes one place of the TCP stream, a segment is a
// message, and a time limit may expire whenever what it waits for has not come. Each step of a process is one that the
// others can come in between: a register access, a system call, a durable record, a frame. What the RTL does within
// cycles is one step; that it is one is what `make prove` is for. docs/explanation/session-model.md says what is left out.
//
// Rules, checked in every state that is reached:
//   1. The venue gets at most one order of each arming.
//   2. Bytes of the stream are what they were when they were first on the wire, but where the board has forgotten which these were.
//   3. Only bytes that have been on the wire are committed, each at its place.
//   4. The kernel drops no segment of the venue for what it acknowledges.
//   5. New data of the CPU leaves an armed board only with the lease.
//   6. The guard stops nothing that the daemon sends for the first time.
//   7. The daemon has a fire in its journal before it looks at the venue's answer.
//   8. The venue gets no MsgSeqNum as that of a new message once it has got a later one, but where the board was lost.
//   9. Once `kill` or `disarm` has been answered nobody begins an order; one that the daemon has begun may end.
//  10. What was armed when the board was lost is not armed again before somebody has compared orders with the venue's.
//  11. While the kill switch is on nothing is armed, nor behind `kill` or `disarm` before somebody has asked for it.
//  12. The fabric begins no order on a connection that has ended.
// And where nothing more is going to happen:
//  13. Each order that the venue has seen is in the journal and in the FIX store, but where the board was lost.
//  14. Each order in the FIX store has come to the venue, but where kill or disarm holds it back.
//  15. The session stands, kernel, fabric and venue agree on what was sent and by which numbers, and nobody has the lease.
//  16. Nobody waits for what cannot come: there is no deadlock.
//
// What the rules speak of has to happen in some run:
//   1. A rule fires between the request for the lease and its grant.
//   2. A rule fires when the daemon has died already.
//   3. A second order leaves before the first one is committed.
//   4. An order that has begun leaves whole after the board was disarmed.
//   5. The kernel repeats what was committed.
//   6. The kernel repeats what it has and the fabric does not know of yet: it is stopped, and the session ends.
//   7. A time limit expires while the lease is held.
//   8. A time limit expires while it is not.
//   9. The gate lowers an acknowledgement.
//  10. The board is lost with orders that nobody has taken from the ring.
//  11. The daemon dies between fire and commit.
//  12. The daemon dies between commit and journal.
//  13. The daemon dies with the lease.
//  14. The venue gets an order for the first time because it has asked for it again.
//  15. The venue gets an order again that it has.
//  16. The venue refuses a MsgSeqNum as too low.
//  17. A kill comes while the board is being armed.
//  18. An order that is asked for again waits, for none may leave.
//  19. A new daemon finds the board lost and rules in doubt.
//  20. What writes to the socket without the lease is stopped.
//  21. The runtime sends an order of a fabric that does not see the market.
//  22. The gap comes back while that fabric is being armed again.
//  23. It is armed again.
//  24. The runtime finds a rule spent that the fabric has fired just before it was silenced.
//  25. A kill comes while an order stands on the wire.
//  26. A disarm comes while an order stands on the wire.
//  27. The connection ends while an order stands on the wire.
//  28. The daemon dies while an order stands on the wire.
//  29. The board is lost while an order stands on the wire.
//  30. An order leaves that the daemon has noted as one that did not.
//  31. The daemon dies in the middle of a commit: its connection ends without a word.
//  32. The kernel sends what is left of the connection of a daemon that has died.
//  33. The daemon finds that an order has left since which had not when it was taken.
//  34. A new daemon ends a connection of which the kernel still has something to send.

// ---- What happens in a run: how often at most. A configuration of scripts/model/models.yaml sets some of them.
#ifndef RULES
#define RULES 1          // of the fabric: 1 or 2
#endif
#ifndef SOFTWARE
#define SOFTWARE 0       // 1: the runtime has a rule, too
#endif
#ifndef HEARTBEATS
#define HEARTBEATS 0     // messages of the daemon that are no orders
#endif
#ifndef LOSSES
#define LOSSES 0         // segments that the wire loses
#endif
#ifndef CRASHES
#define CRASHES 0        // of the daemon, at any of its steps
#endif
#ifndef BOARD_LOSSES
#define BOARD_LOSSES 0   // the board forgets all; the daemon ends when it notices
#endif
#ifndef SILENT_LOSSES
#define SILENT_LOSSES 0  // the board forgets all and answers as before
#endif
#ifndef EXPIRIES
#define EXPIRIES 0       // time limits that expire while the daemon lives: watchdog, lease, its own waits
#endif
#ifndef RESENDS
#define RESENDS 0        // resend requests of the venue over everything, out of nothing
#endif
#ifndef REARMS
#define REARMS 0         // `fixaccel deploy --rearm`
#endif
#ifndef ARMS
#define ARMS 0           // `fixaccel arm`, where it is not armed
#endif
#ifndef DISARMS
#define DISARMS 0        // `fixaccel disarm`
#endif
#ifndef KILLS
#define KILLS 0          // `fixaccel kill`
#endif
#ifndef UNDOS
#define UNDOS 0          // `fixaccel kill --undo`
#endif
#ifndef HANG_UPS
#define HANG_UPS 0       // the venue closes the connection
#endif
#ifndef GAPS
#define GAPS 0           // the parser loses the stream, and what comes then is the runtime's to see
#endif
#ifndef STALLS
#define STALLS 0         // the wire takes nothing more in the middle of an order, for longer than anybody waits for it
#endif
#ifndef ROGUES
#define ROGUES 0         // messages that something else writes to the socket
#endif
#ifndef ONLY
#define ONLY 0           // look at this rule only
#endif

#define PLACES 12        // of a connection's stream
#define NUMBERS 10       // MsgSeqNum 1 to 9
#define RING 4           // fires in a run; ROOM of them are in the ring at once
#define ROOM 2

// A message is a byte: what it is, its number, whether it was sent before (PossDupFlag).
#define ADMIN 1          // heartbeat, logon
#define GAP_FILL 2
#define ROGUE 128        // somebody else's
#define ORDER 3          // and more: an order, by its arming
#define ARMINGS 4        // 0, 1: the fabric's rules; 2: rule 0 once more; 3: the runtime's rule
#define AGAIN 2
#define OF_RUNTIME 3
#define KIND(m) ((m) & 7)
#define NUMBER(m) (((m) >> 3) & 15)
#define IS_DUP(m) ((m) >> 7)
#define MESSAGE(kind, number, dup) ((kind) | ((number) << 3) | ((dup) << 7))
#define BIT(n) (1 << (n))

#define HOLDS(rule, what) assert((what) || (rule) < 0 || (ONLY && (rule) != ONLY))
// The second list; it is no part of the state.
c_decl { static char reached_at[64]; }
#define REACHED(n) c_code { if (!reached_at[n]) { reached_at[n] = 1; printf("reached %d\n", n); } }

#define STANDS(n) if :: still && busy -> REACHED(n) :: else fi  // an order, on the wire

// ---- The board: all of it is gone when it is lost.
bool b_up = 1;           // it has power and answers
bool generation;         // it has the tables that the journal says
byte b_arming;           // of rule 0
byte live;               // the latch: a bit each rule
bool enable;             // the last arm write that was taken
bool fault;              // a sticky reason: watchdog, lease, stopped data, session lost
bool closed;             // FIN or RST was seen
bool kill_register;
bool gap;                // its parser has lost the stream of market data
bool flow;               // it has been told of the connection, and follows it
bool stopped;            // data that would clash was stopped: the session has to end
bool spliced;            // armed once on this connection
byte snd_nxt, committed; // places of the stream
byte next_number;        // MsgSeqNum
byte lease;
#define FREE 0
#define REQUESTED 1
#define HELD 2
byte head, tail;         // of the event ring
byte ring_what[RING];    // the order's message
byte ring_place[RING];
bool ring_left[RING];    // its last byte is on the wire
bool busy;               // the order of ring entry `head - 1` is leaving
#define ARMED (enable && !fault && !closed && !kill_register)

// ---- The wire to the venue: what was on it at each place, and of which places copies are on their way. They come in any
// order. A copy that is lost is away; so is all that is behind it to the venue until the place is sent again.
byte was[PLACES];
short flying;
byte losses = LOSSES;
bool still;              // it takes nothing more of the order that is leaving

// ---- The kernel's socket.
bool k_open;
bool k_hung_up;          // the peer has closed
bool k_repair;           // TCP_REPAIR: what is written counts as sent
byte k_written, k_nxt, k_una;
byte k_data[PLACES];
short frames;            // places of which a frame waits at the guard
bool fin;                // the FIN of a socket that was closed waits there

// ---- The venue.
bool v_open;             // it holds a connection
byte v_nxt, v_told;      // what it has of the stream, what it has acknowledged
byte v_number = 1;       // the next MsgSeqNum
byte v_orders[ARMINGS];  // that it has taken
byte v_kept[NUMBERS];    // messages ahead of a gap
bool v_asked;            // for the gap, on this connection
bool v_logon;            // it has to answer the logon
byte v_ask;              // it has to ask for all from this number on
short v_report;          // numbers of orders that it has to report
byte resends = RESENDS, hang_ups = HANG_UPS;

// ---- From the venue: what a segment says, and what it acknowledges. One that is lost comes again, so it comes later.
#define ACK 0
#define LOGON 1
#define ASKS 16          // and more: for all from this number on
#define REPORT 32        // and more: of the order with this number
bool coming;             // one is on its way, or waits in the RX gate; those behind it come later
byte coming_ack, coming_says;

// ---- The daemon. First what is on disk: journal and FIX store are one, and the kill word's file.
byte j_next = 1;         // the next MsgSeqNum to send
byte store[NUMBERS];     // what was sent by each number
byte j_fired;            // a bit each arming
byte j_arming;           // of rule 0
byte j_not_left;         // a bit each ring entry: its order had not left when it was taken
bool j_armed, j_doubt;
bool j_asked = 1;        // the last word of the operator was arm, or deploy
bool kill_file;
byte kills, j_kills;     // how often `kill` has been said: the kill word, the journal
// Then what a crash takes.
bool alive = 1;          // its process
bool killed;             // the flag that both of its threads see
bool d_armed, firing, mine, parted, logged_on;
bool blind;              // the fabric does not see the market, or has not seen it for long: its rules are evaluated here, too
bool stands_in;          // and it is silent, for one of them was satisfied here
bool stale;              // its latch does not know of all that has fired
bool guarded;            // its second thread runs
bool wanted = 1;         // it is to be armed once the session stands
bool in_logon;
byte in_ask;             // from which number on
short in_report;         // read from the socket, or waiting there
byte crashes = CRASHES, board_losses = BOARD_LOSSES, expiries = EXPIRIES, rearms = REARMS, arms = ARMS;
byte silent_losses = SILENT_LOSSES, disarms = DISARMS, gaps = GAPS;
byte heartbeats = HEARTBEATS, kills_left = KILLS, undos = UNDOS, stalls = STALLS, rogues = ROGUES;

// ---- What only the rules look at.
bool kill_answered;      // and nobody has begun to undo it
bool silenced;           // by kill or disarm, and nobody has asked to arm since
byte left_after_kill;
bool ended;              // a FIN or RST has passed
bool in_doubt;           // the board was lost while something was armed, and nobody has compared
bool board_was_lost;
bool kill_runs;          // the other thread is at work

#include "session_sharing_peers.pml"
#include "session_sharing_board.pml"
#include "session_sharing_daemon.pml"
