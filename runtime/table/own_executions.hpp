// SPDX-License-Identifier: Apache-2.0
// The orders of a run over columns: who else would know what became of them. Rows tell it, or a model does.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <vector>

#include "interpreter.hpp"

namespace fixaccel {

// Stands before the caller's sink, to see what is sent and what is cancelled.
class TableInterpreter::Impl::OwnExecutions final : public TableSink {
  public:
    OwnExecutions(Impl& interpreter, FillModel model);

    // What it stands before from now on.
    void set_sink(TableSink& sink) { sink_ = &sink; }
    const OrderTally& tally() const { return tally_; }

    // A row tells it: `qty` of a fill, below zero of one that was busted.
    void row(ExecutionKind kind, std::int32_t part, std::int64_t qty, std::int64_t event);
    // Before the parts judge it. Prices in the instrument's units.
    void see(std::size_t instrument, std::uint8_t source, std::int64_t price, std::int64_t event);
    // Numbers of parts and instruments are others: -1 for those that are gone.
    void renumber(const std::map<std::int32_t, std::int32_t>& parts,
                  const std::vector<std::int64_t>& instruments);

    bool admit(const TableFire& fire) override { return sink_->admit(fire); }
    GateOutcome offer(const TableFire& fire) override { return sink_->offer(fire); }
    std::optional<bool> meets_own(const TableFire& fire) override;
    void report(const TableFire& fire) override;
    void cancel(const TableFire& by, std::span<const PartRange> parts) override;

  private:
    struct Order;
    // Best first: by price on the wire, which outlives a change of unit; of buys below zero.
    using Side = std::multimap<Wide, Order*>;
    using Sides = std::array<Side, 2>;
    struct Order {
        std::int32_t part;
        std::size_t instrument;
        std::int64_t qty;
        std::int64_t filled;
        std::int64_t sent_ns;
        std::int64_t price;  // of a limit order
        std::uint8_t side;
        bool rests;         // is in the book
        Side::iterator at;  // if it is
    };
    using Orders = std::list<Order>;

    Wide key(std::uint8_t side, std::size_t instrument, std::int64_t price) const;
    bool observable(std::size_t instrument) const;
    bool at_once(const TableFire& fire, std::size_t instrument) const;
    std::int64_t price_at_once(const TableFire& fire, std::size_t instrument) const;
    void fill(Order& order, std::int64_t price, std::int64_t event, std::int64_t ts_ns);
    void end(Order& order);
    void fill_side(Side& side, Wide up_to, std::int64_t event);
    void fill_waiting(std::size_t instrument, std::uint8_t side, std::int64_t price, std::int64_t event);
    void leave_book(Order& order);

    Impl& interpreter_;
    FillModel model_;
    TableSink* sink_ = nullptr;
    OrderTally tally_;
    std::map<std::int32_t, Orders> orders_;                    // that are not done, oldest first, by part
    std::map<std::int32_t, bool> known_;                       // parts that have sent any
    Orders lost_;                                              // of parts that are gone, in the book yet
    std::vector<Sides> books_;                                 // by instrument; buy, sell
    std::vector<std::array<std::vector<Order*>, 2>> waiting_;  // market orders without a price, likewise
};

}  // namespace fixaccel
