// SPDX-License-Identifier: Apache-2.0
#include "scenario/flow/flow.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "scenario/flow/market_maker.hpp"
#include "scenario/flow/momentum_traders.hpp"
#include "scenario/flow/noise_traders.hpp"

namespace fixaccel::exchange {
namespace {

void append(std::vector<Execution>& to, std::vector<Execution> from) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
}

std::optional<Price> best(const Engine& engine, InstrumentIndex instrument, Side side) {
    const std::vector<Level> levels = engine.levels(instrument, side, 1);
    return levels.empty() ? std::nullopt : std::optional(levels.front().price);
}

}  // namespace

Flow::Flow(const FlowSettings& settings, const Exchange& exchange)
    : seed_(settings.seed),
      interval_ns_(std::max<std::int64_t>(1, 1'000'000'000 / settings.rate)),
      random_(settings.seed) {
    for (const FlowInstrument& next : settings.instruments) {
        const Instrument* terms = exchange.find(next.symbol);
        if (terms == nullptr) throw std::invalid_argument("unknown symbol '" + next.symbol + "'");
        traded_.push_back({exchange.index_of(next.symbol), next.symbol, Grid(*terms), next.price, {}});
    }
    if (settings.maker) add(std::make_unique<MarketMaker>(*settings.maker), settings.maker->weight);
    if (settings.noise) add(std::make_unique<NoiseTraders>(*settings.noise), settings.noise->weight);
    if (settings.momentum)
        add(std::make_unique<MomentumTraders>(*settings.momentum), settings.momentum->weight);
    if (traded_.empty() || traders_.empty())
        throw std::invalid_argument("a flow needs instruments and participants");
    pass_time();
}

void Flow::add(std::unique_ptr<Participant> who, std::int64_t weight) {
    traders_.push_back({std::move(who), weight});
    weights_ += weight;
}

void Flow::pass_time() { next_time_ += std::chrono::nanoseconds(random_.between(0, 2 * interval_ns_)); }

Participant& Flow::choose(Random& random) {
    std::int64_t dice = random.below(weights_);
    std::size_t which = 0;
    while (dice >= traders_[which].weight) dice -= traders_[which++].weight;
    return *traders_[which].who;
}

std::vector<Execution> Flow::turn(Exchange& exchange) {
    std::vector<Execution> out;
    Traded& traded =
        traded_[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(traded_.size())))];
    Participant& who = choose(random_);
    // Numbers of its own: how many somebody draws is nobody else's concern.
    Random own(seed_ ^ (static_cast<std::uint64_t>(turn_ + 1) * 0xd1342543de82ef95ULL));
    look(exchange, traded);
    const Engine& engine = exchange.engine();
    const auto last = engine.last(traded.index);
    const MarketView view{traded.index,
                          traded.grid,
                          best(engine, traded.index, Side::kBuy),
                          best(engine, traded.index, Side::kSell),
                          last ? std::optional(last->price) : std::nullopt,
                          traded.begin,
                          turn_};
    for (const Decision& decision : who.decide(view, own)) do_it(exchange, traded, who, decision, out);
    ++turn_;
    pass_time();
    return out;
}

std::vector<Execution> Flow::end(Exchange& exchange) {
    std::vector<Execution> out;
    for (Traded& traded : traded_) {
        look(exchange, traded);
        for (const OrderId id : traded.resting) append(out, cancel(exchange, id));
        traded.resting.clear();
    }
    held_.clear();
    return out;
}

void Flow::do_it(Exchange& exchange, Traded& traded, Participant& who, const Decision& decision,
                 std::vector<Execution>& out) {
    const auto* wanted = std::get_if<CancelOrder>(&decision);
    std::vector<Execution> some = wanted != nullptr
                                      ? cancel(exchange, wanted->order)
                                      : place(exchange, traded, who, std::get<PlaceOrder>(decision));
    // A trade is told of on both sides, and both may be the flow's.
    for (const Execution& execution : some)
        update(traded, execution.order, exchange.find_order(execution.order));
    append(out, std::move(some));
}

std::vector<Execution> Flow::place(Exchange& exchange, Traded& traded, Participant& who,
                                   const PlaceOrder& order) {
    std::vector<Execution> some =
        exchange.house_order(traded.symbol, order.side, order.type, order.tif, order.price, order.quantity);
    if (some.empty()) return some;
    const OrderId id = some.front().order;
    held_.emplace(id, Held{&who, order, order.quantity});
    traded.resting.push_back(id);
    who.on_resting(traded.index, id, order);
    return some;
}

std::vector<Execution> Flow::cancel(Exchange& exchange, OrderId id) {
    const Order* order = exchange.find_order(id);
    if (order == nullptr || order->leaves_quantity == 0) return {};
    return exchange.take_out(id, "house withdrew");
}

void Flow::look(const Exchange& exchange, Traded& traded) {
    // update() takes away what is over.
    const std::vector<OrderId> resting = traded.resting;
    for (const OrderId id : resting) update(traded, id, exchange.find_order(id));
}

void Flow::update(Traded& traded, OrderId id, const Order* order) {
    const auto found = held_.find(id);
    if (found == held_.end()) return;
    Held& held = found->second;
    // An order that is forgotten was over: filled, for the flow cancels its own.
    const Quantity left = order == nullptr ? 0 : order->leaves_quantity;
    const Quantity filled =
        (order == nullptr ? held.placed.quantity : order->cum_quantity) - (held.placed.quantity - held.left);
    const bool over = left == 0;
    Participant& who = *held.who;
    const Side side = held.placed.side;
    held.left -= filled;
    if (over) {
        held_.erase(found);
        std::erase(traded.resting, id);
    }
    if (filled > 0) {
        who.on_fill(traded.index, id, side, filled, left);
    } else if (over) {
        who.on_gone(traded.index, id);
    }
}

}  // namespace fixaccel::exchange
