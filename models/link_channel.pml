// SPDX-License-Identifier: Apache-2.0
// One channel of the link between two boards, both directions, on a wire that loses, doubles, swaps and delays frames,
// with either side starting anew at any moment.
//
// It is about numbers and order, not about bytes and time: a frame is its header and a payload, which is known by whom
// it is from, whom it is for and its place; one with a wrong FCS is lost. The retry timer may expire whenever something
// is not acknowledged, and a frame with nothing to say may go at any time. Numbers of frames are modulo 8 here.
//
// Rules, checked in every state that is reached:
//   1. What is delivered is the next payload of the peer: none twice, none left out, none ahead of another.
//   2. What is delivered was given to the channel by this life of the peer for this life of the receiver.
//   3. No receive buffer is written to while it holds what has not been delivered.
//   4. A frame that is sent for the first time has a buffer at the receiver: nothing is sent beyond the window.
//   5. The window is two frames at most beyond the oldest that is not acknowledged.
//   6. What counts as acknowledged has been accepted, by the life of the peer that it was for.
//   7. Nobody takes up a life of the peer that had ended before its own began.
//   8. If the wire works again and nobody starts anew, all is delivered and acknowledged, on both sides.
//
// What the rules speak of has to happen in some run:
//   1. A frame is held, for the one before it has not come.
//   2. It is told as missing, and comes.
//   3. The retry timer sends again what has been accepted already.
//   4. A frame is dropped that has been delivered.
//   5. An acknowledgement comes behind a later one.
//   6. A frame waits for the window, for the reader takes nothing.
//   7. Numbers of frames begin again at 0.
//   8. A frame that brings a new life of the peer is itself accepted.
//   9. A frame of a former life of the peer is refused.
//  10. A frame for a former life of the receiver is answered.
//  11. A side knows a life of the peer that has ended.
//  12. A new life of the peer comes while something is not acknowledged.

// ---- What happens in a run: how often at most. A configuration of scripts/model/models.yaml sets some of them.
#ifndef LEFT_FRAMES
#define LEFT_FRAMES 0    // that the left side sends to each life of the right one
#endif
#ifndef RIGHT_FRAMES
#define RIGHT_FRAMES 0   // and the other way round
#endif
#define ENDLESS 99       // as many frames
#ifndef LEFT_STARTS
#define LEFT_STARTS 0    // times that the left side starts anew
#endif
#ifndef RIGHT_STARTS
#define RIGHT_STARTS 0
#endif
#ifndef WIRE
#define WIRE 2           // frames that are on the wire in each direction
#endif
#ifndef LATE
#define LATE 0           // 0: a frame is late by fewer than WIRE frames; 1: by any number, so none are endless
#endif
#ifndef ONLY
#define ONLY 0           // look at this rule only
#endif

#define HOLDS(rule, what) assert((what) || (rule) < 0 || (ONLY && (rule) != ONLY))
// The second list; it is no part of the state.
c_decl { static char reached_at[64]; }
#define REACHED(n) c_code { if (!reached_at[n]) { reached_at[n] = 1; printf("reached %d\n", n); } }

#define NUMBERS 8                                          // of frames
#define PLACES 16                                          // that payloads are told apart by
#define LIVES 4                                            // 1, 2, 3; 0: unknown
#define NEXT(n) (((n) + 1) % NUMBERS)
#define FROM_TO(n, m) (((m) + NUMBERS - (n)) % NUMBERS)    // from n on to m
#define BUFFER(n) (2 * me + (n) % 2)                       // of the frame with this number: ping and pong

// A payload: life of the sender, life of the receiver that it is for, place.
#define PAYLOAD(from, to, place) ((from) | ((to) << 2) | ((place) << 4))

// A frame.
#define HELLO 1
#define BEAT 2                                             // nothing but acknowledgements
#define DATA 3
#define FRAME(kind, to, seq, payload) ((kind) | (life[me] << 2) | ((to) << 4) | ((seq) << 6) | (ack[me] << 9) | \
    (ROOM << 12) | (held[me] << 14) | ((payload) << 15))
#define KIND(f) ((f) & 3)
#define SENDER(f) (((f) >> 2) & 3)
#define RECEIVER(f) (((f) >> 4) & 3)
#define SEQ(f) (((f) >> 6) & 7)
#define ACK(f) (((f) >> 9) & 7)
#define FREE(f) (((f) >> 12) & 3)
#define MISSING(f) (((f) >> 14) & 1)
#define LOAD(f) (((f) >> 15) & 255)

