// SPDX-License-Identifier: Apache-2.0
#include "venue/market_feed.hpp"

#include <algorithm>
#include <utility>

namespace fixaccel::exchange {

MarketFeed::MarketFeed(Exchange& exchange, UpdateType type, std::chrono::nanoseconds conflate, Wire wire)
    : exchange_(exchange),
      type_(type),
      conflate_(conflate),
      wire_(std::move(wire)),
      by_instrument_(exchange.engine().instrument_count()),
      published_(exchange.engine().instrument_count()) {}

bool MarketFeed::subscribe(const Subscription& subscription) {
    const auto same = [&](const Follower& held) {
        return held.wanted.client == subscription.client && held.wanted.md_req_id == subscription.md_req_id;
    };
    if (std::any_of(followers_.begin(), followers_.end(), same)) return false;
    Follower& follower = followers_.emplace_back();
    follower.wanted = subscription;
    follower.serial = ++serial_;
    for (const std::string& symbol : subscription.symbols) {
        const InstrumentIndex index = exchange_.index_of(symbol);
        follower.instruments.push_back(index);
        by_instrument_[index].push_back(&follower);
        // The others may know less of it than this one will.
        if (type_ == UpdateType::kIncrementalRefresh) published_[index] = exchange_.snapshot(index);
    }
    ++stats_[subscription.client].subscriptions;
    return true;
}

void MarketFeed::forget(const Follower& follower) {
    for (const InstrumentIndex index : follower.instruments) {
        std::erase(by_instrument_[index], &follower);
        // Whoever comes next begins with a snapshot.
        if (by_instrument_[index].empty()) published_[index].reset();
    }
    if (!follower.pending.empty()) --waiting_;
    --stats_[follower.wanted.client].subscriptions;
}

bool MarketFeed::unsubscribe(const std::string& client, const std::string& md_req_id) {
    const auto found = std::find_if(followers_.begin(), followers_.end(), [&](const Follower& held) {
        return held.wanted.client == client && held.wanted.md_req_id == md_req_id;
    });
    if (found == followers_.end()) return false;
    forget(*found);
    followers_.erase(found);
    return true;
}

void MarketFeed::drop(const std::string& client) {
    std::erase_if(followers_, [&](const Follower& held) {
        if (held.wanted.client != client) return false;
        forget(held);
        return true;
    });
}

std::size_t MarketFeed::count(const std::string& client) const {
    const auto found = stats_.find(client);
    return found == stats_.end() ? 0 : found->second.subscriptions;
}

FeedStats MarketFeed::stats(const std::string& client) const {
    const auto found = stats_.find(client);
    return found == stats_.end() ? FeedStats{} : found->second;
}

bool MarketFeed::send_snapshot(const Subscription& wanted, InstrumentIndex index) {
    const bool taken = wire_.send(
        wanted.client,
        market_data_snapshot(wanted, exchange_.instrument(index), exchange_.snapshot(index, wanted.depth)));
    stats_[wanted.client].messages += taken ? 1 : 0;
    return taken;
}

bool MarketFeed::send_lone(const Subscription& wanted) {
    return std::all_of(wanted.symbols.begin(), wanted.symbols.end(), [&](const std::string& symbol) {
        return send_snapshot(wanted, exchange_.index_of(symbol));
    });
}

void MarketFeed::send_snapshots(const Subscription& subscription) {
    const auto found = std::find_if(followers_.begin(), followers_.end(), [&](const Follower& held) {
        return held.wanted.client == subscription.client && held.wanted.md_req_id == subscription.md_req_id;
    });
    for (const std::string& symbol : subscription.symbols) {
        const InstrumentIndex index = exchange_.index_of(symbol);
        if (send_snapshot(subscription, index) || found == followers_.end()) continue;
        // The session is behind: an empty book is what it knows, until it takes the whole one.
        if (found->pending.empty()) ++waiting_;
        found->pending[index];
        found->due = Clock::now();
    }
}

void MarketFeed::publish(Clock::time_point now) {
    if (exchange_.changed().empty()) return;
    std::vector<InstrumentIndex> indices(exchange_.changed().begin(), exchange_.changed().end());
    exchange_.clear_changed();
    std::sort(indices.begin(), indices.end());  // by symbol
    std::vector<BookUpdate> updates;
    std::vector<Follower*> touched;
    for (const InstrumentIndex index : indices) {
        std::vector<Print>& prints = exchange_.prints(index);
        BookUpdate& update = updates.emplace_back();
        update.instrument = &exchange_.instrument(index);
        if (by_instrument_[index].empty()) {
            prints.clear();
            continue;
        }
        update.prints.swap(prints);
        if (type_ == UpdateType::kIncrementalRefresh) {
            std::size_t depth = 0;
            bool whole = false;
            for (const Follower* follower : by_instrument_[index]) {
                whole = whole || follower->wanted.depth == 0;
                depth = std::max(depth, follower->wanted.depth);
            }
            update.now = exchange_.snapshot(index, whole ? 0 : depth);
            update.before = std::exchange(*published_[index], update.now);
        }
        for (Follower* follower : by_instrument_[index]) {
            if (follower->touched.empty()) touched.push_back(follower);
            follower->touched.push_back(updates.size() - 1);
        }
    }
    std::sort(touched.begin(), touched.end(),
              [](const Follower* one, const Follower* other) { return one->serial < other->serial; });
    for (Follower* follower : touched) {
        update(*follower, updates, indices, now);
        follower->touched.clear();
    }
}

void MarketFeed::hold(Follower& follower, InstrumentIndex index, const BookUpdate& update) {
    if (follower.pending.empty()) ++waiting_;
    const auto [place, fresh] = follower.pending.try_emplace(index);
    Pending& pending = place->second;
    if (fresh && type_ == UpdateType::kIncrementalRefresh) pending.known = update.before;
    if (!fresh) ++stats_[follower.wanted.client].conflated;
    for (const Print& print : update.prints) {
        if (pending.prints.size() <= kListedTrades) {
            pending.prints.push_back(print);
        } else {
            pending.prints.back() = {print.price, pending.prints.back().quantity + print.quantity};
        }
    }
}

void MarketFeed::update(Follower& follower, const std::vector<BookUpdate>& updates,
                        const std::vector<InstrumentIndex>& indices, Clock::time_point now) {
    const bool waits = !follower.pending.empty();
    const bool behind = wire_.behind(follower.wanted.client);
    if (conflate_.count() == 0 && !waits && !behind) {
        if (type_ == UpdateType::kIncrementalRefresh) {
            std::vector<const BookUpdate*> mine;
            mine.reserve(follower.touched.size());
            for (const std::size_t at : follower.touched) mine.push_back(&updates[at]);
            OutgoingMessage message = market_data_increment(follower.wanted, mine);
            if (message.groups.front().entries.empty() || send(follower, std::move(message))) return;
        } else {
            while (!follower.touched.empty()) {
                const std::size_t at = follower.touched.front();
                if (follower.wanted.shows(updates[at]) && !send_snapshot(follower.wanted, indices[at])) break;
                follower.touched.erase(follower.touched.begin());
            }
            if (follower.touched.empty()) return;
        }
    }
    for (const std::size_t at : follower.touched) {
        if (type_ == UpdateType::kIncrementalRefresh || follower.wanted.shows(updates[at]))
            hold(follower, indices[at], updates[at]);
    }
    // What begins to wait has an interval before it, so that each has the same pace.
    if (!waits) follower.due = conflate_.count() == 0 ? now + kRetry : std::max(follower.due, now);
}

bool MarketFeed::send(Follower& follower, OutgoingMessage message) {
    const bool taken = wire_.send(follower.wanted.client, std::move(message));
    stats_[follower.wanted.client].messages += taken ? 1 : 0;
    return taken;
}

bool MarketFeed::flush(Follower& follower) {
    if (follower.pending.empty()) return true;
    if (wire_.behind(follower.wanted.client)) return false;
    if (type_ == UpdateType::kIncrementalRefresh) {
        std::vector<BookUpdate> updates;
        updates.reserve(follower.pending.size());
        for (const auto& [index, pending] : follower.pending)
            updates.push_back({&exchange_.instrument(index), pending.known,
                               exchange_.snapshot(index, follower.wanted.depth), pending.prints});
        std::vector<const BookUpdate*> all;
        all.reserve(updates.size());
        for (const BookUpdate& update : updates) all.push_back(&update);
        OutgoingMessage message = market_data_increment(follower.wanted, all);
        if (!message.groups.front().entries.empty() && !send(follower, std::move(message))) return false;
        follower.pending.clear();
    } else {
        while (!follower.pending.empty()) {
            if (!send_snapshot(follower.wanted, follower.pending.begin()->first)) return false;
            follower.pending.erase(follower.pending.begin());
        }
    }
    --waiting_;
    return true;
}

void MarketFeed::tick(Clock::time_point now) {
    if (waiting_ == 0) return;
    for (Follower& follower : followers_) {
        if (follower.pending.empty() || follower.due > now) continue;
        const auto pause = conflate_.count() > 0 ? conflate_ : std::chrono::nanoseconds(kRetry);
        flush(follower);
        follower.due = now + std::chrono::duration_cast<Clock::duration>(pause);
    }
}

std::optional<MarketFeed::Clock::time_point> MarketFeed::next_tick() const {
    std::optional<Clock::time_point> next;
    if (waiting_ == 0) return next;
    for (const Follower& follower : followers_) {
        if (!follower.pending.empty() && (!next || follower.due < *next)) next = follower.due;
    }
    return next;
}

void MarketFeed::drained(const std::string& client) {
    // Those that conflate anyway go on at their pace.
    if (conflate_.count() > 0) return;
    for (Follower& follower : followers_) {
        if (follower.wanted.client == client && !flush(follower)) return;
    }
}

}  // namespace fixaccel::exchange
