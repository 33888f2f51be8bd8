// SPDX-License-Identifier: Apache-2.0
#include "tests/plain_venue.hpp"

#include <algorithm>
#include <utility>

namespace fixaccel::exchange {
namespace {

bool at_once(TimeInForce tif) {
    return tif == TimeInForce::kImmediateOrCancel || tif == TimeInForce::kFillOrKill;
}

}  // namespace

Event& PlainVenue::tell(EventKind kind, InstrumentIndex instrument) {
    Event& event = events_.emplace_back();
    event.kind = kind;
    event.instrument = instrument;
    event.phase = books_[instrument].phase;
    return event;
}

Event& PlainVenue::tell(EventKind kind, const Waiting& order) {
    Event& event = tell(kind, order.instrument);
    event.side = order.side;
    event.reference = order.reference;
    return event;
}

void PlainVenue::refuse(const Message& message, Reason reason) {
    Event& event = events_.emplace_back();
    event.kind = EventKind::kRefused;
    event.reason = reason;
    event.instrument = message.instrument;
    event.reference = message.reference;
}

PlainVenue::Orders::iterator PlainVenue::find(std::uint64_t reference) {
    return std::find_if(orders_.begin(), orders_.end(),
                        [&](const Waiting& order) { return order.reference == reference; });
}

std::vector<std::uint64_t> PlainVenue::ranked(InstrumentIndex instrument, Place place,
                                              std::optional<Side> side) const {
    std::vector<const Waiting*> found;
    for (const Waiting& order : orders_) {
        if (order.instrument == instrument && order.place == place && (!side || order.side == *side))
            found.push_back(&order);
    }
    std::sort(found.begin(), found.end(), [&](const Waiting* one, const Waiting* other) {
        if (place == Place::kBook && one->terms.price != other->terms.price)
            return (one->terms.price > other->terms.price) == (one->side == Side::kBuy);
        if (place == Place::kTriggers) {
            if (rises(*one) != rises(*other)) return rises(*one);
            if (one->terms.trigger != other->terms.trigger)
                return (one->terms.trigger < other->terms.trigger) == rises(*one);
        }
        return one->stamp < other->stamp;
    });
    std::vector<std::uint64_t> result;
    for (const Waiting* order : found) result.push_back(order->reference);
    return result;
}

std::vector<std::uint64_t> PlainVenue::everything(InstrumentIndex instrument) const {
    std::vector<std::uint64_t> result;
    const auto append = [&](const std::vector<std::uint64_t>& more) {
        result.insert(result.end(), more.begin(), more.end());
    };
    for (const Place place : {Place::kBook, Place::kMarketQueue}) {
        for (const Side side : {Side::kBuy, Side::kSell}) append(ranked(instrument, place, side));
    }
    append(ranked(instrument, Place::kTriggers, std::nullopt));
    append(ranked(instrument, Place::kAtClose, std::nullopt));
    return result;
}

std::vector<Level> PlainVenue::levels(InstrumentIndex instrument, Side side) const {
    std::vector<Level> result;
    for (const std::uint64_t reference : ranked(instrument, Place::kBook, side)) {
        const Waiting& order = *const_cast<PlainVenue*>(this)->find(reference);
        if (result.empty() || result.back().price != order.terms.price)
            result.push_back({order.terms.price, 0, 0});
        result.back().quantity += order.visible;
        ++result.back().orders;
    }
    return result;
}

Reason PlainVenue::check(const PlainBook& book, const Terms& terms) const {
    if (book.phase == Phase::kClosed) return Reason::kClosed;
    const Quantity lot = book.rules.lot;
    if (terms.quantity < 1 || terms.quantity > Engine::kLargestQuantity || terms.quantity % lot != 0)
        return Reason::kQuantity;
    const auto grid = [&](Price price) {
        if (price < book.rules.lowest || price > book.rules.highest) return Reason::kPriceRange;
        Price tick = 1;
        for (const TickRow& row : book.rules.ticks) {
            if (price >= row.from || &row == &book.rules.ticks.front()) tick = row.tick;
        }
        return price % tick != 0 ? Reason::kPriceOffTick : Reason::kNone;
    };
    const bool limited = terms.type == OrderType::kLimit || terms.type == OrderType::kStopLimit;
    const bool waits = terms.type != OrderType::kMarket && terms.type != OrderType::kLimit;
    if (!limited && terms.price != 0) return Reason::kPriceUnexpected;
    if (limited && grid(terms.price) != Reason::kNone) return grid(terms.price);
    if (limited && (terms.price < book.limit_down || terms.price > book.limit_up))
        return Reason::kLimitUpDown;
    if (!waits && terms.trigger != 0) return Reason::kPriceUnexpected;
    if (waits && grid(terms.trigger) != Reason::kNone) return grid(terms.trigger);
    const bool for_auction = terms.tif == TimeInForce::kAtTheOpen || terms.tif == TimeInForce::kAtTheClose;
    if (waits && for_auction) return Reason::kTimeInForce;
    const auto part = [&](Quantity quantity) { return quantity > 0 && quantity <= terms.quantity; };
    if (terms.display != 0 &&
        (!part(terms.display) || terms.display % lot != 0 || !limited || at_once(terms.tif)))
        return Reason::kDisplay;
    if (terms.minimum != 0 && (!part(terms.minimum) || waits || terms.tif != TimeInForce::kImmediateOrCancel))
        return Reason::kMinimum;
    if (terms.tif == TimeInForce::kAtTheOpen && book.phase != Phase::kOpeningCall)
        return Reason::kOnlyInOpeningCall;
    if (is_call(book.phase) && at_once(terms.tif) && !waits) return Reason::kNotInACall;
    return Reason::kNone;
}

void PlainVenue::keep(Waiting order, Place place) {
    order.place = place;
    order.stamp = ++stamps_;
    order.visible = show(order.terms, order.leaves);
    orders_.push_back(order);
}

void PlainVenue::end(std::uint64_t reference, Reason reason) {
    const auto order = find(reference);
    Event& event = tell(EventKind::kCanceled, *order);
    event.reason = reason;
    event.quantity = order->leaves;
    orders_.erase(order);
}

void PlainVenue::add(const Message& message) {
    const bool known = message.instrument < books_.size();
    const Reason reason =
        known ? check(books_[message.instrument], message.terms) : Reason::kUnknownInstrument;
    if (reason != Reason::kNone) {
        Event& event = events_.emplace_back();
        event.kind = EventKind::kRejected;
        event.reason = reason;
        event.side = message.side;
        event.instrument = message.instrument;
        if (known) event.phase = books_[message.instrument].phase;
        event.reference = message.reference;
        return;
    }
    Waiting order;
    order.reference = message.reference;
    order.instrument = message.instrument;
    order.owner = message.owner;
    order.side = message.side;
    order.terms = message.terms;
    order.leaves = message.terms.quantity;
    tell(EventKind::kAccepted, order).leaves = order.leaves;
    enter(order, message.terms.minimum);
    settle(message.instrument);
}

void PlainVenue::replace(const Message& message) {
    const auto found = find(message.reference);
    if (found == orders_.end()) return refuse(message, Reason::kUnknownOrder);
    Reason reason = check(books_[found->instrument], message.terms);
    if (reason == Reason::kNone && message.terms.quantity <= found->filled) reason = Reason::kFilledAlready;
    if (reason != Reason::kNone) {
        Event& event = tell(EventKind::kRefused, *found);
        event.reason = reason;
        event.leaves = found->leaves;
        return;
    }
    const Terms old = found->terms;
    const Terms& now = message.terms;
    const Quantity leaves = now.quantity - found->filled;
    const bool same = old.type == now.type && old.tif == now.tif && old.price == now.price &&
                      old.trigger == now.trigger && old.display == now.display;
    const auto tell_replaced = [&](const Waiting& order) {
        Event& event = tell(EventKind::kReplaced, order);
        event.price = order.terms.price;
        event.leaves = order.leaves;
    };
    if (same && leaves <= found->leaves) {
        found->terms = now;
        found->leaves = leaves;
        found->visible = std::min(found->visible, leaves);
        return tell_replaced(*found);
    }
    Waiting order = *found;
    orders_.erase(found);
    order.terms = now;
    order.leaves = leaves;
    tell_replaced(order);
    enter(order, now.minimum);
    settle(order.instrument);
}

void PlainVenue::enter(Waiting order, Quantity minimum) {
    const PlainBook& book = books_[order.instrument];
    if (order.terms.type == OrderType::kMarket || order.terms.type == OrderType::kLimit)
        return activate(order, minimum);
    const bool through = book.last && (rises(order) ? book.last->price >= order.terms.trigger
                                                    : book.last->price <= order.terms.trigger);
    through&& book.phase == Phase::kContinuous ? trigger(order, book.last->price)
                                               : keep(order, Place::kTriggers);
}

void PlainVenue::trigger(Waiting order, Price price) {
    order.terms.type = order.terms.type == OrderType::kStopLimit ? OrderType::kLimit : OrderType::kMarket;
    order.terms.trigger = 0;
    Event& event = tell(EventKind::kTriggered, order);
    event.price = price;
    event.leaves = order.leaves;
    activate(order, 0);
}

void PlainVenue::activate(Waiting order, Quantity minimum) {
    const Phase phase = books_[order.instrument].phase;
    if (order.terms.tif == TimeInForce::kAtTheClose && phase != Phase::kClosingCall)
        return keep(order, Place::kAtClose);
    if (phase == Phase::kContinuous) return match(order, minimum);
    keep(order, order.terms.type == OrderType::kMarket ? Place::kMarketQueue : Place::kBook);
    if (at_once(order.terms.tif)) end(order.reference, Reason::kBreaker);
}

bool PlainVenue::in_band(const PlainBook& book, Price price) const {
    if (book.distance == 0 || !book.reference) return true;
    return price >= *book.reference - book.distance && price <= *book.reference + book.distance;
}

bool PlainVenue::reaches(const Waiting& order, const Waiting& resting) const {
    if (order.terms.type == OrderType::kMarket) return true;
    return order.side == Side::kBuy ? resting.terms.price <= order.terms.price
                                    : resting.terms.price >= order.terms.price;
}

Quantity PlainVenue::available(const Waiting& order) const {
    Quantity found = 0;
    for (const std::uint64_t reference : ranked(order.instrument, Place::kBook, opposite(order.side))) {
        const Waiting& resting = *const_cast<PlainVenue*>(this)->find(reference);
        if (!reaches(order, resting) || !in_band(books_[order.instrument], resting.terms.price)) break;
        const bool own = order.owner != kNobody && resting.owner == order.owner;
        if (!own || order.terms.self_trade == SelfTrade::kAllow) {
            found += resting.leaves;
        } else if (order.terms.self_trade != SelfTrade::kCancelOldest) {
            break;
        }
    }
    return found;
}

void PlainVenue::trade(InstrumentIndex instrument, Price price, Quantity quantity) {
    books_[instrument].last = Print{price, quantity};
    books_[instrument].unseen.push_back(price);
}

void PlainVenue::take(std::uint64_t reference, Quantity quantity) {
    const auto order = find(reference);
    order->leaves -= quantity;
    order->visible -= quantity;
    if (order->leaves == 0) {
        orders_.erase(order);
    } else if (order->visible == 0) {
        order->visible = show(order->terms, order->leaves);
        order->stamp = ++stamps_;
    }
}

void PlainVenue::match(Waiting order, Quantity minimum) {
    PlainBook& book = books_[order.instrument];
    const bool all = order.terms.tif == TimeInForce::kFillOrKill;
    const auto cancel = [&](Reason reason) {
        Event& event = tell(EventKind::kCanceled, order);
        event.reason = reason;
        event.quantity = order.leaves;
    };
    if (all && available(order) < order.leaves) return cancel(Reason::kNotAllAtOnce);
    if (minimum > 0 && available(order) < minimum) return cancel(Reason::kNotTheMinimum);
    Reason rest = Reason::kNothingMore;
    while (order.leaves > 0) {
        const auto others = ranked(order.instrument, Place::kBook, opposite(order.side));
        if (others.empty()) break;
        const auto best = find(others.front());
        if (!reaches(order, *best)) break;
        const Price price = best->terms.price;
        if (!in_band(book, price)) {
            book.phase = Phase::kHalted;
            tell(EventKind::kPhase, order.instrument).reason = Reason::kBreaker;
            book.halted_until = book.halt_time > 0 ? std::optional(now_ + book.halt_time) : std::nullopt;
            book.halt_stamp = ++stamps_;
            rest = Reason::kBreaker;
            break;
        }
        const Quantity quantity = std::min(order.leaves, best->visible);
        if (order.owner != kNobody && best->owner == order.owner &&
            order.terms.self_trade != SelfTrade::kAllow) {
            const SelfTrade mode = order.terms.self_trade;
            if (mode == SelfTrade::kDecrement) {
                const auto lessen = [&](const Waiting& which, Quantity leaves) {
                    Event& event = tell(leaves > 0 ? EventKind::kReduced : EventKind::kCanceled, which);
                    event.reason = Reason::kSelfTrade;
                    event.quantity = quantity;
                    event.leaves = leaves;
                };
                lessen(*best, best->leaves - quantity);
                take(best->reference, quantity);
                order.leaves -= quantity;
                lessen(order, order.leaves);
                continue;
            }
            if (mode != SelfTrade::kCancelNewest) end(best->reference, Reason::kSelfTrade);
            if (mode == SelfTrade::kCancelOldest) continue;
            return cancel(Reason::kSelfTrade);
        }
        order.leaves -= quantity;
        order.filled += quantity;
        best->filled += quantity;
        trade(order.instrument, price, quantity);
        Event& event = tell(EventKind::kTrade, order);
        event.other_reference = best->reference;
        event.price = price;
        event.quantity = quantity;
        event.leaves = order.leaves;
        event.other_leaves = best->leaves - quantity;
        take(best->reference, quantity);
    }
    if (order.leaves == 0) return;
    order.terms.type == OrderType::kLimit && !at_once(order.terms.tif) ? keep(order, Place::kBook)
                                                                       : cancel(rest);
}

void PlainVenue::settle(InstrumentIndex instrument) {
    PlainBook& book = books_[instrument];
    while (book.phase == Phase::kContinuous && !book.unseen.empty()) {
        const auto [low, high] = std::minmax_element(book.unseen.begin(), book.unseen.end());
        const Price lowest = *low;
        const Price highest = *high;
        book.unseen.clear();
        std::vector<Waiting> elected;
        for (const Waiting& order : orders_) {
            if (order.instrument == instrument && order.place == Place::kTriggers &&
                (rises(order) ? order.terms.trigger <= highest : order.terms.trigger >= lowest))
                elected.push_back(order);
        }
        std::sort(elected.begin(), elected.end(),
                  [](const Waiting& one, const Waiting& other) { return one.stamp < other.stamp; });
        for (const Waiting& order : elected) orders_.erase(find(order.reference));
        for (const Waiting& order : elected) trigger(order, rises(order) ? highest : lowest);
    }
}

const std::vector<Event>& PlainVenue::apply(const Message& message) {
    events_.clear();
    if (message.kind == MessageKind::kAdd) {
        add(message);
    } else if (message.kind == MessageKind::kReplace) {
        replace(message);
    } else if (message.kind == MessageKind::kCancel) {
        find(message.reference) == orders_.end() ? refuse(message, Reason::kUnknownOrder)
                                                 : end(message.reference, Reason::kRequested);
    } else {
        venue(message);
    }
    return events_;
}

}  // namespace fixaccel::exchange