// ---- A side: 0 is the left one.
byte life[2] = 1;        // incarnation: counted up with every start
byte known[2];           // incarnation of the peer
// Sender: frames from `base` on are not acknowledged, from `next` on not sent, from `fill` on not there.
byte base[2], next[2], fill[2];
byte limit[2] = 2;       // the greatest acknowledged + free ever heard
byte out[4];             // its two buffers
byte place[2];           // of the payload that fills the next one
bool resent[2];          // `base` has been sent again since it was told as missing
// Receiver: frames up to `taken` have been delivered, up to `ack` accepted in order.
byte ack[2], taken[2];
bool held[2];            // the one behind `ack` is there
bool holds[4];
byte kept[4];
#define ROOM (2 - FROM_TO(taken[me], ack[me]))

int wire[2 * WIRE];      // from the left side first; 0: no frame
byte left_starts = LEFT_STARTS, right_starts = RIGHT_STARTS;
bool over;

// ---- What only the rules look at.
byte got[2 * LIVES];     // places delivered, of each life of the peer
byte born[2] = 1;        // life of the peer when this one began
byte former[2];          // incarnation that was known before: of no use, as a deliberate fault shows

// Used within a step.
hidden byte me;
hidden byte i;
hidden byte at;
hidden byte round;
hidden byte calm;
hidden int f;
hidden int g;
#define YOU (1 - me)
#define PAIRED (known[me] == life[YOU])                    // the peer that is known lives

// ---- The wire

// Frame g of side `me` is on it. Which of them arrive, how often and in which order is open.
inline put() {
    at = me * WIRE;
    i = 0;
#if LATE
    do
    :: i < WIRE && wire[at + i] > g -> i++
    :: else -> break
    od;
    if
    :: i < WIRE && wire[at + i] != g && wire[at + WIRE - 1] == 0 ->
        at = at + i;
        i = WIRE - 1;
        do
        :: me * WIRE + i > at -> wire[me * WIRE + i] = wire[me * WIRE + i - 1]; i--
        :: else -> break
        od;
        wire[at] = g
    :: else
    fi;
#else
    // The newest comes first, and the oldest is away.
    do
    :: i < WIRE - 1 && wire[at + i] != g && wire[at + i] -> i++
    :: else -> break
    od;
    do
    :: i > 0 -> wire[at + i] = wire[at + i - 1]; i--
    :: else -> break
    od;
    wire[at] = g;
#endif
    at = 0;
    i = 0
}

// ---- A side

// New frames as long as a buffer is free.
inline refill() {
    do
    :: known[me] && !calm && FROM_TO(base[me], fill[me]) < 2 && place[me] < (me -> RIGHT_FRAMES : LEFT_FRAMES) ->
        out[BUFFER(fill[me])] = PAYLOAD(life[me], known[me], place[me]);
        place[me] = (place[me] + 1) % PLACES;
        fill[me] = NEXT(fill[me])
    :: else -> break
    od
}

// Both directions.
inline start_anew() {
    base[me] = 0;
    next[me] = 0;
    fill[me] = 0;
    limit[me] = 2;
    out[2 * me] = 0;
    out[2 * me + 1] = 0;
    place[me] = 0;
    resent[me] = 0;
    ack[me] = 0;
    taken[me] = 0;
    held[me] = 0;
    holds[2 * me] = 0;
    holds[2 * me + 1] = 0;
    kept[2 * me] = 0;
    kept[2 * me + 1] = 0
}

inline send(seq) {
    g = FRAME(DATA, known[me], seq, out[BUFFER(seq)]);
    put()
}

// A frame with nothing to say; to nobody it is a hello.
inline send_beat() {
    g = (known[me] -> FRAME(BEAT, known[me], 0, 0) : FRAME(HELLO, 0, 0, 0));
    put()
}

// No frame of the other side asks for it: only it tells what room the reader has made since, and who is here.
inline idle() {
    send_beat()  // by itself
}

inline send_new() {
    HOLDS(4, !PAIRED || known[YOU] != life[me] || FROM_TO(taken[YOU], next[me]) < 2);
    send(next[me]);
    if
    :: next[me] == NUMBERS - 1 -> REACHED(7)
    :: else
    fi;
    next[me] = NEXT(next[me])
}

inline retry() {
    resent[me] = 0;
    if
    :: PAIRED && known[YOU] == life[me] && base[me] != ack[YOU] -> REACHED(3)
    :: else
    fi;
    send(base[me])
}

