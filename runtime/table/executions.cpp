// SPDX-License-Identifier: Apache-2.0
// What became of our own orders: what is filled is counted, and arms what waits for it.
#include <algorithm>
#include <limits>

#include "interpreter.hpp"
#include "own_executions.hpp"

namespace fixaccel {
namespace {

std::int64_t saturated(Wide value) {
    return static_cast<std::int64_t>(std::clamp<Wide>(value, std::numeric_limits<std::int64_t>::min(),
                                                      std::numeric_limits<std::int64_t>::max()));
}

}  // namespace

TableInterpreter::Impl::~Impl() = default;

void TableInterpreter::Impl::keep_orders(FillModel model) {
    own_ = std::make_unique<OwnExecutions>(*this, model);
    touch_ = model == FillModel::touch ? own_.get() : nullptr;
}

const OrderTally& TableInterpreter::Impl::order_tally() const {
    static const OrderTally none;
    return own_ ? own_->tally() : none;
}

// What stands before the caller's sink, if orders are kept.
TableSink& TableInterpreter::Impl::sink_before(TableSink& sink) {
    if (!own_) return sink;
    own_->set_sink(sink);
    return *own_;
}

void TableInterpreter::Impl::execution(ExecutionKind kind, std::int32_t part, std::int64_t qty,
                                       std::int64_t ts_ns, std::int64_t event, TableSink& sink) {
    if (!clock_known_ || parts_->moments.due(ts_ns)) come_to(ts_ns, event, sink);
    between_messages(ts_ns);
    own_->row(kind, part, qty, event);
}

void TableInterpreter::Impl::filled(std::int32_t part, std::int64_t qty, std::int64_t now_ns) {
    between_messages(now_ns);
    note_fill(part, qty);
}

void TableInterpreter::Impl::order_done(std::int32_t part, bool any, std::int64_t now_ns) {
    between_messages(now_ns);
    note_done(part, any);
}

void TableInterpreter::Impl::restore_filled(std::int32_t part, std::int64_t qty) { filled_[part] = qty; }

std::int64_t TableInterpreter::Impl::filled_qty(std::int32_t part) const {
    const auto found = filled_.find(part);
    return found == filled_.end() ? 0 : found->second;
}

// What is armed now is armed at once, as no message is in hand.
void TableInterpreter::Impl::between_messages(std::int64_t now_ns) {
    now_ns_ = std::max(now_ns_, now_ns);
    current_ = kNoInstrument;
}

void TableInterpreter::Impl::note_fill(std::int32_t part, std::int64_t qty) {
    std::int64_t& sum = filled_[part];
    sum = saturated(Wide{sum} + qty);
    if (qty > 0) arm_children(part, ArmedOn::first_fill);
}

void TableInterpreter::Impl::note_done(std::int32_t part, bool any) {
    if (any) arm_children(part, ArmedOn::filled);
}

std::int64_t TableInterpreter::Impl::parents_filled(std::uint32_t row) const {
    const TableColumns& columns = parts_->columns;
    if (columns.part.parents[row] < 0) return 0;
    const auto set = static_cast<std::size_t>(columns.part.parents[row]);
    const auto begin = static_cast<std::size_t>(columns.parents.first[set]);
    const auto end = begin + static_cast<std::size_t>(columns.parents.count[set]);
    Wide sum = 0;
    for (std::size_t at = begin; at < end; ++at) {
        const std::int64_t last = std::int64_t{columns.parent.first[at]} + columns.parent.count[at];
        for (auto one = filled_.lower_bound(columns.parent.first[at]);
             one != filled_.end() && one->first < last; ++one)
            sum += one->second;
    }
    const std::int64_t lot = columns.instrument.lot[parts_->instrument_of(row)];
    const std::int64_t whole = saturated(std::max<Wide>(sum, 0));
    return whole - whole % lot;
}

}  // namespace fixaccel
