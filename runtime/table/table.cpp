// SPDX-License-Identifier: Apache-2.0
#include "fixaccel/table.hpp"

#include "interpreter.hpp"
#include "own_executions.hpp"

namespace fixaccel {

TableInterpreter::Impl::Impl(const TableColumns& columns, ArmedFrom armed)
    : parts_(std::make_unique<Generation>(columns)), gate_(parts_->columns), markets_(columns.instruments()) {
    if (armed == ArmedFrom::start) arm_all();
}

TableInterpreter::TableInterpreter(const TableColumns& columns, ArmedFrom armed)
    : impl_(std::make_unique<Impl>(columns, armed)) {}
TableInterpreter::~TableInterpreter() = default;
TableInterpreter::TableInterpreter(TableInterpreter&&) noexcept = default;
TableInterpreter& TableInterpreter::operator=(TableInterpreter&&) noexcept = default;

void TableInterpreter::reload(const TableColumns& columns) {
    impl_->reload(std::make_unique<Generation>(columns));
}

void TableInterpreter::take_over(TableInterpreter&& former) {
    std::unique_ptr<Generation> next = impl_->take_tables();
    impl_ = std::move(former.impl_);
    impl_->reload(std::move(next));
}

void TableInterpreter::process(const MarketMessage& message, TableSink& sink) {
    impl_->check(message.instrument, static_cast<std::uint8_t>(message.kind));
    impl_->process(message, 0, sink);
}

void TableInterpreter::run(const MarketColumns& messages, std::int64_t first, TableSink& sink) {
    const bool executions = messages.part != nullptr && impl_->keeps_orders();
    const auto is_execution = [&](std::size_t row) {
        return executions && messages.kind[row] >= static_cast<std::uint8_t>(ExecutionKind::fill) &&
               messages.kind[row] <= static_cast<std::uint8_t>(ExecutionKind::reject);
    };
    for (std::size_t row = 0; row < messages.size; ++row)
        if (!is_execution(row)) impl_->check(messages.instrument[row], messages.kind[row]);
    TableSink& before = impl_->sink_before(sink);
    MarketMessage message;
    for (std::size_t row = 0; row < messages.size; ++row) {
        const std::int64_t event = first + static_cast<std::int64_t>(row);
        if (is_execution(row)) {
            impl_->execution(static_cast<ExecutionKind>(messages.kind[row]), messages.part[row],
                             messages.qty[row], messages.ts_ns[row], event, before);
            continue;
        }
        message.ts_ns = messages.ts_ns[row];
        message.instrument = messages.instrument[row];
        message.kind = static_cast<MarketKind>(messages.kind[row]);
        for (std::size_t source = 0; source < kCarriedSources; ++source) {
            message.state[source] = static_cast<PriceState>(messages.state[source][row]);
            message.price[source] = messages.price[source][row];
        }
        impl_->process(message, event, before);
    }
}

void TableInterpreter::keep_orders(FillModel model) { impl_->keep_orders(model); }
const OrderTally& TableInterpreter::order_tally() const { return impl_->order_tally(); }

void TableInterpreter::restart() { impl_->restart(); }
void TableInterpreter::forget_market() { impl_->forget_market(); }

void TableInterpreter::watch(const MarketMessage& message) {
    impl_->check(message.instrument, static_cast<std::uint8_t>(message.kind));
    impl_->watch(message);
}

std::uint64_t TableInterpreter::invalid_prices() const { return impl_->invalid_prices(); }

void TableInterpreter::restore(std::size_t row, std::uint32_t fires, bool spent) {
    impl_->restore(row, fires, spent);
}

void TableInterpreter::restore_cancelled(std::size_t row) { impl_->restore_cancelled(row); }
void TableInterpreter::restore_armed(std::size_t row) { impl_->restore_armed(row); }
void TableInterpreter::restore_passed(std::size_t row) { impl_->restore_passed(row); }

void TableInterpreter::restore_trail(std::size_t row, const TrailState& trail) {
    impl_->restore_trail(row, trail);
}

std::optional<TrailState> TableInterpreter::trail(std::size_t row) const { return impl_->trail(row); }
void TableInterpreter::take_moved(std::vector<std::uint32_t>& rows) { impl_->take_moved(rows); }

GateCounters TableInterpreter::counters() const { return impl_->counters(); }

void TableInterpreter::set_counters(const GateCounters& counters) { impl_->set_counters(counters); }

void TableInterpreter::take_order(std::int64_t now_ns) { impl_->take_order(now_ns); }
std::optional<std::int64_t> TableInterpreter::rate_full_ns() const { return impl_->gate().rate_full_ns(); }

void TableInterpreter::set_rate_full(std::optional<std::int64_t> moment_ns) {
    impl_->gate().set_rate_full(moment_ns);
}

void TableInterpreter::limits_changed(std::int64_t now_ns) { impl_->limits_changed(now_ns); }

void TableInterpreter::filled(std::int32_t part, std::int64_t qty, std::int64_t now_ns) {
    impl_->filled(part, qty, now_ns);
}

void TableInterpreter::order_done(std::int32_t part, bool any, std::int64_t now_ns) {
    impl_->order_done(part, any, now_ns);
}

void TableInterpreter::restore_filled(std::int32_t part, std::int64_t qty) {
    impl_->restore_filled(part, qty);
}

std::int64_t TableInterpreter::filled_qty(std::int32_t part) const { return impl_->filled_qty(part); }
void TableInterpreter::advance(std::int64_t now_ns, TableSink& sink) { impl_->advance(now_ns, sink); }
std::optional<std::int64_t> TableInterpreter::next_moment() const { return impl_->next_moment(); }

void TableInterpreter::set_rearming(bool on) { impl_->set_rearming(on); }
void TableInterpreter::set_rolling(bool on) { impl_->set_rolling(on); }

PartState TableInterpreter::state(std::size_t row) const { return impl_->state(row); }

}  // namespace fixaccel
