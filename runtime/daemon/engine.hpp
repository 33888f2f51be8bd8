// SPDX-License-Identifier: Apache-2.0
// The board with its journal: recovery at start, loading, arming, and the watch over both while armed.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "config.hpp"
#include "fixaccel/bundle.hpp"
#include "fixaccel/fabric.hpp"
#include "fixaccel/ledger.hpp"
#include "fixaccel/rearm_table.hpp"
#include "fixaccel/resting_table.hpp"
#include "fixaccel/sequencer.hpp"
#include "fixaccel/table_cache.hpp"
#include "fixaccel/windows.hpp"
#include "hot_load.hpp"
#include "kill_flag.hpp"
#include "loadable.hpp"
#include "software.hpp"

namespace fixaccel {

// What was asked for is refused; the text says why and what to do.
class Refused : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Why nothing is armed while it is.
inline constexpr const char* kKillIsOn = "the kill switch is on: `fixaccel kill --undo` first";

// Whether it was disarmed because the session has ended or stands still, or for anything else.
enum class DisarmCause { other, session };

// How the rules came that are loaded, or are about to.
struct LoadReport {
    const char* how = "disarmed";  // or hot
    std::string reason;            // why disarmed
    const char* state = "loaded";  // writing, flipping, loaded, dropped
    double written = 1;            // share of the tables
    std::size_t words = 0;         // of them that were not so already, and were written
    std::uint32_t generation = 0;
    std::uint32_t first_seq_num = 0;  // MsgSeqNum of the first message of a hot load
    std::uint32_t hold_cycles = 0;    // for which messages have waited for it
    std::chrono::nanoseconds took{};
};

class Engine {
  public:
    Engine(Board& board, Ledger& ledger, const DaemonConfig& config, const KillFlag& kill);

    // Without one the runtime evaluates all rules, and what speaks of the fabric below has nothing to do.
    bool has_board() const { return board_.is_there(); }
    // The bundle as it can run here. On whatever thread, but one call at a time: it remembers what it made
    // last. Throws BundleError, TableError.
    Loadable loadable(Bundle bundle);

    // After a start: disarms, takes fires that a former daemon left in the ring into journal and store, and
    // finds out whether the board lost its memory. Throws Refused.
    void recover();

    // Whether load() would take it, and nothing is changed. Throws BundleError; Refused if an order stands on
    // the wire.
    void check_fits(const Bundle& bundle) const;
    // Loads the tables, disarmed for `reason`; spent rules stay spent, with all that their orders cancelled
    // and armed. Throws BundleError, Refused.
    void load(Loadable next, const std::string& reason);
    // Why `next` cannot be loaded while armed; empty if it can.
    std::string not_hot(const Loadable& next) const;
    // Loads while armed what not_hot() has nothing against: begins, and advance_load() goes on with it until
    // it has come about or the board is disarmed. Throws BundleError, Refused.
    void begin_hot_load(Loadable next);
    void advance_load();
    bool loading() const { return hot_ != nullptr; }
    const LoadReport& load_report() const { return report_; }
    const std::optional<Bundle>& bundle() const { return bundle_; }

    // The rules that the runtime runs, none if there are no such rules.
    SoftwareRules* software() { return software_.get(); }
    const SoftwareRules* software() const { return software_.get(); }
    // Those for the message with this MsgSeqNum, all before it being done with: behind a hot load the new
    // ones from its first message on. What has been read from the session is known to advance_load().
    SoftwareRules* software_for(std::uint32_t seq_num);
    // While they evaluate a message no others take their place, whatever comes of its orders.
    void set_evaluating(bool on) { evaluating_ = on; }

    // The rules of the fabric, for when it sees nothing of the market: they follow it all the while. Null:
    // the bundle has none, or no table of them. To be asked for ahead of each message.
    SoftwareRules* standby_for_next();
    SoftwareRules* standby() { return standby_.get(); }
    // Ahead of what has just been read from the session: whether the fabric has seen that.
    void look_for_gap();
    // The FIX engine has read the stream up to that TCP sequence number.
    void read_up_to(std::uint32_t seq);
    // Messages may come that the fabric does not evaluate: the runtime does.
    bool blind() const { return armed_ && stand_in_.blind; }
    // It has, and is disarmed for it, until give_back().
    bool silent() const { return armed_ && stand_in_.silent; }
    // Somebody evaluates the rules: the board, as it says itself, or the runtime in its place.
    bool live(const FabricStatus& board) const { return armed_ && (board.armed() || alone()); }
    std::uint64_t stood_in() const { return stood_in_; }
    // A rule of the fabric is satisfied in a message that the fabric may not have seen. Nothing but the
    // runtime sends from then on. False: it has fired, or is cancelled. Throws CommitError, BoardError.
    bool takes_over(const LoadedRule& rule);
    // Arms the fabric again if its parser is in step; whether it has. Throws Refused, CommitError,
    // BoardError.
    bool give_back(const Boundaries& read);
    // Ends a gap of the parser if what has been read will do for it; whether there is none.
    bool resync(const Boundaries& read);

