// SPDX-License-Identifier: Apache-2.0
// The kernel's socket, the wire, the venue.

// A segment of the venue reaches the socket. One that acknowledges what the kernel has not sent is dropped whole (4).
inline deliver(ack, says) {
    if
    :: k_open ->
        HOLDS(4, ack <= k_nxt || board_was_lost);
        if
        :: ack > k_una -> k_una = ack
        :: else
        fi;
        if
        :: says == LOGON -> in_logon = 1
        :: says >= ASKS && says < REPORT -> in_ask = says - ASKS
        :: says >= REPORT -> in_report = in_report | BIT(says - REPORT)
        :: else
        fi
    :: else
    fi
}

// Something is written to the socket.
inline queue(m) {
    k_data[k_written] = m;
    k_written++;
    if
    :: k_repair -> k_nxt = k_written
    :: else
    fi
}

active proctype Kernel() {
    byte lost;
end:
    do
    // What was written and not committed: the peer's window may keep it for any time.
    :: d_step {
        (k_nxt < k_written && !(frames & BIT(k_nxt))) ->
        frames = frames | BIT(k_nxt);
        k_nxt++
    }
    // Something writes to the socket that has no right to.
    :: d_step {
        (rogues && k_open && !k_hung_up && spliced) ->
        rogues--;
        queue(ROGUE);
        printf("kernel: place %d is written without the daemon\n", k_written - 1)
    }
    // Retransmission of the first place that is not acknowledged. Copies that nobody needs do no harm and are left out.
    :: d_step {
        (v_open && k_una < k_nxt && v_nxt <= k_una && !(flying & BIT(k_una)) && !(frames & BIT(k_una))) ->
        frames = frames | BIT(k_una);
        printf("kernel: place %d again\n", k_una)
    }
    // The wire loses the copies of a place.
    :: atomic {
        (losses && flying) ->
        losses--;
        lost = 0;
        do
        :: !(flying & BIT(lost)) -> lost++
        :: (flying & BIT(lost)) && (flying >> (lost + 1)) -> lost++
        :: (flying & BIT(lost)) -> break
        od;
        flying = flying & ~BIT(lost);
        printf("wire: place %d is lost\n", lost);
        lost = 0
    }
    // It takes nothing more in the middle of an order, and goes on at last.
    :: d_step {
        (stalls && busy && !still) ->
        stalls--;
        still = 1;
        printf("wire: it stands still\n")
    }
    :: d_step {
        still ->
        still = 0;
        printf("wire: it goes on\n")
    }
    od
}

// TCP's handshake; what was on the way on the connection before is gone.
inline new_connection() {
    k_open = 1;
    k_hung_up = 0;
    k_written = 0;
    k_nxt = 0;
    k_una = 0;
    frames = 0;
    fin = 0;
    flying = 0;
    for (i : 0 .. PLACES - 1) {
        was[i] = 0;
        k_data[i] = 0
    }
    i = 0;
    let_go();
    v_open = 1;
    v_nxt = 0;
    v_told = 0;
    v_asked = 0;
    forget_flow();
    in_logon = 0;
    in_ask = 0;
    in_report = 0;
    parted = 0;
    stopped = 0
}

// The venue takes the message with the number that is next.
inline accept(kind) {
    if
    :: kind >= ORDER ->
        v_orders[kind - ORDER]++;
        HOLDS(1, v_orders[kind - ORDER] <= 1);
        v_report = v_report | BIT(v_number);
        printf("venue: an order, MsgSeqNum %d\n", v_number)
    :: else
    fi;
    v_number++
}

// The connection ends, and what is on its way with it.
inline hang_up() {
    v_open = 0;
    flying = 0;
    v_logon = 0;
    v_ask = 0;
    v_report = 0;
    for (i : 0 .. NUMBERS - 1) {
        v_kept[i] = 0
    }
    i = 0
}

// A message: taken, kept for behind the gap, or of no interest. What is new and has an old number ends the session.
inline hear(m) {
    if
    :: NUMBER(m) == v_number ->
        if
        :: IS_DUP(m) && KIND(m) >= ORDER -> REACHED(14)
        :: else
        fi;
        accept(KIND(m));
        do
        :: v_kept[v_number] ->
            kept = v_kept[v_number];
            v_kept[v_number] = 0;
            accept(kept)
        :: else -> break
        od;
        kept = 0
    :: NUMBER(m) > v_number ->
        v_kept[NUMBER(m)] = KIND(m);
        if
        :: !v_asked -> v_ask = v_number
        :: else
        fi;
        v_asked = 1
    :: NUMBER(m) < v_number && IS_DUP(m) ->
        if
        :: KIND(m) >= ORDER -> REACHED(15)
        :: else
        fi
    :: else ->
        HOLDS(8, board_was_lost);
        REACHED(16);
        printf("venue: MsgSeqNum %d is too low\n", NUMBER(m));
        hang_up()
    fi
}

inline send_back(says) {
    coming = 1;
    coming_ack = v_nxt;
    coming_says = says;
    v_told = v_nxt
}

active proctype Venue() {
    byte m, kept, i;
end:
    do
    // The next place of the stream has come.
    :: d_step {
        (v_open && (flying & BIT(v_nxt))) ->
        m = was[v_nxt];
        flying = flying & ~BIT(v_nxt);
        v_logon = v_logon || v_nxt == 0;
        v_nxt++;
        hear(m);
        m = 0
    }
    // What it has to say carries its acknowledgement.
    :: d_step {
        (v_open && v_logon && !coming) ->
        send_back(LOGON);
        v_logon = 0;
    }
    :: d_step {
        (v_open && v_ask && !v_logon && !coming) ->
        send_back(ASKS + v_ask);
        v_ask = 0;
    }
    :: d_step {
        (v_open && v_report && !coming) ->
        i = 0;
        do
        :: !(v_report & BIT(i)) -> i++
        :: else -> break
        od;
        send_back(REPORT + i);
        v_report = v_report & ~BIT(i);
        i = 0
    }
    :: d_step {
        (v_open && v_told < v_nxt && !coming) ->
        send_back(ACK);
    }
    // It asks for all once more, out of nothing.
    :: d_step {
        (v_open && resends && v_nxt > 1) ->
        resends--;
        v_ask = 1
    }
    // It ends the connection: that of a daemon that has died, or by itself.
    :: d_step {
        (v_open && (!k_open || hang_ups)) ->
        if
        :: k_open -> hang_ups--
        :: else
        fi;
        hang_up();
        printf("venue: the connection is closed\n")
    }
    od
}
