// SPDX-License-Identifier: Apache-2.0
// Orders of a run over columns: rows of executions, `cancels`, and a model that fills.
#include <gtest/gtest.h>

#include "running.hpp"

namespace fixaccel {
namespace {

using test::armed_on;
using test::Recorder;
using test::TableBuilder;
using Parts = std::vector<std::int32_t>;

constexpr std::uint8_t kUpdate = 0;
constexpr std::uint8_t kFill = 5;
constexpr std::uint8_t kDone = 6;

// Rows one after the other, a nanosecond apart.
class Rows {
  public:
    Rows& ask(std::int64_t units) { return price(1, units); }
    Rows& last(std::int64_t units) { return price(2, units); }
    Rows& execution(std::uint8_t kind, std::int32_t part, std::int64_t qty = 0) {
        add(kind);
        part_.back() = part;
        qty_.back() = qty;
        return *this;
    }

    void run(TableInterpreter& interpreter, TableSink& sink) const {
        MarketColumns columns{.size = kind_.size(), .ts_ns = ts_ns_.data(), .instrument = instrument_.data()};
        columns.kind = kind_.data();
        for (std::size_t source = 0; source < kCarriedSources; ++source) {
            columns.price[source] = price_[source].data();
            columns.state[source] = state_[source].data();
        }
        columns.part = part_.data();
        columns.qty = qty_.data();
        interpreter.run(columns, 0, sink);
    }

  private:
    Rows& price(std::size_t source, std::int64_t units) {
        add(kUpdate);
        price_[source].back() = units * 1'000'000;
        state_[source].back() = static_cast<std::uint8_t>(PriceState::value);
        return *this;
    }
    void add(std::uint8_t kind) {
        ts_ns_.push_back(static_cast<std::int64_t>(ts_ns_.size()));
        instrument_.push_back(0);
        kind_.push_back(kind);
        for (auto& column : price_) column.push_back(0);
        for (auto& column : state_) column.push_back(0);
        part_.push_back(-1);
        qty_.push_back(0);
    }

    std::vector<std::int64_t> ts_ns_, qty_;
    std::vector<std::int32_t> instrument_, part_;
    std::vector<std::uint8_t> kind_;
    std::vector<std::int64_t> price_[kCarriedSources];
    std::vector<std::uint8_t> state_[kCarriedSources];
};

struct KeptRun {
    explicit KeptRun(const TableBuilder& builder, FillModel model = FillModel::none)
        : table(builder.table()), interpreter(table.columns()) {
        interpreter.keep_orders(model);
    }

