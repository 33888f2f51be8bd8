// SPDX-License-Identifier: Apache-2.0
#include "own_executions.hpp"

#include <algorithm>

#include "order_words.hpp"

namespace fixaccel {

TableInterpreter::Impl::OwnExecutions::OwnExecutions(Impl& interpreter, FillModel model)
    : interpreter_(interpreter),
      model_(model),
      books_(interpreter.markets_.size()),
      waiting_(interpreter.markets_.size()) {}

Wide TableInterpreter::Impl::OwnExecutions::key(std::uint8_t side, std::size_t instrument,
                                                std::int64_t price) const {
    const Wide wire = Wide{price} * interpreter_.parts_->columns.instrument.unit[instrument];
    return side == kSell ? wire : -wire;
}

void TableInterpreter::Impl::OwnExecutions::row(ExecutionKind kind, std::int32_t part, std::int64_t qty,
                                                std::int64_t event) {
    const auto found = orders_.find(part);
    const bool open = found != orders_.end();
    if (!open && (kind != ExecutionKind::fill || qty >= 0 || known_.count(part) == 0)) {
        tally_.unmatched.push_back(event);
        return;
    }
    if (kind == ExecutionKind::fill) interpreter_.note_fill(part, qty);
    if (!open) return;
    Order& order = found->second.front();
    if (kind == ExecutionKind::fill) order.filled += qty;
    if (kind != ExecutionKind::fill || order.filled >= order.qty) end(order);
}

// Whether prices of the instrument are observations now.
bool TableInterpreter::Impl::OwnExecutions::observable(std::size_t instrument) const {
    const Market& market = interpreter_.markets_[instrument];
    return market.open && !market.suspended;
}

// Whether an order that does not rest is filled as it is sent.
bool TableInterpreter::Impl::OwnExecutions::at_once(const TableFire& fire, std::size_t instrument) const {
    const Market& market = interpreter_.markets_[instrument];
    if (!observable(instrument)) return false;
    const std::size_t opposite = fire.side == kSell ? kBid : kAsk;
    if (fire.type != kLimit) return market.has_known[opposite] || market.has_known[kLast];
    if (!market.has_known[opposite]) return false;
    const std::int64_t price = market.known[opposite];
    return fire.side == kSell ? price >= fire.price : price <= fire.price;
}

// A limit order fills at its own price, any other at what is known.
std::int64_t TableInterpreter::Impl::OwnExecutions::price_at_once(const TableFire& fire,
                                                                  std::size_t instrument) const {
    if (fire.type == kLimit) return fire.price;
    const Market& market = interpreter_.markets_[instrument];
    const std::size_t opposite = fire.side == kSell ? kBid : kAsk;
    return market.known[market.has_known[opposite] ? opposite : kLast];
}

void TableInterpreter::Impl::OwnExecutions::report(const TableFire& fire) {
    sink_->report(fire);
    if (fire.outcome != GateOutcome::sent) return;
    const TableColumns& columns = interpreter_.parts_->columns;
    const std::size_t instrument = interpreter_.parts_->instrument_of(static_cast<std::uint32_t>(fire.row));
    const bool rests = columns.order.rests[static_cast<std::size_t>(fire.order)] != 0;
    known_[fire.part] = true;
    Order& order = orders_[fire.part].emplace_back(
        Order{fire.part, instrument, fire.qty, 0, fire.ts_ns, fire.price, fire.side, rests, {}});
    if (rests)
        order.at = books_[instrument][fire.side].emplace(key(fire.side, instrument, fire.price), &order);
    if (model_ != FillModel::touch || rests) return;
    if (at_once(fire, instrument))
        fill(order, price_at_once(fire, instrument), fire.event, fire.ts_ns);
    else if (fire.type == kLimit)
        end(order);
    else
        waiting_[instrument][fire.side].push_back(&order);
}

void TableInterpreter::Impl::OwnExecutions::see(std::size_t instrument, std::uint8_t source,
                                                std::int64_t price, std::int64_t event) {
    for (const std::uint8_t side : {kBuy, kSell}) {
        if (source != kLast && source != (side == kSell ? kBid : kAsk)) continue;
        fill_waiting(instrument, side, price, event);
        fill_side(books_[instrument][side], key(side, instrument, price), event);
    }
}

// Orders of parts that are gone are nobody's.
void TableInterpreter::Impl::OwnExecutions::fill_side(Side& side, Wide up_to, std::int64_t event) {
    for (auto best = side.begin(); best != side.end() && best->first <= up_to;) {
        Order& order = *best->second;
        ++best;
        if (order.part >= 0) fill(order, order.price, event, interpreter_.now_ns_);
    }
}

void TableInterpreter::Impl::OwnExecutions::fill_waiting(std::size_t instrument, std::uint8_t side,
                                                         std::int64_t price, std::int64_t event) {
    auto& waiting = waiting_[instrument][side];
    for (Order* order : std::exchange(waiting, {})) fill(*order, price, event, interpreter_.now_ns_);
}

void TableInterpreter::Impl::OwnExecutions::fill(Order& order, std::int64_t price, std::int64_t event,
                                                 std::int64_t ts_ns) {
    tally_.fills.push_back({event, ts_ns, order.qty - order.filled, price, order.part, order.side});
    interpreter_.note_fill(order.part, order.qty - order.filled);
    order.filled = order.qty;
    end(order);
}

void TableInterpreter::Impl::OwnExecutions::leave_book(Order& order) {
    if (order.rests) books_[order.instrument][order.side].erase(order.at);
    order.rests = false;
}

// Behind it the order is no more.
void TableInterpreter::Impl::OwnExecutions::end(Order& order) {
    leave_book(order);
    auto& waiting = waiting_[order.instrument][order.side];
    waiting.erase(std::remove(waiting.begin(), waiting.end(), &order), waiting.end());
    const std::int32_t part = order.part;
    interpreter_.note_done(part, order.filled > 0);
    const auto of_part = orders_.find(part);
    of_part->second.remove_if([&](const Order& one) { return &one == &order; });
    if (of_part->second.empty()) orders_.erase(of_part);
}

void TableInterpreter::Impl::OwnExecutions::cancel(const TableFire& by, std::span<const PartRange> parts) {
    sink_->cancel(by, parts);
    for (const auto& [first, count] : parts) {
        for (auto found = orders_.lower_bound(first); found != orders_.end() && found->first - first < count;
             found = orders_.lower_bound(first)) {
            ++tally_.cancels;
            end(found->second.front());
        }
    }
}

std::optional<bool> TableInterpreter::Impl::OwnExecutions::meets_own(const TableFire& fire) {
    if (const auto known = sink_->meets_own(fire)) return known;
    const TableColumns& columns = interpreter_.parts_->columns;
    const std::size_t instrument = interpreter_.parts_->instrument_of(static_cast<std::uint32_t>(fire.row));
    const std::uint8_t opposite = fire.side == kSell ? kBuy : kSell;
    // The price that an order of the other side has to be as good as.
    const Wide worst = key(opposite, instrument, fire.price);
    Side& side = books_[instrument][opposite];
    const std::int64_t today = day_of(columns, fire.ts_ns);
    for (auto resting = side.begin(); resting != side.end();) {
        if (fire.type == kLimit && resting->first > worst) return false;
        Order& order = *resting->second;
        ++resting;
        if (day_of(columns, order.sent_ns) == today) return true;
        // Nobody asks for it again, as no model fills it.
        if (model_ == FillModel::none && long_past(order.sent_ns, fire.ts_ns)) leave_book(order);
    }
    return false;
}

void TableInterpreter::Impl::OwnExecutions::renumber(const std::map<std::int32_t, std::int32_t>& parts,
                                                     const std::vector<std::int64_t>& instruments) {
    std::map<std::int32_t, Orders> orders;
    std::map<std::int32_t, bool> known;
    for (const auto& [before, now] : parts)
        if (known_.count(before) != 0) known[now] = true;
    for (auto& [part, own] : orders_) {
        const auto now = parts.find(part);
        Orders& to = now != parts.end() ? orders[now->second] : lost_;
        for (Order& order : own) order.part = now != parts.end() ? now->second : -1;
        to.splice(to.end(), own);
    }
    std::vector<Sides> books(interpreter_.markets_.size());
    std::vector<std::array<std::vector<Order*>, 2>> waiting(books.size());
    for (std::size_t before = 0; before < instruments.size(); ++before) {
        if (instruments[before] < 0) continue;
        const auto now = static_cast<std::size_t>(instruments[before]);
        books[now] = std::move(books_[before]);
        waiting[now] = std::move(waiting_[before]);
    }
    // An order of an instrument that is gone rests nowhere.
    const auto move = [&](Order& order) {
        const std::int64_t now = instruments[order.instrument];
        order.rests = order.rests && now >= 0;
        order.instrument = static_cast<std::size_t>(std::max<std::int64_t>(now, 0));
    };
    for (auto& [part, own] : orders)
        for (Order& order : own) move(order);
    for (Order& order : lost_) move(order);
    for (auto& sides : waiting)
        for (auto& side : sides)
            side.erase(
                std::remove_if(side.begin(), side.end(), [](const Order* one) { return one->part < 0; }),
                side.end());
    lost_.remove_if([](const Order& order) { return !order.rests; });
    orders_ = std::move(orders);
    known_ = std::move(known);
    books_ = std::move(books);
    waiting_ = std::move(waiting);
}

}  // namespace fixaccel
