// SPDX-License-Identifier: Apache-2.0
#include "engine.hpp"

#include <algorithm>
#include <utility>

#include "fixaccel/limits_left.hpp"
#include "fixaccel/old_connection.hpp"
#include "fixaccel/utc_clock.hpp"

namespace fixaccel {
namespace {

using std::chrono::steady_clock;

constexpr auto kOrderLeaves = std::chrono::milliseconds(500);  // an order of 512 bytes takes 4 us on the wire
constexpr auto kAgree = std::chrono::seconds(1);

// What a crash may cost a trail; and how often the journal gets a line for all that have moved.
constexpr auto kSaveTrails = std::chrono::milliseconds(100);

bool has_fabric_rules(const Load& load) {
    return std::any_of(load.rules.begin(), load.rules.end(),
                       [](const LoadedRule& rule) { return rule.in_fabric; });
}

Sequencer::Times times(const DaemonConfig& config) {
    // The fabric's own limit stays out of reach: the runtime gives up before it.
    return {config.limits.lease / 2, config.limits.lease * 3 / 4, kOrderLeaves};
}

}  // namespace

Engine::Engine(Board& board, Ledger& ledger, const DaemonConfig& config, const KillFlag& kill)
    : board_(board),
      ledger_(ledger),
      config_(config),
      kill_(kill),
      tables_(board),
      fabric_(tables_),
      sequencer_(fabric_, ledger, times(config)) {}

void Engine::recover() {
    check_hwmap(board_);
    fabric_.disarm();
    wait_until([this] { return !fabric_.status().order_busy(); }, kOrderLeaves);
    settle_next_load();
    const std::uint32_t generation = fabric_.generation();
    const bool ours = ledger_.knows_generation(generation);
    const bool left_over = fabric_.ring_head() != fabric_.ring_tail();
    if (!ours && left_over && !config_.reconciled)
        throw Refused(
            "the board holds fires that this journal knows nothing of; start with the journal of the daemon "
            "that armed it, or with --reconciled after comparing its orders with the venue's");
    if (!ours && left_over) {
        ledger_.record_note("fires of another journal dropped from the board's ring");
        fabric_.set_ring_tail(fabric_.ring_head());
    }
    // The connection that those orders left on died with the former daemon: they are not committed, a resend
    // request of the venue finds them in the store.
    if (ours) sequencer_.drain();
    end_old_connection();
    if (ledger_.armed()) {
        const bool fabric = has_fabric_rules(ledger_.load()) ||
                            (ledger_.next_load() && has_fabric_rules(*ledger_.next_load()));
        if (ledger_.dry()) {
            // Nothing has left, whatever became of the board. The next load sets its triggers.
            ledger_.record_disarmed("the former daemon ended in a dry run");
        } else if (!fabric || (ours && generation == ledger_.load().generation)) {
            ledger_.record_disarmed("the former daemon ended while armed");
        } else {
            ledger_.record_board_lost();
        }
    }
    ledger_.record_load_dropped("the board lost its memory");
    fabric_.drop_lease();
    fabric_.set_limits(config_.limits);
}

// As long as the fabric looks at it. What the kernel still has of it and tries to send would pass unseen once
// the fabric looks at the next one, and may clash with what has left.
void Engine::end_old_connection() {
    const std::optional<Flow> flow = has_board() ? fabric_.flow() : std::nullopt;
    if (!flow || fixaccel::end_old_connection(*flow) != OldConnection::kept) return;
    ledger_.record_note("the kernel does not end what is left of the former daemon's connection");
}

// An order that stood on the wire to the venue when it was taken: frames of a connection that begins later
// are behind it, so that it has left once there is one.
void Engine::take_left() {
    if (!has_board()) return;
    const std::map<std::uint32_t, std::uint32_t> waiting = ledger_.not_left();
    for (const auto& [entry, generation] : waiting) {
        const std::optional<Fire> fire = fabric_.find_fire(entry);
        if (fire && fire->generation == generation && fire->left) ledger_.record_left(*fire);
    }
}

void Engine::restore_board() {
    const unsigned bank = fabric_.status().bank();
    fabric_.set_triggers(trigger_states(), bank);
    rearms_.forget();
    tell_rearms(bank);
    if (limits_stale_) {
        write_collar(board_, *bundle_);
        write_quantities_left(board_, *bundle_, ledger_.sent_orders(), bank, Quantities::all);
        limits_stale_ = board_behind_ = false;
    }
    write_limits(board_, *bundle_, ledger_.sent_orders(), bank, static_cast<std::uint64_t>(utc_ns()));
    triggers_stale_ = false;
}

bool Engine::lost_memory() { return fabric_.generation() != ledger_.load().generation; }

void Engine::check_memory() {
    if (lost_memory()) throw BoardError("the board has lost what was loaded into it");
}

bool Engine::arm(const Boundaries& read, bool dry) {
    if (!bundle_) throw Refused("nothing is loaded: deploy a bundle first");
    if (!ledger_.in_doubt().empty() && !ledger_.doubts_judged())
        throw Refused("the board lost its memory while armed and " +
                      std::to_string(ledger_.in_doubt().size()) +
                      " rules may have fired unseen; `fixaccel deploy --reconciled` asks the venue");
    if (killed() || fabric_.status().killed()) throw Refused(kKillIsOn);
    check_memory();
    if (!make_ready(read)) return false;
    // Since the first look kernel and fabric may have taken a second to agree.
    if (killed()) throw Refused(kKillIsOn);
    if (software_) software_->arm();
    ledger_.record_armed(dry);
    armed_ = true;
    disarm_reason_.clear();
    disarm_cause_ = DisarmCause::other;
    if (!has_board()) return true;
    const FabricStatus status = fire_up(dry);
    if (killed()) {
        disarm(kKillIsOn);
        throw Refused(kKillIsOn);
    }
    if (status.armed() && status.dry() == dry && !lost_memory()) return true;
    disarm("the board did not arm: " + status.not_armed());
    if (status.gap()) return false;
    throw Refused(disarm_reason_);
}

// All but the arming itself. False: the parser is not in step.
bool Engine::make_ready(const Boundaries& read) {
    if (!has_board()) return true;
    const auto snd_nxt = sequencer_.agree(kAgree);
    if (!snd_nxt)
        throw Refused(
            "kernel and fabric do not agree on the next byte to send: is the board in the path to the "
            "venue?");
    if (!fabric_.resync(read)) return false;
    if (triggers_stale_) restore_board();
    resting_.forget();
    if (!tell_resting()) throw Refused("the board does not take what rests of our own orders");
    fabric_.set_limits(config_.limits);
    fabric_.set_committed(*snd_nxt);
    fabric_.set_next_seq_num(static_cast<std::uint32_t>(ledger_.next_sender()));
    fabric_.discipline_clock();
    next_clock_ = {};
    windows_.start(board_, utc_ns());
    return true;
}

FabricStatus Engine::fire_up(bool dry) {
    sequencer_.set_firing(true);
    fabric_.arm(dry);
    return fabric_.status();
}

// Disarms it and takes what it has sent. Returned: kernel and fabric have parted.
std::optional<CommitError> Engine::stop_fabric() {
    fabric_.disarm();
    wait_until([this] { return !fabric_.status().order_busy(); }, kOrderLeaves);
    std::optional<CommitError> parted;
    try {
        sequencer_.drain();
    } catch (const CommitError& error) {
        parted = error;
    }
    sequencer_.abandon();
    fabric_.drop_lease();
    return parted;
}

void Engine::disarm(const std::string& reason, DisarmCause cause) {
    if (!armed_) return;
    const bool was_dry = lost_dry_ = dry();
    armed_ = false;
    disarm_reason_ = reason;
    const FabricStatus status = fabric_.status();
    disarm_cause_ = status.amiss() ? DisarmCause::other : cause;
    stopped_ = stopped_ || status.has(hwmap::status_bits::fault_uncommitted);
    const auto parted = stop_fabric();
    if (stand_in_.silent) triggers_stale_ = true;
    stand_in_ = {};
    end_load();
    if (software_) software_->save();
    // An empty ring may be one that was lost.
    if (lost_memory() && !was_dry) ledger_.record_board_lost();
    check_memory();
    ledger_.record_disarmed(reason);
    // What `if_already_through` has come to is judged anew when the board is armed again.
    if (!ledger_.load().watches.empty()) triggers_stale_ = true;
    if (was_dry) restore_board();
    if (parted) throw CommitError(*parted);
}

// In a dry run the fabric alone knows what it has kept back: nothing is taken from that before the run ends.
bool Engine::tell_resting() {
    if (dry() || (!hot_ && resting_.knows(ledger_.resting()))) return true;
    if (!hot_) return resting_.follow(board_, ledger_.resting(), fabric_.status().bank());
    // Which of the two banks counts may change at any moment.
    const bool next = hot_->tell_resting(ledger_.resting());
    return resting_.follow(board_, ledger_.resting(), 1 - hot_->bank()) && next;
}

void Engine::tell_rearms(unsigned bank) {
    const Load& load = ledger_.load();
    rearms_told_ = ledger_.records();
    rearms_.follow(
        board_, [&](const Watch& watch) { return ledger_.told(load.rules.at(watch.rule), watch); }, bank);
}

// Fires come before the lease. As long as there are any nothing is amiss, but the board must not miss what it
// is told all the while: by a clock that is not kept it would reject them.
bool Engine::take_lease() {
    for (std::uint32_t before = sequencer_.taken(); !sequencer_.take(); before = sequencer_.taken()) {
        if (sequencer_.taken() == before) return false;
        keep_up();
    }
    return true;
}

void Engine::give_lease() {
    if (!sequencer_.held()) return;
    // With the lease held nothing leaves the fabric, so it knows of the order before anything can meet it.
    if (armed_ && !tell_resting()) disarm("the board did not take what rests of our own orders");
    if (sequencer_.give(static_cast<std::uint32_t>(ledger_.next_sender()))) return keep_up();
    const bool still = sequencer_.unsent();
    disarm(std::string("the egress lease could not be returned in time") +
               (still ? ": the connection stands still" : ""),
           still ? DisarmCause::session : DisarmCause::other);
}

// Whatever the daemon is busy with.
void Engine::keep_up() {
    if (!armed_) return;
    const auto now = steady_clock::now();
    if (now >= next_kick_) {
        fabric_.kick();
        next_kick_ = now + config_.limits.watchdog / 4;
    }
    windows_.follow(board_, utc_ns());
    if (now >= next_clock_) {
        fabric_.discipline_clock();
        next_clock_ = now + config_.limits.clock_max_age / 4;
    }
}

bool Engine::may_send() {
    const FabricStatus status = fabric_.status();
    return armed_ && !dry() && (alone() || sequencer_.held()) && !status.killed() &&
           status.blocking().empty() && !killed();
}

bool Engine::may_send_by_hand() {
    return !dry() && !killed() && !fabric_.status().killed() && (!armed_ || alone() || sequencer_.held());
}

bool Engine::board_counts(bool limited_quantity) const {
    if (!armed_ || dry() || !bundle_) return false;
    const BundleLimits& limits = bundle_->limits;
    const bool fires = std::any_of(bundle_->rules.begin(), bundle_->rules.end(),
                                   [](const BundleRule& rule) { return rule.trigger.has_value(); });
    return fires && (limits.orders_per_second || limits.total_orders || limited_quantity);
}

void Engine::count_other(std::int64_t now_ns) {
    for (SoftwareRules* rules : {software_.get(), standby_.get()})
        if (rules != nullptr) rules->count_other(now_ns);
    if (armed_) return;
    triggers_stale_ = true;
    take_from_bucket(board_, static_cast<std::uint64_t>(now_ns));
}

void Engine::take_fires() {
    if (!armed_) return;
    sequencer_.drain();
    // A fire of the new generation came before the news of the flip.
    if (hot_ && hot_->asked() && !ledger_.next_load()) follow_flip(fabric_.status());
    follow_rearms();
}

// What the ledger has learned of fills arms rules: of the bank that is evaluated.
void Engine::follow_rearms() {
    if (!rearms_.empty() && rearms_told_ != ledger_.records())
        tell_rearms(hot_ ? 1 - hot_->bank() : fabric_.status().bank());
}

void Engine::take_limits() {
    sequencer_.set_times(times(config_));
    fabric_.set_limits(config_.limits);
}

void Engine::change_limits(const LimitValues& changes) {
    hold_limits(*bundle_, changes);
    for (SoftwareRules* rules : {software_.get(), standby_.get()})
        if (rules != nullptr) {
            rules->change_limits(changes, utc_ns());
            rules->recount();
        }
    triggers_stale_ = limits_stale_ = true;
}

FabricStatus Engine::watch() {
    take_fires();
    advance_load();
    if (armed_) tell_resting();  // what it does not take now it is told again
    const FabricStatus status = fabric_.status();
    heed_gap(status);
    keep_up();
    const auto now = steady_clock::now();
    if (armed_ && software_ && now >= next_save_) {
        software_->save();
        next_save_ = now + kSaveTrails;
    }
    if (armed_ && !alone() && (!status.blocking().empty() || status.gave_up()))
        disarm(status.not_armed(), status.lost() ? DisarmCause::session : DisarmCause::other);
    return status;
}

}  // namespace fixaccel
