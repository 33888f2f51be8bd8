// SPDX-License-Identifier: Apache-2.0
// The table interpreter: runs rules from columns, with the meaning that the fabric has, and every form of
// rule.
//
// One thread. No heap in the path of a message, except where arming and firing change what is armed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fixaccel/limit_values.hpp"
#include "fixaccel/shared_text.hpp"
#include "fixaccel/trail_state.hpp"

namespace fixaccel {

struct TableColumns;

// A table that is not what it must be; the text names column and row.
class TableError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The columns of a file, with the memory that they lie in.
class SoftwareTable {
  public:
    // Throws TableError for a file that cannot be read or is no sound table.
    static SoftwareTable read(const std::filesystem::path& path);
    static SoftwareTable parse(std::vector<std::byte> content);
    static SoftwareTable parse(const SharedText& content);

    SoftwareTable(SoftwareTable&&) noexcept;
    SoftwareTable& operator=(SoftwareTable&&) noexcept;
    ~SoftwareTable();

    const TableColumns& columns() const { return *columns_; }
    // Text of a metadata entry, empty if there is none.
    std::string metadata(const std::string& key) const;
    std::string_view symbol(std::size_t instrument) const;
    // Name of the part in this row (not its index).
    std::string_view name(std::size_t row) const;
    // As written, of a rule with limits of its own, by row of these.
    std::string_view limited_rule(std::size_t own) const;

    // Those of the file's limits that hold as values, with those that a rule has of its own.
    LimitValues own_limits() const;
    // These in their place, in the columns: whoever runs them is to be told. All others are those of the
    // file.
    void change_limits(const LimitValues& changes);
    const LimitValues& changed_limits() const { return changes_; }

  private:
    SoftwareTable();

    static SoftwareTable parse(std::string_view file, std::shared_ptr<const void> owner);
    void take_limits();
    std::map<std::string, std::size_t> limit_places() const;

