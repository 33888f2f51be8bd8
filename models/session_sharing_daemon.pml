// SPDX-License-Identifier: Apache-2.0
// The daemon: runtime/src (sequencer, commit, ledger), runtime/fix and runtime/daemon. What touches the board waits for one
// that answers: if there is none, BoardError ends the daemon.

// ---- The sequencer (sequencer.cpp)

// All fires into the kernel and the fabric's register, then into journal and store, then off the ring. Without a
// connection (a daemon that has just started) they are recorded only. A record that is not the one that was read of
// is a BoardError.
inline drain(connected) {
    atomic {
        b_up ->
        last = head;
        first = (connected -> taken : tail);
        entry = first;
        alive = alive && first <= last
    };
    do
    :: entry < last ->
        // await_left: not for ever, for the wire may stand still in the middle of a frame.
        if
        :: atomic { (b_up && ring_left[entry] && entry < head) -> skip }
        :: atomic { (b_up && entry >= head) -> alive = 0 }
        :: atomic {
            (b_up && !ring_left[entry] && entry < head && still) ->
            unsent = unsent | BIT(entry)
        }
        fi;
        if
        :: connected && !parted ->
            commit();
            if
            :: !parted -> atomic { b_up -> committed = ring_place[entry] + 1 }
            :: else
            fi
        :: else
        fi;
        entry++
    :: else -> break
    od;
    if
    :: first < last ->
        record();
        atomic { b_up -> tail = last; taken = last }
    :: else
    fi;
    d_step {
        entry = 0;
        first = 0;
        last = 0;
        unsent = 0
    }
}

// TCP_REPAIR (commit.cpp): only what has left, behind nothing that the kernel has not sent, where the fabric says. A
// process may end before it leaves that mode.
inline commit() {
    atomic {
        if
        :: (unsent & BIT(entry)) || k_written != k_nxt || k_nxt != ring_place[entry] || k_hung_up -> parted = 1
        :: else ->
            HOLDS(3, was[k_written] == ring_what[entry]);
            k_repair = 1;
            queue(ring_what[entry]);
            printf("daemon: commits place %d\n", ring_place[entry])
        fi
    };
    k_repair = 0
}

// Durable on return; the same fire may come a second time, after a crash (Ledger::record).
inline record() {
    atomic {
        entry = first;
        do
        :: entry < last ->
            j_fired = j_fired | BIT(KIND(ring_what[entry]) - ORDER);
            if
            :: !(unsent & BIT(entry)) -> store[NUMBER(ring_what[entry])] = KIND(ring_what[entry])
            :: else -> j_not_left = j_not_left | BIT(entry)
            fi;
            if
            :: NUMBER(ring_what[entry]) >= j_next -> j_next = NUMBER(ring_what[entry]) + 1
            :: else
            fi;
            entry++
        :: else -> break
        od;
        printf("daemon: fires up to record %d are in the journal\n", last)
    }
}

// What had not left when it was taken, and has by now: frames of a connection that begins later are behind it
// (Engine::take_left). The board has to have it still.
inline take_left() {
    atomic {
        b_up ->
        do
        :: entry < RING ->
            if
            :: (j_not_left & BIT(entry)) && generation && ring_left[entry] ->
                j_not_left = j_not_left & ~BIT(entry);
                store[NUMBER(ring_what[entry])] = KIND(ring_what[entry]);
                REACHED(33)
            :: else
            fi;
            entry++
        :: else -> break
        od;
        entry = 0
    }
}

// What the kernel still has of the connection of a daemon that has died, while the fabric looks at it: it ends with a RST
// (old_connection.cpp).
inline end_old_connection() {
    atomic {
        b_up ->
        if
        :: !k_open && k_una < k_written ->
            k_written = k_una;
            k_nxt = k_una;
            frames = 0;
            fin = 1;
            REACHED(34)
        :: else
        fi
    }
}

