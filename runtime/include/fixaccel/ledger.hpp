// SPDX-License-Identifier: Apache-2.0
// What the journal adds up to: the FIX store, the rules that are spent, and what was armed when.
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fixaccel/fix_store.hpp"
#include "fixaccel/journal.hpp"
#include "fixaccel/kill_word.hpp"
#include "fixaccel/ledger_state.hpp"
#include "fixaccel/sequencer.hpp"
#include "fixaccel/snapshot_maker.hpp"
#include "fixaccel/tally.hpp"

namespace fixaccel {

// One fire of a rule that the runtime runs. Prices as decimal text.
struct SoftwareFire {
    std::uint32_t generation = 0;
    std::uint32_t rule = 0;  // index
    std::string source;
    std::string observed;
    std::string threshold;  // empty for a decision
    std::string side;       // buy, sell
    std::string qty;
    std::string type;   // limit, market
    std::string price;  // empty for a market order
    std::string cl_ord_id;
    std::uint32_t fires = 0;   // fire count of the rule, this one included
    std::int64_t time_ns = 0;  // UTC, when its message was taken
    bool stand_in = false;     // of a rule of the fabric, which did not see the message
};

// Hears of each record that is written, once it has taken effect.
class RecordListener {
  public:
    RecordListener() = default;
    RecordListener(const RecordListener&) = delete;
    RecordListener& operator=(const RecordListener&) = delete;
    virtual ~RecordListener() = default;
    virtual void recorded(const Record& record) = 0;
};

// Every change is one journal record; replaying the records rebuilds the state. Functions that change
// something throw JournalError.
class Ledger final : public LedgerState, public FixStore, public FireSink {
  public:
    // Replays what the journal holds.
    explicit Ledger(Journal& journal);

    // FixStore
    void set(int seq_num, const std::string& message) override;
    void get(int first, int last, std::vector<std::string>& messages) const override;
    int next_sender() const override { return next_sender_; }
    int next_target() const override { return next_target_; }
    void set_next_sender(int seq_num) override;
    // Kept in memory until flush(), and there until something else has been recorded or many have come
    // together: losing some of them costs a resend request, no order.
    void set_next_target(int seq_num) override;
    void reset() override;
    bool begins_anew() const override { return begins_anew_; }

    // FireSink
    void record(const std::vector<Fire>& fires) override;

    // The order of a fire in not_left() has left since, with these bytes.
    void record_left(const Fire& fire);

    // An order of the runtime is journalled before the FIX engine gets it; from then on its rule is spent.
    // This and the set() of its message take no memory: what these records change is put off until the next
    // record, settle_intent() or take_effect().
    void record_intent(const SoftwareFire& fire);
    void take_effect();
    // What became of it: it counts as sent once the FIX store has its message, whether or not it reached the
    // wire (a resend request finds it there). Else it was rejected, for `reason`. True if it was sent.
    // After a crash the next start does this. `took`: from its message being read to the kernel having it,
    // where that is known.
    bool settle_intent(const std::string& reason, std::optional<std::chrono::nanoseconds> took = {});
    // An order that was held back before that.
    void record_rejected(const SoftwareFire& fire, const std::string& reason);
    // An order that a dry run keeps back.
    void record_dry(const SoftwareFire& fire);

    // What somebody asks for by hand, with the ClOrdID that is next. It is journalled before the FIX engine
    // gets it, and counts as sent once the FIX store has its message, as an order of the runtime does.
    // settle_by_hand() says what became of it: its MsgSeqNum, or 0 if it was rejected, for `reason`. After a
    // crash the next start does this.
    HandRequest next_by_hand() const;
    void record_by_hand(const HandRequest& request);
    int settle_by_hand(const std::string& reason);
    // What was refused before that.
    void record_refused(const HandRequest& request, const std::string& reason);

    // How far trails have come, by rule index of that load. Not durable before the next record that is: a
    // crash of the process loses none of it.
    using Trails = std::vector<std::pair<std::uint32_t, TrailState>>;
    void record_trails(std::uint32_t generation, const Trails& trails);
    // Ahead of the intent of an order; put off with it.
    void record_trails_ahead(std::uint32_t generation, const Trails& trails);

    // Starts a new ClOrdID epoch, four base-36 characters that this journal never used before. They are
    // counted from the second in which it is, so that another journal of the same session does not use them
    // either: not for 19 days, and unless the two had a load in the same second.
    std::string new_epoch();

    // The board was disarmed for it, for `reason`.
    void record_load(const Load& load, const std::string& reason = {});
    // A load while armed: written before the fabric is asked for it, it has come about with record_flipped()
    // and has not with record_load_dropped(), until when it is next_load(). A fire of its generation says
    // that it has come about, too.
    void record_next_load(const Load& load);
    void record_flipped(std::uint32_t first_seq_num, std::uint32_t cycles);
    void record_load_dropped(const std::string& reason);

