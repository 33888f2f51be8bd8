// SPDX-License-Identifier: Apache-2.0
// What becomes of an order: it waits, trades, rests or ends; and what its trades set off.
#include <algorithm>

#include "matching/engine.hpp"
#include "matching/engine_inline.hpp"

namespace fixaccel::exchange {
namespace {

bool rests(const OrderRecord& order) {
    return order.type == OrderType::kLimit && order.tif != TimeInForce::kImmediateOrCancel &&
           order.tif != TimeInForce::kFillOrKill;
}

// The worst key of the other side that the order trades at.
Key limit_key(const OrderRecord& order) {
    return order.type == OrderType::kMarket ? kNoKey - 1 : key_of(opposite(order.side), order.price);
}

}  // namespace

void Engine::enter(Book& book, Slot slot, Quantity minimum) {
    OrderRecord& order = orders_[slot];
    if (!has_trigger(order.type)) return activate(book, slot, minimum);
    OrderDetail& more = detail(slot);
    const bool rise = triggers_on_rise(order.side, order.type);
    // What has already happened sets it off as well: it would never be seen again.
    if (book.phase == Phase::kContinuous && book.has_last &&
        (rise ? book.last.price >= more.trigger : book.last.price <= more.trigger))
        return trigger(book, slot, book.last.price);
    more.arrival = ++arrivals_;
    order.place = Place::kTriggers;
    push_back(triggers(book, order).open(trigger_key(slot), pages_), slot);
}

void Engine::trigger(Book& book, Slot slot, Price price) {
    OrderRecord& order = orders_[slot];
    order.type = order.type == OrderType::kStopLimit ? OrderType::kLimit : OrderType::kMarket;
    detail(slot).trigger = 0;
    Event& event = emit(EventKind::kTriggered, book, slot);
    event.price = price;
    event.leaves = order.leaves;
    activate(book, slot, 0);
}

void Engine::activate(Book& book, Slot slot, Quantity minimum) {
    OrderRecord& order = orders_[slot];
    if (order.tif == TimeInForce::kAtTheClose && book.phase != Phase::kClosingCall) {
        order.place = Place::kAtClose;
        push_back(book.at_close, slot);
    } else if (book.phase == Phase::kContinuous) {
        match(book, slot, minimum);
    } else if (order.tif == TimeInForce::kImmediateOrCancel || order.tif == TimeInForce::kFillOrKill) {
        // Set off by a trade just before the breaker halted.
        end(book, slot, Reason::kBreaker);
    } else if (order.type == OrderType::kMarket) {
        order.place = Place::kMarketQueue;
        push_back(book.at_market(order.side), slot);
    } else {
        rest(book, slot);
    }
}

void Engine::rest(Book& book, Slot slot) {
    OrderRecord& order = orders_[slot];
    order.visible = shown(slot);
    order.place = Place::kBook;
    push_back(book.side(order.side).open(key_of(order.side, order.price), pages_), slot);
    touch(book);
}

void Engine::match(Book& book, Slot slot, Quantity minimum) {
    OrderRecord& order = orders_[slot];
    const SelfTrade mode = order.owner == kNobody ? SelfTrade::kAllow : order.self_trade;
    const bool all_or_none = order.tif == TimeInForce::kFillOrKill;
    if (const Quantity needed = all_or_none ? order.leaves : minimum;
        needed > 0 && available(book, order, mode, needed) < needed)
        return end(book, slot, all_or_none ? Reason::kNotAllAtOnce : Reason::kNotTheMinimum);

    const Side other = opposite(order.side);
    Ladder& ladder = book.side(other);
    const Key limit = limit_key(order);
    Reason rest_ends = Reason::kNothingMore;
    while (order.leaves > 0 && ladder.best() <= limit) {
        const Key key = ladder.best();
        const Price price = price_of(other, key);
        if (price < book.band_low || price > book.band_high) {
            halt(book);
            rest_ends = Reason::kBreaker;
            break;
        }
        Queue& queue = ladder.at(key, pages_);
        match_queue(book, queue, slot, price, mode);
        if (queue.orders == 0) ladder.close(key, pages_);
        // Its own order has ended it.
        if (order.place == Place::kNowhere && order.leaves < 0) return;
    }
    if (order.leaves == 0) return release(slot);
    rests(order) ? rest(book, slot) : end(book, slot, rest_ends);
}

void Engine::match_queue(Book& book, Queue& queue, Slot slot, Price price, SelfTrade mode) {
    OrderRecord& order = orders_[slot];
    while (order.leaves > 0 && queue.head != 0) {
        const Slot met = queue.head;
        OrderRecord& resting = orders_[met];
        if (resting.next != 0) __builtin_prefetch(&orders_[resting.next], 1);
        if (mode != SelfTrade::kAllow && resting.owner == order.owner) {
            if (meets_itself(book, queue, slot, mode)) continue;
            return;
        }
        const Quantity quantity = std::min(order.leaves, resting.visible);
        order.leaves -= quantity;
        order.filled += quantity;
        resting.filled += quantity;
        traded(book, price, quantity);
        Event& event = emit(EventKind::kTrade, book, slot);
        event.other_reference = resting.reference;
        event.price = price;
        event.quantity = quantity;
        event.leaves = order.leaves;
        event.other_leaves = resting.leaves - quantity;
        take_from(queue, met, quantity);
    }
}

// Takes from what an order shows; what is empty shows its next part, behind all others at the price.
void Engine::take_from(Queue& queue, Slot slot, Quantity quantity) {
    OrderRecord& order = orders_[slot];
    order.visible -= quantity;
    order.leaves -= quantity;
    queue.visible -= quantity;
    queue.total -= quantity;
    if (order.visible > 0) return;
    unlink(queue, slot);
    if (order.leaves == 0) return release(slot);
    order.visible = shown(slot);
    push_back(queue, slot);
}

// The order meets one of its own owner, at the head of the queue. False: it has ended, and its leaves say so
// with -1.
bool Engine::meets_itself(Book& book, Queue& queue, Slot slot, SelfTrade mode) {
    OrderRecord& order = orders_[slot];
    const Slot met = queue.head;
    touch(book);
    if (mode == SelfTrade::kDecrement) {
        const Quantity quantity = std::min(order.leaves, orders_[met].visible);
        const auto lessen = [&](Slot which, Quantity leaves) {
            Event& event = emit(leaves == 0 ? EventKind::kCanceled : EventKind::kReduced, book, which);
            event.reason = Reason::kSelfTrade;
            event.quantity = quantity;
            event.leaves = leaves;
        };
        lessen(met, orders_[met].leaves - quantity);
        take_from(queue, met, quantity);
        order.leaves -= quantity;
        lessen(slot, order.leaves);
        return true;
    }
    if (mode != SelfTrade::kCancelNewest) {
        emit(EventKind::kCanceled, book, met).reason = Reason::kSelfTrade;
        events_.back().quantity = orders_[met].leaves;
        unlink(queue, met);
        release(met);
        if (mode == SelfTrade::kCancelOldest) return true;
    }
    emit(EventKind::kCanceled, book, slot).reason = Reason::kSelfTrade;
    events_.back().quantity = order.leaves;
    release(slot);
    order.leaves = -1;
    return false;
}

// What the order could trade at once, counted up to `enough`: within its limit and the breaker's band, with
// what icebergs hide, without its owner's own and what lies behind the first of them where that ends it.
Quantity Engine::available(Book& book, const OrderRecord& order, SelfTrade mode, Quantity enough) {
    const Side other = opposite(order.side);
    Ladder& ladder = book.side(other);
    const Key limit = limit_key(order);
    Quantity found = 0;
    for (Key key = ladder.best(); key != kNoKey && key <= limit && found < enough; key = ladder.after(key)) {
        const Price price = price_of(other, key);
        if (price < book.band_low || price > book.band_high) break;
        const Queue& queue = ladder.at(key, pages_);
        if (mode == SelfTrade::kAllow) {
            found += queue.total;
            continue;
        }
        for (Slot slot = queue.head; slot != 0 && found < enough; slot = orders_[slot].next) {
            const OrderRecord& resting = orders_[slot];
            if (resting.owner != order.owner) {
                found += resting.leaves;
            } else if (mode != SelfTrade::kCancelOldest) {
                return found;
            }
        }
    }
    return found;
}

// Takes those that a trade has set off out of a ladder of triggers.
void Engine::elect(Ladder& ladder, Key limit, Price price) {
    while (ladder.best() <= limit && !ladder.empty()) {
        const Key key = ladder.best();
        Queue& queue = ladder.at(key, pages_);
        while (queue.head != 0) {
            const Slot slot = queue.head;
            elected_.push_back({slot, detail(slot).arrival, price});
            unlink(queue, slot);
            orders_[slot].place = Place::kNowhere;
        }
        ladder.close(key, pages_);
    }
}

// Round after round: orders that trades have set off make trades that set off others. Those of a round go in
// the order in which they began to wait. Ends, for each order is set off once.
void Engine::settle(Book& book) {
    while (book.moved && book.phase == Phase::kContinuous) {
        book.moved = false;
        elected_.clear();
        elect(book.rises, book.moved_high, book.moved_high);
        elect(book.falls, -book.moved_low, book.moved_low);
        std::sort(elected_.begin(), elected_.end(),
                  [](const Elected& one, const Elected& other) { return one.arrival < other.arrival; });
        for (const Elected& next : elected_) trigger(book, next.slot, next.price);
    }
}

}  // namespace fixaccel::exchange
