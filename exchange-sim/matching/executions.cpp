// SPDX-License-Identifier: Apache-2.0
// From the engine's events to executions of orders.
#include <string>

#include "matching/exchange.hpp"
#include "matching/exchange_journal.hpp"
#include "matching/order_check.hpp"

namespace fixaccel::exchange {
namespace {

RejectReason reject_reason(Reason reason) {
    switch (reason) {
        case Reason::kUnknownInstrument:
            return RejectReason::kUnknownSymbol;
        case Reason::kQuantity:
            return RejectReason::kIncorrectQuantity;
        case Reason::kClosed:
            return RejectReason::kExchangeClosed;
        case Reason::kOnlyInOpeningCall:
            return RejectReason::kTooLate;
        default:
            return RejectReason::kOther;
    }
}

}  // namespace

Execution& Exchange::report(const Order& order, ExecType type, std::vector<Execution>& out) {
    Execution& execution = out.emplace_back();
    execution.id = ++executions_;
    execution.order = order.id;
    execution.type = type;
    execution.status = order.status;
    execution.cum_quantity = order.cum_quantity;
    execution.leaves_quantity = order.leaves_quantity;
    execution.notional = order.notional;
    return execution;
}

Message Exchange::message_of(const Order& order, MessageKind kind) {
    Message message;
    message.kind = kind;
    message.side = order.side;
    message.instrument = order.index;
    message.owner = order.owner;
    message.order = order.in_engine;
    message.reference = order.slot;
    message.terms = {order.type,    order.tif,     order.house ? SelfTrade::kAllow : self_trade_,
                     order.price,   order.trigger, order.quantity,
                     order.display, order.minimum};
    // What was triggered waits no more, whatever the client calls it.
    if (order.triggered && has_trigger(order.type)) {
        message.terms.type = has_price(order.type) ? OrderType::kLimit : OrderType::kMarket;
        message.terms.trigger = 0;
    }
    return message;
}

void Exchange::match(Order& order, std::vector<Execution>& out) {
    translate(engine_.apply(message_of(order, MessageKind::kAdd)), out);
}

const std::vector<Execution>& Exchange::say(const Message& message) {
    begin();
    if (heard()) tell(SayCall{message});
    timed_ = timed_ || (message.kind == MessageKind::kBreaker && message.time > 0);
    translate(engine_.apply(message), out_);
    return out_;
}

const std::vector<Execution>& Exchange::set_time(std::int64_t time_ns) {
    begin();
    if (!timed() || time_ns <= engine_.clock().now) return out_;
    if (heard()) tell(TimeCall{time_ns});
    Message message;
    message.kind = MessageKind::kTime;
    message.time = time_ns;
    translate(engine_.apply(message), out_);
    return out_;
}

void Exchange::translate(std::span<const Event> events, std::vector<Execution>& out) {
    for (const Event& event : events) translate(event, out);
}

void Exchange::translate(const Event& event, std::vector<Execution>& out) {
    switch (event.kind) {
        case EventKind::kTrade: {
            markets_[event.instrument].prints.push_back({event.price, event.quantity});
            Order& taker = orders_.in(static_cast<std::uint32_t>(event.reference));
            Order& maker = orders_.in(static_cast<std::uint32_t>(event.other_reference));
            fill(maker, taker.id, event, out);
            fill(taker, maker.id, event, out);
            return;
        }
        case EventKind::kPrinted:
            markets_[event.instrument].prints.push_back({event.price, event.quantity});
            printed_.push_back({event.instrument, {event.price, event.quantity}});
            return;
        case EventKind::kPhase:
            phases_.push_back({event.instrument, event.phase, event.reason});
            return;
        case EventKind::kRefused:
        case EventKind::kReplaced:
        case EventKind::kAuction:
            return;
        case EventKind::kAccepted:
        case EventKind::kRejected:
        case EventKind::kCanceled:
        case EventKind::kReduced:
        case EventKind::kTriggered:
            break;
    }
    Order& order = orders_.in(static_cast<std::uint32_t>(event.reference));
    order.leaves_quantity = event.leaves;
    if (event.kind == EventKind::kAccepted) {
        order.in_engine = event.order;
        report(order, ExecType::kNew, out);
    } else if (event.kind == EventKind::kRejected) {
        order.status = OrderStatus::kRejected;
        orders_.finish(order);
        Execution& rejected = report(order, ExecType::kRejected, out);
        rejected.reject_reason = static_cast<int>(reject_reason(event.reason));
        rejected.text = to_text(event.reason);
    } else if (event.kind == EventKind::kTriggered) {
        order.triggered = true;
        report(order, ExecType::kTriggered, out);
    } else if (event.kind == EventKind::kReduced) {
        order.quantity -= event.quantity;
        report(order, ExecType::kRestated, out).text = to_text(event.reason);
    } else {
        const bool expired = event.reason == Reason::kExpired;
        order.status = expired ? OrderStatus::kExpired : OrderStatus::kCanceled;
        orders_.finish(order);
        report(order, expired ? ExecType::kExpired : ExecType::kCanceled, out).text =
            end_text(order, event.reason);
    }
}

void Exchange::fill(Order& order, OrderId counterparty, const Event& event, std::vector<Execution>& out) {
    order.cum_quantity += event.quantity;
    order.leaves_quantity -= event.quantity;
    order.notional += static_cast<Notional>(event.price) * event.quantity;
    const bool filled = order.leaves_quantity == 0;
    order.status = filled ? OrderStatus::kFilled : OrderStatus::kPartiallyFilled;
    if (filled) orders_.finish(order);
    Execution& execution = report(order, ExecType::kTrade, out);
    execution.last_quantity = event.quantity;
    execution.last_price = event.price;
    execution.counterparty = counterparty;
}

std::string Exchange::end_text(const Order& order, Reason reason) const {
    switch (reason) {
        case Reason::kRequested:
            return "";
        case Reason::kNotAllAtOnce:
            return "fill or kill: " + std::string(to_text(reason));
        case Reason::kNothingMore:
            if (!has_price(order.type)) return "market order: no more quantity in the book";
            return "immediate or cancel: " + std::string(to_text(reason));
        default:
            return std::string(to_text(reason));
    }
}

void Exchange::withdraw(const Order& order, const std::string& text, std::vector<Execution>& out) {
    translate(engine_.apply(message_of(order, MessageKind::kCancel)), out);
    out.back().text = text;
}

}  // namespace fixaccel::exchange
