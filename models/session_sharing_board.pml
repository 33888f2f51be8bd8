// SPDX-License-Identifier: Apache-2.0
// The board: rtl/match (the latch), rtl/order, rtl/host and rtl/egress.

#define ARMING_OF(rule) ((rule) == 0 -> b_arming : (rule))

// Message m of place p is on the wire to the venue (2).
inline transmit(p, m) {
    HOLDS(2, was[p] == 0 || was[p] == m || !v_open || (SILENT_LOSSES && board_was_lost));
    was[p] = m;
    flying = flying | BIT(p)
}

inline let_go() {
    coming = 0;
    coming_ack = 0;
    coming_says = 0
}

inline forget_flow() {
    spliced = 0;
    closed = 0;
    ended = 0;
    snd_nxt = 0;
    committed = 0;
    gap = 0
}

// A price satisfies rule r: the latch, the ring's record, both numbers and the order's first byte (live_bits, order_control,
// event_ring). Not while the lease is held, the order before leaves, or the ring is full.
inline fire(r) {
    d_step {
        (r < RULES && b_up && ARMED && !gap && (live & BIT(r)) && lease != HELD && !busy && head - tail < ROOM && head < RING) ->
        HOLDS(9, !silenced);
        HOLDS(12, !ended);
        live = live & ~BIT(r);
        ring_what[head] = MESSAGE(ORDER + ARMING_OF(r), next_number, 0);
        ring_place[head] = snd_nxt;
        ring_left[head] = 0;
        if
        :: lease == REQUESTED -> REACHED(1)
        :: else
        fi;
        if
        :: !alive -> REACHED(2)
        :: else
        fi;
        if
        :: k_una < snd_nxt && committed < snd_nxt -> REACHED(3)
        :: else
        fi;
        printf("fabric: rule %d fires, MsgSeqNum %d at place %d\n", r, next_number, snd_nxt);
        next_number++;
        snd_nxt++;
        head++;
        busy = 1
    }
}

// The order's last byte is on the wire: only then does its note say so (event_ring).
inline leave() {
    d_step {
        (b_up && busy && !still) ->
        transmit(ring_place[head - 1], ring_what[head - 1]);
        if
        :: closed || fault -> REACHED(4)
        :: else
        fi;
        if
        :: tail == head -> REACHED(30)
        :: else
        fi;
        ring_left[head - 1] = 1;
        busy = 0;
        printf("fabric: the order of record %d has left\n", head)
    }
}

// A data frame of the kernel, the first that waits (cpu_guard). Orders go first.
byte p;  // its place
inline guard() {
    d_step {
        (b_up && frames && !busy) ->
        p = 0;
        do
        :: !(frames & BIT(p)) -> p++
        :: else -> break
        od;
        frames = frames & ~BIT(p);
        if
        :: !k_open -> REACHED(32)
        :: else
        fi;
        if
        :: !spliced ->
            transmit(p, k_data[p]);
            if
            :: flow && k_open && p >= snd_nxt ->
                snd_nxt = p + 1;
                committed = p + 1
            :: else
            fi
        :: spliced && p == snd_nxt && (!ARMED || lease == HELD) ->
            HOLDS(5, !ARMED || lease == HELD);
            transmit(p, k_data[p]);
            snd_nxt = p + 1;
            committed = p + 1
        :: spliced && p + 1 <= committed ->
            REACHED(5);
            transmit(p, k_data[p])
        :: else ->
            HOLDS(6, was[p] == k_data[p] || !alive || ROGUES);
            fault = 1;
            stopped = 1;
            if
            :: was[p] == k_data[p] -> REACHED(6)
            :: k_data[p] == ROGUE -> REACHED(20)
            :: else
            fi;
            printf("guard: the frame of place %d is stopped\n", p)
        fi;
        p = 0
    }
}

active proctype Board() {
end:
    do
    :: fire(0)
    :: fire(1)
    :: leave()
    :: guard()

    // A hole in the market data: the parser waits for a place to go on from.
    :: d_step {
        (b_up && gaps && flow && !gap) ->
        gaps--;
        gap = 1
    }

    // FIN or RST of the kernel: the board disarms; the venue sees it with the fabric's number, so it counts.
    :: d_step {
        (b_up && fin && !frames && k_nxt == k_written && !busy) ->
        fin = 0;
        ended = 1;
        closed = 1;
        fault = 1
    }
    // Of the venue.
    :: d_step {
        (b_up && k_open && !v_open && !k_hung_up && !coming) ->
        k_hung_up = 1;
        ended = 1;
        closed = 1;
        fault = 1;
        STANDS(27)
    }

    // The lease, between two orders (lease.sv).
    :: d_step {
        (b_up && lease == REQUESTED && !busy) ->
        lease = HELD
    }
    // Held too long it disarms, and is still the daemon's to return; so does a daemon that gives no sign (watchdog), and a
    // fire that is held too long.
    :: d_step {
        (b_up && enable && !fault && (!alive || still || expiries)) ->
        if
        :: alive && !still -> expiries--
        :: else
        fi;
        fault = 1;
        if
        :: lease == HELD -> REACHED(7)
        :: else -> REACHED(8)
        fi;
        printf("fabric: watchdog or lease has expired\n")
    }

    // The RX gate: what acknowledges more than the kernel knows waits, and what is behind it too.
    :: d_step {
        (b_up && coming && (!spliced || coming_ack <= committed)) ->
        deliver(coming_ack, coming_says);
        let_go()
    }
    // It has waited too long, or there is no more room: it passes with a lower acknowledgement.
    :: d_step {
        (b_up && coming && spliced && coming_ack > committed && coming_says != ACK) ->
        v_told = committed;
        REACHED(9);
        printf("gate: an acknowledgement of %d is lowered to %d\n", coming_ack, committed);
        deliver(committed, coming_says);
        let_go()
    }
    od
}

// The board is lost, and has power again once the daemon has ended.
active proctype Fate() {
end:
    do
    :: d_step {
        (b_up && (board_losses || silent_losses)) ->
        if
        :: board_losses -> board_losses--; b_up = 0
        :: else -> silent_losses--
        fi;
        if
        :: head != tail || busy -> REACHED(10)
        :: else
        fi;
        STANDS(29);
        in_doubt = in_doubt || (enable && generation) || head != tail;
        board_was_lost = 1;
        generation = 0;
        flow = 0;
        live = 0;
        enable = 0;
        fault = 0;
        stopped = 0;
        kill_register = 0;
        forget_flow();
        lease = FREE;
        head = 0;
        tail = 0;
        busy = 0;
        // The venue repeats what has not been acknowledged; nobody waits for it where the daemon ends.
        if
        :: !b_up -> let_go()
        :: else
        fi;
        next_number = 0;
        frames = 0;
        fin = 0;
        printf("the board is lost\n")
    }
    :: d_step {
        (!b_up && !alive) ->
        b_up = 1
    }
    // The daemon dies: by itself, or since its board does not answer.
    :: d_step {
        (alive && (crashes || !b_up)) ->
        if
        :: b_up -> crashes--
        :: else
        fi;
        alive = 0;
        if
        :: head != tail && k_nxt < snd_nxt -> REACHED(11)
        :: head != tail && committed == snd_nxt && k_nxt == snd_nxt -> REACHED(12)
        :: lease == HELD -> REACHED(13)
        :: else
        fi;
        STANDS(28);
        printf("the daemon dies\n")
    }
    od
}
