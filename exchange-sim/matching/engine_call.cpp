// SPDX-License-Identifier: Apache-2.0
// Phases and their auctions.
#include <algorithm>

#include "matching/engine.hpp"
#include "matching/engine_inline.hpp"

namespace fixaccel::exchange {
namespace {

bool collects(Phase phase) {
    return phase == Phase::kOpeningCall || phase == Phase::kClosingCall || phase == Phase::kHalted;
}

Quantity size_of(Quantity surplus) { return surplus < 0 ? -surplus : surplus; }

}  // namespace

void Engine::set_phase(const Message& message) {
    if (message.instrument != kAllInstruments && message.instrument >= books_.size())
        return refuse(message, Reason::kUnknownInstrument);
    for (Book& book : books_) {
        if (message.instrument == kAllInstruments || message.instrument == book.index)
            change_phase(book, message.phase, Reason::kRequested);
    }
}

void Engine::change_phase(Book& book, Phase phase, Reason reason) {
    if (phase == book.phase) return;
    if (book.phase == Phase::kHalted) std::erase(halts_, book.index);
    if (collects(book.phase) && !collects(phase)) {
        hold_auction(book);
        end_all(book, Reason::kAuctionOver, [](const OrderRecord& order) {
            return order.place == Place::kMarketQueue ||
                   (order.place == Place::kBook && order.tif >= TimeInForce::kAtTheOpen);
        });
    }
    book.phase = phase;
    emit(EventKind::kPhase, book).reason = reason;
    if (phase == Phase::kClosingCall) {
        while (book.at_close.head != 0) {
            const Slot slot = book.at_close.head;
            unlink(book.at_close, slot);
            activate(book, slot, 0);
        }
    }
    if (phase == Phase::kContinuous) {
        // Orders that came in the call have not seen the last trade.
        if (book.has_last) {
            if (!book.moved) book.moved_low = book.moved_high = book.last.price;
            book.moved = true;
        }
        settle(book);
    }
}

void Engine::halt(Book& book) {
    book.phase = Phase::kHalted;
    emit(EventKind::kPhase, book).reason = Reason::kBreaker;
    if (book.halt_time == 0) return;
    book.halted_until = now_ + book.halt_time;
    halts_.push_back(book.index);
}

// Every limit price of the book, lowest first, with what would be bought and sold exactly there.
void Engine::gather_curve(Book& book) {
    curve_.clear();
    for (const Side side : {Side::kBuy, Side::kSell}) {
        const Ladder& ladder = book.side(side);
        for (Key key = ladder.best(); key != kNoKey; key = ladder.after(key)) {
            const Quantity total = ladder.at(key, pages_).total;
            const bool buys = side == Side::kBuy;
            curve_.push_back({price_of(side, key), buys ? total : 0, buys ? 0 : total});
        }
    }
    std::sort(curve_.begin(), curve_.end(),
              [](const CurvePoint& one, const CurvePoint& other) { return one.price < other.price; });
    std::size_t kept = 0;
    for (const CurvePoint& point : curve_) {
        if (kept > 0 && curve_[kept - 1].price == point.price) {
            curve_[kept - 1].bids += point.bids;
            curve_[kept - 1].asks += point.asks;
        } else {
            curve_[kept++] = point;
        }
    }
    curve_.resize(kept);
}

// The price of a limit where most would trade; of those, where least is left over; of those, the highest if
// buyers are left at each of them, the lowest if sellers are, and else the one nearest to the reference.
std::optional<AuctionPrice> Engine::auction_price(Book& book) {
    const Quantity market_buys = book.at_market(Side::kBuy).total;
    const Quantity market_sells = book.at_market(Side::kSell).total;
    gather_curve(book);
    if (curve_.empty()) {
        const Quantity volume = std::min(market_buys, market_sells);
        if (volume == 0 || !book.reference) return std::nullopt;
        return AuctionPrice{*book.reference, volume, market_buys - market_sells};
    }
    Quantity demand = market_buys;
    for (const CurvePoint& point : curve_) demand += point.bids;
    Quantity supply = market_sells;
    AuctionPrice lowest;
    AuctionPrice highest;
    bool sellers_left = false;
    bool buyers_left = false;
    for (const CurvePoint& point : curve_) {
        supply += point.asks;
        const AuctionPrice here{point.price, std::min(demand, supply), demand - supply};
        demand -= point.bids;
        if (here.volume == 0 || here.volume < lowest.volume) continue;
        const bool better = here.volume > lowest.volume || size_of(here.surplus) < size_of(lowest.surplus);
        if (!better && size_of(here.surplus) > size_of(lowest.surplus)) continue;
        if (better) {
            lowest = here;
            sellers_left = buyers_left = true;
        }
        highest = here;
        buyers_left = buyers_left && here.surplus > 0;
        sellers_left = sellers_left && here.surplus < 0;
    }
    if (lowest.volume == 0) return std::nullopt;
    if (buyers_left) return highest;
    if (sellers_left || !book.reference || *book.reference <= lowest.price) return lowest;
    if (*book.reference >= highest.price) return highest;
    AuctionPrice between{*book.reference, 0, market_buys - market_sells};
    for (const CurvePoint& point : curve_) {
        if (point.price >= between.price) between.surplus += point.bids;
        if (point.price <= between.price) between.surplus -= point.asks;
    }
    between.volume = lowest.volume;
    return between;
}

std::optional<AuctionPrice> Engine::indicative(InstrumentIndex instrument) {
    Book& book = books_[instrument];
    return collects(book.phase) ? auction_price(book) : std::nullopt;
}

Slot Engine::first_of(Book& book, Side side) {
    if (const Slot slot = book.at_market(side).head; slot != 0) return slot;
    Ladder& ladder = book.side(side);
    return ladder.empty() ? 0 : ladder.at(ladder.best(), pages_).head;
}

// All at one price: market orders first, then the best limits, of each the oldest first, icebergs with all
// they have.
void Engine::hold_auction(Book& book) {
    const auto found = auction_price(book);
    if (!found) return;
    Event& auction = emit(EventKind::kAuction, book);
    auction.price = found->price;
    auction.quantity = found->volume;
    auction.leaves = found->surplus;
    for (Quantity left = found->volume; left > 0;) {
        const Slot buyer = first_of(book, Side::kBuy);
        const Slot seller = first_of(book, Side::kSell);
        const Quantity quantity = std::min({left, orders_[buyer].leaves, orders_[seller].leaves});
        left -= quantity;
        traded(book, found->price, quantity);
        Event& event = emit(EventKind::kTrade, book, buyer);
        event.other_reference = orders_[seller].reference;
        event.price = found->price;
        event.quantity = quantity;
        event.leaves = orders_[buyer].leaves - quantity;
        event.other_leaves = orders_[seller].leaves - quantity;
        fill_in_auction(book, buyer, quantity);
        fill_in_auction(book, seller, quantity);
    }
    book.reference = found->price;
    set_band(book);
}

void Engine::fill_in_auction(Book& book, Slot slot, Quantity quantity) {
    OrderRecord& order = orders_[slot];
    order.filled += quantity;
    if (quantity == order.leaves) {
        remove(book, slot);
        return release(slot);
    }
    Queue& queue = queue_of(book, slot);
    const Quantity before = order.visible;
    order.leaves -= quantity;
    order.visible = shown(slot);
    queue.visible += order.visible - before;
    queue.total -= quantity;
}

}  // namespace fixaccel::exchange