    SoftwareTable table;
    TableInterpreter interpreter;
    Recorder sink;
};

// 0 buys 50 at 300 when the last is at or below 300, as limit orders that rest; its fills arm the others.
TableBuilder entry(std::int64_t on) {
    TableBuilder builder;
    builder.stops({300, 200}).set("order.side", {0, 1}).set("order.type", {1, 0});
    builder.set("order.price", {300, 0}).set("order.rests", {1, 0});
    armed_on(builder, {-1, 0}, on);
    return builder.set("order.qty", {50, 0}).set("order.filled", {0, 1});
}

TEST(OwnExecutions, FillsInFullEndTheOrder) {
    KeptRun run(entry(2));
    Rows().last(300).execution(kFill, 0, 20).last(150).run(run.interpreter, run.sink);
    EXPECT_EQ(run.interpreter.state(1), PartState::disarmed);
    Rows().execution(kFill, 0, 30).execution(kFill, 0, 1).last(150).run(run.interpreter, run.sink);
    EXPECT_EQ(run.sink.parts(), (Parts{0, 1}));
    EXPECT_EQ(run.sink.fires[1].qty, 50) << "the last row found no order";
    EXPECT_EQ(run.interpreter.order_tally().unmatched, std::vector<std::int64_t>{1});
}

TEST(OwnExecutions, ABustAfterTheEndIsOfTheLastOrder) {
    KeptRun run(entry(1));
    Rows()
        .last(300)
        .execution(kFill, 0, 50)
        .execution(kFill, 0, -10)
        .last(150)
        .run(run.interpreter, run.sink);
    EXPECT_EQ(run.sink.fires.at(1).qty, 40);
    EXPECT_TRUE(run.interpreter.order_tally().unmatched.empty());
}

TEST(OwnExecutions, NobodyIsToldOfExecutionsThatAreNotKept) {
    KeptRun run(entry(1));
    TableInterpreter other(run.table.columns());
    EXPECT_THROW(Rows().execution(kDone, 0).run(other, run.sink), TableError);
}

TEST(OwnExecutions, WhatIsDoneRestsNoLonger) {
    for (const bool done : {false, true}) {
        KeptRun run(entry(2)
                        .set("part.parents", {-1, -1})
                        .set("order.qty", {50, 50})
                        .set("order.filled", {0, 0})
                        .set("limits.self_trade", {1})
                        .set("zone.start_s", {0})
                        .set("zone.offset_s", {0}));
        Rows rows;
        rows.last(300);
        if (done) rows.execution(kDone, 0);
        rows.last(150).run(run.interpreter, run.sink);
        EXPECT_EQ(run.sink.fires.at(1).outcome, done ? GateOutcome::sent : GateOutcome::self_trade);
    }
}

TEST(OwnExecutions, CancelsEndWhatRests) {
    TableBuilder builder = entry(2);
    builder.stops({300, 200, 250}).set("part.parents", {-1, 0, -1});
    builder.set("order.side", {0, 1, 1}).set("order.type", {1, 0, 0}).set("order.price", {300, 0, 0});
    builder.set("order.rests", {1, 0, 0}).set("order.qty", {50, 0, 1}).set("order.filled", {0, 1, 0});
    builder.set("part.cancels", {-1, -1, 0}).set("cancels.first", {0}).set("cancels.count", {1});
    KeptRun run(builder.set("cancelled.first", {0}).set("cancelled.count", {1}));
    Rows().last(300).execution(kFill, 0, 20).last(250).run(run.interpreter, run.sink);
    EXPECT_EQ(run.interpreter.order_tally().cancels, 1U);
    EXPECT_EQ(run.interpreter.state(1), PartState::armed) << "done with something filled";
    Rows().execution(kFill, 0, 5).last(200).run(run.interpreter, run.sink);
    EXPECT_EQ(run.sink.fires.back().qty, 20) << "a cancelled order is filled no more";
}

TEST(OwnExecutions, TouchFillsWhatALaterPriceMeets) {
    KeptRun run(entry(1), FillModel::touch);
    Rows().ask(290).last(300).run(run.interpreter, run.sink);
    EXPECT_EQ(run.interpreter.state(1), PartState::disarmed) << "known before it was sent";
    Rows().ask(301).run(run.interpreter, run.sink);
    EXPECT_EQ(run.interpreter.state(1), PartState::disarmed);
    Rows().ask(300).last(199).run(run.interpreter, run.sink);
    EXPECT_EQ(run.sink.fires.back().qty, 50);
    const auto& fills = run.interpreter.order_tally().fills;
    ASSERT_EQ(fills.size(), 2U);
    EXPECT_EQ(fills[0].price, 300) << "a limit order at its own price";
    EXPECT_EQ(fills[0].qty, 50);
    EXPECT_EQ(fills[1].price, 199) << "the market order at the last";
    EXPECT_EQ(fills[1].part, 1);
    EXPECT_LT(fills[0].event, fills[1].event + 1);
}

TEST(OwnExecutions, TouchFillsAtOnceWhatMayNotRestOrNever) {
    for (const std::int64_t ask : {290, 310}) {
        KeptRun run(entry(1).set("order.rests", {0, 0}), FillModel::touch);
        Rows().ask(ask).last(300).ask(290).run(run.interpreter, run.sink);
        EXPECT_EQ(run.interpreter.order_tally().fills.size(), ask == 290 ? 1U : 0U);
    }
}

TEST(OwnExecutions, WorkingOrdersGoAlongWhenPartsAreRenumbered) {
    KeptRun run(entry(1));
    Rows().last(300).run(run.interpreter, run.sink);
    TableBuilder next;
    next.stops({310, 300}).set("part.hash", {9, 0, 1, 0}).set("order.qty", {1, 50});
    const SoftwareTable table = next.table();
    run.interpreter.reload(table.columns());
    Rows().execution(kFill, 1, 50).execution(kFill, 0, 1).run(run.interpreter, run.sink);
    EXPECT_EQ(run.interpreter.filled_qty(1), 50);
    EXPECT_EQ(run.interpreter.order_tally().unmatched, std::vector<std::int64_t>{1});
}

}  // namespace
}  // namespace fixaccel
