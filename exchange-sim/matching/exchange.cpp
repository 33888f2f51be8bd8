// SPDX-License-Identifier: Apache-2.0
#include "matching/exchange.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "matching/order_check.hpp"

namespace fixaccel::exchange {
namespace {

// FIX CxlRejReason(102).
constexpr int kTooLateToCancel = 0;
constexpr int kUnknownOrder = 1;
constexpr int kBrokerOption = 2;
constexpr int kDuplicateClOrdId = 6;
constexpr int kOther = 99;

std::vector<Instrument> by_symbol(std::vector<Instrument> instruments) {
    std::sort(instruments.begin(), instruments.end(),
              [](const Instrument& one, const Instrument& other) { return one.symbol() < other.symbol(); });
    return instruments;
}

std::vector<BookRules> rules_of(const std::vector<Instrument>& instruments) {
    std::vector<BookRules> result;
    result.reserve(instruments.size());
    for (const Instrument& instrument : instruments) result.push_back(instrument.rules());
    return result;
}

// CompIDs have no control characters.
std::string key(const std::string& owner, const std::string& cl_ord_id) { return owner + '\x01' + cl_ord_id; }

}  // namespace

Exchange::Exchange(std::vector<Instrument> instruments, std::uint32_t capacity)
    : instruments_(by_symbol(std::move(instruments))), engine_(rules_of(instruments_), capacity) {
    for (const Instrument& instrument : instruments_) {
        const auto index = static_cast<InstrumentIndex>(markets_.size());
        by_symbol_.emplace(instrument.symbol(), index);
        markets_.push_back({index, {}, {}});
    }
}

const Instrument* Exchange::find(const std::string& symbol) const {
    const auto found = by_symbol_.find(symbol);
    return found == by_symbol_.end() ? nullptr : &instruments_[found->second];
}

std::vector<std::string> Exchange::symbols() const {
    std::vector<std::string> result;
    result.reserve(instruments_.size());
    for (const Instrument& instrument : instruments_) result.push_back(instrument.symbol());
    return result;
}

InstrumentIndex Exchange::index_of(const std::string& symbol) const {
    const auto found = by_symbol_.find(symbol);
    if (found == by_symbol_.end()) throw std::invalid_argument("unknown symbol '" + symbol + "'");
    return found->second;
}

Exchange::Market& Exchange::market(const std::string& symbol) { return markets_[index_of(symbol)]; }

// The house is 1.
Owner Exchange::owner_of(const std::string& client) {
    return owners_.emplace(client, static_cast<Owner>(owners_.size() + 2)).first->second;
}

Order& Exchange::add(const OrderTicket& ticket) {
    Order& order = *orders_.emplace_back(std::make_unique<Order>());
    order.id = first_ + orders_.size() - 1;
    order.ticket = ticket;
    order.instrument = find(ticket.symbol);
    if (order.instrument != nullptr) order.index = index_of(ticket.symbol);
    return order;
}

std::vector<Execution> Exchange::enter(const OrderTicket& ticket) {
    std::vector<Execution> out;
    Order& order = add(ticket);
    std::string text;
    RejectReason reason = RejectReason::kNone;
    // A ClOrdID stays used, whatever became of its order: a repeated message never trades twice.
    if (!by_cl_ord_id_.emplace(key(ticket.owner, ticket.cl_ord_id), order.id).second) {
        reason = RejectReason::kDuplicateOrder;
        text = "ClOrdID(11)=" + ticket.cl_ord_id + " was used before";
    } else {
        reason = check(order, text);
    }
    if (reason != RejectReason::kNone) {
        order.status = OrderStatus::kRejected;
        Execution& rejected = out.emplace_back(report(order, ExecType::kRejected));
        rejected.reject_reason = static_cast<int>(reason);
        rejected.text = text;
        return out;
    }
    match(order, out);
    return out;
}

// An order is called by its last ClOrdID: those before, and those of requests, name none.
std::variant<OrderId, CancelReject> Exchange::target(const CancelTicket& ticket) {
    const Order* order = find_order(ticket.owner, ticket.orig_cl_ord_id);
    if (order == nullptr || order->ticket.symbol != ticket.symbol ||
        order->ticket.cl_ord_id != ticket.orig_cl_ord_id)
        return CancelReject{0, OrderStatus::kRejected, kUnknownOrder,
                            "no order " + ticket.orig_cl_ord_id + " in " + ticket.symbol};
    if (!by_cl_ord_id_.emplace(key(ticket.owner, ticket.cl_ord_id), order->id).second)
        return CancelReject{order->id, order->status, kDuplicateClOrdId,
                            "ClOrdID(11)=" + ticket.cl_ord_id + " was used before"};
    if (order->leaves_quantity == 0)
        return CancelReject{order->id, order->status, kTooLateToCancel,
                            "the order is " + std::string(to_text(order->status))};
    if (!ticket.side.empty() && ticket.side != order->ticket.side)
        return CancelReject{
            order->id, order->status, kOther,
            "Side(54)=" + ticket.side + " is not the order's, which is " + order->ticket.side};
    return order->id;
}

CancelOutcome Exchange::cancel(const CancelTicket& ticket) {
    CancelOutcome outcome;
    const auto found = target(ticket);
    if (const auto* reject = std::get_if<CancelReject>(&found)) {
        outcome.reject = *reject;
        return outcome;
    }
    withdraw(std::get<OrderId>(found), "", outcome.executions);
    outcome.executions.back().cancel_cl_ord_id = ticket.cl_ord_id;
    return outcome;
}

CancelOutcome Exchange::replace(const ReplaceTicket& ticket) {
    CancelOutcome outcome;
    const OrderTicket& terms = ticket.terms;
    const auto found = target({terms.owner, terms.cl_ord_id, ticket.orig_cl_ord_id, terms.symbol});
    if (const auto* reject = std::get_if<CancelReject>(&found)) {
        outcome.reject = *reject;
        return outcome;
    }
    Order& order = mutable_order(std::get<OrderId>(found));
    Order wanted = order;
    wanted.ticket = terms;
    if (terms.account.empty()) wanted.ticket.account = order.ticket.account;
    std::string text;
    int reason = check(wanted, text) == RejectReason::kNone ? 0 : kOther;
    if (reason == 0 && wanted.side != order.side) {
        reason = kOther;
        text = "the order's side stays";
    } else if (reason == 0 && wanted.quantity <= order.cum_quantity) {
        reason = kBrokerOption;
        text = std::to_string(order.cum_quantity) + " of the order are filled already";
    }
    if (reason != 0) {
        outcome.reject = CancelReject{order.id, order.status, reason, text};
        return outcome;
    }
    const auto events = engine_.apply(message_of(wanted, MessageKind::kReplace));
    if (events.front().kind == EventKind::kRefused) {
        outcome.reject =
            CancelReject{order.id, order.status, kOther, std::string(to_text(events.front().reason))};
        return outcome;
    }
    const std::string before = order.ticket.cl_ord_id;
    wanted.leaves_quantity = events.front().leaves;
    order = std::move(wanted);
    outcome.executions.push_back(report(order, ExecType::kReplaced));
    outcome.executions.back().replaced_cl_ord_id = before;
    translate(events.subspan(1), outcome.executions);
    return outcome;
}

const Order* Exchange::find_order(const std::string& owner, const std::string& cl_ord_id) const {
    const auto found = by_cl_ord_id_.find(key(owner, cl_ord_id));
    return found == by_cl_ord_id_.end() ? nullptr : &order(found->second);
}

MarketSnapshot Exchange::snapshot(const std::string& symbol, std::size_t depth) const {
    const InstrumentIndex index = index_of(symbol);
    return {engine_.levels(index, Side::kBuy, depth), engine_.levels(index, Side::kSell, depth),
            engine_.last(index)};
}

std::vector<const Instrument*> Exchange::take_changed() {
    std::vector<const Instrument*> result;
    for (const InstrumentIndex index : engine_.changed()) result.push_back(&instruments_[index]);
    std::sort(result.begin(), result.end());  // they lie in a row, by symbol
    engine_.clear_changed();
    return result;
}

std::vector<const Order*> Exchange::orders() const {
    std::vector<const Order*> result;
    for (const auto& order : orders_) {
        if (order) result.push_back(order.get());
    }
    return result;
}

void Exchange::forget_finished() {
    for (auto& order : orders_) {
        if (order && order->leaves_quantity == 0) order.reset();
    }
    std::erase_if(by_cl_ord_id_, [this](const auto& entry) { return !orders_[entry.second - first_]; });
    while (!orders_.empty() && !orders_.front()) {
        orders_.pop_front();
        ++first_;
    }
}

}  // namespace fixaccel::exchange