// What a frame says of the other direction.
inline hear() {
    if
    :: FROM_TO(base[me], ACK(f)) <= FROM_TO(base[me], next[me]) ->
        if
        :: ACK(f) != base[me] ->
            base[me] = ACK(f);
            resent[me] = 0;
            HOLDS(6, !PAIRED || (known[YOU] == life[me] && FROM_TO(base[me], ack[YOU]) <= 2))
        :: else
        fi;
        if
        :: FROM_TO(base[me], (ACK(f) + FREE(f)) % NUMBERS) > FROM_TO(base[me], limit[me]) ->
            limit[me] = (ACK(f) + FREE(f)) % NUMBERS
        :: else
        fi;
        HOLDS(5, FROM_TO(base[me], limit[me]) <= 2);
        refill()
    :: else -> REACHED(5)
    fi;
    if
    :: MISSING(f) && ACK(f) == base[me] && base[me] != next[me] && !resent[me] ->
        resent[me] = 1;
        REACHED(2);
        send(base[me])
    :: else
    fi
}

inline keep() {
    HOLDS(3, !holds[BUFFER(SEQ(f))]);
    holds[BUFFER(SEQ(f))] = 1;
    kept[BUFFER(SEQ(f))] = LOAD(f)
}

// A frame of the channel: accepted into its buffer or dropped, and answered.
inline accept() {
    if
    :: SEQ(f) == ack[me] && !holds[BUFFER(SEQ(f))] ->
        keep();
        ack[me] = (held[me] -> NEXT(NEXT(ack[me])) : NEXT(ack[me]));
        held[me] = 0
    :: SEQ(f) == NEXT(ack[me]) && !holds[BUFFER(SEQ(f))] ->
        keep();
        held[me] = 1;
        REACHED(1)
    :: else ->
        if
        :: NEXT(SEQ(f)) == taken[me] -> REACHED(4)
        :: else
        fi
    fi;
    send_beat()
}

inline take_up() {
    HOLDS(7, SENDER(f) >= born[me]);
    if
    :: base[me] != next[me] -> REACHED(12)
    :: else
    fi;
    former[me] = known[me];
    known[me] = SENDER(f);
    start_anew();
    refill();
    if
    :: KIND(f) == DATA -> REACHED(8)
    :: else
    fi;
    if
    :: known[me] != life[YOU] -> REACHED(11)
    :: else
    fi;
    printf("side %d: takes up life %d of the peer\n", me, known[me])
}

// Frame f arrives. Incarnations are compared as numbers that count up; the fabric's are modulo 65536, by the half.
inline receive() {
    if
    :: RECEIVER(f) != life[me] ->
        // It changes nothing; the answer tells its sender who is here. The acknowledgements of a hello are no news.
        if
        :: RECEIVER(f) -> REACHED(10)
        :: else
        fi;
        g = FRAME(HELLO, SENDER(f), 0, 0);
        put()
    :: else ->
        // For this life: so the sender lives, or has since this life began. Only a later one than is known is taken up:
        // to remember the one before is not enough, for two frames that are swapped make a dead one known for good.
        if
        :: SENDER(f) > known[me] -> take_up()
        :: SENDER(f) < known[me] -> REACHED(9)
        :: else
        fi;
        if
        :: SENDER(f) == known[me] && KIND(f) != HELLO ->
            hear();
            if
            :: KIND(f) == DATA -> accept()
            :: else
            fi
        :: else
        fi
    fi
}

// The reader takes what is next.
inline deliver() {
    at = kept[BUFFER(taken[me])];
    HOLDS(2, (at & 15) == PAYLOAD(known[me], life[me], 0));
    HOLDS(1, at >> 4 == got[LIVES * me + known[me]]);
    got[LIVES * me + known[me]] = (got[LIVES * me + known[me]] + 1) % PLACES;
    holds[BUFFER(taken[me])] = 0;
    kept[BUFFER(taken[me])] = 0;
    taken[me] = NEXT(taken[me]);
    at = 0
}

// Power, or a new daemon: an incarnation that it never had, above all that it had, and nobody is known.
inline start() {
    life[me]++;
    known[me] = 0;
    former[me] = 0;
    born[me] = life[YOU];
    start_anew();
    i = 0;
    do
    :: i < LIVES -> got[LIVES * me + i] = 0; i++
    :: else -> break
    od;
    i = 0;
    printf("side %d: starts, life %d\n", me, life[me])
}