// The egress lease; it is needed while the fabric may fire by itself.
inline take_lease() {
    if
    :: firing && !mine ->
        atomic {
            b_up ->
            if
            :: lease == FREE -> lease = REQUESTED
            :: else
            fi
        };
        do
        :: atomic { (b_up && lease == HELD) -> mine = 1; break }
        :: atomic { (b_up && lease != HELD && head != tail && !parted) -> skip }; drain(1)
        :: atomic { parted -> break }
        :: atomic { (b_up && lease != HELD && expiries) -> expiries--; break }
        :: atomic { (b_up && lease != HELD && still) -> break }
        :: atomic { (b_up && lease == FREE) -> break }
        od;
        if
        :: mine -> drain(1)
        :: !mine && !parted -> disarm()
        :: else
        fi
    :: else
    fi
}

// Once all has left and both agree; the fabric compares once more (lease.sv).
inline give_lease() {
    if
    :: mine ->
        if
        :: atomic {
            (b_up && k_nxt == k_written && snd_nxt == k_nxt) ->
            next_number = j_next;
            lease = FREE;
            mine = 0
        }
        :: atomic {
            (b_up && !(k_nxt == k_written && snd_nxt == k_nxt) &&
                (expiries || fault || closed || k_hung_up || !flow || parted)) ->
            if
            :: fault || closed || k_hung_up || !flow || parted
            :: else -> expiries--
            fi
        };
            disarm()
        fi
    :: else
    fi
}

// ---- Arming (engine.cpp)

// It fires no more, and what it has sent is taken.
inline stop_fabric() {
    if
    :: atomic { (b_up && !busy) -> skip }
    :: atomic { (b_up && busy && still) -> skip }
    fi;
    drain(1);
    atomic {
        b_up ->
        firing = 0;
        mine = 0;
        lease = FREE
    }
}

inline disarm() {
    if
    :: d_armed ->
        atomic { b_up -> d_armed = 0; enable = 0 };
        stop_fabric();
        atomic {
            stale = stale || stands_in;
            blind = 0;
            stands_in = 0
        };
        // An empty ring may be one that was lost.
        if
        :: atomic { (b_up && generation) -> j_armed = 0 }
        :: atomic { (b_up && !generation) -> j_doubt = 1; j_armed = 0; alive = 0 }
        fi
    :: else
    fi
}

// The latch as the journal has it: what has fired stays spent (ledger_history.cpp, restore_board).
inline set_latch() {
    b_arming = j_arming;
    live = (1 << RULES) - 1;
    if
    :: j_fired & BIT(ARMING_OF(0)) -> live = live & ~BIT(0)
    :: else
    fi;
    if
    :: j_fired & BIT(1) -> live = live & ~BIT(1)
    :: else
    fi;
    stale = 0
}

inline load() {
    atomic {
        b_up ->
        set_latch();
        generation = 1
    }
}

// Where kernel and fabric agree, and the parser is in step (Engine::make_ready).
inline make_ready() {
    if
    :: stale -> atomic { b_up -> set_latch() }
    :: else
    fi;
    atomic {
        b_up ->
        committed = k_nxt;
        next_number = j_next
    }
}

// Engine::fire_up
inline fire_up() {
    firing = 1;
    atomic {
        b_up ->
        if
        :: !kill_register ->
            HOLDS(10, !in_doubt);
            HOLDS(11, !silenced && !kill_answered);
            enable = 1;
            fault = 0;
            stopped = 0;
            spliced = 1;
            printf("daemon: armed\n")
        :: else
        fi
    }
}

// Only what was asked for last, and where kernel and fabric agree; in the journal before it takes effect.
inline arm() {
    heed_kill();
    if
    :: atomic {
        (b_up && generation && j_asked && !killed && !j_doubt && !k_hung_up && !parted && k_nxt == k_written && snd_nxt == k_nxt) -> skip
    };
        atomic { b_up -> gap = 0 };
        make_ready();
        j_armed = 1;
        d_armed = 1;
        fire_up();
        if
        :: killed -> REACHED(17); disarm()
        :: atomic { (!killed && b_up && (!generation || gap)) -> skip }; disarm()
        :: atomic { (!killed && b_up && generation && !gap) -> skip }
        fi
    // What was loaded is lost.
    :: atomic { (b_up && !generation) -> alive = 0 }
    // Refused.
    :: atomic { (!j_asked || killed || j_doubt || k_hung_up || parted || !flow) -> skip }
    fi
}