    // What the operator has asked for last: nothing else is done of one's own accord after a restart. `armed`
    // as long as nobody has said anything, `disarmed` if the journal's end was torn: that may have been the
    // word.
    void record_asked(Arming arming);

    // The last word on the kill switch, once the board has been told. One more kill counts as a disarm, too:
    // turning it off again arms nothing, not even after a restart.
    void record_kill(const KillWord& word);

    // Arming is recorded before it takes effect, so that after a crash it is known what may have fired. What
    // fires in a dry run counts as sent until it ends; then all is as it was when it began.
    void record_armed(bool dry);
    void record_disarmed(const std::string& reason);

    // The board lost its memory while it was armed: any rule of the fabric that was armed then may have fired
    // unseen. Such rules count as spent until it is known of each.
    void record_board_lost();
    // Of our messages the venue expected that number next when it took the first Logon since then: as it
    // seems, or less.
    void record_counted(int next_sender);
    // It counts from one again: what it has counted since then says nothing.
    void record_uncountable();
    // The rule in doubt, by its key, has sent the order Doubt::cl_ord_id(): the venue has reported on it.
    // Whether it has sent one more is in doubt still.
    void record_found(const std::string& key, const std::string& report);
    // The venue has been asked. These have sent nothing, by LoadedRule::key(); the rest stays in doubt.
    void record_reconciled(const std::vector<std::string>& not_sent, const std::string& by);
    // The operator knows it of these: they have sent an order, or nothing.
    void record_told(const std::vector<std::string>& keys, bool sent, const std::string& by);

    // Every rule that has fired may fire once more.
    void record_rearmed();
    // So may these, which have not been in doubt.
    void record_rearmed(const std::vector<std::string>& keys);

    // Somebody has changed a limit for a time, or what was changed is as it was before: for `reason`, by
    // `by` where somebody has said so.
    void record_limit_set(const LimitChange& change);
    void record_limit_reverted(const std::string& key, const std::string& reason, const std::string& by = {});

    // What the limits count of orders and quantities begins anew, for `reason`, by `by`.
    void record_limits_reset(const std::string& reason, const std::string& by);

    // The venue's day has ended: both numbers begin anew, what rested as `day` rests no more, and the limits
    // that count orders and quantities count from zero.
    void record_day_roll();

    // Why the report contradicts those before it on an order whose fills other rules go by: whoever sends
    // orders by these must stop. Empty: it does not.
    std::string record_execution(const std::string& report);
    // ClOrdID of the order that a reject is of; empty: of none of ours.
    std::string rejected_order(const std::string& reject) const;
    // Reject(3) or BusinessMessageReject(j): where it is of an order of ours, that is the order's end, and
    // where it is of a request, that is not done.
    void record_reject(const std::string& reject);
    // OrderCancelReject(9).
    void record_cancel_reject(const std::string& reject);
    // `event`: logon, logout, disconnect. Carries both next sequence numbers.
    void record_session(const std::string& event, const std::string& reason);
    void record_note(const std::string& text);
    // What somebody has asked the daemon to do, and its answer; both as they are on the control socket.
    void record_command(const std::string& by, const std::string& role, const nlohmann::json& request,
                        const nlohmann::json& reply, std::uint64_t refused_before);

    // Null: nobody hears.
    void listen(RecordListener* listener) { listener_ = listener; }
    const Journal& journal() const { return journal_; }
    // What this process has written.
    const Tally& tally() const { return tally_; }

    // Between two messages: writes the numbers that were held back, and begins a new segment of the journal
    // when one is full, or a day of UTC has begun.
    void flush();
    // For the snapshot that is in the making, if any.
    void finish_snapshot() { snapshots_.finish(); }

  private:
    void write(Record record, Journal::Sync sync);
    void conclude(const Record& record);
    void make_room();
    void write_fields(const SoftwareFire& fire, const char* type, std::string_view cl_ord_id,
                      std::optional<std::int64_t> time_ns);
    static Record record_of(std::string_view fields);
    void put_off(Journal::Sync sync);
    void set_on_its_way(int seq_num, const std::string& message);
    Record describe(const SoftwareFire& fire);
    Record describe(const Fire& fire) const;
    Record describe(const Fire& fire, const Watch& watch) const;
    void name_rule(const Fire& fire, Record& record) const;
    bool known(const Record& fire) const;
    void write_target();
    void turn_over();

    Journal& journal_;
    std::int64_t segment_day_ = 0;  // of UTC since the epoch: the next one begins a segment
    SnapshotMaker snapshots_;
    Tally tally_;
    RecordListener* listener_ = nullptr;
    std::string fields_, text_;  // of a record, kept for their room
    std::string put_off_;        // fields of records that the journal has and the state has not, line by line
    bool on_its_way_ = false;    // among them the intent of an order
    int set_seq_ = 0;            // and its message: its number; 0: not yet
    std::uint64_t target_written_at_ = 0;  // as of that record
};

}  // namespace fixaccel
