// SPDX-License-Identifier: Apache-2.0
// The market data half of the gateway: V in, W, X and Y out.
#include <algorithm>
#include <utility>

#include "matching/decimal.hpp"
#include "venue/gateway.hpp"
#include "venue/market_data.hpp"
#include "venue/unfollowed.hpp"

namespace fixaccel::exchange {
namespace {

// MDReqRejReason(281).
constexpr const char* kUnknownSymbol = "0";
constexpr const char* kDuplicateMdReqId = "1";
constexpr const char* kInsufficientBandwidth = "2";
constexpr const char* kUnsupportedRequestType = "4";
constexpr const char* kUnsupportedDepth = "5";
constexpr const char* kUnsupportedUpdateType = "6";
constexpr const char* kUnsupportedEntryType = "8";

// MDUpdateType(265).
std::string update_type_code(UpdateType type) { return type == UpdateType::kFullRefresh ? "0" : "1"; }

// How often a group's first field comes, where that is not what its counter says.
std::optional<std::string> wrong_count(const IncomingMessage& message, int counter, int first,
                                       const char* name) {
    const std::string* given = message.find(counter);
    const std::size_t found = message.all(first).size();
    const auto count =
        given == nullptr ? std::optional<std::int64_t>(found == 0 ? 0 : -1) : parse_whole(*given);
    if (count && *count == static_cast<std::int64_t>(found)) return std::nullopt;
    return std::string(name) + "=" + (given == nullptr ? "" : *given) + " but there are " +
           std::to_string(found);
}

// Which entries were asked for; the first type that is none of them, if there is one.
std::string read_types(const IncomingMessage& message, Subscription& subscription) {
    const std::vector<std::string> types = message.all(tag::kMdEntryType);
    if (types.empty()) return "";
    subscription.bids = subscription.asks = subscription.trades = false;
    for (const std::string& type : types) {
        bool* wanted = type == "0"   ? &subscription.bids
                       : type == "1" ? &subscription.asks
                       : type == "2" ? &subscription.trades
                                     : nullptr;
        if (wanted == nullptr) return type;
        *wanted = true;
    }
    return "";
}

}  // namespace

void Gateway::take_market_data_request(const IncomingMessage& message) {
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
    if (recorder_.enabled()) {
        Json line = header_line(message);
        line["md_req_id"] = subscription.md_req_id;
        line["request"] = request;
        line["symbols"] = subscription.symbols;
        recorder_.write("market_data_request", std::move(line));
    }
    auto wrong = wrong_count(message, tag::kNoRelatedSym, tag::kSymbol, "NoRelatedSym(146)");
    if (!wrong) wrong = wrong_count(message, tag::kNoMdEntryTypes, tag::kMdEntryType, "NoMDEntryTypes(267)");
    if (wrong) return refuse(message, "0", *wrong);

    const std::string& client = message.client;
    if (request == "2") {
        if (!feed_.unsubscribe(client, subscription.md_req_id))
            refuse_market_data(message, kUnsupportedRequestType, "no subscription of that MDReqID(262)");
        return clients_.subscribed(client, feed_.count(client));
    }
    if (subscription.symbols.empty())
        return refuse_market_data(message, kUnknownSymbol, "Symbol(55) is missing");
    for (const std::string& symbol : symbols) {
        if (exchange_.find(symbol) == nullptr)
            return refuse_market_data(message, kUnknownSymbol, "unknown symbol '" + symbol + "'");
    }
    const std::string odd = read_types(message, subscription);
    const std::string* type = message.find(tag::kMdUpdateType);
    if (request != "0" && request != "1") {
        refuse_market_data(message, kUnsupportedRequestType,
                           "SubscriptionRequestType(263) must be 0, 1 or 2");
    } else if (!depth) {
        refuse_market_data(message, kUnsupportedDepth, "MarketDepth(264) must be a whole number");
    } else if (type != nullptr && request == "1" && *type != update_type_code(options_.update_type)) {
        // Whoever asks for one kind and is sent the other would misread it.
        refuse_market_data(
            message, kUnsupportedUpdateType,
            "this venue publishes MDUpdateType(265)=" + update_type_code(options_.update_type));
    } else if (const auto more = unfollowed(message, kMarketDataUnfollowed)) {
        refuse_market_data(message, more->what->reason, more->text);
    } else if (!odd.empty()) {
        refuse_market_data(message, kUnsupportedEntryType,
                           "MDEntryType(269)=" + odd + " is not published; 0 is bid, 1 offer, 2 trade");
    } else if (request == "1" && feed_.count(client) >= options_.subscriptions) {
        refuse_market_data(
            message, kInsufficientBandwidth,
            "a session has at most " + std::to_string(options_.subscriptions) + " subscriptions at a time");
    } else if (request == "1" && !feed_.subscribe(subscription)) {
        refuse_market_data(message, kDuplicateMdReqId, "MDReqID(262) is in use");
    } else if (request == "0") {
        if (!feed_.send_lone(subscription))
            refuse_market_data(message, kInsufficientBandwidth,
                               "the session reads too slowly for a snapshot");
    } else {
        feed_.send_snapshots(subscription);
        clients_.subscribed(client, feed_.count(client));
    }
}

void Gateway::refuse_market_data(const IncomingMessage& message, const std::string& reason,
                                 const std::string& text) {
    post(message.client, market_data_reject(message.text(tag::kMdReqId), reason, text));
}

bool Gateway::send_market_data(const std::string& client, OutgoingMessage message) {
    if (host_ == nullptr) return false;
    if (!recorder_.enabled()) return host_->post(client, std::move(message), Urgency::kMarketData);
    auto line = std::make_shared<Json>(market_data_line(client, message, 0));
    return host_->post(client, std::move(message), Urgency::kMarketData, [this, line](int msg_seq_num) {
        (*line)["msg_seq_num"] = msg_seq_num;
        recorder_.write("market_data", std::move(*line));
    });
}

}  // namespace fixaccel::exchange