    std::shared_ptr<const void> content_;   // the columns are in it
    std::vector<std::int64_t> own_limits_;  // of the file, by place; below zero: none
    std::vector<std::int64_t> limits_;      // likewise, what the columns show
    LimitValues changes_;
    std::unique_ptr<TableColumns> columns_;
    std::map<std::string, std::string> metadata_;
};

enum class MarketKind : std::uint8_t { update, snapshot, gap, halt, open };
enum class PriceState : std::uint8_t { absent, value, unknown, invalid };

constexpr std::size_t kCarriedSources = 3;  // bid, ask, last
constexpr std::size_t kSources = 4;         // and mid
constexpr std::int32_t kAllInstruments = -1;

// A market-data message. Prices in 10^-8, bid, ask, last.
struct MarketMessage {
    std::int64_t ts_ns = 0;
    std::int32_t instrument = kAllInstruments;
    MarketKind kind = MarketKind::update;
    PriceState state[kCarriedSources] = {};
    std::int64_t price[kCarriedSources] = {};
};

// Behind the kinds of messages: a row about an own order.
enum class ExecutionKind : std::uint8_t { fill = 5, done, reject };

// The same in columns, n of each, as three arrays a price and a state each. Of an execution `part` is the
// number over the whole strategy, `qty` what was filled, below zero of a fill that was busted.
struct MarketColumns {
    std::size_t size = 0;
    const std::int64_t* ts_ns = nullptr;
    const std::int32_t* instrument = nullptr;
    const std::uint8_t* kind = nullptr;
    const std::int64_t* price[kCarriedSources] = {};
    const std::uint8_t* state[kCarriedSources] = {};
    const std::int32_t* part = nullptr;  // null: there are no executions
    const std::int64_t* qty = nullptr;
};

// Who fills the orders of a run over columns: rows alone, or a model besides. `touch`: a limit order is
// filled whole when a later observation of the other side's quote, or of `last`, is at or through its price;
// a market order at once where one of the two is known, else by the first of either; what may not rest is
// filled at once or not at all.
enum class FillModel : std::uint8_t { none, touch };

// A fill of the model.
struct ModelFill {
    std::int64_t event;  // as in TableFire
    std::int64_t ts_ns;
    std::int64_t qty;
    std::int64_t price;  // units
    std::int32_t part;   // over the whole strategy
    std::uint8_t side;   // as in the columns
};

// What became of orders in runs over columns.
struct OrderTally {
    std::vector<ModelFill> fills;
    std::uint64_t cancels = 0;
    std::vector<std::int64_t> unmatched;  // rows of executions that no order was found for
};

// What became of an order: left, or the first limit that held it back. A sink may add reasons of its own.
enum class GateOutcome : std::uint8_t {
    sent,
    order_notional,
    collar,
    self_trade,
    repeat,
    orders_per_second,
    total_orders,
    total_qty,
    withheld,
    filled,     // `qty: filled`, and the parents have filled less than a lot
    order_qty,  // of an order whose quantity was not known before
};

enum class PartState : std::uint8_t {
    disarmed,
    armed,
    waiting,
    undecided,
    fired,
    cancelled,
    refused,
    arming,
    rearming
};

// One fire. Prices in the instrument's units, observed and trigger on mid in half units; of a rule `at` a
// time nothing is observed.
struct TableFire {
    std::int64_t event = 0;  // row of the run, 0 for single messages
    std::int64_t ts_ns = 0;
    std::int64_t observed = 0;
    std::int64_t trigger = 0;
    std::int64_t qty = 0;
    std::int64_t price = 0;
    std::int32_t part = 0;   // number over the whole strategy
    std::int32_t row = 0;    // of the part's columns
    std::int32_t order = 0;  // row of the order's columns
    std::int32_t fires = 0;  // sent by this part so far, 0 if this one was not
    std::uint8_t source = 0;
    std::uint8_t has_trigger = 0;
    std::uint8_t side = 0;
    std::uint8_t type = 0;
    GateOutcome outcome = GateOutcome::sent;
    std::uint8_t has_observed = 1;
};

// Parts, numbered over the whole strategy: the first one, and how many.
using PartRange = std::pair<std::int32_t, std::int32_t>;

class TableSink {
  public:
    virtual ~TableSink() = default;
    // A part is satisfied. False: it has fired elsewhere, and is spent without a word.
    virtual bool admit(const TableFire&) { return true; }
    // An order that every limit lets pass: sends it, or says why it stays. Nothing but `sent` has effects on
    // other parts, counters and re-arming.
    virtual GateOutcome offer(const TableFire&) { return GateOutcome::sent; }
    // Whether an order of our own rests that this one would meet, where the venue reports it. Otherwise the
    // interpreter keeps account, in which an order rests to the end of the venue's day.
    virtual std::optional<bool> meets_own(const TableFire&) { return std::nullopt; }
    // Each fire in firing order, with its outcome.
    virtual void report(const TableFire& fire) = 0;
    // Behind the report of an order that was sent: what may still rest of these parts is to be cancelled. Who
    // hears later what became of them tells order_done() then.
    virtual void cancel(const TableFire& /*by*/, std::span<const PartRange> /*parts*/) {}
};

// What outlives a restart.
struct GateCounters {
    std::int64_t orders = 0;
    struct Quantity {
        std::string symbol;
        std::int64_t bought = 0;
        std::int64_t sold = 0;
    };
    std::vector<Quantity> quantities;  // of instruments that have any
    struct LastOrder {
        std::string rule;  // as written
        std::int64_t sent_ns = 0;
    };
    std::vector<LastOrder> last_orders;  // of rules that have sent any
    // Of rules that have limits of their own, and have sent any.
    struct Rule {
        std::string rule;  // as written
        std::int64_t orders = 0;
        std::vector<Quantity> quantities;
        // As rate_full_ns(), of the rule's own bucket.
        std::optional<std::int64_t> rate_full_ns;
    };
    std::vector<Rule> rules;
};

// `later`: nothing is armed before restart(), or another one is taken over.
enum class ArmedFrom : std::uint8_t { start, later };

class TableInterpreter {
  public:
    // Arms everything that waits for no parent, unless it is to be armed later. The memory of the columns
    // must stay as long as the interpreter runs them. Throws TableError.
    explicit TableInterpreter(const TableColumns& columns, ArmedFrom armed = ArmedFrom::start);
    ~TableInterpreter();
    TableInterpreter(TableInterpreter&&) noexcept;
    TableInterpreter& operator=(TableInterpreter&&) noexcept;

    // Parts of equal hash keep their whole state, all others start as they would at a fresh load; what is
    // known of the market and what the limits counted stays. Throws TableError and changes nothing.
    void reload(const TableColumns& columns);
    // Takes the place of `former` as if that had got these columns by reload(); nothing is left of it. Of one
    // that was not armed at its start, nor since, what was made of the columns is not made again.
    void take_over(TableInterpreter&& former);

