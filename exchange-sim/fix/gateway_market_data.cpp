// SPDX-License-Identifier: Apache-2.0
// The market data half of the gateway: V in, W, X and Y out.
#include <algorithm>
#include <utility>

#include "fix/gateway.hpp"
#include "fix/market_data.hpp"
#include "fix/record_lines.hpp"
#include "matching/decimal.hpp"

namespace fixaccel::exchange {
namespace {

// MDReqRejReason(281).
constexpr const char* kUnknownSymbol = "0";
constexpr const char* kDuplicateMdReqId = "1";
constexpr const char* kUnsupportedRequestType = "4";
constexpr const char* kUnsupportedDepth = "5";
constexpr const char* kUnsupportedUpdateType = "6";

// MDUpdateType(265).
std::string update_type_code(UpdateType type) { return type == UpdateType::kFullRefresh ? "0" : "1"; }

}  // namespace

bool Gateway::on_market_data_request(const IncomingMessage& message) {
    for (const int wanted : {tag::kMdReqId, tag::kSubscriptionRequestType, tag::kMarketDepth}) {
        if (message.find(wanted) == nullptr) return refuse_missing(message, wanted);
    }
    const std::string request = message.text(tag::kSubscriptionRequestType);
    const auto depth = parse_whole(message.text(tag::kMarketDepth));
    const std::vector<std::string> symbols = message.all(tag::kSymbol);
    Subscription subscription{.client = message.client,
                              .md_req_id = message.text(tag::kMdReqId),
                              .depth = static_cast<std::size_t>(depth.value_or(0)),
                              .symbols = {symbols.begin(), symbols.end()}};
    Json line = header_line(message);
    line["md_req_id"] = subscription.md_req_id;
    line["request"] = request;
    line["symbols"] = subscription.symbols;
    recorder_.write("market_data_request", line);

    if (request == "2") {
        if (!clients_.unsubscribe(message.client, subscription.md_req_id)) {
            refuse_market_data(message, kUnsupportedRequestType, "no subscription of that MDReqID(262)");
        }
        return true;
    }
    if (subscription.symbols.empty()) return refuse_missing(message, tag::kSymbol);
    for (const std::string& symbol : symbols) {
        if (exchange_.find(symbol) == nullptr) {
            refuse_market_data(message, kUnknownSymbol, "unknown symbol '" + symbol + "'");
            return true;
        }
    }
    if (request != "0" && request != "1") {
        refuse_market_data(message, kUnsupportedRequestType,
                           "SubscriptionRequestType(263) must be 0, 1 or 2");
    } else if (!depth) {
        refuse_market_data(message, kUnsupportedDepth, "MarketDepth(264) must be a whole number");
    } else if (const std::string* type = message.find(tag::kMdUpdateType);
               type != nullptr && request == "1" && *type != update_type_code(update_type_)) {
        // Whoever asks for one kind and is sent the other would misread it.
        refuse_market_data(message, kUnsupportedUpdateType,
                           "this venue publishes MDUpdateType(265)=" + update_type_code(update_type_));
    } else if (request == "1" && !clients_.subscribe(subscription)) {
        refuse_market_data(message, kDuplicateMdReqId, "MDReqID(262) is in use");
    } else {
        for (const std::string& symbol : subscription.symbols) {
            // What it is told from now on begins with the book as it is here.
            if (request == "1" && update_type_ == UpdateType::kIncrementalRefresh)
                published_.insert_or_assign(symbol, exchange_.snapshot(symbol));
            send_snapshot(subscription, symbol);
        }
    }
    return true;
}

void Gateway::refuse_market_data(const IncomingMessage& message, const std::string& reason,
                                 const std::string& text) {
    host_->post(message.client, market_data_reject(message.text(tag::kMdReqId), reason, text));
}

std::vector<BookUpdate> Gateway::take_updates(const std::vector<Subscription>& subscriptions) {
    std::vector<BookUpdate> updates;
    for (const Instrument* instrument : exchange_.take_changed()) {
        const std::string& symbol = instrument->symbol();
        std::vector<Print> prints = exchange_.take_prints(symbol);
        const bool wanted =
            std::any_of(subscriptions.begin(), subscriptions.end(),
                        [&](const Subscription& held) { return held.symbols.contains(symbol); });
        const auto known = published_.find(symbol);
        if (!wanted) {
            // Nobody follows it any more: whoever comes next begins with a snapshot.
            if (known != published_.end()) published_.erase(known);
        } else if (update_type_ == UpdateType::kIncrementalRefresh) {
            MarketSnapshot now = exchange_.snapshot(symbol);
            MarketSnapshot& book = published_[symbol];
            updates.push_back({instrument, std::exchange(book, now), std::move(now), std::move(prints)});
        } else {
            updates.push_back({instrument, {}, {}, {}});
        }
    }
    return updates;
}

void Gateway::publish() {
    const std::vector<Subscription> subscriptions = clients_.subscriptions();
    const std::vector<BookUpdate> updates = take_updates(subscriptions);
    if (updates.empty()) return;
    for (const Subscription& subscription : subscriptions) {
        if (update_type_ == UpdateType::kIncrementalRefresh) {
            const OutgoingMessage message = market_data_increment(subscription, updates);
            if (!message.groups.front().entries.empty()) send_market_data(subscription.client, message);
            continue;
        }
        for (const BookUpdate& update : updates) {
            const std::string& symbol = update.instrument->symbol();
            if (subscription.symbols.contains(symbol)) send_snapshot(subscription, symbol);
        }
    }
}

void Gateway::send_snapshot(const Subscription& subscription, const std::string& symbol) {
    send_market_data(subscription.client,
                     market_data_snapshot(*exchange_.find(symbol), subscription.md_req_id,
                                          exchange_.snapshot(symbol, subscription.depth)));
}

void Gateway::send_market_data(const std::string& client, const OutgoingMessage& message) {
    host_->post(client, message, Urgency::kMarketData, [&](int msg_seq_num) {
        if (recorder_.enabled())
            recorder_.write("market_data", market_data_line(client, message, msg_seq_num));
    });
}

}  // namespace fixaccel::exchange