#define WHO me = _pid
#define ARRIVING(n) wire[WIRE * (1 - _pid) + (n)]
#define ARRIVES(n) d_step { ARRIVING(n) -> WHO; f = ARRIVING(n); say(); receive() }
#define IS_LOST(n) d_step { LATE && ARRIVING(n) -> i = WIRE * (1 - _pid) + (n); lose() }

inline say() {
    printf("side %d: gets kind %d from life %d to life %d, seq %d ack %d free %d missing %d\n", me, KIND(f), SENDER(f),
        RECEIVER(f), SEQ(f), ACK(f), FREE(f), MISSING(f))
}

inline lose() {
    do
    :: i % WIRE < WIRE - 1 -> wire[i] = wire[i + 1]; i++
    :: else -> break
    od;
    wire[i] = 0;
    i = 0
}

active [2] proctype Side() provided (!over) {
end:
    do
    :: ARRIVES(0)
    :: ARRIVES(1)
#if WIRE > 2
    :: ARRIVES(2)
#endif
#if WIRE > 3
    :: ARRIVES(3)
#endif
#if LATE
    :: IS_LOST(0)
    :: IS_LOST(1)
#if WIRE > 2
    :: IS_LOST(2)
#endif
#endif
    :: d_step {
        (known[_pid] && next[_pid] != fill[_pid] && next[_pid] != limit[_pid]) ->
        WHO;
        printf("side %d: sends %d\n", me, next[me]);
        send_new()
    }
    :: d_step {
        (base[_pid] != next[_pid]) ->
        WHO;
        printf("side %d: the retry timer sends %d\n", me, base[me]);
        retry()
    }
    :: d_step {
        WHO;
        if
        :: next[me] != fill[me] && next[me] == limit[me] -> REACHED(6)
        :: else
        fi;
        printf("side %d: sends a beat\n", me);
        idle()
    }
    :: d_step {
        (taken[_pid] != ack[_pid]) ->
        WHO;
        printf("side %d: delivers %d\n", me, taken[me]);
        deliver()
    }
    :: d_step {
        (_pid -> right_starts : left_starts) ->
        WHO;
        if
        :: me -> right_starts--
        :: else -> left_starts--
        fi;
        start()
    }
    od
}

// ---- What is on the wire is lost; from then on it works, and each side does what it has to do, in turn: one of the
// orders in which it may happen, tried from every state. It ends in one state.

// All that is on the wire arrives, and what comes of it.
inline settle() {
    do
    :: wire[0] || wire[WIRE] ->
        me = (wire[0] -> 1 : 0);
        i = YOU * WIRE;
        do
        :: i % WIRE < WIRE - 1 && wire[i + 1] -> i++
        :: else -> break
        od;
        f = wire[i];
        wire[i] = 0;
        i = 0;
        receive()
    :: else -> break
    od
}

inline clear_wire() {
    i = 0;
    do
    :: i < 2 * WIRE -> wire[i] = 0; i++
    :: else -> break
    od;
    i = 0
}

active proctype Calm() {
end:
    d_step {
        (ONLY == 0 || ONLY == 8) ->
        calm = 1;
        clear_wire();
        round = 0;
        do
        :: round < 10 ->
            me = round % 2;
            idle();
            settle();
            me = round % 2;
            if
            :: known[me] && next[me] != fill[me] && next[me] != limit[me] -> send_new()
            :: else
            fi;
            settle();
            me = round % 2;
            if
            :: base[me] != next[me] -> retry()
            :: else
            fi;
            settle();
            me = 0;
            do
            :: taken[me] != ack[me] -> deliver()
            :: taken[me] == ack[me] && me == 0 -> me = 1
            :: else -> break
            od;
            round++
        :: else -> break
        od;
        me = 0;
        do
        :: me < 2 ->
            HOLDS(8, PAIRED && base[me] == fill[me] && next[me] == fill[me] && taken[YOU] == fill[me]);
            me++
        :: else -> break
        od;
        me = 0;
        do
        :: me < 2 ->
            start_anew();
            known[me] = 0;
            life[me] = 0;
            born[me] = 0;
            former[me] = 0;
            me++
        :: else -> break
        od;
        clear_wire();
        do
        :: i < 2 * LIVES -> got[i] = 0; i++
        :: else -> break
        od;
        i = 0;
        left_starts = 0;
        right_starts = 0;
        calm = 0;
        over = 1
    }
}
