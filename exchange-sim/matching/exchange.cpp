// SPDX-License-Identifier: Apache-2.0
#include "matching/exchange.hpp"

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

}  // namespace

Exchange::Exchange(std::vector<Instrument> instruments) {
    for (Instrument& instrument : instruments) {
        const std::string symbol = instrument.symbol();
        markets_.emplace(symbol, Market(std::move(instrument)));
    }
}

const Instrument* Exchange::find(const std::string& symbol) const {
    const auto found = markets_.find(symbol);
    return found == markets_.end() ? nullptr : &found->second.instrument;
}

std::vector<std::string> Exchange::symbols() const {
    std::vector<std::string> result;
    result.reserve(markets_.size());
    for (const auto& [symbol, unused] : markets_) result.push_back(symbol);
    return result;
}

Exchange::Market& Exchange::market(const std::string& symbol) {
    const auto found = markets_.find(symbol);
    if (found == markets_.end()) throw std::invalid_argument("unknown symbol '" + symbol + "'");
    return found->second;
}

const Exchange::Market& Exchange::market(const std::string& symbol) const {
    const auto found = markets_.find(symbol);
    if (found == markets_.end()) throw std::invalid_argument("unknown symbol '" + symbol + "'");
    return found->second;
}

Order& Exchange::add(const OrderTicket& ticket) {
    Order& order = orders_.emplace_back();
    order.id = orders_.size();
    order.ticket = ticket;
    order.instrument = find(ticket.symbol);
    return order;
}

Execution Exchange::report(const Order& order, ExecType type) {
    Execution execution;
    execution.id = ++executions_;
    execution.order = order.id;
    execution.type = type;
    execution.status = order.status;
    execution.cum_quantity = order.cum_quantity;
    execution.leaves_quantity = order.leaves_quantity;
    execution.notional = order.notional;
    return execution;
}

std::vector<Execution> Exchange::enter(const OrderTicket& ticket) {
    std::vector<Execution> out;
    Order& order = add(ticket);
    std::string text;
    RejectReason reason = RejectReason::kNone;
    // A ClOrdID stays used, whatever became of its order: a repeated message never trades twice.
    if (!by_cl_ord_id_.emplace(Key{ticket.owner, ticket.cl_ord_id}, order.id).second) {
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
    order.leaves_quantity = order.quantity;
    match(market(ticket.symbol), order.id, out);
    return out;
}

void Exchange::match(Market& market, OrderId id, std::vector<Execution>& out) {
    out.push_back(report(order(id), ExecType::kNew));
    place(market, id, out);
}

void Exchange::place(Market& market, OrderId id, std::vector<Execution>& out) {
    const Order& order = this->order(id);
    const Submission result =
        market.book.submit({id, order.side, order.type, order.tif, order.price, order.leaves_quantity});
    for (const Trade& trade : result.trades) {
        fill(market, trade.resting, trade.incoming, trade, out);
        fill(market, trade.incoming, trade.resting, trade, out);
    }
    if (result.resting > 0 && order.house) market.house.insert(id);
    if (result.canceled == 0) return;
    const bool market_order = order.type == OrderType::kMarket;
    const bool all_or_none = order.tif == TimeInForce::kFillOrKill;
    mutable_order(id).leaves_quantity = 0;
    mutable_order(id).status = OrderStatus::kCanceled;
    Execution& canceled = out.emplace_back(report(order, ExecType::kCanceled));
    canceled.text = all_or_none    ? "fill or kill: not enough quantity at the limit"
                    : market_order ? "market order: no more quantity in the book"
                                   : "immediate or cancel: no more quantity at the limit";
}

void Exchange::fill(Market& market, OrderId id, OrderId counterparty, const Trade& trade,
                    std::vector<Execution>& out) {
    Order& order = mutable_order(id);
    order.cum_quantity += trade.quantity;
    order.leaves_quantity -= trade.quantity;
    order.notional += static_cast<Notional>(trade.price) * trade.quantity;
    order.status = order.leaves_quantity == 0 ? OrderStatus::kFilled : OrderStatus::kPartiallyFilled;
    if (order.leaves_quantity == 0) {
        market.house.erase(id);
        market.quotes.erase(id);
    }
    Execution& execution = out.emplace_back(report(order, ExecType::kTrade));
    execution.last_quantity = trade.quantity;
    execution.last_price = trade.price;
    execution.counterparty = counterparty;
}

void Exchange::withdraw(Market& market, OrderId id, const std::string& text, std::vector<Execution>& out) {
    market.book.cancel(id);
    market.house.erase(id);
    market.quotes.erase(id);
    Order& order = mutable_order(id);
    order.leaves_quantity = 0;
    order.status = OrderStatus::kCanceled;
    out.push_back(report(order, ExecType::kCanceled));
    out.back().text = text;
}

// An order is called by its last ClOrdID: those before, and those of requests, name none.
std::variant<OrderId, CancelReject> Exchange::target(const CancelTicket& ticket) {
    const auto found = by_cl_ord_id_.find({ticket.owner, ticket.orig_cl_ord_id});
    const Order* order = found == by_cl_ord_id_.end() ? nullptr : &this->order(found->second);
    if (order == nullptr || order->ticket.symbol != ticket.symbol ||
        order->ticket.cl_ord_id != ticket.orig_cl_ord_id)
        return CancelReject{0, OrderStatus::kRejected, kUnknownOrder,
                            "no order " + ticket.orig_cl_ord_id + " in " + ticket.symbol};
    if (!by_cl_ord_id_.emplace(Key{ticket.owner, ticket.cl_ord_id}, order->id).second)
        return CancelReject{order->id, order->status, kDuplicateClOrdId,
                            "ClOrdID(11)=" + ticket.cl_ord_id + " was used before"};
    if (order->leaves_quantity == 0)
        return CancelReject{order->id, order->status, kTooLateToCancel,
                            "the order is " + std::string(to_text(order->status))};
    return order->id;
}

CancelOutcome Exchange::cancel(const CancelTicket& ticket) {
    CancelOutcome outcome;
    const auto found = target(ticket);
    if (const auto* reject = std::get_if<CancelReject>(&found)) {
        outcome.reject = *reject;
        return outcome;
    }
    withdraw(market(ticket.symbol), std::get<OrderId>(found), "", outcome.executions);
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
    wanted.leaves_quantity = wanted.quantity - order.cum_quantity;
    const bool keeps_place = wanted.type == order.type && wanted.tif == order.tif &&
                             wanted.price == order.price && wanted.leaves_quantity <= order.leaves_quantity;
    const std::string before = order.ticket.cl_ord_id;
    order = std::move(wanted);
    Market& market = this->market(terms.symbol);
    if (keeps_place)
        market.book.reduce(order.id, order.leaves_quantity);
    else
        market.book.cancel(order.id);
    outcome.executions.push_back(report(order, ExecType::kReplaced));
    outcome.executions.back().replaced_cl_ord_id = before;
    if (!keeps_place) place(market, order.id, outcome.executions);
    return outcome;
}

const Order* Exchange::find_order(const std::string& owner, const std::string& cl_ord_id) const {
    const auto found = by_cl_ord_id_.find({owner, cl_ord_id});
    return found == by_cl_ord_id_.end() ? nullptr : &order(found->second);
}

MarketSnapshot Exchange::snapshot(const std::string& symbol, std::size_t depth) const {
    const OrderBook& book = market(symbol).book;
    return {book.levels(Side::kBuy, depth), book.levels(Side::kSell, depth), book.last()};
}

std::uint64_t Exchange::revision(const std::string& symbol) const { return market(symbol).book.revision(); }

}  // namespace fixaccel::exchange
