// SPDX-License-Identifier: Apache-2.0
// Auctions, phases, and what else the plain venue itself says.
#include <algorithm>

#include "tests/plain_venue.hpp"

namespace fixaccel::exchange {

AuctionPrice PlainVenue::auction_at(InstrumentIndex instrument, Price price) const {
    Quantity demand = 0;
    Quantity supply = 0;
    for (const Waiting& order : orders_) {
        if (order.instrument != instrument) continue;
        const bool market = order.place == Place::kMarketQueue;
        if (!market && order.place != Place::kBook) continue;
        if (order.side == Side::kBuy && (market || order.terms.price >= price)) demand += order.leaves;
        if (order.side == Side::kSell && (market || order.terms.price <= price)) supply += order.leaves;
    }
    return {price, std::min(demand, supply), demand - supply};
}

std::optional<AuctionPrice> PlainVenue::auction_price(InstrumentIndex instrument) const {
    const std::optional<Price> reference = books_[instrument].reference;
    std::vector<AuctionPrice> prices;
    for (const Waiting& order : orders_) {
        if (order.instrument == instrument && order.place == Place::kBook)
            prices.push_back(auction_at(instrument, order.terms.price));
    }
    if (prices.empty() && reference) prices.push_back(auction_at(instrument, *reference));
    std::sort(prices.begin(), prices.end(),
              [](const auto& one, const auto& other) { return one.price < other.price; });
    const auto keep_least = [&](auto measure) {
        Quantity least = std::numeric_limits<Quantity>::max();
        for (const AuctionPrice& next : prices) least = std::min(least, measure(next));
        std::erase_if(prices, [&](const AuctionPrice& next) { return measure(next) != least; });
    };
    keep_least([](const AuctionPrice& next) { return -next.volume; });
    keep_least([](const AuctionPrice& next) { return next.surplus < 0 ? -next.surplus : next.surplus; });
    if (prices.empty() || prices.front().volume == 0) return std::nullopt;
    const auto all = [&](auto test) { return std::all_of(prices.begin(), prices.end(), test); };
    if (all([](const AuctionPrice& next) { return next.surplus > 0; })) return prices.back();
    if (all([](const AuctionPrice& next) { return next.surplus < 0; }) || !reference) return prices.front();
    return auction_at(instrument, std::clamp(*reference, prices.front().price, prices.back().price));
}

void PlainVenue::hold_auction(InstrumentIndex instrument) {
    const auto found = auction_price(instrument);
    if (!found) return;
    Event& auction = tell(EventKind::kAuction, instrument);
    auction.price = found->price;
    auction.quantity = found->volume;
    auction.leaves = found->surplus;
    const auto first = [&](Side side) {
        for (const Place place : {Place::kMarketQueue, Place::kBook}) {
            if (const auto those = ranked(instrument, place, side); !those.empty())
                return find(those.front());
        }
        return orders_.end();
    };
    for (Quantity left = found->volume; left > 0;) {
        const std::uint64_t names[] = {first(Side::kBuy)->reference, first(Side::kSell)->reference};
        const Waiting& buyer = *find(names[0]);
        const Waiting& seller = *find(names[1]);
        const Quantity quantity = std::min({left, buyer.leaves, seller.leaves});
        left -= quantity;
        trade(instrument, found->price, quantity);
        Event& event = tell(EventKind::kTrade, buyer);
        event.other_reference = seller.reference;
        event.price = found->price;
        event.quantity = quantity;
        event.leaves = buyer.leaves - quantity;
        event.other_leaves = seller.leaves - quantity;
        for (const std::uint64_t name : names) {
            const auto order = find(name);
            order->filled += quantity;
            order->leaves -= quantity;
            order->visible = show(order->terms, order->leaves);
            if (order->leaves == 0) orders_.erase(order);
        }
    }
    books_[instrument].reference = found->price;
}

void PlainVenue::change_phase(InstrumentIndex instrument, Phase phase, Reason reason) {
    PlainBook& book = books_[instrument];
    if (book.phase == phase) return;
    book.halted_until.reset();
    if (is_call(book.phase) && !is_call(phase)) {
        hold_auction(instrument);
        for (const std::uint64_t reference : everything(instrument)) {
            const Waiting& order = *find(reference);
            const TimeInForce tif = order.terms.tif;
            const bool for_auction = tif == TimeInForce::kAtTheOpen || tif == TimeInForce::kAtTheClose;
            if (order.place == Place::kMarketQueue || (order.place == Place::kBook && for_auction))
                end(reference, Reason::kAuctionOver);
        }
    }
    book.phase = phase;
    tell(EventKind::kPhase, instrument).reason = reason;
    if (phase == Phase::kClosingCall) {
        for (const std::uint64_t reference : ranked(instrument, Place::kAtClose, std::nullopt)) {
            const Waiting order = *find(reference);
            orders_.erase(find(reference));
            activate(order, 0);
        }
    }
    if (phase != Phase::kContinuous) return;
    if (book.last) book.unseen.push_back(book.last->price);
    settle(instrument);
}

void PlainVenue::venue(const Message& message) {
    const bool all = message.instrument == kAllInstruments;
    const bool several = message.kind == MessageKind::kPhase || message.kind == MessageKind::kMassCancel;
    const bool none = message.kind == MessageKind::kTime || message.kind == MessageKind::kEndOfDay;
    if (!none && message.instrument >= books_.size() && !(several && all))
        return refuse(message, Reason::kUnknownInstrument);
    const auto each = [&](auto work) {
        for (InstrumentIndex next = 0; next < books_.size(); ++next) {
            if (all || none || next == message.instrument) work(next);
        }
    };
    const auto end_those = [&](InstrumentIndex instrument, Reason reason, auto test) {
        for (const std::uint64_t reference : everything(instrument)) {
            if (test(*find(reference))) end(reference, reason);
        }
    };
    if (message.kind == MessageKind::kPhase)
        return each([&](InstrumentIndex next) { change_phase(next, message.phase, Reason::kRequested); });
    if (message.kind == MessageKind::kMassCancel)
        return each([&](InstrumentIndex next) {
            end_those(next, Reason::kMassCanceled, [&](const Waiting& order) {
                return order.owner == message.owner && order.owner != kNobody;
            });
        });
    if (message.kind == MessageKind::kEndOfDay)
        return each([&](InstrumentIndex next) {
            end_those(next, Reason::kExpired,
                      [](const Waiting& order) { return order.terms.tif != TimeInForce::kGoodTillCancel; });
        });
    if (message.kind == MessageKind::kTime) {
        if (message.time < now_ || message.time > std::numeric_limits<std::int64_t>::max() / 2)
            return refuse(message, Reason::kBadSetting);
        now_ = message.time;
        for (;;) {
            std::optional<InstrumentIndex> first;
            each([&](InstrumentIndex next) {
                const PlainBook& book = books_[next];
                if (book.halted_until && *book.halted_until <= now_ &&
                    (!first || book.halt_stamp < books_[*first].halt_stamp))
                    first = next;
            });
            if (!first) return;
            change_phase(*first, Phase::kContinuous, Reason::kHaltOver);
        }
    }
    PlainBook& book = books_[message.instrument];
    Terms as_limit;
    as_limit.price = message.price;
    as_limit.quantity = book.rules.lot;
    PlainBook anytime{book.rules};
    const bool tradable = check(anytime, as_limit) == Reason::kNone;
    if (message.kind == MessageKind::kReference) {
        tradable ? void(book.reference = message.price) : refuse(message, Reason::kBadSetting);
    } else if (message.kind == MessageKind::kLimits) {
        if (message.price > message.other_price) return refuse(message, Reason::kBadSetting);
        book.limit_down = message.price;
        book.limit_up = message.other_price;
        end_those(message.instrument, Reason::kLimitUpDown, [&](const Waiting& order) {
            const bool limited =
                order.terms.type == OrderType::kLimit || order.terms.type == OrderType::kStopLimit;
            return limited && (order.terms.price < book.limit_down || order.terms.price > book.limit_up);
        });
    } else if (message.kind == MessageKind::kBreaker) {
        if (message.price < 0 || message.price > book.rules.highest - book.rules.lowest || message.time < 0)
            return refuse(message, Reason::kBadSetting);
        book.distance = message.price;
        book.halt_time = message.time;
    } else if (message.kind == MessageKind::kPrint) {
        if (!tradable || message.quantity <= 0) return refuse(message, Reason::kBadSetting);
        trade(message.instrument, message.price, message.quantity);
        Event& event = tell(EventKind::kPrinted, message.instrument);
        event.price = message.price;
        event.quantity = message.quantity;
        settle(message.instrument);
    } else if (message.kind == MessageKind::kSweep && book.phase == Phase::kContinuous) {
        for (const std::uint64_t reference : ranked(message.instrument, Place::kBook, message.side)) {
            const auto order = find(reference);
            const Price price = order->terms.price;
            if (order->owner == message.owner ||
                (message.side == Side::kBuy ? price < message.price : price > message.price))
                continue;
            trade(message.instrument, price, order->leaves);
            Event& event = tell(EventKind::kTrade, message.instrument);
            event.side = opposite(message.side);
            event.reference = message.reference;
            event.other_reference = reference;
            event.price = price;
            event.quantity = order->leaves;
            orders_.erase(order);
        }
        settle(message.instrument);
    }
}

}  // namespace fixaccel::exchange
