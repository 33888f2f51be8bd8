// SPDX-License-Identifier: Apache-2.0
#include "venue/market_data.hpp"

namespace fixaccel::exchange {
namespace {

// MDEntryType(269).
constexpr const char* kBid = "0";
constexpr const char* kOffer = "1";
constexpr const char* kTrade = "2";

std::string action_code(UpdateAction action) {
    switch (action) {
        case UpdateAction::kNew:
            return "0";
        case UpdateAction::kChange:
            return "1";
        case UpdateAction::kDelete:
            return "2";
    }
    return "";
}

void add_price(Fields& entry, const Instrument& instrument, Price price, Quantity quantity) {
    entry.push_back({tag::kMdEntryPx, instrument.format_price(price)});
    entry.push_back({tag::kMdEntrySize, std::to_string(quantity)});
}

void add_levels(std::vector<Fields>& entries, const Instrument& instrument, const std::vector<Level>& levels,
                const std::string& type) {
    int position = 0;
    for (const Level& level : levels) {
        Fields& entry = entries.emplace_back();
        entry.push_back({tag::kMdEntryType, type});
        add_price(entry, instrument, level.price, level.quantity);
        entry.push_back({tag::kMdEntryPositionNo, std::to_string(++position)});
    }
}

// How each entry of an increment begins; the order of its fields is FIX's.
Fields update_entry(UpdateAction action, const std::string& type, const Instrument& instrument) {
    return {{tag::kMdUpdateAction, action_code(action)},
            {tag::kMdEntryType, type},
            {tag::kSymbol, instrument.symbol()}};
}

void add_changes(std::vector<Fields>& entries, const Instrument& instrument,
                 const std::vector<LevelChange>& changes, const std::string& type) {
    for (const LevelChange& change : changes) {
        Fields& entry = entries.emplace_back(update_entry(change.action, type, instrument));
        if (change.action != UpdateAction::kDelete)
            add_price(entry, instrument, change.level.price, change.level.quantity);
        entry.push_back({tag::kMdEntryPositionNo, std::to_string(change.position)});
    }
}

}  // namespace

OutgoingMessage market_data_snapshot(const Subscription& subscription, const Instrument& instrument,
                                     const MarketSnapshot& snapshot) {
    OutgoingMessage message{
        "W", {{tag::kSymbol, instrument.symbol()}, {tag::kMdReqId, subscription.md_req_id}}, {}};
    message.groups.push_back({tag::kNoMdEntries, {}});
    std::vector<Fields>& entries = message.groups.front().entries;
    if (subscription.bids) add_levels(entries, instrument, snapshot.bids, kBid);
    if (subscription.asks) add_levels(entries, instrument, snapshot.asks, kOffer);
    if (subscription.trades && snapshot.last) {
        Fields& entry = entries.emplace_back();
        entry.push_back({tag::kMdEntryType, kTrade});
        add_price(entry, instrument, snapshot.last->price, snapshot.last->quantity);
    }
    return message;
}

OutgoingMessage market_data_increment(const Subscription& subscription,
                                      const std::vector<const BookUpdate*>& updates) {
    OutgoingMessage message{"X", {{tag::kMdReqId, subscription.md_req_id}}, {}};
    message.groups.push_back({tag::kNoMdEntries, {}});
    std::vector<Fields>& entries = message.groups.front().entries;
    for (const BookUpdate* update : updates) {
        const Instrument& instrument = *update->instrument;
        const auto changes = [&](const std::vector<Level>& before, const std::vector<Level>& now) {
            return level_changes(before, now, subscription.depth);
        };
        if (subscription.bids)
            add_changes(entries, instrument, changes(update->before.bids, update->now.bids), kBid);
        if (subscription.asks)
            add_changes(entries, instrument, changes(update->before.asks, update->now.asks), kOffer);
        if (!subscription.trades) continue;
        for (const Print& print : update->prints) {
            Fields& entry = entries.emplace_back(update_entry(UpdateAction::kNew, kTrade, instrument));
            add_price(entry, instrument, print.price, print.quantity);
        }
    }
    return message;
}

OutgoingMessage market_data_reject(const std::string& md_req_id, const std::string& reason,
                                   const std::string& text) {
    return {"Y", {{tag::kText, text}, {tag::kMdReqId, md_req_id}, {tag::kMdReqRejReason, reason}}, {}};
}

}  // namespace fixaccel::exchange