// ---- The FIX session (fix_session.cpp, session_link.cpp)

inline write(m) {
    d_step {
        if
        :: k_open && !k_hung_up ->
            if
            :: KIND(m) >= ORDER && kill_answered ->
                left_after_kill++;
                HOLDS(9, left_after_kill <= 1)
            :: else
            fi;
            queue(m)
        :: else
        fi
    }
}

// Numbered, in the store, then on the socket.
inline say(kind) {
    atomic {
        message = MESSAGE(kind, j_next, 0);
        store[j_next] = kind;
        j_next++
    };
    write(message);
    message = 0
}

// A resend request from number `from` on: one outer call. Each order is judged anew, and those that may not leave wait,
// with all that is behind them (held_resends.cpp).
inline answer_request() {
    take_lease();
    do
    :: from < j_next && store[from] >= ORDER && !parted ->
        if
        :: atomic { (killed || !j_asked) -> waits = from; REACHED(18); break }
        :: atomic {
            else ->
            HOLDS(9, !silenced);
            message = MESSAGE(store[from], from, 1)
        }
        fi;
        write(message);
        from++
    :: from < j_next && store[from] < ORDER && !parted ->
        write(MESSAGE(GAP_FILL, from, 1));
        from++
    :: else -> break
    od;
    atomic { message = 0; from = 0 };
    give_lease()
}

// An order of the runtime's own rule: the intent, which spends it, the lease, the judgement, the store, the wire, what
// became of it (software.cpp).
inline offer() {
    atomic { j_fired = j_fired | BIT(OF_RUNTIME) };  // the intent
    take_lease();
    if
    :: atomic { (b_up && mine && d_armed && !parted && !fault && !kill_register && !killed) -> HOLDS(9, !silenced) };
        say(ORDER + OF_RUNTIME)
    :: atomic { !(mine && d_armed && !parted && !fault && !kill_register && !killed) -> skip }
    fi;
    give_lease();
    atomic { j_fired = j_fired | BIT(OF_RUNTIME) }
}

// ---- A fabric that does not see the market (engine_stand_in.cpp)

// One of its rules is satisfied here: from then on only the runtime sends. What the fabric has sent up to there counts.
inline silence() {
    atomic { b_up -> enable = 0 };
    stop_fabric();
    if
    :: atomic { (b_up && generation) -> stands_in = 1 }
    :: atomic { (b_up && !generation) -> skip }; disarm()
    fi
}

// An order of an arming, as of the runtime's own rule, but that it needs no lease.
inline take_over() {
    if
    :: !stands_in -> silence()
    :: else
    fi;
    if
    :: d_armed && !parted && !(j_fired & BIT(arming)) ->
        j_fired = j_fired | BIT(arming);  // the intent
        if
        :: atomic { (b_up && !fault && !closed && !kill_register && !killed) -> HOLDS(9, !silenced) };
            REACHED(21);
            say(ORDER + arming)
        :: atomic { (!b_up || fault || closed || kill_register || killed) -> skip }
        fi
    :: d_armed && !parted && (j_fired & BIT(arming)) -> REACHED(24)
    :: else
    fi;
    arming = 0
}

// The parser has found a place to go on from. Rules have fired here since the fabric knew of all.
inline give_back() {
    atomic { b_up -> gap = 0 };
    stale = 1;
    if
    :: atomic { (b_up && k_nxt == k_written && snd_nxt == k_nxt) -> skip };
        make_ready();
        if
        :: !killed ->
            stands_in = 0;
            fire_up();
            if
            :: atomic { (b_up && ARMED && !gap && generation) -> REACHED(23) }
            :: atomic { (b_up && gap && generation) -> REACHED(22) };
                enable = 0;
                stop_fabric();
                stands_in = 1
            :: atomic { (b_up && !(gap && generation) && !(ARMED && generation)) -> skip }; disarm()
            fi
        :: else
        fi
    // As if it had found none.
    :: atomic { (b_up && !(k_nxt == k_written && snd_nxt == k_nxt)) -> skip }
    fi
}

