// SPDX-License-Identifier: Apache-2.0
// The fabric's registers by their meaning.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fixaccel/board.hpp"
#include "fixaccel/boundaries.hpp"
#include "fixaccel/fire.hpp"
#include "fixaccel/gen/hwmap.hpp"
#include "fixaccel/links.hpp"

namespace fixaccel {

struct FabricStatus {
    std::uint32_t bits = 0;

    bool has(unsigned bit) const { return ((bits >> bit) & 1U) != 0; }
    bool armed() const { return has(hwmap::status_bits::armed); }
    bool killed() const { return has(hwmap::status_bits::kill); }
    bool synced() const { return has(hwmap::status_bits::synced); }
    bool gap() const { return has(hwmap::status_bits::gap); }
    bool found() const { return has(hwmap::status_bits::found); }
    bool lease_held() const { return has(hwmap::status_bits::lease_held); }
    bool order_busy() const { return has(hwmap::status_bits::order_busy); }
    bool closed() const { return has(hwmap::status_bits::closed); }
    bool clock_valid() const { return has(hwmap::status_bits::clock_valid); }
    // The session has ended: a FIN or RST was seen while armed.
    bool lost() const { return has(hwmap::status_bits::session_lost); }
    bool dry() const { return has(hwmap::status_bits::dry); }
    bool banked() const { return has(hwmap::status_bits::banked); }
    // Of two banks the one that messages are evaluated by, else 0.
    unsigned bank() const { return has(hwmap::status_bits::bank) ? 1 : 0; }
    bool flip_asked() const { return has(hwmap::status_bits::flip_asked); }
    bool flip_begun() const { return has(hwmap::status_bits::flip_begun); }
    bool flip_waits() const { return has(hwmap::status_bits::flip_waits); }
    // A sticky reason for not being armed: names of the bits, empty if there is none.
    std::string blocking() const;
    // One of these other than the session's end.
    bool amiss() const;
    // Why it is not armed though it was told to; empty if it is.
    std::string not_armed() const;
    // Not armed for a reason that will not pass by itself.
    bool gave_up() const { return !armed() && !killed() && !gap() && clock_valid(); }
};

// Time limits that the fabric itself enforces.
struct FabricLimits {
    std::chrono::nanoseconds watchdog{std::chrono::seconds(2)};
    std::chrono::nanoseconds lease{std::chrono::seconds(1)};
    // A fire that waits for the runtime to drain the ring, or for the wire; then it is not sent at all.
    std::chrono::nanoseconds hold{std::chrono::milliseconds(100)};
    std::chrono::nanoseconds rx_gate{std::chrono::milliseconds(100)};
    std::chrono::nanoseconds clock_max_age{std::chrono::seconds(3)};
    std::uint32_t max_unacked = 32768;  // bytes
};

// A TCP connection, host byte order.
struct Flow {
    std::uint32_t local_ip = 0;
    std::uint32_t remote_ip = 0;
    std::uint16_t local_port = 0;
    std::uint16_t remote_port = 0;
};

// Calls `done` until it is true or `limit` has passed, sleeping in between; its last answer.
bool wait_until(const std::function<bool()>& done, std::chrono::nanoseconds limit);

// Every function may throw BoardError.
class Fabric {
  public:
    explicit Fabric(Board& board) : board_(board) {}

    FabricStatus status() { return {board_.read(hwmap::reg::status)}; }
    void set_limits(const FabricLimits& limits);

    // Clears the sticky reasons and arms; `dry`: for a dry run, in which nothing leaves. The caller looks at
    // status().
    void arm(bool dry = false) { board_.write(hwmap::reg::arm, dry ? 2 : 1); }
    void disarm() { board_.write(hwmap::reg::arm, 0); }
    void kill(bool on) { board_.write(hwmap::reg::kill, on ? 1 : 0); }
    void kick() { board_.write(hwmap::reg::watchdog_kick, 1); }

    // Bytes of its frame that may be to come when an order begins to leave; 0: behind the verdict only.
    std::uint32_t commit_ahead();
    void set_commit_ahead(std::uint32_t bytes);
    // Orders that left with a wrong FCS, modulo 2^32.
    std::uint32_t orders_aborted();