    // Of what is loaded, as the journal has it.
    std::vector<TriggerState> trigger_states() const;

    // Arms; `dry`: for a dry run, in which all is as when armed, but nothing leaves. `read` is how far the
    // FIX engine has read the stream. False: the parser is not in step yet, try again. Throws Refused,
    // BoardError.
    bool arm(const Boundaries& read, bool dry);
    bool armed() const { return armed_; }
    bool dry() const { return armed_ && ledger_.dry(); }
    // Disarms at once, then takes everything the fabric has sent. Nothing if it is not armed. A dry run ends
    // with it: all rules are as they were when it began. Throws CommitError; BoardError if the board has lost
    // its memory meanwhile: what was armed is in doubt then.
    void disarm(const std::string& reason, DisarmCause cause = DisarmCause::other);
    // The kill switch is on, or has been and the journal does not know of it yet: no order may leave.
    bool killed() const { return kill_.on() || kill_.kills() != ledger_.kills(); }

    void attach(KernelStream* stream) {
        sequencer_.attach(stream);
        stopped_ = false;
    }
    // Kernel and fabric disagree on what was sent on the connection.
    bool parted() const { return stopped_ || sequencer_.parted(); }
    void set_flow(const Flow& flow) { fabric_.set_flow(flow); }
    void set_window_scales(std::uint32_t peer, std::uint32_t local) {
        fabric_.set_window_scales(peer, local);
    }
    // Takes what the fabric has sent into journal and store, and commits it. Throws CommitError.
    void take_fires();
    // Takes into journal and store what has left by now, and had not when it was taken: ahead of the first
    // message of a connection.
    void take_left();
    // The ledger's states of rules, or what the limits count, were changed while disarmed.
    void states_changed() { triggers_stale_ = true; }
    // The limits of the configuration have changed.
    void take_limits();
    // Limits that hold as values, in place of those that the loaded bundle came with: for all its rules at
    // once. A board must be disarmed; it has them when it is armed again.
    void change_limits(const LimitValues& changes);
    // engine_roll.cpp: what limits count of orders and quantities begins anew when the venue's day rolls.
    //
    // By the bundle's `day_roll` and what the ledger counts since; nothing of its own where the session
    // rolls.
    void plan_roll();
    // When it does next, UTC.
    std::int64_t rolls_ns() const { return rolls_ns_; }
    // It is `now_ns`, UTC: to be called ahead of whatever is counted or judged at that time. The ledger and
    // the runtime's rules count anew then, a board when it is armed the next time. Throws CommitError.
    void come_to(std::int64_t now_ns) {
        if (now_ns >= rolls_ns_) roll();
    }
    // The ledger counts from zero: so do the runtime's rules from now on, and a board that is armed anew.
    void count_anew();
    // The board is armed and counts on what belongs to the day before.
    bool board_behind() const { return armed_ && board_behind_; }
    // Market data come on a flow of their own, or on the one that orders leave on.
    void set_market_flow(const Flow& flow) { fabric_.set_market_flow(flow); }
    void forget_market_flow() { fabric_.forget_market_flow(); }
    void set_market_window_scale(std::uint32_t local) { fabric_.set_market_window_scale(local); }
    // The numbers of the session that market data come on; null: they are the ledger's.
    void count_by(const FixStore* market) { market_numbers_ = market; }
    void set_comp_ids(std::string_view sender, std::string_view target) {
        fabric_.set_comp_ids(sender, target);
    }

    // The lease around whatever the FIX engine sends; see Sequencer.
    bool take_lease();
    bool lease_held() const { return sequencer_.held(); }
    // What is left of it may not do for another message.
    bool lease_worn() const { return sequencer_.worn(); }
    void give_lease();
    // With the lease held: an order of the runtime may go out.
    bool may_send();

    // Likewise what somebody asks for by hand, for which nothing needs to be armed.
    bool may_send_by_hand();
    // The board counts something against limits while it is armed, and nobody else can count there: orders in
    // all or in a second, or quantities, if those of the order's instrument are limited.
    bool board_counts(bool limited_quantity) const;
    // An order was sent that is no rule's.
    void count_other(std::int64_t now_ns);

    // What has become known of fills arms and sizes what waits for them, and what they leave uncovered is
    // told.
    // Not while a message is evaluated.
    void follow_fills();
    // When a rule `at` a time is due; none: none waits, or nothing is armed.
    std::optional<std::int64_t> next_moment() const;

    // Takes fires off the ring, kicks the watchdog, keeps the clock; disarms for what the fabric reports.
    // Throws CommitError when the session's connection is of no more use.
    FabricStatus watch();

