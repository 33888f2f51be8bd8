// SPDX-License-Identifier: Apache-2.0
// What an order by hand has to pass: the venue's terms, and the limits of the bundle by the gate of the
// runtime's rules.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fixaccel/bundle.hpp"
#include "fixaccel/fix_session.hpp"
#include "fixaccel/ledger.hpp"
#include "fixaccel/placed_order.hpp"
#include "fixaccel/table.hpp"
#include "gate.hpp"
#include "interpreter.hpp"
#include "market_data.hpp"

namespace fixaccel {

class HandGate final : private TableSink {
  public:
    // Of a bundle with its table. Throws TableError, BundleError.
    explicit HandGate(const Bundle& bundle);
    // What is known of the market and what the bucket of orders holds goes on.
    void take_over(const HandGate& former, std::int64_t now_ns);

    // Limits that hold as values: those of the bundle, and others in their place from now on.
    LimitValues own_limits() const { return table_.own_limits(); }
    void change_limits(const LimitValues& changes, std::int64_t now_ns);

    // Market data of the session.
    void see(const MarketText& message, std::int64_t now_ns);
    void forget_market();
    // So many orders have left, whoever sent them: what is new of them takes its place in the bucket.
    void follow(const SentOrders& sent, std::int64_t now_ns);

    // That the venue has no such instrument, and which may have been meant; empty if it has.
    std::string unknown(const std::string& symbol) const;
    // What is wrong with these terms, with what would be right; empty if nothing is. Completes the account.
    std::string complete(OrderTerms& terms) const;
    // The first limit that an order with such terms breaks, and why; empty if it passes. `instead`: quantity
    // of the order that it replaces.
    std::string judge(const OrderTerms& terms, std::int64_t instead, const Ledger& ledger,
                      std::int64_t now_ns);

    // Whether the quantity of that instrument is limited.
    bool limits_quantity(const std::string& symbol) const;
    // All of them, an object each: `limit`, `value`, and where it counts what of it is used. One that was
    // changed has what it was and the change, too.
    nlohmann::json limits(const Ledger& ledger) const;
    // Fields that every order of the bundle has beside its terms.
    const FixFields& fields() const { return fields_; }
    // The price unit of an instrument.
    std::string unit_of(const std::string& symbol) const;

  private:
    std::optional<std::size_t> row_of(const std::string& symbol) const;
    std::string nearest(const std::string& symbol) const;
    std::string wrong_price(std::size_t row, const std::string& text) const;
    std::optional<std::int64_t> units(std::size_t row, const std::string& price) const;
    std::int64_t tick_at(std::size_t row, std::int64_t price) const;
    std::string unit_text(std::size_t row, std::int64_t units) const;
    std::string static_limit(const OrderTerms& terms, std::size_t row) const;
    std::optional<bool> meets_own(const TableFire& fire) override;
    void report(const TableFire& fire) override;

    SoftwareTable table_;
    MarketReader reader_;
    Gate gate_;
    std::vector<Market> markets_;
    std::vector<std::int64_t> lots_;
    std::string account_;
    FixFields fields_;
    std::optional<std::int64_t> order_qty_;
    std::string order_notional_;  // decimal text; empty: none, or of a compiler that did not say it
    std::optional<std::int64_t> limit_collar_;  // basis points
    std::int64_t sent_ = -1;                    // orders that the bucket knows of
    std::vector<MarketMessage> messages_;       // scratch
    const Ledger* ledger_ = nullptr;            // while an order is judged
    std::size_t judged_ = 0;                    // its instrument
};

}  // namespace fixaccel