// A socket is closed, by the daemon or with its process: what is in its queue leaves ahead of the FIN, but where kernel and
// fabric have parted a daemon that lives ends it with a RST (Connection::abandon). In repair mode the kernel drops it all.
inline close_socket() {
    atomic {
        k_open = 0;
        fin = !k_repair;
        if
        :: !k_repair && !(alive && (parted || stopped)) -> skip
        :: k_repair || (alive && (parted || stopped)) -> k_written = k_una; k_nxt = k_una; frames = 0
        fi;
        if
        :: k_repair -> REACHED(31)
        :: else
        fi;
        k_repair = 0
    }
}

// What the other thread has said (Daemon::heed_kill): it counts as a `disarm`.
inline heed_kill() {
    if
    :: kills != j_kills ->
        disarm();
        atomic { j_kills = kills; j_asked = 0 }
    :: else
    fi
}

active proctype Daemon() {
    byte entry, first, last, taken, unsent, from, waits, message, arming, i;
    short answers;
start:
    {
        // The kill switch comes first: the disk tells the board, a board that is killed already the disk (kill_switch.cpp).
        atomic {
            (b_up && !kill_runs) ->
            if
            :: kill_file ->
                killed = 1;
                kill_register = 1;
                enable = 0
            :: !kill_file && kill_register -> killed = 1
            :: else
            fi
        };
        atomic {
            if
            :: killed && !kill_file -> kill_file = 1; kills++
            :: else
            fi
        };
        guarded = 1;
        heed_kill();

        // Engine::recover
        atomic { b_up -> enable = 0 };
        if
        :: atomic { (b_up && !busy) -> skip }
        :: atomic { (b_up && busy && still) -> skip }
        fi;
        if
        :: atomic { (b_up && generation) -> skip };
            taken = tail;
            drain(0);
            j_armed = 0
        :: atomic { (b_up && !generation) -> skip };
            atomic {
                // Where a loss has left these apart it takes --reconciled to start.
                tail = head;
                taken = head;
                j_not_left = 0;
                j_doubt = j_doubt || j_armed;
                j_armed = 0
            }
        fi;
        end_old_connection();
        atomic { b_up -> lease = FREE };

        // A board that was lost: somebody compares with the venue, and arms anew (--reconciled).
        if
        :: j_doubt ->
            REACHED(19);
            atomic {
                j_doubt = 0;
                in_doubt = 0;
                j_arming = AGAIN
            }
        :: else
        fi;
        load();

connect:
        atomic { b_up -> forget_flow(); flow = 1 };
        d_step {
            (b_up && !v_open && !k_open && !busy) ->
            new_connection()
        };
        take_left();
        say(ADMIN);
        if
        :: atomic { in_logon -> in_logon = 0; logged_on = 1 }
        :: atomic { k_hung_up -> skip }; goto lost
        fi;
        if
        :: wanted -> arm()
        :: else
        fi;
        atomic { wanted = 0 };

end_loop:
        do
        :: atomic { (parted || k_hung_up || stopped && !d_armed) -> break }
        :: atomic { (b_up && d_armed && head != tail) -> skip }; drain(1)
        :: atomic { (b_up && d_armed && !ARMED && !stands_in) -> skip }; disarm()
        :: atomic { heartbeats -> heartbeats-- };
            take_lease();
            if
            :: !parted -> say(ADMIN)
            :: else
            fi;
            give_lease()
        // Bytes are read, then the ring is looked at, then what was read, but where they have parted (session_link.cpp).
        :: atomic { in_report -> answers = in_report; in_report = 0 };
            if
            :: d_armed -> drain(1)
            :: else
            fi;
            atomic {
                i = 1;
                do
                :: i < NUMBERS ->
                    HOLDS(7, !(answers & BIT(i)) || store[i] || parted || board_was_lost);
                    i++
                :: else -> break
                od;
                i = 0;
                answers = 0
            }
        :: atomic { in_ask -> from = in_ask; in_ask = 0; waits = 0 }; answer_request()
        :: atomic { (waits && j_asked && !killed) -> from = waits; waits = 0 }; answer_request()
        :: atomic { (SOFTWARE && d_armed && !killed && !(j_fired & BIT(OF_RUNTIME))) -> skip }; offer()
        :: atomic { (b_up && d_armed && gap && !blind) -> blind = 1 }
        :: atomic { (b_up && d_armed && blind && !gap && !stands_in) -> blind = 0 }
        :: atomic { (d_armed && blind && !killed && !(j_fired & BIT(j_arming))) -> arming = j_arming }; take_over()
        :: atomic { (d_armed && blind && !killed && RULES > 1 && !(j_fired & BIT(1))) -> arming = 1 }; take_over()
        :: atomic { (d_armed && stands_in && !killed) -> skip }; give_back()
        :: atomic { (kills != j_kills) -> skip }; heed_kill()
        :: atomic { (arms && !d_armed && !killed) -> arms--; j_asked = 1; silenced = 0 }; arm()
        :: atomic { disarms -> disarms-- };
            atomic {
                b_up ->
                enable = 0;
                STANDS(26)
            };
            atomic { j_asked = 0; silenced = 1 };
            disarm()
        :: atomic { (rearms && !killed) -> rearms-- };
            disarm();
            atomic {
                if
                :: j_fired & BIT(0) -> j_arming = AGAIN
                :: else
                fi;
                j_asked = 1;
                silenced = 0
            };
            if
            :: !parted -> load(); arm()
            :: else
            fi
        od;

lost:
        disarm();
        atomic { logged_on = 0 };
        close_socket();
        goto connect
    } unless { !alive };

    // The process has ended.
    atomic {
        !kill_runs ->
        d_armed = 0;
        firing = 0;
        mine = 0;
        parted = 0;
        logged_on = 0;
        killed = 0;
        guarded = 0;
        blind = 0;
        stands_in = 0;
        stale = 0;
        wanted = 1;
        entry = 0;
        first = 0;
        last = 0;
        unsent = 0;
        from = 0;
        waits = 0;
        taken = 0;
        message = 0;
        arming = 0;
        answers = 0;
        i = 0
    };
    if
    :: k_open -> close_socket()
    :: else
    fi;
    atomic { b_up -> alive = 1 };
    goto start
}

