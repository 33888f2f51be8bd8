// SPDX-License-Identifier: Apache-2.0
// The rules that the runtime runs: what the journal knows of them, and their orders on the session.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fixaccel/bundle.hpp"
#include "fixaccel/fix_session.hpp"
#include "fixaccel/ledger.hpp"
#include "fixaccel/links.hpp"
#include "fixaccel/table.hpp"
#include "fixaccel/table_links.hpp"
#include "market_data.hpp"
#include "order_layout.hpp"
#include "table_check.hpp"

namespace fixaccel {

// The way of an order to the venue.
class OrderPort {
  public:
    OrderPort() = default;
    OrderPort(const OrderPort&) = delete;
    OrderPort& operator=(const OrderPort&) = delete;
    virtual ~OrderPort() = default;

    // Whether rules may be evaluated.
    virtual bool armed() const = 0;
    // A rule is satisfied. False: it has fired elsewhere.
    virtual bool admits(const LoadedRule& /*rule*/) { return true; }
    // Why no order may leave now: "kill", "session" or "disarmed"; empty if one may.
    virtual std::string held_back() = 0;
    // One is decided on, and is in the journal; in between nothing else happens.
    virtual void decided() {}
    virtual void journalled() {}
    // Sends NewOrderSingle(D) on the session; the FIX store tells whether it took it. Returns when the kernel
    // got it, if it did.
    virtual std::chrono::steady_clock::time_point send_order(const OrderText& order) = 0;
    // The ledger has orders that are to be cancelled for one that was just sent.
    virtual void cancels_due() {}
};

// All functions but the constructor may throw JournalError.
class SoftwareRules final : private TableSink {
  public:
    // Of a loaded bundle. Those of the fabric are not armed again here when they have fired. `before`:
    // what was checked of the bundle before it. Throws BundleError if the table is not that of its rules,
    // TableError.
    SoftwareRules(const Bundle& bundle, Ledger& ledger, RulesOf of = RulesOf::runtime,
                  TableCheck* before = nullptr);

    // What orders of these rules do to others of them.
    std::vector<Links> links() const { return table_links(table_); }

    // Every part starts anew, but for what the ledger knows: what has fired stays so, its siblings are
    // cancelled and its children armed, what was sent counts against the limits, and trails go on from where
    // they had come to. The prices that were seen stay known, and those that were observed the observations
    // before. The bundle must be the ledger's load.
    void arm();
    // Counts by the ledger what the limits count.
    void recount() { interpreter_.set_counters(counters(interpreter_.counters())); }
    // When the bucket of orders_per_second is full again; none: it is, or there is none.
    std::optional<std::int64_t> rate_full_ns() const { return interpreter_.rate_full_ns(); }
    void set_rate_full(std::optional<std::int64_t> moment_ns) { interpreter_.set_rate_full(moment_ns); }
    // Tells the ledger how far trails have come. Within process() that is done ahead of every order.
    void save();

    // Goes on where `former`, the rules of the load before, has come to: parts of the same meaning keep their
    // state, the others start as with arm(). What is known of the market stays. The bundle must be the
    // ledger's load or its next one, of that generation.
    void take_over(SoftwareRules& former, std::uint32_t generation);
    // Instruments that it knows of but `former` does not.
    std::vector<std::string> unknown_to(const SoftwareRules& former) const;

    // Takes one message of the session, at `now_ns` UTC. Its observations are evaluated if the port is armed.
    // False if it cannot be understood. `read_at`: when it was read from its connection, if that is known.
    bool process(const MarketText& message, std::int64_t now_ns, OrderPort& port,
                 std::optional<std::chrono::steady_clock::time_point> read_at = {});

    // The clock has come to `now_ns` UTC: rules `at` a time fire, if the port is armed. While it is not, a
    // moment passes unused.
    void advance(std::int64_t now_ns, OrderPort& port);
    // When advance() has something to do; none: nothing waits for the clock.
    std::optional<std::int64_t> next_moment() const;
    // What the ledger knows by now of fills arms and sizes what waits for them.
    void follow_fills(std::int64_t now_ns);

    // An order was sent that is none of these rules': the limits count it.
    void count_other(std::int64_t now_ns);

    // Limits in place of those of the bundle, from now on.
    void change_limits(const LimitValues& changes, std::int64_t now_ns);

    // Nothing is known of the market: a subscription begins, or a message was missed.
    void forget_market() { interpreter_.forget_market(); }

    // State of a rule by its index; none if the fabric runs it, or before the first arm().
    std::optional<PartState> state(std::uint32_t rule) const;

  private:
    // What orders are sent with, as it is written in them.
    struct Envelope {
        OrderLayout market;
        OrderLayout limit;
    };

    bool admit(const TableFire& fire) override;
    GateOutcome offer(const TableFire& fire) override;
    std::optional<bool> meets_own(const TableFire& fire) override;
    void report(const TableFire& fire) override;
    void cancel(const TableFire& by, std::span<const PartRange> parts) override;

    const Ledger::Trails& take_moved();
    const Load& load() const;
    void restore(std::size_t row);
    void read_envelopes();
    void check_envelopes(const Bundle& bundle) const;
    void restore_fills();
    GateCounters counters(const GateCounters& before) const;
    const SoftwareFire& describe(const TableFire& fire);
    const OrderText& order(const SoftwareFire& fire, std::size_t envelope);

    Ledger& ledger_;
    RulesOf of_;
    std::uint32_t generation_ = 0;  // of the load that these rules are
    SoftwareTable table_;
    std::vector<Envelope> envelopes_;
    MarketReader reader_;
    TableInterpreter interpreter_;
    bool begun_ = false;                           // parts have been armed
    std::map<std::string, std::int32_t> parents_;  // whose fills count, by LoadedRule::key()
    std::map<std::int32_t, PartFills> told_;       // what the interpreter knows, by part
    std::uint64_t fills_told_ = 0;                 // as of that change in the ledger
    std::vector<MarketMessage> messages_;          // scratch, as what follows: kept for its room
    std::vector<std::uint32_t> moved_rows_;
    Ledger::Trails moved_;
    SoftwareFire fire_;
    std::string wire_price_;
    OrderText order_;
    OrderPort* port_ = nullptr;                                     // while a message is evaluated
    std::optional<std::chrono::steady_clock::time_point> read_at_;  // likewise
    std::string withheld_;                                          // why the order in hand was
};

}  // namespace fixaccel
