// SPDX-License-Identifier: Apache-2.0
#include "matching/engine.hpp"

#include <algorithm>
#include <utility>

#include "matching/engine_inline.hpp"

namespace fixaccel::exchange {
namespace {

// Pages of 64 prices that a book may have near the market: two sides and two kinds of triggers.
constexpr std::uint64_t kPagesOfABook = 4 * 64;
constexpr std::size_t kFirstEvents = 4096;

bool is_immediate(TimeInForce tif) {
    return tif == TimeInForce::kImmediateOrCancel || tif == TimeInForce::kFillOrKill;
}

}  // namespace

Reason BookRules::check(Price price) const {
    if (price < lowest || price > highest) return Reason::kPriceRange;
    if (ticks.empty()) return Reason::kNone;
    auto row = std::upper_bound(ticks.begin(), ticks.end(), price,
                                [](Price value, const TickRow& next) { return value < next.from; });
    if (row != ticks.begin()) --row;
    return price % row->tick == 0 ? Reason::kNone : Reason::kPriceOffTick;
}

Engine::Engine(std::vector<BookRules> instruments, std::uint32_t capacity)
    : memory_(std::make_unique<std::pmr::unsynchronized_pool_resource>()),
      orders_(capacity),
      details_((capacity + std::size_t{1}) * sizeof(OrderDetail)),
      pages_(
          static_cast<std::uint32_t>(std::min<std::uint64_t>(capacity, instruments.size() * kPagesOfABook))) {
    books_.reserve(instruments.size());
    for (BookRules& rules : instruments)
        books_.emplace_back(static_cast<InstrumentIndex>(books_.size()), std::move(rules), memory_.get());
    changed_.reserve(books_.size());
    halts_.reserve(books_.size());
    events_.reserve(kFirstEvents);
}

std::span<const Event> Engine::apply(const Message& message) {
    events_.clear();
    switch (message.kind) {
        case MessageKind::kAdd:
            add(message);
            break;
        case MessageKind::kCancel:
            cancel(message);
            break;
        case MessageKind::kReplace:
            replace(message);
            break;
        case MessageKind::kMassCancel:
            mass_cancel(message);
            break;
        case MessageKind::kPhase:
            set_phase(message);
            break;
        case MessageKind::kReference:
            set_reference(message);
            break;
        case MessageKind::kLimits:
            set_limits(message);
            break;
        case MessageKind::kBreaker:
            set_breaker(message);
            break;
        case MessageKind::kPrint:
            print(message);
            break;
        case MessageKind::kSweep:
            sweep(message);
            break;
        case MessageKind::kTime:
            set_time(message);
            break;
        case MessageKind::kEndOfDay:
            end_day();
            break;
    }
    return events_;
}

Reason Engine::check(const Book& book, const Terms& terms) const {
    const BookRules& rules = book.rules;
    if (book.phase == Phase::kClosed) return Reason::kClosed;
    if (terms.quantity <= 0 || terms.quantity > kLargestQuantity || terms.quantity % rules.lot != 0)
        return Reason::kQuantity;
    if (has_price(terms.type)) {
        if (const Reason reason = rules.check(terms.price); reason != Reason::kNone) return reason;
        if (terms.price < book.limit_down || terms.price > book.limit_up) return Reason::kLimitUpDown;
    } else if (terms.price != 0) {
        return Reason::kPriceUnexpected;
    }
    if (has_trigger(terms.type)) {
        if (const Reason reason = rules.check(terms.trigger); reason != Reason::kNone) return reason;
        if (terms.tif >= TimeInForce::kAtTheOpen) return Reason::kTimeInForce;
    } else if (terms.trigger != 0) {
        return Reason::kPriceUnexpected;
    }
    if (terms.display != 0 &&
        (terms.display < 0 || terms.display > terms.quantity || terms.display % rules.lot != 0 ||
         !has_price(terms.type) || is_immediate(terms.tif)))
        return Reason::kDisplay;
    if (terms.minimum != 0 && (terms.minimum < 0 || terms.minimum > terms.quantity ||
                               terms.tif != TimeInForce::kImmediateOrCancel || has_trigger(terms.type)))
        return Reason::kMinimum;
    if (terms.tif == TimeInForce::kAtTheOpen && book.phase != Phase::kOpeningCall)
        return Reason::kOnlyInOpeningCall;
    if (book.phase != Phase::kContinuous && is_immediate(terms.tif) && !has_trigger(terms.type))
        return Reason::kNotInACall;
    return Reason::kNone;
}

void Engine::set_terms(Slot slot, const Terms& terms, Quantity leaves) {
    OrderRecord& order = orders_[slot];
    order.price = terms.price;
    order.leaves = leaves;
    order.visible = terms.display == 0 ? leaves : std::min(terms.display, leaves);
    order.self_trade = terms.self_trade;
    order.detailed = terms.display != 0 || has_trigger(terms.type);
    order.type = terms.type;
    order.tif = terms.tif;
    if (order.detailed) detail(slot) = {terms.trigger, terms.display, 0};
}

void Engine::add(const Message& message) {
    const bool known = message.instrument < books_.size();
    Reason reason = known ? check(books_[message.instrument], message.terms) : Reason::kUnknownInstrument;
    const Slot slot = reason == Reason::kNone ? orders_.take() : 0;
    if (slot == 0) {
        Event& event = events_.emplace_back();
        event.kind = EventKind::kRejected;
        event.reason = reason == Reason::kNone ? Reason::kVenueFull : reason;
        event.side = message.side;
        event.instrument = message.instrument;
        if (known) event.phase = books_[message.instrument].phase;
        event.reference = message.reference;
        return;
    }
    Book& book = books_[message.instrument];
    OrderRecord& order = orders_[slot];
    order.filled = 0;
    order.reference = message.reference;
    order.instrument = message.instrument;
    order.owner = message.owner;
    order.side = message.side;
    set_terms(slot, message.terms, message.terms.quantity);
    emit(EventKind::kAccepted, book, slot).leaves = order.leaves;
    enter(book, slot, message.terms.minimum);
    settle(book);
}

void Engine::refuse(const Message& message, Reason reason) {
    Event& event = events_.emplace_back();
    event.kind = EventKind::kRefused;
    event.reason = reason;
    event.instrument = message.instrument;
    event.order = message.order;
    event.reference = message.reference;
}

void Engine::cancel(const Message& message) {
    const Slot slot = find(message.order);
    if (slot == 0) return refuse(message, Reason::kUnknownOrder);
    end(books_[orders_[slot].instrument], slot, Reason::kRequested);
}

void Engine::replace(const Message& message) {
    const Slot slot = find(message.order);
    if (slot == 0) return refuse(message, Reason::kUnknownOrder);
    OrderRecord& order = orders_[slot];
    const Terms& terms = message.terms;
    Book& book = books_[order.instrument];
    Reason reason = check(book, terms);
    if (reason == Reason::kNone && terms.quantity <= order.filled) reason = Reason::kFilledAlready;
    if (reason != Reason::kNone) {
        Event& event = emit(EventKind::kRefused, book, slot);
        event.reason = reason;
        event.leaves = order.leaves;
        return;
    }
    const Quantity leaves = terms.quantity - order.filled;
    const OrderDetail known = order.detailed ? detail(slot) : OrderDetail();
    const bool keeps_place = terms.type == order.type && terms.tif == order.tif &&
                             terms.price == order.price && terms.trigger == known.trigger &&
                             terms.display == known.display && leaves <= order.leaves;
    if (keeps_place) {
        order.self_trade = terms.self_trade;
        const Quantity visible = std::min(order.visible, leaves);
        Queue& queue = queue_of(book, slot);
        queue.visible -= order.visible - visible;
        queue.total -= order.leaves - leaves;
        if (order.place == Place::kBook && visible != order.visible) touch(book);
        order.visible = visible;
        order.leaves = leaves;
    } else {
        remove(book, slot);
        set_terms(slot, terms, leaves);
    }
    Event& event = emit(EventKind::kReplaced, book, slot);
    event.price = order.price;
    event.leaves = order.leaves;
    if (keeps_place) return;
    enter(book, slot, terms.minimum);
    settle(book);
}

}  // namespace fixaccel::exchange