// The board is told first, then the disk; then it is answered (kill_switch.cpp). A thread of its own: no step of the other
// one keeps it waiting.
active proctype KillGuard() {
end:
    do
    :: atomic { (alive && guarded && kills_left && !killed) -> kills_left--; kill_runs = 1; killed = 1 };
        {
            atomic {
                b_up ->
                kill_register = 1;
                STANDS(25)
            };
            atomic { b_up -> enable = 0 };
            atomic { kill_file = 1; kills++ };
            atomic { kill_answered = 1; silenced = 1; printf("operator: killed\n") }
        } unless { !alive };
        kill_runs = 0
    :: atomic { (alive && guarded && undos && killed && kill_answered && kills == j_kills) -> undos--; kill_runs = 1; kill_answered = 0 };
        {
            kill_file = 0;
            atomic { b_up -> kill_register = 0 };
            atomic { killed = 0; left_after_kill = 0; printf("operator: the kill is undone\n") }
        } unless { !alive };
        kill_runs = 0
    od
}

// Where nothing more is going to happen.
active proctype Rest() {
    byte i, n;
    bool there;
end:
    timeout;
    d_step {
        for (i : 0 .. ARMINGS - 1) {
            there = 0;
            for (n : 1 .. NUMBERS - 1) {
                there = there || store[n] == ORDER + i
            }
            HOLDS(13, !v_orders[i] || board_was_lost || (there && (j_fired & BIT(i))));
            HOLDS(14, !there || v_orders[i] || killed || !j_asked)
        }
        HOLDS(15, alive && logged_on && v_open && k_una == k_written && (snd_nxt == k_nxt || !flow) && head == tail && lease == FREE);
        HOLDS(15, v_number == j_next || killed || !j_asked)
    }
}