    Fabric& fabric() { return fabric_; }
    // Why the board is not armed, empty if it never was.
    const std::string& disarm_reason() const { return disarm_reason_; }
    // It was armed until then, and nothing else was amiss.
    bool lost_armed() const { return !armed_ && disarm_cause_ == DisarmCause::session; }
    bool lost_dry() const { return lost_dry_; }

  private:
    // For as long as the fabric may not see all of the market. TCP sequence numbers.
    struct StandIn {
        // What the parser said of its place at the end of a gap, or at an arming behind one.
        struct InStep {
            std::uint32_t rcv_nxt;
            std::chrono::steady_clock::time_point since;
        };
        bool blind = false;   // messages may come that it does not evaluate
        bool silent = false;  // it is disarmed, and the runtime sends in its place
        std::optional<InStep> in_step;
        std::optional<std::uint32_t> sees_from;  // all behind it is evaluated by the fabric
        std::optional<std::uint32_t> counted;    // ring record: the standby takes account of all up to it

        void lose_place() {
            in_step.reset();
            sees_from.reset();
        }
    };

    // Makes what fires change on the board what the journal says it is.
    void restore_board();
    void end_old_connection();
    // It answers, but what it was loaded with is gone, and with it fires that nobody has taken.
    bool lost_memory();
    void check_memory();
    bool make_ready(const Boundaries& read);
    FabricStatus fire_up(bool dry);
    std::optional<CommitError> stop_fabric();
    void roll();
    void silence(const LoadedRule& rule);
    // MsgSeqNum of the next message with market data.
    std::uint32_t next_number() const {
        return static_cast<std::uint32_t>(market_numbers_ != nullptr ? market_numbers_->next_target()
                                                                     : ledger_.next_target());
    }
    // Nothing but the runtime sends.
    bool alone() const { return stand_in_.silent || !has_board(); }
    bool stands_by() const;
    void note_in_step();
    void heed_gap(const FabricStatus& status);
    void end_stand_in();
    void settle_next_load();
    std::unique_ptr<SoftwareRules> software_of(const Bundle& bundle);
    std::unique_ptr<SoftwareRules> standby_of(const Bundle& bundle);
    void name_anew(Load& load);
    TableCache& tables();
    void take_account();
    void keep_up();
    bool tell_resting();
    void tell_rearms(unsigned bank);
    void follow_rearms();
    void follow_flip(const FabricStatus& status);
    void load_here(Loadable next);
    void finish_load();
    void end_load();

    Board& board_;
    Ledger& ledger_;
    const DaemonConfig& config_;
    const KillFlag& kill_;
    TableCache tables_;
    Fabric fabric_;
    Sequencer sequencer_;
    const FixStore* market_numbers_ = nullptr;
    PieceMemo<BundleRule, BundleRule> moved_rules_;      // of loadable() alone
    PieceMemo<BundleRule, LoadedRule> described_rules_;  // likewise
    TableCheck software_check_;                          // likewise
    TableCheck standby_check_;                           // likewise
    std::optional<Bundle> bundle_;
    std::unique_ptr<SoftwareRules> software_;
    std::unique_ptr<SoftwareRules> standby_;
    Windows windows_;                // of time, of what is loaded
    RestingTable resting_;           // likewise
    RearmTable rearms_;              // likewise
    std::uint64_t rearms_told_ = 0;  // as of that record of the ledger
    std::unique_ptr<HotLoad> hot_;
    std::unique_ptr<SoftwareRules> next_software_;  // from that message on; may be none
    std::unique_ptr<SoftwareRules> next_standby_;   // likewise
    std::optional<std::uint32_t> next_software_from_;
    std::uint32_t next_generation_ = 0;
    bool evaluating_ = false;
    bool triggers_stale_ = false;  // the board's bits do not take account of all fires
    bool limits_stale_ = false;    // nor its tables of limits that were changed
    bool board_behind_ = false;    // nor does what is armed there count from zero, as it should since a roll
    std::int64_t rolls_ns_ = std::numeric_limits<std::int64_t>::max();  // UTC
    LoadReport report_;
    std::chrono::steady_clock::time_point load_began_{};
    bool armed_ = false;
    StandIn stand_in_;
    std::uint32_t read_ = 0;        // TCP sequence number
    std::uint64_t stood_in_ = 0;    // so often
    bool stopped_ = false;          // data over uncommitted bytes: the kernel believes it sent
    std::uint64_t fills_seen_ = 0;  // as of that change in the ledger
    std::map<std::string, std::int64_t> uncovered_;  // that was told, by LoadedRule::key()
    std::string disarm_reason_;
    DisarmCause disarm_cause_ = DisarmCause::other;
    bool lost_dry_ = false;  // when it was disarmed last, it was for a dry run
    std::chrono::steady_clock::time_point next_kick_{};
    std::chrono::steady_clock::time_point next_clock_{};
    std::chrono::steady_clock::time_point next_save_{};  // of trails
};

}  // namespace fixaccel
