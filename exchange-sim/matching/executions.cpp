// SPDX-License-Identifier: Apache-2.0
// From the engine's events to executions of orders.
#include <string>

#include "matching/exchange.hpp"
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

Message Exchange::message_of(const Order& order, MessageKind kind) {
    Message message;
    message.kind = kind;
    message.side = order.side;
    message.instrument = order.index;
    message.owner = order.house ? Owner{1} : owner_of(order.ticket.owner);
    message.order = order.in_engine;
    message.reference = order.id;
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

std::vector<Execution> Exchange::say(const Message& message) {
    std::vector<Execution> out;
    translate(engine_.apply(message), out);
    return out;
}

void Exchange::translate(std::span<const Event> events, std::vector<Execution>& out) {
    for (const Event& event : events) translate(event, out);
}

void Exchange::translate(const Event& event, std::vector<Execution>& out) {
    switch (event.kind) {
        case EventKind::kTrade:
            markets_[event.instrument].prints.push_back({event.price, event.quantity});
            fill(event.other_reference, event.reference, event, out);
            fill(event.reference, event.other_reference, event, out);
            return;
        case EventKind::kPrinted:
            markets_[event.instrument].prints.push_back({event.price, event.quantity});
            return;
        case EventKind::kRefused:
        case EventKind::kReplaced:
        case EventKind::kAuction:
        case EventKind::kPhase:
            return;
        case EventKind::kAccepted:
        case EventKind::kRejected:
        case EventKind::kCanceled:
        case EventKind::kReduced:
        case EventKind::kTriggered:
            break;
    }
    Order& order = mutable_order(event.reference);
    order.leaves_quantity = event.leaves;
    if (event.kind == EventKind::kAccepted) {
        order.in_engine = event.order;
        out.push_back(report(order, ExecType::kNew));
    } else if (event.kind == EventKind::kRejected) {
        order.status = OrderStatus::kRejected;
        Execution& rejected = out.emplace_back(report(order, ExecType::kRejected));
        rejected.reject_reason = static_cast<int>(reject_reason(event.reason));
        rejected.text = to_text(event.reason);
    } else if (event.kind == EventKind::kTriggered) {
        order.triggered = true;
        out.push_back(report(order, ExecType::kTriggered));
    } else if (event.kind == EventKind::kReduced) {
        order.quantity -= event.quantity;
        out.emplace_back(report(order, ExecType::kRestated)).text = to_text(event.reason);
    } else {
        const bool expired = event.reason == Reason::kExpired;
        order.status = expired ? OrderStatus::kExpired : OrderStatus::kCanceled;
        out.emplace_back(report(order, expired ? ExecType::kExpired : ExecType::kCanceled)).text =
            end_text(order, event.reason);
    }
}

void Exchange::fill(OrderId id, OrderId counterparty, const Event& event, std::vector<Execution>& out) {
    Order& order = mutable_order(id);
    order.cum_quantity += event.quantity;
    order.leaves_quantity -= event.quantity;
    order.notional += static_cast<Notional>(event.price) * event.quantity;
    order.status = order.leaves_quantity == 0 ? OrderStatus::kFilled : OrderStatus::kPartiallyFilled;
    Execution& execution = out.emplace_back(report(order, ExecType::kTrade));
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

void Exchange::withdraw(OrderId id, const std::string& text, std::vector<Execution>& out) {
    translate(engine_.apply(message_of(order(id), MessageKind::kCancel)), out);
    out.back().text = text;
}

}  // namespace fixaccel::exchange
