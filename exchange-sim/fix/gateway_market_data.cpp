// SPDX-License-Identifier: Apache-2.0
// The market data half of the gateway: V in, W and Y out.
#include <set>

#include "fix/gateway.hpp"
#include "fix/record_lines.hpp"
#include "fix/reports.hpp"
#include "matching/decimal.hpp"

namespace fixaccel::exchange {
namespace {

// MDReqRejReason(281).
constexpr const char* kUnknownSymbol = "0";
constexpr const char* kDuplicateMdReqId = "1";
constexpr const char* kUnsupportedRequestType = "4";
constexpr const char* kUnsupportedDepth = "5";
constexpr const char* kUnsupportedUpdateType = "6";

}  // namespace

Disposition Gateway::on_market_data_request(const IncomingMessage& message) {
    for (const int wanted : {tag::kMdReqId, tag::kSubscriptionRequestType, tag::kMarketDepth}) {
        if (message.find(wanted) == nullptr) return Disposition::missing(wanted);
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
        return Disposition::done();
    }
    if (subscription.symbols.empty()) return Disposition::missing(tag::kSymbol);
    for (const std::string& symbol : symbols) {
        if (exchange_.find(symbol) == nullptr) {
            refuse_market_data(message, kUnknownSymbol, "unknown symbol '" + symbol + "'");
            return Disposition::done();
        }
    }
    if (request != "0" && request != "1") {
        refuse_market_data(message, kUnsupportedRequestType,
                           "SubscriptionRequestType(263) must be 0, 1 or 2");
    } else if (!depth) {
        refuse_market_data(message, kUnsupportedDepth, "MarketDepth(264) must be a whole number");
    } else if (message.find(tag::kMdUpdateType) != nullptr && message.text(tag::kMdUpdateType) != "0") {
        refuse_market_data(message, kUnsupportedUpdateType,
                           "only full refresh, MDUpdateType(265)=0, is published");
    } else if (request == "1" && !clients_.subscribe(subscription)) {
        refuse_market_data(message, kDuplicateMdReqId, "MDReqID(262) is in use");
    } else {
        for (const std::string& symbol : subscription.symbols) send_snapshot(subscription, symbol);
    }
    return Disposition::done();
}

void Gateway::refuse_market_data(const IncomingMessage& message, const std::string& reason,
                                 const std::string& text) {
    host_->send(message.client, market_data_reject(message.text(tag::kMdReqId), reason, text));
}

void Gateway::publish() {
    for (const std::string& symbol : exchange_.symbols()) {
        const std::uint64_t revision = exchange_.revision(symbol);
        std::uint64_t& published = published_[symbol];
        if (published == revision) continue;
        published = revision;
        for (const Subscription& subscription : clients_.subscribers(symbol))
            send_snapshot(subscription, symbol);
    }
}

void Gateway::send_snapshot(const Subscription& subscription, const std::string& symbol) {
    // A message sent to a client that has just gone would use up a MsgSeqNum for news that is old by its
    // return.
    if (!host_->logged_on(subscription.client)) return;
    const OutgoingMessage message = market_data_snapshot(*exchange_.find(symbol), subscription.md_req_id,
                                                         exchange_.snapshot(symbol, subscription.depth));
    const int msg_seq_num = host_->send(subscription.client, message);
    recorder_.write("market_data", market_data_line(subscription.client, message, msg_seq_num));
}

}  // namespace fixaccel::exchange