    // Every part starts as it would at a fresh load, and nothing was sent. What is known of the market stays,
    // and so do the observations before.
    void restart();

    // Takes one message while nothing is armed: its prices become known and are observations, and no part
    // heeds them. As process() otherwise.
    void watch(const MarketMessage& message);
    // Nothing is known of the market any more, and nothing was observed.
    void forget_market();

    // Takes one message. Throws TableError for an instrument or a kind that does not exist.
    void process(const MarketMessage& message, TableSink& sink);
    // Takes many; checks all before the first. `first` is added to the rows of the fires. Executions only
    // behind keep_orders().
    void run(const MarketColumns& messages, std::int64_t first, TableSink& sink);
    // From now on run() keeps account of the orders that it sends, for rows of executions, `cancels` and a
    // model; before it has sent any.
    void keep_orders(FillModel model);
    const OrderTally& order_tally() const;

    // Own executions and the clock. Parts are numbered over the whole strategy (TableFire::part), so that
    // those that run elsewhere can be parents too. `now_ns` never falls, here and from message to message;
    // one that does counts as the latest before. No sink of a message may call these.
    //
    // An order of that part was filled by `qty` more; below zero: busted or corrected, which un-arms nothing.
    // Arms what waits for its first fill.
    void filled(std::int32_t part, std::int64_t qty, std::int64_t now_ns);
    // An order of that part has come to its end, however; `any`: something of it was filled. Arms what waits
    // for that. Once an order: a second time would arm what was disarmed since.
    void order_done(std::int32_t part, bool any, std::int64_t now_ns);
    // For a restart: what the orders of that part have filled in all. Arms nothing: restore_armed() does.
    // Also behind reload() for parts that are in no row of the table, whose numbers may be others then; those
    // in a row take their sums along. restart() and reload() forget all others.
    void restore_filled(std::int32_t part, std::int64_t qty);
    // What `qty: filled` counts: what the orders of that part have filled in all, as far as it was told.
    std::int64_t filled_qty(std::int32_t part) const;
    // The clock has come to `now_ns`: rules `at` a time that is past by then fire, as process() has them fire
    // before it takes a message. What is armed before the first call of either, or before the first behind
    // restart(), fires from the moment of that call on: call it when arming.
    void advance(std::int64_t now_ns, TableSink& sink);
    // When advance() has something to fire next, which may be past; none: nothing waits for the clock. The
    // lowest number before the clock is known (see advance()), if anything waits.
    std::optional<std::int64_t> next_moment() const;

    // Prices off the unit or out of range.
    std::uint64_t invalid_prices() const;

    // For a restart: that part has sent `fires` orders, and is spent if `spent`.
    void restore(std::size_t row, std::uint32_t fires, bool spent);
    // For a restart, behind its restore(): that part was cancelled, or armed, by an order that was sent,
    // unless it has fired.
    void restore_cancelled(std::size_t row);
    void restore_armed(std::size_t row);
    // Likewise: `if_already_through` has let it pass.
    void restore_passed(std::size_t row);
    // Likewise: how far its trail has come. Nothing for a part that is not armed, or has no trail.
    void restore_trail(std::size_t row, const TrailState& trail);
    // None if it has no trail, or is not armed.
    std::optional<TrailState> trail(std::size_t row) const;
    // Rows whose trail may have moved since the last call, each once, in place of what is in `rows`.
    void take_moved(std::vector<std::uint32_t>& rows);
    GateCounters counters() const;
    void set_counters(const GateCounters& counters);
    void reset_counters() { set_counters({}); }
    // An order left that is no part's: it takes its place in the bucket of orders.
    void take_order(std::int64_t now_ns);
    // When the bucket of orders_per_second is full again; none: it is, or there is none.
    std::optional<std::int64_t> rate_full_ns() const;
    void set_rate_full(std::optional<std::int64_t> moment_ns);

    // The limits in the columns have changed. What was sent is counted on.
    void limits_changed(std::int64_t now_ns);

    // Whether parts that have fired are armed again, as their `rearm` says.
    void set_rearming(bool on);
    // Whether what limits count of orders and quantities begins anew with the table's `day_roll`; else
    // whoever sets the counters sees to it.
    void set_rolling(bool on);

    PartState state(std::size_t row) const;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fixaccel