    // Of the bank that is evaluated.
    std::uint32_t generation();
    // Those of a bank; 0 if there are no banks.
    void set_generation(std::uint32_t generation, unsigned bank = 0);
    // Four characters.
    void set_epoch(const std::string& epoch, unsigned bank = 0);
    // Sets the one-shot state of the triggers from index 0 on. While armed only of a bank that is not
    // evaluated.
    void set_triggers(const std::vector<TriggerState>& triggers, unsigned bank = 0);
    // The same where the board has the state `before`.
    void change_triggers(const std::vector<TriggerState>& before, const std::vector<TriggerState>& after,
                         unsigned bank);

    // Asks for the other bank, of whose triggers the state takes account of ring records up to `head`. False:
    // refused, something is on its way. True: it is under way, or done.
    bool flip(std::uint32_t head);
    // While messages wait for it: the state is that of ring record `head` now.
    void set_flip_head(std::uint32_t head) { board_.write(hwmap::reg::flip_head, head); }
    // MsgSeqNum of the first message of the bank that was flipped to.
    std::uint32_t flip_seq_num();
    std::uint32_t flip_cycles() { return board_.read(hwmap::reg::flip_cycles); }
    // Sets the clock from ours.
    void discipline_clock();

    // A new flow; its window scales are not known before the handshake.
    void set_flow(const Flow& flow);
    // That it was told of last; none since it has power.
    std::optional<Flow> flow();
    void set_window_scales(std::uint32_t peer, std::uint32_t local);
    // A flow of its own for the market data, on which no order leaves; the parser has to be synchronized
    // anew. Its window scale, of our side, is not known before the handshake.
    void set_market_flow(const Flow& flow);
    void set_market_window_scale(std::uint32_t local) {
        board_.write(hwmap::reg::market_local_wscale, local);
    }
    // Market data come on the session's flow again; the parser has to be synchronized anew.
    void forget_market_flow() { board_.write(hwmap::reg::market_valid, 0); }
    // The venue's CompIDs as its messages carry them: the parser takes no others.
    void set_comp_ids(std::string_view sender, std::string_view target);
    // Names a boundary to the parser: where it is to start, or where it has found the stream; true if it is
    // in step afterwards.
    bool resync(const Boundary& boundary);
    // What of that to name while the fabric says `now`, if anything; see Boundaries.
    std::optional<Boundary> resync_point(const FabricStatus& now, const Boundaries& read);
    // Ends a gap, if there is one and what has been read will do for it; whether there is none afterwards.
    bool resync(const Boundaries& read);
    std::uint32_t rcv_nxt() { return board_.read(hwmap::reg::rcv_nxt); }
    std::uint32_t snd_nxt() { return board_.read(hwmap::reg::snd_nxt); }
    void set_committed(std::uint32_t seq) { board_.write(hwmap::reg::committed, seq); }
    // Disarmed only.
    void set_next_seq_num(std::uint32_t seq_num);

    void request_lease() { board_.write(hwmap::reg::lease_request, 1); }
    // False if the fabric has another snd_nxt; the lease is then still held.
    bool release_lease(std::uint32_t next_seq_num, std::uint32_t snd_nxt);
    // Lets go of a lease that has lost its meaning. Disarmed only.
    void drop_lease();

    std::uint32_t ring_head() { return board_.read(hwmap::reg::ring_head); }
    std::uint32_t ring_tail() { return board_.read(hwmap::reg::ring_tail); }
    void set_ring_tail(std::uint32_t entry) { board_.write(hwmap::reg::ring_tail, entry); }
    // Ring record number `entry`; `left` and `payload` as they are now.
    Fire read_fire(std::uint32_t entry);
    // None: the ring has another one in its place, or has lost it.
    std::optional<Fire> find_fire(std::uint32_t entry);

    // All counters by name, as the hwmap names them without `count_`.
    std::vector<std::pair<std::string, std::uint32_t>> counters();

  private:
    // Triggers before the first one of the bank.
    std::uint32_t first_trigger(unsigned bank);
    void forget_count(std::uint32_t trigger);

    Board& board_;
    std::optional<std::uint32_t> capacity_;  // triggers, once they were asked for
    std::chrono::nanoseconds clock_write_{0};
};

}  // namespace fixaccel
