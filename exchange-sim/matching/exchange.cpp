// SPDX-License-Identifier: Apache-2.0
#include "matching/exchange.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "matching/exchange_journal.hpp"
#include "matching/order_check.hpp"

namespace fixaccel::exchange {
namespace {

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

std::string used_before(const std::string& cl_ord_id) {
    return "ClOrdID(11)=" + cl_ord_id + " was used before";
}

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

Owner Exchange::owner_of(const std::string& client) {
    return owners_.emplace(client, static_cast<Owner>(kHouse + 1 + owners_.size())).first->second;
}

void Exchange::begin_together() {
    for (ExchangeJournal* journal : journals_) journal->begin_together();
}

void Exchange::end_together() {
    for (ExchangeJournal* journal : journals_) journal->end_together();
}

void Exchange::begin() {
    out_.clear();
    outcome_.executions.clear();
    outcome_.reject.reset();
    orders_.forget(kept_finished_);
}

Order& Exchange::add(const OrderTicket& ticket) {
    Order& order = orders_.add();
    order.ticket = ticket;
    order.owner = owner_of(ticket.owner);
    if (const auto found = by_symbol_.find(ticket.symbol); found != by_symbol_.end()) {
        order.index = found->second;
        order.instrument = &instruments_[found->second];
    }
    return order;
}

const std::vector<Execution>& Exchange::enter(const OrderTicket& ticket) {
    begin();
    tell(ticket);
    Order& order = add(ticket);
    std::string text;
    RejectReason reason = RejectReason::kNone;
    // A ClOrdID stays used, whatever became of its order: a repeated message never trades twice.
    if (!ids_.insert(hash_of(order.owner, ticket.cl_ord_id), order.id)) {
        reason = RejectReason::kDuplicateOrder;
        text = used_before(ticket.cl_ord_id);
    } else {
        reason = check(order, text);
    }
    if (reason == RejectReason::kNone) {
        match(order, out_);
        return out_;
    }
    order.status = OrderStatus::kRejected;
    orders_.finish(order);
    Execution& rejected = report(order, ExecType::kRejected, out_);
    rejected.reject_reason = static_cast<int>(reason);
    rejected.text = std::move(text);
    return out_;
}

// An order is called by its last ClOrdID: those before, and those of requests, name none.
std::variant<Order*, CancelReject> Exchange::target(Owner owner, const std::string& cl_ord_id,
                                                    const std::string& orig_cl_ord_id,
                                                    const std::string& symbol, const std::string& side) {
    Order* order = orders_.find(ids_.find(hash_of(owner, orig_cl_ord_id)));
    if (order == nullptr || order->owner != owner || order->ticket.symbol != symbol ||
        order->ticket.cl_ord_id != orig_cl_ord_id)
        return CancelReject{0, OrderStatus::kRejected, CancelReject::kUnknownOrder,
                            "no order " + orig_cl_ord_id + " in " + symbol};
    if (!ids_.insert(hash_of(owner, cl_ord_id), order->id))
        return CancelReject{order->id, order->status, CancelReject::kDuplicateClOrdId,
                            used_before(cl_ord_id)};
    if (order->leaves_quantity == 0)
        return CancelReject{order->id, order->status, CancelReject::kTooLate,
                            "the order is " + std::string(to_text(order->status))};
    if (!side.empty() && side != order->ticket.side)
        return CancelReject{order->id, order->status, CancelReject::kOther,
                            "Side(54)=" + side + " is not the order's, which is " + order->ticket.side};
    return order;
}

const CancelOutcome& Exchange::cancel(const CancelTicket& ticket) {
    begin();
    tell(ticket);
    auto found =
        target(owner_of(ticket.owner), ticket.cl_ord_id, ticket.orig_cl_ord_id, ticket.symbol, ticket.side);
    if (auto* reject = std::get_if<CancelReject>(&found)) {
        outcome_.reject = std::move(*reject);
        return outcome_;
    }
    withdraw(*std::get<Order*>(found), "", outcome_.executions);
    outcome_.executions.back().cancel_cl_ord_id = ticket.cl_ord_id;
    return outcome_;
}

const CancelOutcome& Exchange::replace(const ReplaceTicket& ticket) {
    begin();
    tell(ticket);
    const OrderTicket& terms = ticket.terms;
    auto found = target(owner_of(terms.owner), terms.cl_ord_id, ticket.orig_cl_ord_id, terms.symbol, "");
    if (auto* reject = std::get_if<CancelReject>(&found)) {
        outcome_.reject = std::move(*reject);
        return outcome_;
    }
    Order& order = *std::get<Order*>(found);
    Order& wanted = wanted_;
    wanted = order;
    wanted.ticket = terms;
    if (terms.account.empty()) wanted.ticket.account = order.ticket.account;
    std::string text;
    int reason = check(wanted, text) == RejectReason::kNone ? 0 : CancelReject::kOther;
    if (reason == 0 && wanted.side != order.side) {
        reason = CancelReject::kOther;
        text = "the order's side stays";
    } else if (reason == 0 && wanted.quantity <= order.cum_quantity) {
        reason = CancelReject::kBrokerOption;
        text = std::to_string(order.cum_quantity) + " of the order are filled already";
    }
    if (reason != 0) {
        outcome_.reject = CancelReject{order.id, order.status, reason, text};
        return outcome_;
    }
    const auto events = engine_.apply(message_of(wanted, MessageKind::kReplace));
    if (events.front().kind == EventKind::kRefused) {
        outcome_.reject = CancelReject{order.id, order.status, CancelReject::kOther,
                                       std::string(to_text(events.front().reason))};
        return outcome_;
    }
    wanted.leaves_quantity = events.front().leaves;
    // The texts of before stay in `wanted`, for the next to use their memory.
    std::swap(order, wanted);
    report(order, ExecType::kReplaced, outcome_.executions).replaced_cl_ord_id = wanted.ticket.cl_ord_id;
    translate(events.subspan(1), outcome_.executions);
    return outcome_;
}

std::vector<const Order*> Exchange::open_orders(const std::string& owner, InstrumentIndex instrument,
                                                std::optional<Side> side) const {
    std::vector<const Order*> result;
    const auto known = owners_.find(owner);
    if (known == owners_.end()) return result;
    orders_.each([&](const Order& order) {
        if (order.owner == known->second && order.leaves_quantity > 0 &&
            (instrument == kAllInstruments || order.index == instrument) && (!side || order.side == *side))
            result.push_back(&order);
    });
    return result;
}

const std::vector<Execution>& Exchange::mass_cancel(const std::string& owner, InstrumentIndex instrument,
                                                    std::optional<Side> side, const std::string& text) {
    begin();
    if (heard()) tell(MassCancelCall{owner, instrument, side, text});
    for (const Order* order : open_orders(owner, instrument, side)) withdraw(*order, text, out_);
    return out_;
}

const std::vector<Execution>& Exchange::take_out(OrderId id, const std::string& text) {
    begin();
    if (heard()) tell(TakeOutCall{id, text});
    const Order* order = orders_.find(id);
    if (order != nullptr && order->leaves_quantity > 0) withdraw(*order, text, out_);
    return out_;
}

bool Exchange::use(const std::string& owner, const std::string& cl_ord_id) {
    if (heard()) tell(UseCall{owner, cl_ord_id});
    return ids_.insert(hash_of(owner_of(owner), cl_ord_id), 0);
}

const Order* Exchange::find_order(const std::string& owner, const std::string& cl_ord_id) const {
    const auto known = owners_.find(owner);
    if (known == owners_.end()) return nullptr;
    const Order* order = orders_.find(ids_.find(hash_of(known->second, cl_ord_id)));
    return order != nullptr && order->owner == known->second ? order : nullptr;
}

bool Exchange::used(const std::string& owner, const std::string& cl_ord_id) const {
    const auto known = owners_.find(owner);
    return known != owners_.end() && ids_.contains(hash_of(known->second, cl_ord_id));
}

void Exchange::prefetch_id(const std::string& owner, const std::string& cl_ord_id) const {
    const auto known = owners_.find(owner);
    if (known != owners_.end()) ids_.prefetch(hash_of(known->second, cl_ord_id));
}

void Exchange::prefetch_order(const std::string& owner, const std::string& cl_ord_id) const {
    const auto known = owners_.find(owner);
    if (known != owners_.end()) orders_.prefetch(ids_.find(hash_of(known->second, cl_ord_id)));
}

MarketSnapshot Exchange::snapshot(const std::string& symbol, std::size_t depth) const {
    return snapshot(index_of(symbol), depth);
}

MarketSnapshot Exchange::snapshot(InstrumentIndex index, std::size_t depth) const {
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

const Order& Exchange::order(OrderId id) const {
    const Order* found = orders_.find(id);
    if (found == nullptr) throw std::out_of_range("no order " + std::to_string(id));
    return *found;
}

std::vector<const Order*> Exchange::orders() const {
    std::vector<const Order*> result;
    result.reserve(orders_.size());
    orders_.each([&](const Order& order) { result.push_back(&order); });
    return result;
}

void Exchange::forget_finished() {
    if (heard()) tell(ForgetCall{});
    orders_.forget(0);
    ids_.keep_if([this](OrderId order) { return orders_.find(order) != nullptr; });
}

}  // namespace fixaccel::exchange
